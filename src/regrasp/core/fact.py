"""Facts about a world: shared by planners, judges and questions to vision models."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from regrasp.core.errors import RegraspError

__all__ = ["Fact", "Literal", "State", "parse_literals"]

_LITERAL = re.compile(r"\s*(not\s+)?(\w+)\s*\(\s*(\??\w+(?:\s*,\s*\??\w+)*)?\s*\)\s*")


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A predicate of named objects, e.g. `Fact("inside", ("mug", "cabinet"))`."""

    predicate: str
    args: tuple[str, ...] = ()

    @classmethod
    def of(cls, predicate: str, *args: str) -> Fact:
        """`Fact.of("inside", "mug", "cabinet")`."""
        return cls(predicate, args)

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.args)})"


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """A fact that is true, or one that is false."""

    fact: Fact
    positive: bool = True

    @classmethod
    def of(cls, predicate: str, *args: str, positive: bool = True) -> Literal:
        """`Literal.of("closed", "oven", positive=False)`: the oven is not closed."""
        return cls(Fact(predicate, args), positive)

    @property
    def opposite(self) -> Literal:
        """The literal that is true exactly if this one is false."""
        return Literal(self.fact, not self.positive)

    def __str__(self) -> str:
        return f"{'' if self.positive else 'not '}{self.fact}"


State: TypeAlias = frozenset[Fact]
"""Every fact that is true; any other is false."""


def parse_literals(*texts: str) -> tuple[Literal, ...]:
    """Read `on(red_cube, crate)`, or `not closed(oven)` for a fact that is false."""
    return tuple(map(_literal, texts))


def _literal(text: str) -> Literal:
    match = _LITERAL.fullmatch(text)
    if match is None:
        raise RegraspError(
            f"{text[:200]!r} is no literal; write one such as inside(yellow_cube, wooden_cabinet), "
            "with not before it for its opposite and ?kind for any object of a kind."
        )
    arguments = tuple(arg.strip() for arg in (match[3] or "").split(",") if arg.strip())
    return Literal(Fact(match[2], arguments), match[1] is None)
