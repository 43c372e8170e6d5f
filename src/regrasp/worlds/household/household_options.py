"""Options of a household task, after its name: `empty-bottle:situations=0.5,same_room=1`."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.errors import RegraspError

__all__ = ["HouseholdOptions"]

_USAGE = "write e.g. frozen-pie:situations=0.5 or empty-bottle:same_room=1."


@dataclass(frozen=True, slots=True)
class HouseholdOptions:
    """`situations` is the rate of faults as a multiple of the paper's.

    With `same_room` a loose thing in another room cannot be found: the robot has to go there first,
    by finding a floor or a piece of furniture of that room.
    """

    situations: float = 1.0
    same_room: bool = False

    @classmethod
    def parse(cls, text: str) -> HouseholdOptions:
        """Read the text after the colon of a task's name; empty means the defaults."""
        found: dict[str, float] = {}
        for part in text.split(",") if text else ():
            name, _, value = (word.strip() for word in part.partition("="))
            try:
                found[name] = float(value)
            except ValueError:
                raise RegraspError(f"{part!r} is not OPTION=NUMBER; {_USAGE}") from None
        unknown = sorted(found.keys() - {"situations", "same_room"})
        if unknown:
            raise RegraspError(f"a household task has no option {unknown[0]!r}; {_USAGE}")
        if found.get("same_room", 0.0) not in (0.0, 1.0):
            raise RegraspError(f"same_room is 0 or 1, not {found['same_room']:g}; {_USAGE}")
        return cls(found.get("situations", 1.0), found.get("same_room", 0.0) == 1.0)

    def __str__(self) -> str:
        parts = [] if self.situations == 1.0 else [f"situations={self.situations:g}"]
        return ",".join([*parts, *(["same_room=1"] if self.same_room else [])])
