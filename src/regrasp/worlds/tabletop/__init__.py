"""The tabletop: a UR5e with a suction cup that picks, places and stacks, and is disturbed."""
