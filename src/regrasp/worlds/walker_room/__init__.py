"""The room of a walking humanoid: a box to carry between tables, a forest of obstacles."""
