"""The phrases of a Chinese instruction that name things, found by substring.

Chinese writes no spaces, so the longest word of the table wins at each place.
"""

from __future__ import annotations

import re

from regrasp.prompts.noun_phrases import NounPhrase, without_reasons
from regrasp.prompts.noun_table import noun_table

__all__ = ["chinese_phrases", "is_chinese"]

_HAN = re.compile(r"[\u4e00-\u9fff]")
_CLAUSE = re.compile(r"[，。；！？、,.;!?]|然后|接着|再把")
_SIDE = r"(?:[上里中下内]|[里上下]面|[旁左右]边|里头)"
_PLACE = re.compile(_SIDE)
_DESCRIBES = re.compile(rf"{_SIDE}?(?:那个)?的")
_FROM, _IN, _OF = "从", "在", "的"


def is_chinese(text: str) -> bool:
    """Whether a text has Chinese characters."""
    return _HAN.search(text) is not None


def chinese_phrases(text: str) -> tuple[NounPhrase, ...]:
    """The phrases of `text`: nouns without a gap, or with 的 between them, are one phrase."""
    text = without_reasons(text, "zh")
    nouns = noun_table().languages["zh"].nouns
    phrases: list[NounPhrase] = []
    place, clause = 0, 0
    while place < len(text):
        start = place
        words: list[str] = []
        while word := _word_at(text, place):
            words.append(word)
            place += len(word)
            if text[place : place + 1] == _OF and _word_at(text, place + 1):
                place += 1
        if not words:
            boundary = _CLAUSE.match(text, place)
            clause += boundary is not None
            place = boundary.end() if boundary else place + 1
            continue
        describes = _DESCRIBES.match(text, place) is not None
        source = text[start - 1 : start] == _FROM
        placed = describes or _PLACE.match(text, place) is not None
        phrases.append(
            NounPhrase(
                tuple(dict.fromkeys(noun for word in words for noun in nouns[word])),
                nouns[words[-1]][0],
                tuple(words),
                preposition=_FROM if source else _IN if placed else "",
                clause=clause,
                source=source,
                describes_next=describes,
            )
        )
    return tuple(phrases)


def _word_at(text: str, place: int) -> str:
    nouns = noun_table().languages["zh"].nouns
    longest = max(map(len, nouns))
    pieces = (text[place : place + size] for size in range(longest, 0, -1))
    return next((piece for piece in pieces if piece in nouns), "")
