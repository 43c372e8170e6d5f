"""What a hand does when it takes a thing and puts it down."""

from __future__ import annotations

import math

import numpy as np
import pytest

from regrasp.core.grounded import BasePose
from regrasp.core.grounding import GraspTarget, HeldThing, Placement
from regrasp.core.put_poses import BACK_M, heading, is_level, put_ways, taking_ways


def palm(tilt: float, flip: float = 1.0) -> np.ndarray:
    """A palm tilted by `tilt` from straight down towards x; with `flip` -1 turned half round."""
    approach = np.array([math.sin(tilt), 0.0, -math.cos(tilt)])
    closing = np.array([0.0, flip, 0.0])
    return np.stack([np.cross(closing, approach), closing, approach], axis=1)


@pytest.mark.parametrize("flip", [1.0, -1.0])
def test_a_leaning_hand_points_where_it_puts_the_thing(flip: float) -> None:
    held = HeldThing("book", "left", palm(0.6, flip), 0.2)
    assert heading(held.rotation) == pytest.approx(0.0)
    way = next(put_ways(held, Placement(np.array([0.6, 0.0, 0.7]), 0.1, 0.3), BasePose()))
    assert np.allclose(way.put.position, [0.6, 0.0, 0.9])
    assert np.allclose(way.put.rotation, held.rotation)
    assert way.over.position[2] > way.put.position[2] > way.below.position[2]


def test_a_shelf_is_entered_level_from_its_front() -> None:
    base = BasePose(1.0, 2.0, math.pi / 2)  # the shelf is ahead of the base, at larger y
    place = Placement(np.array([1.0, 2.6, 0.9]), 0.06, 0.3, inward=np.array([0.0, 1.0]))
    for tilt in (0.0, 0.6, 1.35):
        held = HeldThing("book", "left", palm(tilt), 0.2)
        for way in put_ways(held, place, base):
            enter = way.over.position - way.before.position
            assert np.allclose(enter, [0.22, 0.0, 0.0], atol=1e-9)
            assert way.out.position[0] < way.put.position[0] - 0.1
            assert is_level(way.put.rotation) is is_level(held.rotation)


def test_a_grasp_is_entered_straight_either_way_round() -> None:
    target = GraspTarget(np.array([1.0, 2.5, 0.8]), palm(0.6), 0.05, 0.1)
    ways = list(taking_ways(target, BasePose(1.0, 2.0, math.pi / 2)))
    assert len(ways) == 2
    for back, at in ways:
        assert np.allclose(at.position, [0.5, 0.0, 0.8])
        assert np.allclose(at.position - back.position, BACK_M * at.rotation[:, 2])
