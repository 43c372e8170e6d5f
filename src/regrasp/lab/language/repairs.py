"""Repairs: the question again, with a reply that could not be parsed and its error.

The right answer is that of the question alone. `prompts.exchange` rejects a reply once.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace

from regrasp.lab.language.question import LanguageExample
from regrasp.models.language import Message, Role
from regrasp.prompts.parsing import ParseError, repair_message

__all__ = ["sent_back"]

_TALK = (
    "I am not sure.",
    "Let me think about it.",
    "Here is what I would do",
    "well, maybe",
    "...",
)
_EXAM_TALK = ("Hard to tell.", "That depends.", "Sure, happy to help", "hm")
_NAME = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b|(?<=\bthe )[a-z]+\b|(?<=[(\s])[a-z]+(?=[,)])")
_TWO = re.compile(r"\((\w+), (\w+)")


def sent_back(
    question: LanguageExample, rng: random.Random, *, held_out: bool = False
) -> LanguageExample | None:
    """`question` after a reply that could not be parsed; None if every damaged reply still can."""
    ways = [_misspelt, _twice, _cut, lambda *_: rng.choice(_EXAM_TALK if held_out else _TALK)]
    rng.shuffle(ways)
    for way in ways:
        reply = way(question.answer, rng)
        error = question.prompt.parse(reply)
        if isinstance(error, ParseError):
            turns = (
                Message(Role.ASSISTANT, f"{reply}\n"),
                Message(Role.USER, repair_message(error)),
            )
            return replace(question, messages=(*question.messages, *turns))
    return None


def _spoilt(pattern: re.Pattern[str], reply: str, rng: random.Random,
            spoil: Callable[[re.Match[str]], str]) -> str:  # fmt: skip
    """`reply` with one match of a pattern damaged; unchanged without a match."""
    found = list(pattern.finditer(reply))
    if not found:
        return reply
    match = rng.choice(found)
    return reply[: match.start()] + spoil(match) + reply[match.end() :]


def _misspelt(reply: str, rng: random.Random) -> str:
    """A name with two letters less."""

    def shorter(match: re.Match[str]) -> str:
        at = rng.randrange(1, max(2, len(match[0]) - 2))
        return match[0][:at] + match[0][at + 2 :]

    return _spoilt(_NAME, reply, rng, shorter)


def _twice(reply: str, rng: random.Random) -> str:
    """A call with the same object twice."""
    return _spoilt(_TWO, reply, rng, lambda match: f"({match[1]}, {match[1]}")


def _cut(reply: str, rng: random.Random) -> str:
    """Only its beginning."""
    return reply[: rng.randrange(1, max(2, len(reply)))].rstrip()
