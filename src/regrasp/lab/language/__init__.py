"""Tongue: what the embedded language model is taught and examined on, in worlds of symbols."""
