"""Bridges to other formats and robots."""
