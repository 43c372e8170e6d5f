"""What a monitor watched, for people: each constraint, and what it was told of it, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.core.event import ConstraintsWatched

__all__ = ["AnsweredQuestion", "WatchPeriod", "Watched", "watch"]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question to the eyes and their answer; `truth` is what was so, if that was otherwise."""

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
    """From one change of what is watched to the next."""

    watched: tuple[Watched, ...]

    @property
    def asked(self) -> int:
        """How many questions that took."""
        return sum(count for one in self.watched for _, count in one.answers)


def watch(event: ConstraintsWatched, asked: Iterable[AnsweredQuestion] = ()) -> WatchPeriod:
    """A watch, with what was asked while it lasted."""
    found, pairs = tuple(asked), zip(event.constraints, event.questions, strict=False)
    return WatchPeriod(
        tuple(_watched(*pair, [q for q in found if q.text == pair[1]]) for pair in pairs)
    )


def _watched(constraint: str, question: str, asked: list[AnsweredQuestion]) -> Watched:
    answers = Counter(one.answer for one in asked)
    return Watched(constraint, question, tuple(answers.items()), sum(bool(q.truth) for q in asked))
