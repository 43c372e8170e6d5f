"""Where the scripted commander puts an object for which any place will do.

Places are compared by the sentences that are known: an object that was on something goes on
something, and a place with many objects is made for them, unlike the top of a machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

__all__ = ["PutPlaces"]

_HELD = " held by "
_FEW = 2
"""A place with fewer objects than this is not made for them."""


@dataclass(frozen=True, slots=True)
class PutPlaces:
    """Ranks places for an object by the sentences in `state`.

    `origin` is the sentence that says where the object is, or where it was taken from. `tried` are
    places where it was put or could not be put, `avoid` those where some object could not be put,
    and `wanted` are the names in the steps. `portable` says whether a place can be taken itself.
    """

    state: frozenset[str]
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
                one in self.avoid, *self._fit(one),
            ),
        )  # fmt: skip

    def set_aside(self, places: Iterable[str], near: Collection[str]) -> list[str]:
        """The best places for an object that is in the way first.

        `near` are the names of the command for which it is in the way. Another spot of the same
        place comes after places that have as many objects.
        """
        home = self.origin.split()[-1:]
        return sorted(
            places,
            key=lambda one: (
                one in self.tried, self.portable(one), one in self.avoid,
                one in near and [one] != home, one in self.wanted, *self._fit(one)[:2],
                [one] == home, self._fit(one)[2],
            ),
        )  # fmt: skip

    def _fit(self, place: str) -> tuple[bool, bool, int]:
        """How few objects are at a place as this one was, on it or inside it: the least is best."""
        words = self.origin.split()[1:-1]
        said = [one.split() for one in self.state if _HELD not in one]
        alike = sum(one[1:-1] == words and one[-1] == place for one in said if len(one) > 2)
        return alike == 0, alike < _FEW, -alike
