"""A skill under a monitor: when it looks, when it stops, and that it costs no time."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from fake_tabletop import DT, FakeTabletop, FakeVision, Told
from regrasp.core.action import Action
from regrasp.core.event import ConstraintsWatched, ConstraintViolated
from regrasp.core.execution import run_to_end
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.tabletop import tabletop_domain
from regrasp.monitors.constraints import ConstraintSet
from regrasp.monitors.detectors import ConsecutiveDetector, ShiryaevDetector, ViolationDetector
from regrasp.monitors.monitor import Monitor
from regrasp.monitors.monitored_run import Violation, run_monitored
from regrasp.perception.observer import Observer

PICK, PLACE = Action("pick", ("red_block",)), Action("place", ("red_block", "fixture"))
PICK_S, PLACE_S = 1.1, 1.4


class Bench:
    """A robot, its eyes, a monitor, and the constraints so far."""

    def __init__(
        self, detector: ViolationDetector | None = None, period_s: float = 0.1, **robot: Any
    ) -> None:
        self.robot = FakeTabletop(**robot)
        self.observer, self.told = FakeVision(self.robot), Told(self.robot)
        self.constraints = ConstraintSet.of(tabletop_domain(), self.robot.knowledge())
        looking = Observer(self.robot, self.observer, self.told)
        self.monitor = Monitor(
            looking, tabletop_domain().lexicon, detector or ConsecutiveDetector(4), period_s
        )

    @property
    def found(self) -> tuple[str, ...]:
        """What the last violation says."""
        last = self.told.of(ConstraintViolated)[-1]
        assert isinstance(last, ConstraintViolated)
        return last.found

    def do(self, action: Action) -> SkillReport | Violation:
        schedule = self.constraints.schedule(action)
        ended = run_monitored(self.robot.start(action), self.monitor, schedule)
        if isinstance(ended, SkillReport):
            self.constraints = self.constraints.after(action)
        return ended


def test_it_looks_every_period_and_as_a_skill_ends_at_all_constraints_and_nothing_else() -> None:
    bench = Bench(period_s=0.2)
    ends = []
    for action in (PICK, PLACE, Action("pick", ("green_block",))):
        bench.do(action)
        ends.append(bench.robot.seconds)
    times = sorted({at for at, _, _ in bench.observer.asked})
    assert set(ends) < set(times)
    gaps = [round(b - a, 6) for a, b in pairwise(times) if b not in ends]
    assert set(gaps[:5]) == {0.2}
    assert bench.robot.looks == 2 * len(times)  # a picture of each camera serves all questions
    by_time = {t: [q for at, q, _ in bench.observer.asked if at == t] for t in times}
    assert by_time[times[0]] == ["Is the robot holding the red_block?"]
    assert by_time[times[-1]] == [
        "Is the red_block on the fixture?",
        "Is the robot holding the green_block?",
    ]


def test_nothing_is_asked_while_nothing_is_expected() -> None:
    bench = Bench()
    bench.do(PICK)
    lifted = PICK_S - 0.3
    assert min(at for at, _, _ in bench.observer.asked) == pytest.approx(lifted + DT, abs=DT)


def test_a_watched_skill_takes_as_long_as_an_unwatched_one() -> None:
    watched, alone = Bench(), FakeTabletop()
    for action in (PICK, PLACE):
        report = watched.do(action)
        assert isinstance(report, SkillReport) and report.outcome is Outcome.SUCCEEDED
        assert report.seconds == run_to_end(alone.start(action)).seconds
    assert watched.robot.seconds == alone.seconds == pytest.approx(PICK_S + PLACE_S)


@pytest.mark.parametrize(
    ("detector", "most"),
    [(ConsecutiveDetector(4), 0.4), (ConsecutiveDetector(1), 0.1), (ShiryaevDetector(), 0.4)],
)
def test_a_drop_stops_the_skill_after_as_many_looks_as_it_takes(
    detector: ViolationDetector, most: float
) -> None:
    bench = Bench(detector, mishaps=((1.5, FakeTabletop.drop),))
    bench.do(PICK)
    ended = bench.do(PLACE)
    assert isinstance(ended, Violation) and not ended.after_effect
    assert bench.found == ("red_block is not held by the robot",)
    assert ended.report.outcome is Outcome.ABORTED
    assert most - 0.1 <= bench.robot.seconds - 1.5 <= most + DT
    (violated,) = bench.told.of(ConstraintViolated)
    assert isinstance(violated, ConstraintViolated)
    assert violated.questions == ("Is the robot holding the red_block?",)


def test_evidence_is_carried_from_one_skill_to_the_next() -> None:
    """Fallen 0.05 s before the end of picking: one look there, three more while placing."""
    over = PICK_S + PLACE_S + PICK_S - 0.05
    bench = Bench(mishaps=((over, lambda robot: robot.fall("red_block")),))
    bench.do(PICK)
    bench.do(PLACE)
    assert isinstance(bench.do(Action("pick", ("green_block",))), SkillReport)
    ended = bench.do(Action("place", ("green_block", "red_block")))
    assert isinstance(ended, Violation)
    assert bench.robot.seconds - over <= 0.4 + DT


def test_what_a_skill_has_just_made_is_looked_at_as_it_ends_and_one_no_is_enough() -> None:
    """Dropped 0.02 s before the end of picking, after the last look that was due."""
    bench = Bench(mishaps=((PICK_S - 0.02, FakeTabletop.drop),))
    bench.robot.start(PICK)
    run = bench.robot.running
    assert run is not None
    run.finish = lambda: run.end(Outcome.SUCCEEDED)  # type: ignore[method-assign]
    ended = run_monitored(run, bench.monitor, bench.constraints.schedule(PICK))
    assert isinstance(ended, Violation) and ended.after_effect
    assert ended.report.outcome is Outcome.SUCCEEDED
    assert bench.robot.seconds == pytest.approx(PICK_S)
    assert bench.found == ("red_block is not held by the robot",)


def test_letting_go_is_no_violation_and_a_block_that_does_not_stay_is_one() -> None:
    good = Bench()
    good.do(PICK)
    assert isinstance(good.do(PLACE), SkillReport)
    missed = Bench(ConsecutiveDetector(2), miss_rate=1.0)
    missed.do(PICK)
    ended = missed.do(PLACE)
    assert isinstance(ended, Violation) and ended.after_effect
    assert ended.report.outcome is Outcome.ABORTED
    assert missed.found == ("red_block is not on fixture",)


def test_what_left_the_hand_early_but_lies_where_it_should_stops_nothing() -> None:
    def slip(robot: FakeTabletop) -> None:
        robot.on[robot.held], robot.held = "fixture", ""

    bench = Bench(mishaps=((PICK_S + 0.4, slip),))
    bench.do(PICK)
    assert isinstance(bench.do(PLACE), SkillReport)
    assert bench.robot.seconds == pytest.approx(PICK_S + PLACE_S)
    assert not bench.told.of(ConstraintViolated)


def test_what_is_likely_broken_when_a_skill_ends_is_not_carried_into_the_next() -> None:
    """The hand draws back for 0.3 s: three noes, no fourth, and the skill is over anyway."""
    bench = Bench(ConsecutiveDetector(4), miss_rate=1.0)
    bench.do(PICK)
    ended = bench.do(PLACE)
    assert isinstance(ended, Violation) and ended.after_effect
    assert ended.report.outcome is Outcome.SUCCEEDED
    assert bench.robot.seconds == pytest.approx(PICK_S + PLACE_S)
    assert bench.found == ("red_block is not on fixture",)


def test_a_fall_elsewhere_stops_what_is_being_done() -> None:
    bench = Bench(mishaps=((PICK_S + PLACE_S + 0.3, lambda robot: robot.fall("red_block")),))
    bench.do(PICK)
    bench.do(PLACE)
    ended = bench.do(Action("pick", ("green_block",)))
    assert isinstance(ended, Violation)
    assert bench.found == ("red_block is not on fixture",)


def test_the_trace_says_what_is_watched_whenever_that_changes() -> None:
    bench = Bench()
    bench.do(PICK)
    bench.do(PLACE)
    said = [
        event.constraints
        for event in bench.told.of(ConstraintsWatched)
        if isinstance(event, ConstraintsWatched)
    ]
    assert said == [("red_block is held by the robot",), (), ("red_block is on fixture",)]


@pytest.mark.parametrize(("confidence", "stops"), [(0.6, False), (0.9, True), (None, True)])
def test_a_no_that_the_eyes_are_not_sure_of_is_none(confidence: float | None, stops: bool) -> None:
    bench = Bench(mishaps=((1.5, FakeTabletop.drop),))
    bench.observer.confidence = confidence
    bench.do(PICK)
    ended = bench.do(PLACE)
    assert isinstance(ended, Violation) is stops


def test_eyes_that_cannot_tell_stop_nothing() -> None:
    bench = Bench(mishaps=((1.5, FakeTabletop.drop),))
    bench.observer.true_no = 0.0
    bench.do(PICK)
    ended = bench.do(PLACE)
    assert isinstance(ended, SkillReport) and ended.outcome is Outcome.FAILED
