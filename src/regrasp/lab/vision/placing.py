"""Random placement of objects: on, in, beside others, out of the room, without overlap."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.kit.scene import Region

__all__ = ["AWAY", "Doubles", "Placer"]

Doubles = npt.NDArray[np.float64]
AWAY = -30.0
"""Distance (m) at which removed objects are placed, outside every image."""
_TRIES = 6
_DEEP = 0.004  # m of tolerated overlap; more is a collision
_DEEP_ROBOT = 0.01
_SUNK = 0.0005  # m of overlap with the support, so that they touch
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


class Placer:
    """Places the doors and objects of a `room`; `robot` are the bodies of the robot."""

    def __init__(self, room: VisionRoom, rng: np.random.Generator, robot: tuple[str, ...]) -> None:
        self._room, self._rng = room, rng
        self._world = room.world
        self._model, self._data, self._scene = (
            self._world.model,
            self._world.data,
            self._world.scene,
        )
        self._movable = list(room.truth.movable)
        bodies = [self._model.body(name).id for name in robot]
        self._robot = np.isin(self._model.geom_bodyid, bodies)

    def _clear(self) -> None:
        """Reset to the start, with all objects out of the room."""
        self._world.reset()
        self._data.qvel[:] = 0.0
        for name in self._movable:
            self._out(name)

    def _doors(self) -> None:
        for joint in self._scene.joints.values():
            if joint.name in self._scene.tops:
                continue  # a plate goes down under its load
            draw = self._rng.random()
            low, high = (
                (0.0, 0.0) if draw < 0.42
                else (0.0, 0.08) if draw < 0.50
                else (0.16, 0.5) if draw < 0.64
                else (0.65, 1.12)
            )  # fmt: skip
            fraction = self._rng.uniform(low, high)
            self._data.joint(joint.name).qpos = joint.closed + fraction * (
                joint.open - joint.closed
            )
        mujoco.mj_kinematics(self._model, self._data)

    def _somewhere(self, name: str, ways: list[tuple[float, Callable[[str], None]]]) -> None:
        """Place an object where it fits, by one of `ways`, each with its probability."""
        chances = np.array([chance for chance, _ in ways])
        for _ in range(_TRIES):
            way = ways[int(self._rng.choice(len(ways), p=chances / chances.sum()))][1]
            way(name)
            mujoco.mj_kinematics(self._model, self._data)
            if not self._in_something(self._shapes(name)):
                return
        self._out(name)

    def _on_top(self, name: str) -> None:
        place = str(self._rng.choice(list(self._scene.tops)))
        region = self._scene.tops[place]
        at = self._point(region, 0.25 if min(region.half[:2]) < 0.08 else 0.9)
        self._stand(name, at[:2], self._bottom(region))

    def _inside(self, name: str) -> None:
        region = self._scene.insides[str(self._rng.choice(list(self._scene.insides)))]
        self._stand(name, self._point(region, 0.75)[:2], self._bottom(region) + 0.02)

    def _stacked(self, name: str) -> None:
        others = [n for n in self._movable if n != name and self._data.body(n).xpos[0] > 0]
        if not others:
            return self._out(name)
        other = str(self._rng.choice(others))
        at = self._data.body(other).xpos
        top = self._span(other)[1]
        self._stand(name, at[:2] + self._rng.normal(0.0, 0.006, 2), top)
        return None

    def _out(self, name: str) -> None:
        self._place(name, np.array([AWAY - self._movable.index(name), 0.0, 0.5]), 0.0)

    # ---- geometry ------------------------------------------------------------------------------

    def _free(self, name: str) -> Doubles:
        """The seven numbers of a loose object's pose, as a writable view."""
        at = int(self._model.joint(f"{name}_free").qposadr[0])
        return np.asarray(self._data.qpos[at : at + 7])

    def _place(self, name: str, at: Doubles, yaw: float, lying: float = 0.0) -> None:
        turn, roll, quat = np.zeros(4), np.zeros(4), np.zeros(4)
        mujoco.mju_axisAngle2Quat(turn, np.array([0.0, 0.0, 1.0]), yaw)
        mujoco.mju_axisAngle2Quat(roll, np.array([1.0, 0.0, 0.0]), lying)
        mujoco.mju_mulQuat(quat, turn, roll)
        self._free(name)[:] = np.concatenate([at, quat])

    def _stand(self, name: str, at: Doubles, height: float) -> None:
        """Stand an object on a level place, or sometimes lay it down."""
        lying = float(self._rng.choice([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, np.pi / 2, -np.pi / 2]))
        yaw = self._rng.uniform(-np.pi, np.pi)
        self._place(name, np.array([*at, 5.0]), yaw, lying)
        mujoco.mj_kinematics(self._model, self._data)
        self._free(name)[2] = 5.0 + height - self._span(name)[0] - _SUNK

    def _span(self, name: str) -> tuple[float, float]:
        """The lowest and highest point of an object (m)."""
        solid = np.flatnonzero(self._shapes(name) & (self._model.geom_contype > 0))
        box = self._model.geom_aabb[solid]
        corners = box[:, None, :3] + _CORNERS * box[:, None, 3:]
        turned = np.einsum("gij,gcj->gci", self._data.geom_xmat[solid].reshape(-1, 3, 3), corners)
        z = (turned + self._data.geom_xpos[solid][:, None])[..., 2]
        return float(z.min()), float(z.max())

    def _point(self, region: Region, share: float) -> Doubles:
        body = self._data.body(region.body)
        local = np.array(region.centre) + share * np.array(region.half) * self._rng.uniform(
            -1, 1, 3
        )
        return np.asarray(body.xpos + body.xmat.reshape(3, 3) @ local)

    def _bottom(self, region: Region) -> float:
        return float(self._data.body(region.body).xpos[2] + region.centre[2] - region.half[2])

    def _surface(self, at: Doubles) -> float:
        """The height of the highest level place over a point of the floor (m)."""
        found = 0.0
        for region in self._scene.tops.values():
            body = self._data.body(region.body)
            local = body.xmat.reshape(3, 3).T @ (np.array([*at, body.xpos[2]]) - body.xpos)
            if np.all(np.abs(local - region.centre)[:2] <= region.half[:2]):
                found = max(found, self._bottom(region))
        return found

    def _shapes(self, name: str) -> npt.NDArray[np.bool_]:
        return np.asarray(self._model.geom_bodyid == self._model.body(name).id)

    def _in_something(self, geoms: npt.NDArray[np.bool_], *, held: bool = False) -> bool:
        """Whether any of `geoms` overlaps others; a `held` object may overlap the robot."""
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_collision(self._model, self._data)
        pairs, arm = self._data.contact.geom, self._robot
        mine = geoms[pairs].any(axis=1) & ~geoms[pairs].all(axis=1)
        if held:
            mine &= ~arm[pairs].any(axis=1)
        limit = _DEEP_ROBOT if (geoms & arm).any() else _DEEP
        return bool((self._data.contact.dist[mine] < -limit).any())
