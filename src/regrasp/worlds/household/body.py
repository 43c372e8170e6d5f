"""The mobile robot's joints: base, hand and head; and how its hand holds an object.

The arm is polar. With the hand at (x, y, z) in the base's frame,

    shoulder = atan2(y, x),  reach = sqrt(x² + y²) - BOOM,  lift = z + DROP,

and the head, whose camera is at its turning point h, looks along p - h by pan and tilt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.affordance import SceneObject
from regrasp.core.arrays import Array
from regrasp.worlds.kit.mobile import BOOM_M, DROP_M, HEAD_M, JOINTS

__all__ = ["CARRY", "REACH_M", "Hold", "MobileBody", "hold_of"]

REACH_M = 0.90
"""The largest distance of the hand from the column."""
CARRY = (0.47, -0.24, 0.93)
"""The rest position of the hand, in the base's frame."""
_FLAT = 1.5707963  # rad: fingers above and below
_LOWEST = 0.045  # m: the hand above the floor
_FOVY = (12.0, 62.0)  # degrees that the head's camera can be set to


class MobileBody:
    """Reads and sets the joints of the robot in a model's state."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self._model, self._data = model, data
        self._at = {name: int(model.joint(name).qposadr[0]) for name in JOINTS}
        self.dofs = np.array([int(model.joint(name).dofadr[0]) for name in JOINTS])
        self._camera = int(model.camera("head").id)

    def get(self, joint: str) -> float:
        """A joint's position."""
        return float(self._data.qpos[self._at[joint]])

    def set(self, **joints: float) -> None:
        """Set joint positions; nothing else moves until the state is computed again."""
        for name, value in joints.items():
            self._data.qpos[self._at[name]] = value

    # ---- the base ------------------------------------------------------------------------------

    @property
    def base(self) -> Array:
        """The pose of the base: x, y (m), yaw (rad)."""
        return np.array([self.get(name) for name in ("base_x", "base_y", "base_yaw")])

    def set_base(self, x: float, y: float, yaw: float) -> None:
        """Set the pose of the base."""
        self.set(base_x=x, base_y=y, base_yaw=yaw)

    def local(self, point: npt.ArrayLike) -> Array:
        """A point of the world (3,) in the base's frame."""
        x, y, yaw = self.base
        p = np.array(point, float)
        dx, dy, c, s = p[0] - x, p[1] - y, math.cos(yaw), math.sin(yaw)
        return np.array([c * dx + s * dy, c * dy - s * dx, p[2]])

    def world(self, point: npt.ArrayLike) -> Array:
        """A point in the base's frame (3,) in the world."""
        x, y, yaw = self.base
        p, c, s = np.array(point, float), math.cos(yaw), math.sin(yaw)
        return np.array([x + c * p[0] - s * p[1], y + s * p[0] + c * p[1], p[2]])

    # ---- the hand ------------------------------------------------------------------------------

    @property
    def hand(self) -> Array:
        """The point between the fingers (3,), in the base's frame."""
        far = BOOM_M + self.get("reach_1") + self.get("reach_2")
        turn = self.get("shoulder")
        return np.array([far * math.cos(turn), far * math.sin(turn), self.get("lift") - DROP_M])

    def reach(self, point: npt.ArrayLike) -> None:
        """Bring the hand to a point of the base's frame (3,), or as near as possible."""
        x, y, z = (float(value) for value in np.asarray(point, float))
        out = min(max(math.hypot(x, y) - BOOM_M, 0.0), REACH_M - BOOM_M) / 2
        lift = max(z, _LOWEST) + DROP_M
        self.set(shoulder=math.atan2(y, x), reach_1=out, reach_2=out, lift=lift)

    def grip(self, opening: float) -> None:
        """Open or close the fingers; `opening` is each finger's distance from the middle (m)."""
        self.set(finger_left=opening, finger_right=opening)

    # ---- the head ------------------------------------------------------------------------------

    def look_at(self, point: npt.ArrayLike, width: float) -> None:
        """Turn the head to a point of the world, and show `width` metres around it."""
        away = self.local(point) - np.array(HEAD_M)
        level = math.hypot(away[0], away[1])
        self.set(head_pan=math.atan2(away[1], away[0]), head_tilt=math.atan2(-away[2], level))
        distance = max(float(np.linalg.norm(away)), 0.1)
        fovy = math.degrees(2 * math.atan(width / 2 / distance))
        self._model.cam_fovy[self._camera] = min(max(fovy, _FOVY[0]), _FOVY[1])


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
