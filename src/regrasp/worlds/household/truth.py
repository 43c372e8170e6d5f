"""Whether a fact of the household is so, as far as the robot's pictures show it: for oracles."""

from __future__ import annotations

from regrasp.core.fact import Fact
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.sight import HouseholdSight
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["HouseholdTruth"]

_LIQUID = "water"


class HouseholdTruth:
    """The truth of facts; None for what no picture of the present moment shows."""

    def __init__(self, world: HouseholdWorld) -> None:
        self._world, self.sight = world, HouseholdSight(world)
        self.judge = HouseholdJudge(world, self.sight)

    def so(self, fact: Fact) -> bool | None:
        """Whether a fact is so, or None where eyes cannot tell."""
        return self.judge.holds(fact.predicate, *fact.args) if self._shown(fact) else None

    def _shown(self, fact: Fact) -> bool:
        sight = self.sight
        match fact:
            case Fact("inview" | "inhand" | "handempty"):
                return True
            case Fact("inside", (x, place)):
                inside = self.judge.holds("inside", x, place)
                return sight.inview(x) or (not inside and self._seen_into(place))
            case Fact("ontop", (x, surface)):
                on = self.judge.holds("ontop", x, surface)
                return sight.inview(x) or (not on and sight.inview(surface))
            case Fact("filled", (x,)):
                return self._shows_level(x)
            case Fact("turnedon", (appliance,)):
                return sight.part(f"{appliance}_lamp") or self._seen_into(appliance)
            case Fact("cooked" | "hot" | "frozen", (x,)) if x == _LIQUID:
                return sight.inview(_LIQUID)
            case Fact("insource"):
                return False
            case Fact(_, (x, *_)):
                return sight.inview(x)
        return False

    def _seen_into(self, place: str) -> bool:
        if self._world.doors(place) and self.judge.holds("closed", place):
            return False
        return self.sight.inview(place) and self.sight.shows_inside(place)

    def _shows_level(self, x: str) -> bool:
        """Whether what is in it is in sight, or that there is little in it."""
        c = self._world.conditions
        if c.has("water", x):
            return self.sight.part(f"{x}_water" if c.get("water", x) else f"{x}_bottom")
        if c.has("level", x):
            full = self.judge.holds("filled", x)
            return self.sight.part(f"{x}_water") if full else self.sight.shows_brim(x)
        return self.sight.inview(x)
