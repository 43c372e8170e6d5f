"""Training examples and evaluation of the embedded language model, in symbolic worlds."""
