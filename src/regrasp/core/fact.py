"""What can be so in a world: the words that planners, judges and questions to eyes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Fact", "Literal", "State"]


@dataclass(frozen=True, slots=True, order=True)
class Fact:
    """A predicate of named things, e.g. `Fact("inside", ("mug", "cabinet"))`."""

    predicate: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.predicate}({', '.join(self.args)})"


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """A fact that is held to be so, or not to be so."""

    fact: Fact
    positive: bool = True

    def __str__(self) -> str:
        return f"{'' if self.positive else 'not '}{self.fact}"


State: TypeAlias = frozenset[Fact]
"""Every fact that is so; what is not in it is not."""
