"""The tabletop: a UR5e with a suction cup that picks, places and stacks under disturbances."""
