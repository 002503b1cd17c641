"""One module a command: parse, call, print. Heavy imports happen inside the command."""
