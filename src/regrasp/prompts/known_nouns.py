"""The nouns of an instruction, so that a program can notice a thing that is named and not there.

    nouns_in("put the banana next to the coffee machine")  →  ("banana", "coffee_machine")

Only everyday nouns of a table are found (`noun_table`), in English, German, French, Spanish and
Chinese; the answer is always in English. A missed noun is better than a false alarm.
"""

from __future__ import annotations

from collections.abc import Set

from regrasp.prompts.chinese_phrases import chinese_phrases, is_chinese
from regrasp.prompts.noun_phrases import NounPhrase, language_of, phrases_in
from regrasp.prompts.noun_table import KNOWN_NOUNS, singular

__all__ = [
    "KNOWN_NOUNS",
    "LONGEST",
    "NounPhrase",
    "chinese_nouns",
    "noun_phrases",
    "nouns_in",
    "singular",
]

LONGEST = 4000
"""Characters of an instruction that are read: the time grows with their square."""


def nouns_in(text: str) -> tuple[str, ...]:
    """The known nouns of an instruction, singular and in English, in order, each once."""
    found = (noun for phrase in noun_phrases(text) for noun in phrase.nouns)
    return tuple(dict.fromkeys(found))


def chinese_nouns(text: str) -> tuple[str, ...]:
    """The known nouns of a Chinese text, in English; the longest word wins at each place."""
    found = (noun for phrase in chinese_phrases(text) for noun in phrase.nouns)
    return tuple(dict.fromkeys(found))


def noun_phrases(text: str, scene_nouns: Set[str] = frozenset()) -> tuple[NounPhrase, ...]:
    """The phrases of the first `LONGEST` characters of an instruction that name things.

    `scene_nouns` are English nouns of the objects at hand, which count beside those of the table.
    """
    text = text[:LONGEST]
    if is_chinese(text):
        return chinese_phrases(text)
    return phrases_in(text, language_of(text), scene_nouns)
