"""What the agent sees: the scene scanned, questions answered, causes found, all from pictures."""
