"""What a grounded predicate rests on is drawn into the recording, once."""

from __future__ import annotations

from pathlib import Path

from regrasp.core.event import ImageTaken
from regrasp.core.fact import Fact
from regrasp.core.trace import Clock, TraceWriter, read_trace
from regrasp.episodes.recorded_grounding import RecordedGrounding
from regrasp.perception.evidence_predicates import EvidencePredicates
from regrasp.worlds.apartment.oracle_grounding import OracleGrounding
from regrasp.worlds.apartment.robot import ApartmentRobot
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.registry import open_world


def test_evidence_is_drawn_when_a_predicate_becomes_true(tmp_path: Path) -> None:
    world = open_world("apartment", "place-box", 0)
    assert isinstance(world, ApartmentWorld)
    robot = ApartmentRobot(world, size=(80, 60))
    predicates = EvidencePredicates(robot, OracleGrounding(world), dict)
    with TraceWriter(tmp_path, Clock(lambda: 0.0)) as trace:
        recorded = RecordedGrounding(predicates, robot, trace)
        for _ in range(2):
            recorded.look()
            assert recorded.ground(Fact.of("placeable", "black_table")).value
            assert not recorded.ground(Fact.of("at", "black_table")).value
    events = read_trace(tmp_path).events
    cameras = [one.camera for one in events if isinstance(one, ImageTaken)]
    assert cameras == ["evidence of placeable(black_table)"]
