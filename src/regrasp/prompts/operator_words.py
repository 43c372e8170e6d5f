"""Words that change what an instruction asks for: not, both, then, behind, halfway.

    operators("put both cubes behind the box, not the cup")
    →  both (every), behind (says), not (not, contrast)

The words are data (`operator_words.txt`), in English, German, French, Spanish and Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from regrasp.prompts.chinese_phrases import is_chinese
from regrasp.prompts.noun_phrases import language_of

__all__ = ["SKIP", "OperatorWord", "instruction_language", "operators", "roles", "tokens_of"]

SKIP = "skip"
"""The role of phrases that change nothing, e.g. `don't forget`."""

_LONGEST = 6
_ELISION = re.compile(r"\b([cdjlmnst]|qu)'")
_TOKEN = re.compile(r"[^\W_]+(?:['\-][^\W_]+)*|[^\w\s]")


@dataclass(frozen=True, slots=True)
class OperatorWord:
    """A word or phrase of an instruction, its role, and the English words that explain it.

    It is `tokens[start:stop]` of `tokens_of` the instruction.
    """

    text: str
    role: str
    explained_by: frozenset[str]
    start: int
    stop: int


def instruction_language(text: str) -> str:
    """`zh`, or what `language_of` says."""
    return "zh" if is_chinese(text) else language_of(text)


def tokens_of(text: str, language: str) -> list[str]:
    """The words and marks of a text in lower case; in Chinese its characters."""
    plain = text.lower().replace("’", "'").replace("_", " ")
    if language == "fr":
        plain = _ELISION.sub(r"\1 ", plain)
    return list(plain) if language == "zh" else _TOKEN.findall(plain)


def operators(text: str, language: str = "") -> tuple[OperatorWord, ...]:
    """Every operator of a text, in its order; the longest phrase wins at each place."""
    language = language or instruction_language(text)
    tokens = tokens_of(text, language)
    return tuple(one for one in _found(tokens, language) if one.role != SKIP)


def roles() -> frozenset[str]:
    """Every role of the table."""
    found = (entries for table in _table().values() for entries in table.values())
    return frozenset(role for entries in found for role, _ in entries)


def _found(tokens: list[str], language: str) -> Iterator[OperatorWord]:
    table, joint = _table()[language], "" if language == "zh" else " "
    place = 0
    while place < len(tokens):
        stop = place + 1
        for size in range(_LONGEST, 0, -1):
            phrase = joint.join(tokens[place : place + size])
            if place + size <= len(tokens) and phrase in table:
                stop = place + size
                for role, words in table[phrase]:
                    yield OperatorWord(phrase, role, words, place, stop)
                break
        place = stop


@cache
def _table() -> Mapping[str, Mapping[str, tuple[tuple[str, frozenset[str]], ...]]]:
    """For each language the roles of each phrase, with the words that explain it."""
    text = resources.files(__package__).joinpath("operator_words.txt").read_text(encoding="utf-8")
    found: dict[str, dict[str, tuple[tuple[str, frozenset[str]], ...]]] = {}
    table: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    for line in text.splitlines():
        if line.startswith("["):
            table = found.setdefault(line.strip("[]"), {})
        elif line.strip() and not line.startswith("#"):
            head, _, phrases = line.partition(":")
            role, *words = head.split()
            for phrase in phrases.split():
                spelt = phrase.replace("_", " ")
                table[spelt] = (*table.get(spelt, ()), (role, frozenset(words)))
    return found
