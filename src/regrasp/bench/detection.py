"""A monitor as a classifier: which violations it found, how soon, and its false alarms.

As in DoReMi (appendix C.3), "positive" means that nothing is wrong. A "break" is a time span in
which a constraint is violated:

- TP, a watched skill without a break and without an alarm;
- TN, a break with an alarm; FP, a break without one, though it lasted `LASTING_S`;
- FN, an alarm about a constraint that held.

An episode's checks hold the truth at each look. A break begins between the last look at which its
constraint held and the first at which it did not. Delays count from the middle between the two, so
each is off by half a period at most, and their median by less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median

from regrasp.bench.answer_scores import Counts
from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeRecord
from regrasp.core.outcome import Outcome

__all__ = ["LASTING_S", "Break", "Detection", "breaks", "by_question", "detection"]

LASTING_S = 0.5
"""A shorter break (its skill ended, or the constraint held again) counts as neither."""

_STOPPING_S = 0.05
_EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Detection(Counts):
    """Counts over some episodes, and the delays of the detected breaks."""

    delays: tuple[float, ...] = ()

    @property
    def delay(self) -> float | None:
        """The median delay, in seconds."""
        return median(self.delays) if self.delays else None


@dataclass(frozen=True, slots=True)
class Break:
    """A time span in which a constraint was violated: its start, its first and its last look."""

    began: float
    first: float
    last: float

    def found(self, alarms: Iterable[Alarm]) -> float | None:
        """The delay of the first alarm about it; the alarm may follow the last look by one step."""
        late = self.last + _STOPPING_S
        times = (a.sim_s for a in alarms if self.first - _EPSILON <= a.sim_s <= late)
        return next((at - self.began for at in times), None)


def detection(records: Iterable[EpisodeRecord]) -> Detection:
    """The counts over the episodes that did not break."""
    tp = fp = fn = 0
    delays: list[float] = []
    for record in records:
        if record.outcome is Outcome.BROKEN:
            continue
        missed = 0
        for question, checks in by_question(record.checks):
            alarms = [alarm for alarm in record.alarms if alarm.question == question]
            fn += sum(_truth(checks, alarm) == "yes" for alarm in alarms)
            for spell in breaks(checks):
                delay = spell.found(alarms)
                if delay is not None:
                    delays.append(delay)
                elif spell.last - spell.first >= LASTING_S:
                    missed += 1
        stopped = len({alarm.sim_s for alarm in record.alarms})
        tp, fp = tp + max(0, record.watched - stopped - missed), fp + missed
    return Detection(tp, len(delays), fp, fn, tuple(delays))


def by_question(checks: Iterable[CheckedAnswer]) -> Iterator[tuple[str, list[CheckedAnswer]]]:
    """Each question with its checks in order of time, only those with a known truth."""
    known = [check for check in checks if check.truth in ("yes", "no")]
    known.sort(key=lambda check: (check.question, check.sim_s))
    for question, asked in groupby(known, key=lambda check: check.question):
        yield question, list(asked)


def _truth(checks: list[CheckedAnswer], alarm: Alarm) -> str:
    """The truth at the look that raised the alarm: the last look before it."""
    before = [check for check in checks if check.sim_s <= alarm.sim_s + _EPSILON]
    return before[-1].truth if before else ""


def breaks(checks: list[CheckedAnswer]) -> Iterator[Break]:
    """The breaks of one question. A pause of `LASTING_S` ends one: the constraint was removed."""
    before: CheckedAnswer | None = None
    spell: Break | None = None
    for check in checks:
        near = before is not None and check.sim_s - before.sim_s <= LASTING_S
        if spell is not None and (check.truth == "yes" or not near):
            yield spell
            spell = None
        if check.truth == "no" and spell is None:
            so_at = before.sim_s if before is not None and near else check.sim_s
            spell = Break((so_at + check.sim_s) / 2, check.sim_s, check.sim_s)
        elif check.truth == "no" and spell is not None:
            spell = replace(spell, last=check.sim_s)
        before = check
    if spell is not None:
        yield spell
