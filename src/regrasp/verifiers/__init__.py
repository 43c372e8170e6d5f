"""Checks of a model's replies before they are used."""
