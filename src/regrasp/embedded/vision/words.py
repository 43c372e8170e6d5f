"""Questions as numbers: words of a fixed vocabulary, in order.

A question with a word outside the vocabulary cannot be understood, so the embedded vision model
must not guess its answer.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["LONGEST", "Vocabulary", "words_of"]

LONGEST = 20
"""The most words of a question."""
_WORD = re.compile(r"[a-z]+[0-9]*")
_FIRST = 2  # 0 is no word, 1 the position of the answer


def words_of(question: str) -> list[str]:
    """The words of a question up to its question mark: what follows says how to answer it.

    >>> words_of("Is the red_bar on the crate? Answer yes or no.")
    ['is', 'the', 'red', 'bar', 'on', 'the', 'crate']
    """
    return _WORD.findall(question.partition("?")[0].lower())


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vocabulary of the embedded vision model."""

    words: tuple[str, ...]

    @classmethod
    def of(cls, questions: Iterable[str]) -> Vocabulary:
        """Every word of some questions, in alphabetical order."""
        return cls(tuple(sorted({word for text in questions for word in words_of(text)})))

    @property
    def size(self) -> int:
        """The number of distinct numbers."""
        return len(self.words) + _FIRST

    def numbers(self, question: str) -> list[int] | None:
        """The question as LONGEST numbers; None for unknown words, too many words, or none."""
        known = _numbering(self.words)
        found = [known.get(word) for word in words_of(question)]
        numbers = [number for number in found if number is not None]
        if not numbers or len(numbers) < len(found) or len(numbers) > LONGEST - 1:
            return None
        return [1, *numbers] + [0] * (LONGEST - 1 - len(numbers))


@functools.cache
def _numbering(words: tuple[str, ...]) -> dict[str, int]:
    return {word: number for number, word in enumerate(words, _FIRST)}
