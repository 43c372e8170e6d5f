"""Other rules on the same looks: what they would have called, when, and how often in vain."""

from __future__ import annotations

import pytest
from made_up import record

from regrasp.bench.detection import replay_answers
from regrasp.bench.record import CheckedAnswer
from regrasp.monitors.detectors import ConsecutiveDetector, ShiryaevDetector

HELD = "Is the robot holding the red_block?"


def looks(*said: tuple[str, str, float | None], since: float = 0.0) -> tuple[CheckedAnswer, ...]:
    """A look every tenth of a second: what was said, what was so, and how sure the eyes were."""
    return tuple(
        CheckedAnswer("held", HELD, answer, truth, round(since + 0.1 * i, 6), sure)
        for i, (answer, truth, sure) in enumerate(said)
    )


DROP = looks(
    ("yes", "yes", 0.99), ("no", "yes", 0.9), ("yes", "yes", 0.99),
    ("no", "no", 0.9999), ("no", "no", 0.9999), ("no", "no", 0.9999), ("no", "no", 0.9999),
)  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "false_alarms", "delay"),
    [
        (ConsecutiveDetector(1), 1, 0.05),
        (ConsecutiveDetector(2), 0, 0.15),
        (ConsecutiveDetector(4), 0, 0.35),
        (ShiryaevDetector(alarm_threshold=0.9), 0, 0.05),
    ],
)
def test_a_drop_after_one_wrong_no(
    rule: ConsecutiveDetector | ShiryaevDetector, false_alarms: int, delay: float
) -> None:
    found = replay_answers([record(checks=DROP)], rule)
    assert (found.looks, found.false_alarms, found.detected.n) == (7, false_alarms, 1)
    assert [s for _, s in found.delays] == pytest.approx([delay])


def test_a_no_that_is_not_sure_counts_for_nothing() -> None:
    wavering = looks(("no", "yes", 0.6), ("no", "yes", 0.79), ("no", "yes", 0.81))
    assert replay_answers([record(checks=wavering)], ConsecutiveDetector(1)).false_alarms == 1
    assert replay_answers([record(checks=wavering)], ConsecutiveDetector(2)).false_alarms == 0
    told = looks(("no", "yes", None), ("no", "yes", None))
    assert replay_answers([record(checks=told)], ConsecutiveDetector(2)).false_alarms == 1


def test_what_was_not_asked_for_a_while_begins_anew() -> None:
    before = looks(*[("no", "no", 0.95)] * 3)
    later = looks(*[("no", "no", 0.95)] * 3, since=2.0)
    found = replay_answers([record(checks=(*before, *later))], ConsecutiveDetector(4))
    assert found.detected.n == 2 and not found.delays
