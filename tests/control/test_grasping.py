"""How much room a hand has above what it is to lift."""

from __future__ import annotations

import math

from regrasp.control.estimate import StateEstimate
from regrasp.control.grasping import headroom
from regrasp.worlds.registry import open_world


def test_what_stands_in_a_microwave_has_its_roof_above_it() -> None:
    world = open_world("kitchen", "apple")
    now = StateEstimate(world.model, world.data)
    assert 0.05 < headroom(now, now["green_apple"]) < 0.30


def test_what_moves_is_no_roof() -> None:
    world = open_world("cubes", "occupied")
    now = StateEstimate(world.model, world.data)
    under_the_cube = now["crate"] + [0.0, 0.0, 0.01]
    assert math.isinf(headroom(now, under_the_cube))
