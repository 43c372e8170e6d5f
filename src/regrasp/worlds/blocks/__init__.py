"""The blocks world: towers on a table, to be built anew by a robot with two hands."""
