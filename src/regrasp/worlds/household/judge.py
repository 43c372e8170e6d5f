"""The judge of a household: true facts, computed from its full state. See `WorldJudge`."""

from __future__ import annotations

from collections.abc import Iterator

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.household.sight import Clue, HouseholdSight
from regrasp.worlds.household.world import FILLED, HouseholdWorld
from regrasp.worlds.judge import OPEN, WorldJudge

__all__ = ["HouseholdJudge"]

_ON_FLOOR = 0.05  # m that the lowest point of a thing may be above the floor
_LIQUID = "water"
# One camera looks at the hand.
_ALWAYS_SHOWN = ("inview", "visible", "inhand", "holding", "handempty")


class HouseholdJudge(WorldJudge):
    """Predicates, with x for a thing, r a receptacle, s a surface, f a floor, a an appliance:

    inview(x), inhand(x), handempty(), open(r), closed(r), inside(x, r), ontop(x, s), onfloor(x, f),
    filled(x), insource(sink, liquid), turnedon(a), cooked(x), hot(x), frozen(x), halved(x),
    inroom(x, room); and visible(x) is inview(x), holding(x) is inhand(x), on(x, y) either of
    ontop(x, y) and onfloor(x, y).
    """

    def __init__(self, world: HouseholdWorld, sight: HouseholdSight | None = None) -> None:
        super().__init__(world)
        self._house = world
        self.sight = sight or HouseholdSight(world)
        self._predicates = {
            "inview": self._inview,
            "visible": self._inview,
            "inhand": lambda x: self._named(x) == world.held,
            "holding": lambda x: self._named(x) == world.held,
            "handempty": lambda: not world.held,
            "open": lambda r: bool(self._doors(r)) and self._all_open(r),
            "closed": lambda r: bool(self._doors(r)) and world.shut(r),
            "inside": self._inside,
            "on": lambda x, y: self._ontop(x, y) or self._onfloor(x, y),
            "ontop": self._ontop,
            "onfloor": self._onfloor,
            "filled": self._filled,
            "insource": lambda s, liquid: self._kind(s) == "sink" and liquid == _LIQUID,
            "turnedon": lambda a: world.conditions.get("on", self._named(a)) > 0,
            "cooked": self._hot,
            "hot": self._hot,
            "frozen": lambda x: world.conditions.get("frozen", self._named(x)) > 0,
            "halved": lambda x: world.conditions.get("halved", self._named(x)) > 0,
            "inroom": self._inroom,
        }

    def _facts(self) -> Iterator[Fact]:
        """The facts that may be true."""
        scene, world = self._house.scene, self._house
        things = world.roles()["thing"]
        yield Fact("handempty")
        for x in things:
            yield from (Fact.of("inview", x), Fact.of("inroom", x, self.room(x)))
        for r in things:
            if self._doors(r):
                yield from (Fact.of("open", r), Fact.of("closed", r))
        for x in (t for t in things if scene.things[t].movable):
            yield Fact.of("inhand", x)
            yield from (Fact.of("inside", x, r) for r in scene.insides if r != x)
            yield from (Fact.of("ontop", x, s) for s in scene.tops if s in things)
            yield from (Fact.of("onfloor", x, f) for f in world.detail.floors)
        for condition, predicate in (
            ("level", "filled"), ("water", "filled"), ("on", "turnedon"), ("hot", "hot"),
            ("frozen", "frozen"), ("halved", "halved"),
        ):  # fmt: skip
            yield from (Fact.of(predicate, x) for x in world.conditions.of(condition))
        yield Fact.of("cooked", _LIQUID)

    # ---- visibility ----------------------------------------------------------------------------

    def observe(self, fact: Fact) -> bool | None:
        """See `WorldJudge.observe`."""
        shown = fact.predicate in _ALWAYS_SHOWN
        if shown or any(self.sight.shows(*clue) for clue in self.clues(fact)):
            return self.holds(fact.predicate, *fact.args)
        return None

    def clues(self, fact: Fact) -> tuple[tuple[Clue, str], ...]:
        """The clues that would show whether a fact is true in the present state; one is enough."""
        match fact:
            case Fact("inhand" | "handempty"):
                return ((Clue.HAND, ""),)
            case Fact("inside", (x, place)):
                inside = self.holds("inside", x, place)
                return (Clue.THING, x), *(() if inside else self._into(place))
            case Fact("ontop", (x, surface)):
                on = self.holds("ontop", x, surface)
                return (Clue.THING, x), *(() if on else ((Clue.TOP, surface),))
            case Fact("closed", (place,)) if self._house.doors(place):
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
        """The inside of a receptacle, unless its doors are closed."""
        if self._house.doors(place) and self.holds("closed", place):
            return ()
        return ((Clue.INSIDE, place),)

    def _level(self, x: str) -> tuple[Clue, str]:
        """The clue for the level of a vessel: its content, or its low level."""
        c = self._house.conditions
        if c.has("water", x):
            return Clue.PART, f"{x}_water" if c.get("water", x) else f"{x}_bottom"
        if c.has("level", x):
            return (Clue.PART, f"{x}_water") if self.holds("filled", x) else (Clue.BRIM, x)
        return Clue.THING, x

    # ---- predicates ----------------------------------------------------------------------------

    def _named(self, name: str) -> str:
        if name not in self._house.scene.things:
            raise UnknownNameError("thing", name, self._house.scene.things)
        return name

    def _kind(self, name: str) -> str:
        return self._house.scene.things[self._named(name)].kind

    def _doors(self, name: str) -> list[str]:
        return self._house.doors(self._named(name))

    def _all_open(self, receptacle: str) -> bool:
        return all(self._house.fraction(door) >= OPEN for door in self._doors(receptacle))

    def _inview(self, x: str) -> bool:
        return self.sight.shows(Clue.THING, x if x == _LIQUID else self._named(x))

    def _inside(self, x: str, place: str) -> bool:
        insides = self._house.scene.insides
        if place not in insides:
            self._named(place)
            return False
        return self._named(x) in self._house.contents(place)

    def _ontop(self, x: str, surface: str) -> bool:
        world, tops = self._house, self._house.scene.tops
        if surface not in tops:
            self._named(surface)
            return False
        if x == world.held or any(self._inside(x, place) for place in world.scene.insides):
            return False
        return all(world.within(part, tops[surface]) for part in world.parts(self._named(x)))

    def _onfloor(self, x: str, floor: str) -> bool:
        if self._kind(floor) != "floor":
            return False
        world = self._house
        if x == world.held or self.room(x) not in world.rooms_of(floor):
            return False
        wide, half = world.scene.things[x].extent
        low = all(world.at(part)[2] <= max(wide, half) + _ON_FLOOR for part in world.parts(x))
        return low and not any(self._ontop(x, s) for s in world.scene.tops)

    def _filled(self, x: str, liquid: str = _LIQUID) -> bool:
        c = self._house.conditions
        self._named(x)
        return c.get("level", x) >= FILLED or c.get("water", x) > 0

    def _hot(self, x: str) -> bool:
        c = self._house.conditions
        if x == _LIQUID:
            return any(c.get("level", v) and c.get("hot", v) for v in c.of("level"))
        return c.get("hot", self._named(x)) > 0

    def room(self, x: str) -> str:
        """The room of an object."""
        thing = self._house.scene.things[self._named(x)]
        if thing.kind == "floor":
            return self._house.rooms_of(x)[0]
        at = self._house.at(self._house.parts(x)[0])
        return self._house.room_at(float(at[0]), float(at[1]))

    def _inroom(self, x: str, room: str) -> bool:
        if room not in self._house.rooms:
            raise UnknownNameError("room", room, self._house.rooms)
        return self.room(x) == room
