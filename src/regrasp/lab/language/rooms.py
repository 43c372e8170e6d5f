"""Generated rooms: objects with random names, a goal, and an obstacle to it.

A room's type is the kind of goal and the kind of obstacle. Some types are held out from training
and used in the evaluation only: they need a combination of what the others need.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from enum import StrEnum

from regrasp.core.object_description import Affordance, ObjectDescription, kind_of
from regrasp.lab.language.props import Props, called
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.lab.language.vocabulary import COLOURS, MATERIALS, Words
from regrasp.lab.language.wants import RoomGoal, RoomGoalKind

__all__ = ["HELD_OUT_TYPES", "TRAINING_TYPES", "Obstacle", "RoomType", "SymbolicRoom", "make_room"]


class Obstacle(StrEnum):
    """An obstacle to a goal."""

    NONE = "none"
    OPENED = "already open"
    BLOCKED = "blocked"
    BLOCKED_TWICE = "blocked by two things"
    BLOCKED_UNDER = "blocked by a thing that is covered"
    LOCKED = "locked by a switch"
    LOCKED_BLOCKED = "locked and blocked"
    SWITCH_BLOCKED = "locked by a blocked switch"
    OCCUPIED = "occupied"
    COVERED = "covered"
    HIDDEN = "hidden"
    HIDDEN_BLOCKED = "hidden in a blocked place"
    HIDDEN_LOCKED = "hidden in a locked place"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class RoomType:
    """A kind of goal and its obstacle."""

    want: RoomGoalKind
    trouble: Obstacle

    def __str__(self) -> str:
        return f"{self.want}, {self.trouble}"


def _types(text: str) -> tuple[RoomType, ...]:
    lines = (line.partition(":") for line in text.strip().split("\n"))
    return tuple(
        RoomType(RoomGoalKind[want.strip()], Obstacle[trouble])
        for want, _, troubles in lines
        for trouble in troubles.split()
    )


TRAINING_TYPES = _types(
    """
    STORE: NONE OPENED BLOCKED BLOCKED BLOCKED_TWICE LOCKED COVERED HIDDEN HIDDEN_BLOCKED
    STORE_SHUT: NONE BLOCKED
    PUT_ON: NONE OCCUPIED OCCUPIED COVERED HIDDEN
    PUT_BY: NONE COVERED
    FIND: NONE HIDDEN HIDDEN HIDDEN_BLOCKED HIDDEN_BLOCKED HIDDEN_LOCKED HIDDEN_LOCKED NOWHERE
    OPEN: NONE BLOCKED LOCKED BLOCKED_UNDER
    OPEN_BY_WEIGHT: NONE OCCUPIED COVERED
    CLOSE: OPENED
    TAKE_OUT: HIDDEN OPENED HIDDEN_LOCKED
    AWAY: BLOCKED
    CLEAR: OCCUPIED
    EMPTY: HIDDEN HIDDEN_LOCKED
    USE: NONE SWITCH_BLOCKED
    UNLOCK: LOCKED
    PICK: NONE COVERED HIDDEN
    ALIKE: NONE NONE OCCUPIED
    TWO: NONE BLOCKED OCCUPIED
    """
)
"""The types in training; a type that is listed twice is used twice as often."""

HELD_OUT_TYPES = _types(
    """
    STORE: BLOCKED_UNDER LOCKED_BLOCKED HIDDEN_LOCKED
    STORE_SHUT: LOCKED COVERED
    PUT_ON: HIDDEN_BLOCKED HIDDEN_LOCKED
    PUT_BY: HIDDEN
    OPEN: LOCKED_BLOCKED BLOCKED_TWICE SWITCH_BLOCKED
    TAKE_OUT: HIDDEN_BLOCKED
    EMPTY: HIDDEN_BLOCKED
    AWAY: BLOCKED_UNDER
    PICK: HIDDEN_LOCKED
    """
)
"""The types in the evaluation only."""


@dataclass(frozen=True, slots=True)
class SymbolicRoom:
    """A world at its start, the goal, and how people refer to its objects."""

    type: RoomType
    world: SymbolicWorld
    want: RoomGoal
    calls: dict[str, str] = field(default_factory=dict)

    @property
    def solvable(self) -> bool:
        """Whether the goal can be reached at all."""
        return self.type.trouble is not Obstacle.NOWHERE


def make_room(kind: RoomType, words: Words, rng: random.Random) -> SymbolicRoom:
    """A room of a type, with up to five unrelated objects."""
    make = Props(rng, words)
    want, trouble = kind.want, kind.trouble
    x, y, s = make.thing(), make.place(), make.stand()
    z, k = make.thing(), make.switch()
    world = SymbolicWorld(())
    fill = RoomGoal(want, x=x, y=y, s=s, z=z, k=k)
    use = next(str(u) for o in make.objects if o.name == k for u in sorted(o.affordances))
    fill = replace(fill, use=use)
    if want is RoomGoalKind.ALIKE:
        fill = _alike(make, world, fill)
    _hinder(make, world, fill, trouble)
    needed = _needed(world, fill, trouble)
    make.objects[:] = [o for o in make.objects if o.name in needed or rng.random() < 0.4]
    spare = 1 if trouble is Obstacle.NOWHERE else 0
    for _ in range(spare + rng.choice((0, 0, 1, 1, 2, 3, 4, 5))):
        rng.choice((make.thing, make.thing, make.place, make.stand, make.switch))()
    rng.shuffle(make.objects)
    world.objects = tuple(make.objects)
    if trouble is Obstacle.NOWHERE:
        world.objects = tuple(o for o in make.objects if o.name != x)
    names = tuple(o.name for o in world.objects)
    told = sorted({fill.x, fill.y, fill.s, fill.z, fill.k} - {""})
    return SymbolicRoom(kind, world, fill, called(told, names, rng))


def _alike(make: Props, world: SymbolicWorld, want: RoomGoal) -> RoomGoal:
    """Two or three objects of one noun; one of them matches the stand."""
    rng = make.rng
    noun = kind_of(want.x)
    if not noun.isalpha():
        noun = "cube"
    make.objects = [o for o in make.objects if o.name != want.x]
    kin = [make.thing(like=noun) for _ in range(rng.choice((2, 2, 3)))]
    likeness = rng.choice(("colour", "colour", "colour", "material"))
    palette = COLOURS if likeness == "colour" else MATERIALS
    values = [next((w for w in n.split("_") if w in palette), "") for n in kin]
    for i, value in enumerate(values):
        fresh = [p for p in palette if p not in values]
        values[i] = value or rng.choice(fresh)
    chosen = rng.randrange(len(kin))
    if len(set(values)) < len(values):  # two of one colour: the choice would be ambiguous
        values = rng.sample(palette, len(kin))
        make.objects = [o for o in make.objects if o.name not in kin]
        kin = [f"{v}_{noun}" for v in values]
        make.taken |= set(kin)
        make.objects += [ObjectDescription(name, affordances=(Affordance.PICK,)) for name in kin]
    told = dict(zip(kin, values, strict=True)) | {want.s: values[chosen]}
    stand = next((w for w in want.s.split("_") if w in palette), "")
    if stand:  # its name would contradict
        told[want.s] = stand
        if stand not in values:
            kin[chosen : chosen + 1] = [f"{stand}_{noun}"]
            old = list(told)[chosen]
            make.objects = [o for o in make.objects if o.name != old]
            make.objects.append(ObjectDescription(kin[chosen], affordances=(Affordance.PICK,)))
            told.pop(old)
            told[kin[chosen]] = stand
        chosen = next(i for i, n in enumerate(kin) if told[n] == stand)
    (world.colours if likeness == "colour" else world.materials).update(told)
    return replace(want, x=kin[chosen], noun=noun, likeness=likeness)


def _hinder(make: Props, world: SymbolicWorld, want: RoomGoal, trouble: Obstacle) -> None:
    """Add the obstacle to the world, and the objects that every goal of that kind needs."""
    rng, x, y, s, z, k = make.rng, want.x, want.y, want.s, want.z, want.k
    if want.kind in (RoomGoalKind.TAKE_OUT, RoomGoalKind.EMPTY):
        world.inside[x] = y
    elif trouble in (Obstacle.HIDDEN, Obstacle.HIDDEN_BLOCKED, Obstacle.HIDDEN_LOCKED):
        y = y if want.kind in (RoomGoalKind.FIND, RoomGoalKind.PICK) else make.place()
        world.inside[x] = y
    if want.kind is RoomGoalKind.OPEN_BY_WEIGHT:
        world.locks[want.y] = lambda w: w.on.get(x) == s
    if want.kind is RoomGoalKind.AWAY:
        world.blocks.add((x, want.y))
    match trouble:
        case Obstacle.OPENED:
            world.open.add(y)
        case Obstacle.BLOCKED | Obstacle.HIDDEN_BLOCKED if want.kind is not RoomGoalKind.AWAY:
            world.blocks.add((make.thing(), y))
        case Obstacle.BLOCKED_TWICE:
            world.blocks |= {(make.thing(), y), (make.thing(), y)}
        case Obstacle.BLOCKED_UNDER:
            blocker = x if want.kind is RoomGoalKind.AWAY else make.thing()
            world.blocks.add((blocker, y))
            world.on[make.thing()] = blocker
        case Obstacle.LOCKED | Obstacle.HIDDEN_LOCKED:
            world.locks[y] = lambda w: k in w.used
        case Obstacle.LOCKED_BLOCKED:
            world.locks[y] = lambda w: k in w.used
            world.blocks.add((make.thing(), y))
        case Obstacle.SWITCH_BLOCKED:
            if want.kind is not RoomGoalKind.USE:
                world.locks[y] = lambda w: k in w.used
            world.blocks.add((make.thing(), k))
        case Obstacle.OCCUPIED:
            world.on[make.thing()] = s
        case Obstacle.COVERED:
            world.on[make.thing()] = x
    if want.kind is RoomGoalKind.PUT_BY:
        world.beside.pop(z, None)
    if rng.random() < 0.3 and want.kind is not RoomGoalKind.ALIKE:
        world.colours |= {o.name: rng.choice(COLOURS) for o in make.objects}


def _needed(world: SymbolicWorld, want: RoomGoal, trouble: Obstacle) -> set[str]:
    """The objects that the goal and the obstacle involve."""
    slots = {
        RoomGoalKind.STORE: "xy",
        RoomGoalKind.STORE_SHUT: "xy",
        RoomGoalKind.PUT_ON: "xs",
        RoomGoalKind.PUT_BY: "xz",
        RoomGoalKind.FIND: "x",
        RoomGoalKind.PICK: "x",
        RoomGoalKind.OPEN: "y",
        RoomGoalKind.OPEN_BY_WEIGHT: "xys",
        RoomGoalKind.CLOSE: "y",
        RoomGoalKind.TAKE_OUT: "xy",
        RoomGoalKind.AWAY: "xy",
        RoomGoalKind.CLEAR: "s",
        RoomGoalKind.EMPTY: "xy",
        RoomGoalKind.USE: "k",
        RoomGoalKind.UNLOCK: "yk",
        RoomGoalKind.ALIKE: "s",
        RoomGoalKind.TWO: "xyzs",
    }[want.kind]
    values = {"x": want.x, "y": want.y, "s": want.s, "z": want.z, "k": want.k}
    needed = {values[slot] for slot in slots}
    needed |= {n for pair in world.blocks for n in pair} | {n for p in world.on.items() for n in p}
    needed |= {n for p in world.inside.items() for n in p} | set(world.locks)
    if want.kind is RoomGoalKind.ALIKE:
        needed |= world.colours.keys() | world.materials.keys()
    if "switch" in trouble or "lock" in trouble:
        needed.add(want.k)
    return needed
