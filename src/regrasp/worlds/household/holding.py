"""How an object is held: its centre relative to the hand, the wrist angle, the finger opening."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.control.affordance import SceneObject

__all__ = ["Hold", "hold_of"]

_FLAT = 1.5707963  # rad: fingers above and below


@dataclass(frozen=True, slots=True)
class Hold:
    """`ahead`: from between the fingers to the object's centre (m); `turn` its yaw (rad).

    `roll` turns the wrist, `opening` is each finger's distance from the middle (m). The hand's own
    x points away from the robot.
    """

    ahead: float
    turn: float
    roll: float
    opening: float


def hold_of(thing: SceneObject) -> Hold:
    """How the robot holds an object, by its kind and size."""
    wide, half = thing.extent
    match thing.kind:
        case "pie" | "container":
            return Hold(wide - 0.005, 0.0, _FLAT, min(half, 0.03))
        case "knife":
            return Hold(0.06, 0.35, _FLAT, half)
        case "stick":
            return Hold(0.0, 0.0, _FLAT, half)
        case "egg" | "egg half":
            return Hold(0.0, 0.0, 0.0, 0.034)
        case "bottle":
            return Hold(0.0, 0.0, 0.0, wide)
        case _:
            return Hold(0.0, 0.0, 0.0, min(wide, 0.047))
