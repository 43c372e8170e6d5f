"""Where a person said that things are: what an instruction says counts for more than a sighting.

A thing is looked for at that place until a hand has taken it, or until enough looks from nearby
have shown that it is not there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["ExpectedPlaces"]

_MOST_MISSED = 30


@dataclass(slots=True)
class ExpectedPlaces:
    """The expected place of each thing, by name."""

    _places: dict[str, str] = field(default_factory=dict)
    _missed: Counter[str] = field(default_factory=Counter)

    def add(self, thing: str, place: str) -> None:
        """A person said that a thing is at a place."""
        self._places[thing] = place
        del self._missed[thing]

    def of(self, thing: str) -> str | None:
        """Where a thing is expected; None if nobody said so, or it is not there."""
        return self._places.get(thing)

    def drop(self, thing: str) -> None:
        """It was taken from there."""
        self._places.pop(thing, None)

    def miss(self, thing: str) -> None:
        """A look at the place from nearby did not show the thing."""
        self._missed[thing] += 1
        if self._missed[thing] >= _MOST_MISSED:
            self.drop(thing)
