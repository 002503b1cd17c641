"""Training: deterministic batches, the on-policy step, the loop with exact resume. Prints nothing."""
