"""The answers of vision models compared with the truth: each kind of question as a classifier.

Every yes/no answer that an agent used is in its episode's record beside the oracle's answer. An
answer "unknown" is neither right nor wrong and is counted apart; a question without a true answer
is not scored. The agent's final claim, that the task is done, is a classifier too; the world's
judge gives its truth. Broken episodes are left out.

Intervals assume independent answers. The answers of one episode are not quite independent, so the
intervals are slightly too narrow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

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


@dataclass(frozen=True, slots=True)
class Rate:
    """A count out of a total."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The rate; None if the total is 0."""
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval."""
        return wilson(self.hits, self.n)


@dataclass(frozen=True, slots=True)
class Delays:
    """Detection delays: the time until the right answer was first given.

    A new case begins when a question is asked for the first time in an episode, and when the right
    answer differs from the last time. Its delay is the robot's time from then to the first right
    answer: 0 if the first answer is right. `missed` counts the cases without a right answer before
    the next case or the end of the episode.
    """

    seconds: tuple[float, ...] = ()
    missed: int = 0

    @property
    def late(self) -> tuple[float, ...]:
        """The delays that are not 0."""
        return tuple(s for s in self.seconds if s > 0.0)


@dataclass(frozen=True, slots=True)
class Counts:
    """Right and wrong answers: true and false positives and negatives."""

    tp: int
    tn: int
    fp: int
    fn: int

    @property
    def tpr(self) -> Rate:
        """True positives among the positives with a yes/no answer (sensitivity)."""
        return Rate(self.tp, self.tp + self.fn)

    @property
    def tnr(self) -> Rate:
        """True negatives among the negatives with a yes/no answer (specificity)."""
        return Rate(self.tn, self.tn + self.fp)

    @property
    def ppv(self) -> Rate:
        """True positives among the positive answers (precision)."""
        return Rate(self.tp, self.tp + self.fp)

    @property
    def npv(self) -> Rate:
        """True negatives among the negative answers."""
        return Rate(self.tn, self.tn + self.fn)

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
    counts: dict[str, Counter[tuple[str, str]]] = {}
    seconds: dict[str, list[float]] = {}
    missed: Counter[str] = Counter()
    for record in records:
        if not record.ended:
            continue
        for check in record.checks:
            found = counts.setdefault(check.predicate, Counter())
            found[check.said if check.said in _KNOWN else "unknown", check.truth] += 1
        for check, delay in _delays(record.checks):
            if delay is None:
                missed[check.predicate] += 1
            else:
                seconds.setdefault(check.predicate, []).append(delay)
    scores = [
        _score(name, counts[name], Delays(tuple(seconds.get(name, ())), missed[name]))
        for name in sorted(counts)
    ]
    if len(scores) > 1:
        together = sum(counts.values(), Counter[tuple[str, str]]())
        delays = Delays(tuple(s for each in seconds.values() for s in each), missed.total())
        scores.append(_score("all", together, delays))
    return tuple(scores)


def score_claims(records: Iterable[EpisodeRecord], name: str = "done") -> QuestionScore:
    """The agents' final claims compared with the judge's verdicts."""
    found = Counter(
        ("yes" if r.claimed else "no", "yes" if r.done else "no") for r in records if r.ended
    )
    return _score(name, found, Delays())


def wrong_claims(records: Iterable[EpisodeRecord], result: ClaimResult) -> Rate:
    """How many of the claims with this result were wrong: the judge found the task not done."""
    made = [r for r in records if r.ended and r.claim == result]
    return Rate(sum(not r.done for r in made), len(made))


def _score(name: str, counts: Counter[tuple[str, str]], delays: Delays) -> QuestionScore:
    return QuestionScore(
        name=name,
        tp=counts["yes", "yes"],
        tn=counts["no", "no"],
        fp=counts["yes", "no"],
        fn=counts["no", "yes"],
        unknown=counts["unknown", "yes"] + counts["unknown", "no"],
        no_truth=sum(n for (_, truth), n in counts.items() if truth not in _KNOWN),
        delays=delays,
    )


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
