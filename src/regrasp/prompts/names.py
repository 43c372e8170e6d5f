"""The names in a prompt, and how strictly a reply must use them.

Differences in case, articles, quotes and `red cube` for `red_cube` are accepted; another name is
not: the error lists the valid names and the closest one, and the repair message sends it to the
model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from regrasp.core.errors import closest
from regrasp.prompts.parsing import Line, ParseError

__all__ = ["Mention", "Names"]

_ARTICLE = re.compile(r"^(?:the|a|an|this|that)[\s_]+")
_IDENTIFIER = re.compile(r"(?<![A-Za-z0-9_])[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")


@dataclass(frozen=True, slots=True)
class Mention:
    """A known name found in a sentence, and where."""

    name: str
    start: int
    end: int


@lru_cache(64)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of `names`, the longest first; cached, since scenes are read many times."""
    forms = sorted(names, key=lambda name: (-len(name), name))
    spelt = "|".join(re.escape(name).replace("_", r"[\s_-]+") for name in forms)
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{spelt})(?![A-Za-z0-9_])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Names:
    """A closed list of names."""

    known: tuple[str, ...]

    @classmethod
    def of(cls, *groups: Iterable[str]) -> Names:
        """The names of all groups in order, each once."""
        return cls(tuple(dict.fromkeys(name for group in groups for name in group)))

    def find(self, spoken: str) -> str | None:
        """The known name that `spoken` spells, or None."""
        wanted = self.normal(spoken)
        return next((name for name in self.known if name.lower() == wanted), None)

    @staticmethod
    def normal(spoken: str) -> str:
        """`The red-cube.` → `red_cube`."""
        bare = _ARTICLE.sub("", spoken.strip().strip("\"'`*.,;:!?()").strip().lower())
        return re.sub(r"[\s_-]+", "_", bare)

    def unknown(self, text: str, spoken: Line) -> ParseError:
        """The error for `spoken`, a piece of the reply `text` that is no known name."""
        near = closest(self.normal(spoken.text), self.known)
        guess = f" Did you mean {near}?" if near else ""
        valid = ", ".join(self.known) or "none"
        return ParseError.on(
            text,
            spoken,
            f"Use only these names: {valid}.{guess}",
        )

    def mentions(self, sentence: str) -> tuple[Mention, ...]:
        """Known names in a sentence, in order; the longest wins where two overlap."""
        if not self.known:
            return ()
        found: list[Mention] = []
        for match in _any_of(self.known).finditer(sentence):
            name = self.find(match[0])
            if name is not None:
                found.append(Mention(name, match.start(), match.end()))
        return tuple(found)

    def foreign(self, sentence: str) -> Line | None:
        """The first word_like_this in a sentence that is not a known name."""
        for match in _IDENTIFIER.finditer(sentence):
            if self.find(match[0]) is None:
                return Line(match[0], match.start())
        return None
