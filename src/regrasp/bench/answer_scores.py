"""The answers of vision models compared with the truth: each kind of question as a classifier.

Every yes/no answer that an agent used is in its episode's record beside the oracle's answer. An
answer "unknown" is neither right nor wrong and is counted apart; a question without a true answer
is not scored. The agent's final claim, that the task is done, is a classifier too; the world's
judge gives its truth. Broken episodes are left out.

The answers of one seed are not independent: intervals are clustered by seed (`clustered`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

from regrasp.bench.clustered import clustered_wilson
from regrasp.bench.record import CheckedAnswer, EpisodeRecord
from regrasp.bench.statistics import wilson
from regrasp.core.claim import ClaimResult

__all__ = [
    "Counts",
    "Delays",
    "QuestionScore",
    "Rate",
    "by_question",
    "score_checks",
    "score_claims",
    "wrong_claims",
]

_KNOWN = ("yes", "no")
_TP, _TN, _FP, _FN = range(4)

_BySeed: TypeAlias = dict[int, Counter[tuple[str, str]]]
"""How often each answer met each truth, by seed."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A count out of a total; `clusters` are its parts (hits, n) by seed, if there are several."""

    hits: int
    n: int
    clusters: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    @classmethod
    def of(cls, results: Iterable[tuple[int, bool]]) -> Rate:
        """How many of these results, each with its seed, are true."""
        parts: dict[int, tuple[int, int]] = {}
        for seed, hit in results:
            hits, n = parts.get(seed, (0, 0))
            parts[seed] = hits + hit, n + 1
        hits, n = (sum(part[i] for part in parts.values()) for i in (0, 1))
        return cls(hits, n, tuple(parts.values()))

    @property
    def value(self) -> float | None:
        """The rate; None if the total is 0."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval, clustered by seed."""
        return clustered_wilson(self.clusters) if self.clusters else wilson(self.hits, self.n)


@dataclass(frozen=True, slots=True)
class Delays:
    """Detection delays: the time until the right answer was first given.

    A new case begins when a question is asked for the first time in an episode, and when the right
    answer differs from the last time. Its delay is the robot's time from then to the first right
    answer: 0 if the first answer is right. `missed` counts the cases without a right answer before
    the next case or the end of the episode. `seeds` are those of `seconds`, one by one.
    """

    seconds: tuple[float, ...] = ()
    missed: int = 0
    seeds: tuple[int, ...] = field(default=(), compare=False)

    def after(self, seed: int, delay: float | None) -> Delays:
        """With one more case of this seed; None is a missed one."""
        if delay is None:
            return replace(self, missed=self.missed + 1)
        return replace(self, seconds=(*self.seconds, delay), seeds=(*self.seeds, seed))

    @property
    def late(self) -> tuple[tuple[int, float], ...]:
        """The delays that are not 0, each with its seed."""
        return tuple((seed, s) for seed, s in zip(self.seeds, self.seconds, strict=True) if s > 0.0)


@dataclass(frozen=True, slots=True)
class Counts:
    """Right and wrong answers: true and false positives and negatives.

    `clusters` are (TP, TN, FP, FN) of each seed.
    """

    tp: int
    tn: int
    fp: int
    fn: int
    clusters: tuple[tuple[int, int, int, int], ...] = field(default=(), kw_only=True)

    def _rate(self, right: int, wrong: int) -> Rate:
        """The right ones among both, by their places in `counts`."""
        parts = tuple((one[right], one[right] + one[wrong]) for one in self.clusters)
        return Rate(self.counts[right], self.counts[right] + self.counts[wrong], parts)

    @property
    def tpr(self) -> Rate:
        """True positives among the positives with a yes/no answer (sensitivity)."""
        return self._rate(_TP, _FN)

    @property
    def tnr(self) -> Rate:
        """True negatives among the negatives with a yes/no answer (specificity)."""
        return self._rate(_TN, _FP)

    @property
    def ppv(self) -> Rate:
        """True positives among the positive answers (precision)."""
        return self._rate(_TP, _FP)

    @property
    def npv(self) -> Rate:
        """True negatives among the negative answers."""
        return self._rate(_TN, _FN)

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """TP, TN, FP, FN, in the order of a table."""
        return self.tp, self.tn, self.fp, self.fn

    @property
    def rates(self) -> tuple[Rate, Rate, Rate, Rate]:
        """TPR, TNR, PPV, NPV, in the order of a table."""
        return self.tpr, self.tnr, self.ppv, self.npv


@dataclass(frozen=True, slots=True)
class QuestionScore(Counts):
    """The score of one kind of question; yes is positive.

    `unknown` counts answers that were neither yes nor no, `no_truth` questions without a truth.
    """

    name: str
    unknown: int = 0
    no_truth: int = 0
    delays: Delays = field(default_factory=Delays)

    @property
    def asked(self) -> int:
        """How often it was asked; for questions to a vision model, the number of calls."""
        return sum(self.counts) + self.unknown + self.no_truth


def score_checks(records: Iterable[EpisodeRecord]) -> tuple[QuestionScore, ...]:
    """One score for each predicate that was asked about, by name, and `all` of them last."""
    counts: dict[str, _BySeed] = {}
    delays: dict[str, Delays] = {}
    for record in records:
        if not record.ended:
            continue
        for check in record.checks:
            found = counts.setdefault(check.predicate, {}).setdefault(record.key.seed, Counter())
            found[check.said if check.said in _KNOWN else "unknown", check.truth] += 1
        for check, delay in _delays(record.checks):
            before = delays.get(check.predicate, Delays())
            delays[check.predicate] = before.after(record.key.seed, delay)
    scores = [_score(name, counts[name], delays.get(name, Delays())) for name in sorted(counts)]
    if len(scores) > 1:
        together: _BySeed = {}
        for by_seed in counts.values():
            for seed, found in by_seed.items():
                together.setdefault(seed, Counter()).update(found)
        every = Delays(
            tuple(s for each in delays.values() for s in each.seconds),
            sum(each.missed for each in delays.values()),
            tuple(s for each in delays.values() for s in each.seeds),
        )
        scores.append(_score("all", together, every))
    return tuple(scores)


def score_claims(records: Iterable[EpisodeRecord], name: str = "done") -> QuestionScore:
    """The agents' final claims compared with the judge's verdicts."""
    found: _BySeed = {}
    for r in records:
        if r.ended:
            said = "yes" if r.claimed else "no", "yes" if r.done else "no"
            found.setdefault(r.key.seed, Counter())[said] += 1
    return _score(name, found, Delays())


def wrong_claims(records: Iterable[EpisodeRecord], result: ClaimResult) -> Rate:
    """How many of the claims with this result were wrong: the judge found the task not done."""
    made = [r for r in records if r.ended and r.claim == result]
    return Rate.of((r.key.seed, not r.done) for r in made)


def _score(name: str, by_seed: _BySeed, delays: Delays) -> QuestionScore:
    counts = sum(by_seed.values(), Counter[tuple[str, str]]())
    tp, tn, fp, fn = _four(counts)
    return QuestionScore(
        tp,
        tn,
        fp,
        fn,
        name=name,
        unknown=counts["unknown", "yes"] + counts["unknown", "no"],
        no_truth=sum(n for (_, truth), n in counts.items() if truth not in _KNOWN),
        delays=delays,
        clusters=tuple(map(_four, by_seed.values())),
    )


def _four(counts: Counter[tuple[str, str]]) -> tuple[int, int, int, int]:
    return counts["yes", "yes"], counts["no", "no"], counts["yes", "no"], counts["no", "yes"]


def by_question(checks: Iterable[CheckedAnswer]) -> Iterator[tuple[str, list[CheckedAnswer]]]:
    """Each question with its checks in order of time, only those with a known truth."""
    known = sorted(
        (check for check in checks if check.truth in _KNOWN), key=attrgetter("question", "sim_s")
    )
    for question, asked in groupby(known, key=attrgetter("question")):
        yield question, list(asked)


def _delays(checks: Iterable[CheckedAnswer]) -> Iterator[tuple[CheckedAnswer, float | None]]:
    """The first check of each truth of each question, and the delay until a right answer."""
    for _, asked in by_question(checks):
        for _, spell in groupby(asked, key=attrgetter("truth")):
            first, *others = spell
            right = next((c for c in (first, *others) if c.said == c.truth), None)
            yield first, None if right is None else right.sim_s - first.sim_s
