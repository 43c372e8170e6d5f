"""`reachable` of a place is about the hand that holds something; `adjust` finds a stand for it."""

from __future__ import annotations

import numpy as np
import pytest
from test_manipulation import Sphere

from regrasp.core.fact import Fact
from regrasp.core.grounded import BasePose, HandPose
from regrasp.core.grounding import GroundedRobot, HeldThing
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.perception.hand_ways import HandWay, best_reach, best_stand
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.robot import ApartmentRobot
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.registry import open_world

DOWN = np.diag([1.0, -1.0, -1.0])


def test_a_place_is_reachable_for_the_hand_that_holds_a_thing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = open_world("apartment", "place-box", 0)
    assert isinstance(world, ApartmentWorld)
    robot = ApartmentRobot(world, size=(80, 60))
    assert isinstance(robot, GroundedRobot)
    arms = {"left": Sphere((0.0, 0.0, 0.0), 20.0), "right": Sphere((0.0, 0.0, 0.0), 0.1)}
    predicates = EvidencePredicates(robot, OracleGrounding(world), lambda: arms)
    table, box = (Fact.of("reachable", one) for one in ("black_table", "paper_box"))
    assert predicates.ground(table).value and predicates.ground(box).value
    for side, reached in (("left", True), ("right", False)):
        held = (HeldThing("book", side, DOWN, 0.15),)
        monkeypatch.setattr(robot, "held", lambda held=held: held)
        predicates.look()
        assert predicates.ground(table).value is reached
        assert predicates.ground(box).value is not reached  # the other hand takes it


def way_to(point: np.ndarray, base: BasePose) -> list[HandWay]:
    at = HandPose((point - base.position) @ base.rotation, DOWN)
    return [HandWay("left", (at,), at)]


def test_a_stand_is_found_from_which_an_arm_reaches() -> None:
    arms = {"left": Sphere((0.3, 0.2, 0.5), 0.35)}
    point, base = np.array([2.0, 0.5, 0.95]), BasePose(0.5, 0.0, 0.3)
    assert best_reach(way_to(point, base), arms, 0.1) is None
    stand = best_stand(lambda one: way_to(point, one), arms, point, base, (0.1, 0.0, 0.35))
    assert stand is not None
    c, s = np.cos(stand.heading), np.sin(stand.heading)
    there = BasePose(0.5 + stand.drive * c, stand.drive * s, stand.heading)
    assert best_reach(way_to(point, there), arms, stand.lift) is not None
    assert best_reach(way_to(point, there), arms, stand.lift).arm == "left"  # type: ignore[union-attr]
    high = np.array([2.0, 0.5, 2.5])
    assert best_stand(lambda one: way_to(high, one), arms, high, base, (0.1, 0.0, 0.35)) is None
