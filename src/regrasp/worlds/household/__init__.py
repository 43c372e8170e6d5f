"""The household: two rooms, a mobile robot with eleven skills, and their faults."""
