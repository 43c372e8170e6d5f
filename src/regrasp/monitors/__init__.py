"""Constraints of a running skill, their check by a vision model, and the rule to stop."""
