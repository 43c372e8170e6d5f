"""Whether a fact of the household is so, as far as the robot's pictures show it: for oracles."""

from __future__ import annotations

from regrasp.core.fact import Fact
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.sight import Clue, HouseholdSight
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["HouseholdTruth"]

_ALWAYS = ("inview", "inhand", "handempty")
"""What a camera always tells: one looks at the hand."""


class HouseholdTruth:
    """The truth of facts; None for what no picture of the present moment shows."""

    def __init__(self, world: HouseholdWorld) -> None:
        self._world, self.sight = world, HouseholdSight(world)
        self.judge = HouseholdJudge(world, self.sight)

    def is_true(self, fact: Fact) -> bool | None:
        """Whether a fact is so, or None where eyes cannot tell."""
        if fact.predicate in _ALWAYS or any(self.sight.shows(*clue) for clue in self.clues(fact)):
            return self.judge.holds(fact.predicate, *fact.args)
        return None

    def clues(self, fact: Fact) -> tuple[tuple[Clue, str], ...]:
        """What would tell whether a fact is so, as things are; any one of them is enough."""
        match fact:
            case Fact("inhand" | "handempty"):
                return ((Clue.HAND, ""),)
            case Fact("inside", (x, place)):
                inside = self.judge.holds("inside", x, place)
                return (Clue.THING, x), *(() if inside else self._into(place))
            case Fact("ontop", (x, surface)):
                on = self.judge.holds("ontop", x, surface)
                return (Clue.THING, x), *(() if on else ((Clue.TOP, surface),))
            case Fact("closed", (place,)) if self._world.doors(place):
                return (Clue.DOOR, place), *self._into(place)
            case Fact("filled", (x,)):
                return (self._level(x),)
            case Fact("turnedon", (appliance,)):
                return (Clue.PART, f"{appliance}_lamp"), *self._into(appliance)
            case Fact("insource"):
                return ()
            case Fact(_, (x, *_)):
                return ((Clue.THING, x),)
        return ()

    def _into(self, place: str) -> tuple[tuple[Clue, str], ...]:
        """A look into a receptacle, unless its doors are closed."""
        if self._world.doors(place) and self.judge.holds("closed", place):
            return ()
        return ((Clue.INSIDE, place),)

    def _level(self, x: str) -> tuple[Clue, str]:
        """What is in it, or that there is little in it."""
        c = self._world.conditions
        if c.has("water", x):
            return Clue.PART, f"{x}_water" if c.get("water", x) else f"{x}_bottom"
        if c.has("level", x):
            return (Clue.PART, f"{x}_water") if self.judge.holds("filled", x) else (Clue.BRIM, x)
        return Clue.THING, x
