"""The bench: suites as data, where their episodes run, what is kept of them, and the tables."""
