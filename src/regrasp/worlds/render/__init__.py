"""Rendered images of a compiled scene: colour, depth and, for training data only, geom ids."""
