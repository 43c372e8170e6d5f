"""Six predicates from the evidence that skills act on."""

from __future__ import annotations

import numpy as np
from test_manipulation import Sphere

from regrasp.core.fact import Fact
from regrasp.core.grounded import PathEvidence, ReachEvidence
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.perception.expected_places import ExpectedPlaces
from regrasp.perception.sightings import Sightings
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.robot import ApartmentRobot
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.registry import open_world


def test_the_predicates_of_a_robot_at_its_start() -> None:
    world = open_world("apartment", "place-box", 0)
    assert isinstance(world, ApartmentWorld)
    robot = ApartmentRobot(world, size=(80, 60))
    arms = {"left": Sphere((0.0, 0.0, 0.0), 20.0)}
    found = EvidencePredicates(robot, OracleGrounding(world), lambda: arms)
    path = found.ground(Fact.of("find", "paper_box"))
    assert path.value and isinstance(path.evidence, PathEvidence) and path.evidence.length > 1.0
    assert not found.ground(Fact.of("at", "paper_box")).value
    assert "m from it" in found.ground(Fact.of("at", "paper_box")).reason
    reach = found.ground(Fact.of("reachable", "paper_box"))  # the arm of this test is 20 m long
    assert reach.value and isinstance(reach.evidence, ReachEvidence)
    assert found.ground(Fact.of("placeable", "black_table")).value
    assert not found.ground(Fact.of("reachable", "door")).value


def test_a_clear_look_from_nearby_replaces_what_was_believed() -> None:
    seen = Sightings()
    assert seen.of("book") is None
    for _ in range(5):
        seen.add("book", np.array([1.0, 0.0, 0.8]), 0.9, 4.0)
    seen.add("book", np.array([4.0, 0.0, 0.8]), 0.7, 4.0)
    found = seen.of("book")
    assert found is not None and np.allclose(found, [1.0, 0.0, 0.8])
    seen.add("book", np.array([4.0, 0.1, 0.8]), 0.8, 1.0)
    found = seen.of("book")
    assert found is not None and np.linalg.norm(found - [4.0, 0.05, 0.8]) < 0.1
    seen.forget("book")
    assert seen.of("book") is None and seen.all_of("book") == []


def test_a_thing_is_expected_until_it_is_taken_or_often_missed() -> None:
    expected = ExpectedPlaces()
    for _ in range(2):
        expected.add("book", "black_table")
        assert expected.of("book") == "black_table" and expected.of("box") is None
        for _ in range(29):
            expected.miss("book")
        assert expected.of("book") == "black_table"
        expected.miss("book")
        assert expected.of("book") is None
    expected.add("book", "black_table")
    expected.drop("book")
    assert expected.of("book") is None
