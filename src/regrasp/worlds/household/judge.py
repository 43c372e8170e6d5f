"""The judge of a household: what is so, computed from its full state. See `WorldJudge`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from regrasp.core.errors import UnknownNameError
from regrasp.worlds.household.sight import HouseholdSight
from regrasp.worlds.household.tasks import half_names
from regrasp.worlds.household.world import FILLED, HouseholdWorld
from regrasp.worlds.judge import OPEN, WorldJudge
from regrasp.worlds.world import Fact

__all__ = ["HouseholdJudge"]

_ON_FLOOR = 0.05  # m that the lowest point of a thing may be above the floor
_LIQUID = "water"


class HouseholdJudge(WorldJudge):
    """Predicates, with x for a thing, r a receptacle, s a surface, f a floor, a an appliance:

    inview(x), inhand(x), handempty(), open(r), closed(r), inside(x, r), ontop(x, s), onfloor(x, f),
    filled(x), insource(sink, liquid), turnedon(a), cooked(x), hot(x), frozen(x), halved(x),
    inroom(x, room), collected(s, x, …): in one container that stands on s.
    """

    def __init__(self, world: HouseholdWorld, sight: HouseholdSight | None = None) -> None:
        super().__init__(world)
        self._house = world
        self._sight = sight or HouseholdSight(world)
        self._predicates = {
            "inview": self._inview,
            "inhand": lambda x: self._named(x) == world.held,
            "handempty": lambda: not world.held,
            "open": lambda r: bool(self._doors(r)) and all(self._far(r)),
            "closed": lambda r: bool(self._doors(r)) and world.shut(r),
            "inside": self._inside,
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
            "collected": self._collected,
        }

    @property
    def predicates(self) -> tuple[str, ...]:
        """What `holds` takes."""
        return tuple(self._predicates)

    def _facts(self) -> Iterator[Fact]:
        """What may be true."""
        scene, world = self._house.scene, self._house
        halves = {half for egg in world.conditions.of("halved") for half in half_names(egg)}
        things = [t.name for t in scene.things.values() if not t.of and t.name not in halves]
        yield ("handempty",)
        for x in things:
            yield from (("inview", x), ("inroom", x, self._room(x)))
        for r in things:
            if self._doors(r):
                yield from (("open", r), ("closed", r))
        for x in (t for t in things if scene.things[t].movable):
            yield ("inhand", x)
            yield from (("inside", x, r) for r in scene.insides if r != x)
            yield from (("ontop", x, s) for s in scene.tops if s in things)
            yield from (("onfloor", x, f) for f in world.detail.floors)
        for condition, predicate in (
            ("level", "filled"), ("water", "filled"), ("on", "turnedon"), ("hot", "hot"),
            ("frozen", "frozen"), ("halved", "halved"),
        ):  # fmt: skip
            yield from ((predicate, x) for x in world.conditions.of(condition))
        yield ("cooked", _LIQUID)

    # ---- predicates ----------------------------------------------------------------------------

    def _named(self, name: str) -> str:
        if name not in self._house.scene.things:
            raise UnknownNameError("thing", name, self._house.scene.things)
        return name

    def _kind(self, name: str) -> str:
        return self._house.scene.things[self._named(name)].kind

    def _doors(self, name: str) -> list[str]:
        return self._house.doors(self._named(name))

    def _far(self, receptacle: str) -> Iterator[bool]:
        return (self._house.fraction(door) >= OPEN for door in self._doors(receptacle))

    def _inview(self, x: str) -> bool:
        return self._sight.inview(x if x == _LIQUID else self._named(x))

    def _inside(self, x: str, place: str) -> bool:
        insides = self._house.scene.insides
        if place not in insides:
            self._named(place)
            return False
        return self._named(x) in self._house.contents(place)

    def _ontop(self, x: str, surface: str) -> bool:
        tops = self._house.scene.tops
        if surface not in tops:
            self._named(surface)
            return False
        world = self._house
        if x == world.held or any(self._inside(x, place) for place in world.scene.insides):
            return False
        return all(world.within(part, tops[surface]) for part in self._parts(x))

    def _parts(self, x: str) -> list[str]:
        """The thing itself, or what has become of it."""
        if self._house.there(self._named(x)):
            return [x]
        return [t for t in self._house.movable if t.startswith(x) and self._house.there(t)]

    def _onfloor(self, x: str, floor: str) -> bool:
        if self._kind(floor) != "floor":
            return False
        world = self._house
        if x == world.held or self._room(x) not in world.rooms_of(floor):
            return False
        wide, half = world.scene.things[x].extent
        low = all(world.at(part)[2] <= max(wide, half) + _ON_FLOOR for part in self._parts(x))
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

    def _room(self, x: str) -> str:
        thing = self._house.scene.things[self._named(x)]
        if thing.kind == "floor":
            return self._house.rooms_of(x)[0]
        at = self._house.at(self._parts(x)[0])
        return self._house.room_at(float(at[0]), float(at[1]))

    def _inroom(self, x: str, room: str) -> bool:
        if room not in self._house.rooms:
            raise UnknownNameError("room", room, self._house.rooms)
        return self._room(x) == room

    def _collected(self, surface: str, *things: str) -> bool:
        world = self._house
        containers = [c for c in world.movable if c in world.scene.insides]
        pairs = itertools.product(containers, [things])
        return any(
            self._ontop(c, surface) and all(self._inside(x, c) for x in xs) for c, xs in pairs
        )
