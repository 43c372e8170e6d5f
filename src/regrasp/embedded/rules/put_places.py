"""Where the scripted commander puts an object for which any place will do.

Places are compared by the sentences that are known: an object that was on something goes on
something, and a place with objects of many kinds has room for any, unlike the top of a machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

__all__ = ["PutPlaces"]

_HELD = " held by "
_FEW = 2
"""A place with fewer objects than this may have room for no more."""


@dataclass(frozen=True, slots=True)
class PutPlaces:
    """Ranks places for an object by the sentences in `state` and the kinds of the `objects`.

    `origin` is the sentence that says where the object is, or where it was taken from. `tried` are
    places where it was put or could not be put, `avoid` those where some object could not be put,
    and `wanted` are the names in the steps. `portable` says whether a place can be taken itself.
    """

    state: frozenset[str]
    objects: Mapping[str, str]
    origin: str
    tried: Collection[str]
    avoid: Collection[str]
    wanted: Collection[str]
    portable: Callable[[str], bool]

    def put_down(self, places: Iterable[str]) -> list[str]:
        """The best places for an object in a hand first: where it came from, unless tried."""
        home = self.origin.split()[-1:]
        return sorted(
            places,
            key=lambda one: (
                one in self.tried, self.portable(one), [one] != home, one in self.wanted,
                self._rank(one)[1] == 0, one in self.avoid, self._rank(one),
            ),
        )  # fmt: skip

    def set_aside(self, places: Iterable[str], near: Collection[str]) -> list[str]:
        """The best places for an object that is in the way first.

        `near` are the names of the command for which it is in the way. Another spot of the same
        place comes after other places where several objects are.
        """
        home = self.origin.split()[-1:]
        return sorted(
            places,
            key=lambda one: (
                one in self.tried, self.portable(one), one in self.avoid,
                one in near and [one] != home, one in self.wanted,
                -self._rank(one)[1] < _FEW, [one] == home, self._rank(one),
            ),
        )  # fmt: skip

    def _rank(self, place: str) -> tuple[int, int]:
        """Less for a place with more kinds of object, and more objects, as this one was there.

        That is on it, if it was on something, or inside it.
        """
        words = self.origin.split()[1:-1]
        said = (one.split() for one in self.state if _HELD not in one)
        there = [one[0] for one in said if one[1:-1] == words and one[-1] == place]
        return -len({self.objects.get(name) for name in there}), -len(there)
