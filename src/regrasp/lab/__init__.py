"""Training data and evaluation of the embedded models; no other package imports it."""
