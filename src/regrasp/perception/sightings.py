"""Where things were seen: the map of names to positions that IALP queries by language.

A sighting is the centre of a mask in space. Sightings near one another are one place; the place
with the three clearest sightings wins. A clear look from nearby replaces all that was believed, so
a thing that was moved is where it was seen last.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from regrasp.core.arrays import Array

__all__ = ["SeenPlace", "Sightings"]

_SAME_M = 0.6
_NEARBY_M = 2.0
_CLEAR = 0.6
_CLEAREST, _FADING = 3, 0.1
_NEWEST = 0.5  # weight of the newest sighting in a position


@dataclass(slots=True, eq=False)
class SeenPlace:
    """A position (3,) in m at which a thing was seen, and the scores of its clearest sightings."""

    position: Array
    scores: list[float]

    @property
    def weight(self) -> float:
        """How clearly it was seen."""
        return sum(self.scores)


@dataclass(slots=True)
class Sightings:
    """The places at which each thing was seen, by name."""

    _places: dict[str, list[SeenPlace]] = field(default_factory=dict)

    def add(self, name: str, position: Array, score: float, distance: float) -> None:
        """A thing was seen at a position (3,), `distance` m from the camera."""
        places = self._places.setdefault(name, [])
        clear = score / (1.0 + _FADING * distance)
        near = [p for p in places if float(np.linalg.norm(p.position - position)) < _SAME_M]
        if near:
            near[0].position = _NEWEST * position + (1.0 - _NEWEST) * near[0].position
            near[0].scores = sorted([*near[0].scores, clear])[-_CLEAREST:]
        else:
            places.append(SeenPlace(np.array(position, float), [clear]))
        if distance < _NEARBY_M and score >= _CLEAR:
            self._places[name] = near[:1] or places[-1:]

    def forget(self, name: str) -> None:
        """A thing was taken away from where it was seen."""
        self._places.pop(name, None)

    def of(self, name: str) -> Array | None:
        """The position (3,) at which a thing most likely is; None if it was never seen."""
        return next(iter(self.all_of(name)), None)

    def all_of(self, name: str) -> list[Array]:
        """The positions at which a thing was seen, the likeliest first."""
        places = sorted(self._places.get(name, []), key=lambda one: -one.weight)
        return [one.position.copy() for one in places]
