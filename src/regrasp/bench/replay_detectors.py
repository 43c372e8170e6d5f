"""What other rules would have made of the same looks: evidence gathered anew from recorded answers.

The looks end where the monitor that took them stopped its skill, so a rule that takes longer than
that one is not seen to find what it would have found: it is the quick ones that this can judge. Of
a monitor that heeds no alarm (`doremi-log-only`) the looks go on, and any rule can be judged.
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
    """Looks, false alarms, breaks, and the delays (s) of those breaks that were called."""

    looks: int
    false_alarms: int
    breaks: int
    delays: tuple[float, ...]


def replay_answers(records: Iterable[EpisodeRecord], fresh: ViolationDetector) -> ReplayedLooks:
    """Every look of these episodes through the rule that begins with `fresh`.

    A constraint that was not asked about for `LASTING_S` begins anew, and so does one after an
    alarm.
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
    """The looks at which the rule would have stopped a skill."""
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
