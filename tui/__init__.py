"""The window: a Textual front end behind the session door; never MLX."""
