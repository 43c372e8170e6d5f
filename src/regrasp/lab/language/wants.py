"""The goals of a room: one plain sentence each, and a test whether the goal is reached.

Every goal has one plain sentence, which the scripted reasoner always parses; `phrasings` has the
other wordings. `{x}` and `{z}` are objects, `{y}` is a place that opens, `{s}` a stand, `{k}` a
switch, `{n}` a noun, `{p}` an attribute.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from regrasp.lab.language.symbols import SymbolicWorld

__all__ = ["PLAIN", "RoomGoal", "RoomGoalKind"]


class RoomGoalKind(StrEnum):
    """The kinds of goal."""

    STORE = "store"
    STORE_SHUT = "store and shut"
    PUT_ON = "put on"
    PUT_BY = "put by"
    FIND = "find"
    OPEN = "open"
    OPEN_BY_WEIGHT = "open by weight"
    CLOSE = "close"
    TAKE_OUT = "take out"
    AWAY = "move away"
    CLEAR = "clear"
    EMPTY = "empty"
    USE = "use"
    UNLOCK = "unlock"
    PICK = "pick"
    ALIKE = "alike"
    TWO = "two things"


PLAIN: Mapping[RoomGoalKind, str] = {
    RoomGoalKind.STORE: "put the {x} in the {y}",
    RoomGoalKind.STORE_SHUT: "put the {x} in the {y} and close it",
    RoomGoalKind.PUT_ON: "put the {x} on the {s}",
    RoomGoalKind.PUT_BY: "put the {x} next to the {z}",
    RoomGoalKind.FIND: "find the {x}",
    RoomGoalKind.OPEN: "open the {y}",
    RoomGoalKind.OPEN_BY_WEIGHT: "open the {y}. It is unlocked by placing the {x} on the {s}.",
    RoomGoalKind.CLOSE: "close the {y}",
    RoomGoalKind.TAKE_OUT: "take the {x} out of the {y}",
    RoomGoalKind.AWAY: "move the {x} away from the {y}",
    RoomGoalKind.CLEAR: "clear the {s}",
    RoomGoalKind.EMPTY: "empty the {y}",
    RoomGoalKind.USE: "{use} the {k}",
    RoomGoalKind.UNLOCK: "unlock the {y}",
    RoomGoalKind.PICK: "pick up the {x}",
    RoomGoalKind.ALIKE: "put the {n} of the same {p} as the {s} on the {s}",
    RoomGoalKind.TWO: "put the {x} in the {y} and put the {z} on the {s}",
}
"""The plain sentence of every goal, over exact names; none is an instruction of a suite."""


@dataclass(frozen=True, slots=True)
class RoomGoal:
    """One goal: its kind and its slots; only `ALIKE` has `noun` and `likeness`."""

    kind: RoomGoalKind
    x: str = ""
    y: str = ""
    s: str = ""
    z: str = ""
    k: str = ""
    use: str = ""
    noun: str = ""
    likeness: str = "colour"

    def plain(self) -> str:
        """The plain, unambiguous sentence."""
        return self.say(PLAIN[self.kind], {})

    def say(self, phrasing: str, calls: Mapping[str, str]) -> str:
        """`phrasing` with each name as `calls` has it."""
        names = {slot: calls.get(n, n) for slot, n in self._slots()}
        american = self.likeness.replace("colour", "color")
        return phrasing.format(**names, use=self.use, n=self.noun, p=self.likeness, q=american)

    def _slots(self) -> tuple[tuple[str, str], ...]:
        return (("x", self.x), ("y", self.y), ("s", self.s), ("z", self.z), ("k", self.k))

    def holds(self, world: SymbolicWorld) -> bool:
        """Whether the goal is reached in `world`."""
        x, y, s = self.x, self.y, self.s
        match self.kind:
            case RoomGoalKind.STORE:
                return world.inside.get(x) == y
            case RoomGoalKind.STORE_SHUT:
                return world.inside.get(x) == y and y not in world.open
            case RoomGoalKind.PUT_ON | RoomGoalKind.ALIKE:
                return world.on.get(x) == s
            case RoomGoalKind.PUT_BY:
                return world.beside.get(x) == self.z
            case RoomGoalKind.FIND:
                return world.visible(x)
            case RoomGoalKind.OPEN | RoomGoalKind.OPEN_BY_WEIGHT:
                return y in world.open
            case RoomGoalKind.CLOSE:
                return y not in world.open
            case RoomGoalKind.TAKE_OUT:
                return world.visible(x) and world.inside.get(x) != y
            case RoomGoalKind.AWAY:
                return (x, y) not in world.blocks
            case RoomGoalKind.CLEAR:
                return s not in world.on.values()
            case RoomGoalKind.EMPTY:
                return y in world.open and y not in world.inside.values()
            case RoomGoalKind.USE:
                return self.k in world.used
            case RoomGoalKind.UNLOCK:
                return y not in world.locks or world.locks[y](world)
            case RoomGoalKind.PICK:
                return world.held == x
            case RoomGoalKind.TWO:
                return world.inside.get(x) == y and world.on.get(self.z) == s
