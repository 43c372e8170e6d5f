"""The household: two rooms, a mobile robot with eleven skills, and what goes wrong with them."""
