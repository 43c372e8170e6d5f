"""A monitor as a classifier: which violations it found, how soon, and its false alarms; and what
other violation detectors would have done with the same recorded answers.

As in DoReMi (appendix C.3), "positive" means that nothing is wrong. A "break" is a time span in
which a constraint is violated:

- TP, a watched skill without a break and without an alarm;
- TN, a break with an alarm; FP, a break without one, though it lasted `LASTING_S`;
- FN, an alarm about a constraint that held.

An episode's checks hold the truth at each look. A break begins between the last look at which its
constraint held and the first at which it did not. Delays count from the middle between the two, so
each is off by half a period at most, and their median by less.

The looks end where the recording monitor stopped its skill. A slower detector would have found the
same break later, and this cannot be seen; only faster detectors can be judged. A monitor that only
logs alarms (`doremi-log-only`) records every look, so any detector can be judged on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from regrasp.bench.answer_scores import Counts, Rate, by_question
from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeRecord
from regrasp.monitors.detectors import ViolationDetector
from regrasp.monitors.monitor import ignore_unconfident_no

__all__ = [
    "LASTING_S",
    "AtWork",
    "Break",
    "Detection",
    "ReplayedLooks",
    "at_work",
    "breaks",
    "detection",
    "replay_answers",
]

LASTING_S = 0.5
"""A shorter break (its skill ended, or the constraint held again) counts as neither."""

_STOPPING_S = 0.05
_EPSILON = 1e-6
_ALL = "all"
_HOLDS = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class Detection(Counts):
    """Counts over some episodes, and the delays (seed, s) of the detected breaks."""

    delays: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Break:
    """A time span in which a constraint was violated: its start, its first and its last look."""

    began: float
    first: float
    last: float

    @property
    def lasting(self) -> bool:
        """Whether it lasted long enough to be counted as missed."""
        return self.last - self.first >= LASTING_S - _EPSILON

    def found(self, alarms: Iterable[Alarm]) -> float | None:
        """The delay of the first alarm about it; the alarm may follow the last look by one step."""
        late = self.last + _STOPPING_S
        times = (a.sim_s for a in alarms if self.first - _EPSILON <= a.sim_s <= late)
        return next((at - self.began for at in times), None)


def detection(records: Iterable[EpisodeRecord]) -> Detection:
    """The counts over the episodes that did not break."""
    parts: dict[int, tuple[int, int, int, int]] = {}
    delays: list[tuple[int, float]] = []
    for record in records:
        if not record.ended:
            continue
        missed = found = fn = 0
        for question, checks in by_question(record.checks):
            alarms = [alarm for alarm in record.alarms if alarm.question == question]
            fn += sum(_truth(checks, alarm) == "yes" for alarm in alarms)
            for spell in breaks(checks):
                delay = spell.found(alarms)
                if delay is not None:
                    delays.append((record.key.seed, delay))
                    found += 1
                elif spell.lasting:
                    missed += 1
        stopped = len({alarm.sim_s for alarm in record.alarms})
        tp, tn, fp, before = parts.get(record.key.seed, (0, 0, 0, 0))
        tp += max(0, record.watched - stopped - missed)
        parts[record.key.seed] = tp, tn + found, fp + missed, before + fn
    clusters = tuple(parts.values())
    tp, tn, fp, fn = (sum(part[i] for part in clusters) for i in range(4))
    return Detection(tp, tn, fp, fn, tuple(delays), clusters=clusters)


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
            held_at = before.sim_s if before is not None and near else check.sim_s
            spell = Break((held_at + check.sim_s) / 2, check.sim_s, check.sim_s)
        elif check.truth == "no" and spell is not None:
            spell = replace(spell, last=check.sim_s)
        before = check
    if spell is not None:
        yield spell


@dataclass(frozen=True, slots=True)
class AtWork:
    """What a monitor found about one predicate while skills ran.

    `recall` counts the breaks with an alarm about them within `LASTING_S`, of those that had one
    or lasted as long; `of_every` those in which any alarm stopped the skill as soon, of all breaks,
    also those that a skill's end cut short; `precision` the alarms about a constraint that was
    violated; `false` the false alarms, of all skills that were watched. `delays` are (seed, s) of
    all breaks with an alarm about them.
    """

    predicate: str
    recall: Rate
    of_every: Rate
    precision: Rate
    false: Rate
    delays: tuple[tuple[int, float], ...]


def at_work(records: Iterable[EpisodeRecord]) -> tuple[AtWork, ...]:
    """The figures of each predicate, by name, and of `all` of them last."""
    ended = [record for record in records if record.ended and record.watched]
    called: dict[str, list[tuple[int, bool]]] = {}
    every: dict[str, list[tuple[int, bool]]] = {}
    right: dict[str, list[tuple[int, bool]]] = {}
    delays: dict[str, list[tuple[int, float]]] = {}
    for record in ended:
        seed = record.key.seed
        for question, checks in by_question(record.checks):
            names = (checks[0].predicate, _ALL)
            alarms = [alarm for alarm in record.alarms if alarm.question == question]
            for name in names:
                answers = right.setdefault(name, [])
                answers += [(seed, _truth(checks, alarm) != "yes") for alarm in alarms]
            for spell in breaks(checks):
                delay = spell.found(alarms)
                soon = delay is not None and delay <= LASTING_S + _EPSILON
                stopped = spell.found(record.alarms)
                caught = stopped is not None and stopped <= LASTING_S + _EPSILON
                for name in names:
                    every.setdefault(name, []).append((seed, caught))
                    if delay is not None or spell.lasting:
                        called.setdefault(name, []).append((seed, soon))
                    if delay is not None:
                        delays.setdefault(name, []).append((seed, delay))
    found = [
        AtWork(
            name,
            Rate.of(called.get(name, [])),
            Rate.of(every.get(name, [])),
            Rate.of(right[name]),
            _false_of(ended, right[name]),
            tuple(delays.get(name, [])),
        )
        for name in sorted(right, key=lambda name: (name == _ALL, name))
    ]
    return tuple(found)


def _false_of(records: Iterable[EpisodeRecord], right: Iterable[tuple[int, bool]]) -> Rate:
    """The wrong ones among these alarms (seed, right), as a share of all watched skills."""
    wrong = Counter(seed for seed, true in right if not true)
    skills: Counter[int] = Counter()
    for record in records:
        skills[record.key.seed] += record.watched
    parts = tuple((min(wrong[seed], n), n) for seed, n in sorted(skills.items()))
    return Rate(wrong.total(), skills.total(), parts)


@dataclass(frozen=True, slots=True)
class ReplayedLooks:
    """Looks, false alarms (also as a share of the watched skills), breaks that were detected or
    not, and within `LASTING_S` or not, and the delays (seed, s)."""

    looks: int
    false_alarms: int
    false: Rate
    detected: Rate
    soon: Rate
    delays: tuple[tuple[int, float], ...]


def replay_answers(records: Iterable[EpisodeRecord], fresh: ViolationDetector) -> ReplayedLooks:
    """Run the detector `fresh` on every look of these episodes.

    The detector of a constraint is reset after a pause of `LASTING_S`, and after an alarm.
    """
    looks, records = 0, tuple(records)
    right: list[tuple[int, bool]] = []
    detected: list[tuple[int, bool]] = []
    soon: list[tuple[int, bool]] = []
    delays: list[tuple[int, float]] = []
    for record in records:
        seed = record.key.seed
        for _, checks in by_question(record.checks):
            looks += len(checks)
            alarms = _alarms(checks, fresh)
            right += [(seed, check.truth != "yes") for check in alarms]
            for spell in breaks(checks):
                calls = (c.sim_s for c in alarms if spell.first <= c.sim_s <= spell.last)
                found = [at - spell.began for at in calls][:1]
                detected.append((seed, bool(found)))
                if found or spell.lasting:
                    soon.append((seed, any(s <= LASTING_S + _EPSILON for s in found)))
                delays += [(seed, s) for s in found]
    false = _false_of(records, right)
    return ReplayedLooks(looks, false.hits, false, Rate.of(detected), Rate.of(soon), tuple(delays))


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
