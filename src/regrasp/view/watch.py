"""What a monitor watched: each constraint, and how often each answer came."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.core.event import ConstraintsWatched

__all__ = ["AnsweredQuestion", "WatchPeriod", "Watched", "watch"]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question to the vision model and its answer; `truth` is the true answer if it differs."""

    text: str
    answer: str
    truth: str = ""


@dataclass(frozen=True, slots=True)
class Watched:
    """A constraint, its question, how often each answer came, and how many of them were wrong."""

    constraint: str
    question: str
    answers: tuple[tuple[str, int], ...] = ()
    wrong: int = 0


@dataclass(frozen=True, slots=True)
class WatchPeriod:
    """The time between two changes of the watched constraints."""

    watched: tuple[Watched, ...]

    @property
    def asked(self) -> int:
        """The number of questions."""
        return sum(count for one in self.watched for _, count in one.answers)


def watch(event: ConstraintsWatched, asked: Iterable[AnsweredQuestion] = ()) -> WatchPeriod:
    """A watch with the questions asked during it."""
    found, pairs = tuple(asked), zip(event.constraints, event.questions, strict=False)
    return WatchPeriod(
        tuple(_watched(*pair, [q for q in found if q.text == pair[1]]) for pair in pairs)
    )


def _watched(constraint: str, question: str, asked: list[AnsweredQuestion]) -> Watched:
    answers = Counter(one.answer for one in asked)
    return Watched(constraint, question, tuple(answers.items()), sum(bool(q.truth) for q in asked))
