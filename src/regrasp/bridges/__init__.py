"""Bridges to other people's formats and robots."""
