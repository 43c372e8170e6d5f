"""The robot with two arms, in any world that is built around it."""
