"""Other violation detectors on the same recorded answers.

The looks end where the recording monitor stopped its skill. A slower detector would have found the
same break later, and this cannot be seen; only faster detectors can be judged. A monitor that only
logs alarms (`doremi-log-only`) records every look, so any detector can be judged on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.bench.detection import LASTING_S, breaks, by_question
from regrasp.bench.record import CheckedAnswer, EpisodeRecord
from regrasp.monitors.detectors import ViolationDetector
from regrasp.monitors.monitor import ignore_unconfident_no

__all__ = ["ReplayedLooks", "replay_answers"]

_HOLDS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class ReplayedLooks:
    """Looks, false alarms, breaks, and the delays (s) of the detected breaks."""

    looks: int
    false_alarms: int
    breaks: int
    delays: tuple[float, ...]


def replay_answers(records: Iterable[EpisodeRecord], fresh: ViolationDetector) -> ReplayedLooks:
    """Run the detector `fresh` on every look of these episodes.

    The detector of a constraint is reset after a pause of `LASTING_S`, and after an alarm.
    """
    looks = false_alarms = broken = 0
    delays: list[float] = []
    for record in records:
        for _, checks in by_question(record.checks):
            looks += len(checks)
            alarms = _alarms(checks, fresh)
            false_alarms += sum(check.truth == "yes" for check in alarms)
            for spell in breaks(checks):
                broken += 1
                calls = (c.sim_s for c in alarms if spell.first <= c.sim_s <= spell.last)
                delays += [at - spell.began for at in calls][:1]
    return ReplayedLooks(looks, false_alarms, broken, tuple(delays))


def _alarms(checks: list[CheckedAnswer], fresh: ViolationDetector) -> list[CheckedAnswer]:
    """The looks at which the detector would have stopped a skill."""
    found, evidence = [], fresh
    for before, check in zip((None, *checks), checks, strict=False):
        if before is not None and check.sim_s - before.sim_s > LASTING_S:
            evidence = fresh
        evidence = evidence.updated(
            ignore_unconfident_no(_HOLDS.get(check.said), check.sure), check.sure
        )
        if evidence.violated:
            found.append(check)
            evidence = fresh
    return found
