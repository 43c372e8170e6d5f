"""Worlds: seeded MuJoCo scenes with tasks. `registry` opens one by name."""
