"""A recipe as text: what goes into it, how much of it, and how it is served.

    - into glass
    - 60 ml rum
    - 60 ml ice_cubes, optional
    - then it is on tray

The lines read back to the same value. `it` is the vessel that is filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Ingredient", "Recipe"]

_INTO = re.compile(r"(?:- )?into (\w+)")
_AMOUNT = re.compile(r"(?:- )?(\d+(?:\.\d+)?) ml (\w+)(, optional)?")
_SERVED = re.compile(r"(?:- )?then (.+)")


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A substance, its amount in ml, and whether it goes in only on request."""

    substance: str
    ml: float
    optional: bool = False

    @property
    def words(self) -> str:
        """The amount and the substance, for a person."""
        return f"{self.ml:g} ml {self.substance.replace('_', ' ')}"

    def __str__(self) -> str:
        return f"{self.ml:g} ml {self.substance}{', optional' if self.optional else ''}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is filled into a vessel of the kind `into`, and what must be true when it is served.

    `serve` are sentences about `it`, the vessel. `also` are other names.
    """

    name: str
    into: str
    ingredients: tuple[Ingredient, ...]
    serve: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All names of the recipe, its own first."""
        return (self.name, *self.also)

    def lines(self) -> tuple[str, ...]:
        """The recipe as lines of a prompt, without its names."""
        served = (f"then {sentence}" for sentence in self.serve)
        return (f"into {self.into}", *map(str, self.ingredients), *served)

    @classmethod
    def read(cls, name: str, lines: Iterable[str]) -> Recipe | None:
        """The recipe that `lines` wrote, or None if a line is of no known form."""
        into, ingredients, serve = "", list[Ingredient](), list[str]()
        for line in lines:
            if match := _INTO.fullmatch(line):
                into = match[1]
            elif match := _AMOUNT.fullmatch(line):
                ingredients.append(Ingredient(match[2], float(match[1]), bool(match[3])))
            elif match := _SERVED.fullmatch(line):
                serve.append(match[1])
            else:
                return None
        return cls(name, into, tuple(ingredients), tuple(serve)) if into else None
