"""Which of the networks answers a question. Each is loaded when it first answers one."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from pathlib import Path

from regrasp.core.arrays import Floats
from regrasp.embedded.vision.network import FIRST, TWO_HANDS, About, Network, read_about

__all__ = ["LazyNetwork", "networks_for"]


class LazyNetwork:
    """A network of which only the questions are read until it answers one of them."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self._folder = name, folder

    @cached_property
    def about(self) -> About:
        """What it can be asked."""
        return read_about(self.name, self._folder)

    @cached_property
    def network(self) -> Network:
        """Loaded."""
        if self.name == TWO_HANDS:
            from regrasp.embedded.vision.two_hands import open_two_hands  # noqa: PLC0415

            return open_two_hands(self._folder)
        return Network(self.name, self._folder)

    def numbers(self, question: str) -> list[int] | None:
        """The question in its wording, as numbers; None if it is not one of its questions."""
        spelt = self.about.known.canonical(question)
        return self.about.vocabulary.numbers(spelt) if spelt is not None else None

    def read(self, question: str) -> Floats | None:
        """The encoded question; None if it is not one of its questions."""
        numbers = self.numbers(question)
        return self.network.read(numbers) if numbers is not None else None


def networks_for(things: Collection[str], folder: Path) -> tuple[LazyNetwork, ...]:
    """The networks in a folder; the first that knows a question answers it.

    `things` are the names of a robot's objects. The network that knows more of them goes first, and
    without any, or among equals, that of most worlds does.
    """
    first, other = LazyNetwork(FIRST, folder), LazyNetwork(TWO_HANDS, folder)
    known = _count(first.about, things)
    if not (folder / f"{TWO_HANDS}.json").is_file():
        return (first,)
    if known < len(things) and _count(other.about, things) > known:
        return other, first
    return first, other


def _count(about: About, things: Collection[str]) -> int:
    """How many of these names are of a known kind."""
    return sum(about.known.kind(thing) is not None for thing in things)
