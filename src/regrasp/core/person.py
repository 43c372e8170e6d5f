"""The person who gave an instruction: an agent may ask back which reading is meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from regrasp.core.errors import RegraspError

__all__ = ["Nobody", "Person", "Prepared", "chosen_option"]

_ARTICLES = ("the", "a", "an")


class Person(Protocol):
    """Someone who can be asked."""

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """The index of the option that is meant, or None if none is, or nobody answers."""
        ...


class Nobody:
    """Nobody is there: every question stays without an answer."""

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """See `Person`."""
        return None


class Prepared:
    """Answers given beforehand, in the order of the questions; after the last one, `then` answers.

    An answer that fits no option means none of them.
    """

    def __init__(self, answers: Iterable[str], then: Person | None = None) -> None:
        self._answers = list(answers)
        self._then = then or Nobody()

    def choose(self, question: str, options: Sequence[str]) -> int | None:
        """See `Person`."""
        if not self._answers:
            return self._then.choose(question, options)
        try:
            return chosen_option(self._answers.pop(0), options)
        except RegraspError:
            return None


def chosen_option(answer: str, options: Sequence[str]) -> int | None:
    """The index of the option that an answer names; None for `0` and for an empty answer.

    An answer is the number of an option, counted from 1, its words, or some of its words if no
    other option has them all. Raises RegraspError if it names no option.
    """
    answer = answer.strip()
    if answer in ("", "0"):
        return None
    if answer.isdecimal() and 1 <= int(answer) <= len(options):
        return int(answer) - 1
    asked, known = _words(answer), [_words(option) for option in options]
    same = [i for i, words in enumerate(known) if words == asked]
    some = [i for i, words in enumerate(known) if asked and set(asked) <= set(words)]
    for found in (same, some):
        if len(found) == 1:
            return found[0]
    raise RegraspError(
        f"{answer!r} names no option: give a number from 1 to {len(options)}, the words of one "
        "option, or 0 for none of these."
    )


def _words(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return [word for word in words if word not in _ARTICLES]
