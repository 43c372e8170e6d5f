"""The worlds of the vision model's images, in the order of its data sets."""

from __future__ import annotations

__all__ = ["FIRST_WORLDS", "PICTURED_WORLDS"]

PICTURED_WORLDS = (
    "cabinet", "kitchen", "lever", "cubes", "sensor", "household", "tabletop", "walker_room",
    "bar", "pizza", "blocks",
)  # fmt: skip
"""Their number in this list is part of every data set's seeds."""
FIRST_WORLDS = PICTURED_WORLDS[:8]
"""Those of the first network; the worlds with two hands have one of their own."""
