"""Random states of a room, reachable or not: doors anywhere, things anywhere, the arm anywhere.

Nothing is simulated. Each thing is put somewhere (on the floor, on or in something, in the hand, in
the way of a door, out of the room) and taken back if it would stand in something else.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.worlds.blocking import joints_of
from regrasp.worlds.gallery.reach import put_arm, put_hand
from regrasp.worlds.gallery.rooms import Room
from regrasp.worlds.kit.franka import FINGER_OPEN, HOME, PALM
from regrasp.worlds.kit.scene import Region

__all__ = ["Poser"]

Doubles = npt.NDArray[np.float64]
_TRIES = 6
_DEEP = 0.004  # m that shapes may overlap: more is standing in something
_DEEP_ARM = 0.01
_SUNK = 0.0005  # m that a thing stands in what bears it, so that they touch
_AWAY = -30.0  # m: out of every picture
_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


class Poser:
    """Puts a `room` into one random state after another."""

    def __init__(self, room: Room, rng: np.random.Generator) -> None:
        self._room, self._rng = room, rng
        self._world = room.world
        self._model, self._data, self._scene = (
            self._world.model,
            self._world.data,
            self._world.scene,
        )
        self._movable = list(room.truth.movable)

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be asked."""
        self._world.reset()
        self._data.qvel[:] = 0.0
        for k, name in enumerate(self._movable):
            self._place(name, np.array([_AWAY - k, 0.0, 0.5]), 0.0)
        self._doors()
        hold = self._arm()
        order = [n for n in self._rng.permutation(self._movable).tolist() if n != hold]
        order.sort(key=lambda name: name not in self._room.barring)  # a bar shuts doors: first
        for name in order:
            self._somewhere(name)
        if hold == "" and self._rng.random() < 0.2:
            self._hover()
        self._sensors()
        mujoco.mj_forward(self._model, self._data)

    # ---- joints and arm ------------------------------------------------------------------------

    def _doors(self) -> None:
        for joint in self._scene.joints.values():
            if joint.name in self._scene.tops:
                continue  # a plate goes down under what stands on it
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

    def _arm(self) -> str:
        """Put the arm somewhere; the name of the thing in the hand, if any."""
        draw = self._rng.random()
        put_arm(self._world, np.array(HOME) + self._rng.normal(0.0, 0.05, 7), FINGER_OPEN)
        if draw < 0.45:
            return ""
        for _ in range(_TRIES):
            low, high = (0.30, -0.45, 0.06), (0.75, 0.45, 0.60)
            if self._reach(self._rng.uniform(low, high)) and not self._in_something(self._arm_only):
                if draw > 0.68 and self._movable:
                    return self._take(str(self._rng.choice(self._movable)))
                finger = self._rng.uniform(0.0, FINGER_OPEN)
                for name in ("finger_left", "finger_right"):
                    self._data.joint(name).qpos = finger
                return ""
        put_arm(self._world, np.array(HOME), FINGER_OPEN)
        return ""

    def _reach(self, at: Doubles) -> bool:
        down = self._rng.random() < 0.65
        tilt = self._rng.normal(0.0, 0.15, 3)
        approach = np.array([0.0, 0.0, -1.0] if down else [0.95, 0.0, -0.3]) + tilt
        yaw = self._rng.uniform(-1.2, 1.2)
        closing = np.array([np.sin(yaw), np.cos(yaw), 0.0])
        return put_hand(self._world, at, approach, closing, self._rng)

    def _take(self, name: str) -> str:
        """Put a thing between the fingers and close them on it; its name if they hold it."""
        thing = self._scene.things[name]
        grasp = thing.grasps[-1]
        hand = self._data.site(PALM)
        x, y, z = hand.xmat.reshape(3, 3).T
        axes = np.stack([y, x, -z] if grasp.closing == "x" else [-x, y, -z], axis=1)
        body, site = self._model.body(name).id, self._model.site(grasp.site).id
        offset = (
            self._model.site_pos[site] if self._model.site_bodyid[site] == body else np.zeros(3)
        )
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, axes.flatten())
        jitter = self._rng.uniform(-0.008, 0.008, 3) * (1.0, 0.0, 1.0)
        at = hand.xpos - axes @ offset + hand.xmat.reshape(3, 3) @ jitter
        self._free(name)[:] = np.concatenate([at, quat])
        for finger in np.linspace(FINGER_OPEN, 0.0, 41):
            for joint in ("finger_left", "finger_right"):
                self._data.joint(joint).qpos = finger
            mujoco.mj_kinematics(self._model, self._data)
            mujoco.mj_collision(self._model, self._data)
            if self._room.truth.judge.holds("holding", name):
                if self._in_something(self._shapes(name), held=True):
                    break
                return name
        for joint in ("finger_left", "finger_right"):
            self._data.joint(joint).qpos = FINGER_OPEN
        self._place(name, np.array([_AWAY, 5.0, 0.5]), 0.0)
        return ""

    def _hover(self) -> None:
        """Bring the open hand over a thing without touching it: what holding is often taken for."""
        if not self._movable:
            return
        name = str(self._rng.choice(self._movable))
        at = self._data.body(name).xpos.copy()
        if at[0] < _AWAY / 2:
            return
        before = self._data.qpos.copy()
        at[2] += self._rng.uniform(0.0, 0.09)
        for joint in ("finger_left", "finger_right"):
            self._data.joint(joint).qpos = FINGER_OPEN
        if not self._reach(at) or self._in_something(self._arm_only):
            self._data.qpos[:] = before
        mujoco.mj_kinematics(self._model, self._data)

    def _sensors(self) -> None:
        """Plates go down, with all that stands on them."""
        mujoco.mj_forward(self._model, self._data)
        for joint in self._scene.joints.values():
            if joint.name not in self._scene.tops:
                continue
            judge = self._room.truth.judge
            loads = [name for name in self._movable if judge.holds("on", name, joint.name)]
            if loads:
                self._data.joint(joint.name).qpos = joint.open
                for name in loads:
                    self._free(name)[2] -= joint.open - joint.closed

    # ---- things --------------------------------------------------------------------------------

    def _somewhere(self, name: str) -> None:
        """Put a thing where it fits, in one of the ways there are."""
        ways: list[tuple[float, Callable[[str], None]]] = [
            (0.28, self._on_floor),
            (0.18 if self._scene.tops else 0.0, self._on_top),
            (0.20 if self._scene.insides else 0.0, self._inside),
            (0.12, self._before_door),
            (0.06, self._stacked),
            (0.08, self._beside),
            (0.08, self._out),
        ]
        if name in self._room.barring and self._rng.random() < 0.6:
            ways = [(1.0, self._barring)]
        chances = np.array([chance for chance, _ in ways])
        for _ in range(_TRIES):
            way = ways[int(self._rng.choice(len(ways), p=chances / chances.sum()))][1]
            way(name)
            mujoco.mj_kinematics(self._model, self._data)
            if not self._in_something(self._shapes(name)):
                return
        self._out(name)

    def _on_floor(self, name: str) -> None:
        at = self._rng.uniform((0.22, -0.55), (0.85, 0.55))
        self._stand(name, at, self._surface(at) if self._rng.random() < 0.8 else 0.0)

    def _on_top(self, name: str) -> None:
        place = str(self._rng.choice(list(self._scene.tops)))
        region = self._scene.tops[place]
        at = self._point(region, 0.25 if min(region.half[:2]) < 0.08 else 0.9)
        self._stand(name, at[:2], self._bottom(region))

    def _inside(self, name: str) -> None:
        region = self._scene.insides[str(self._rng.choice(list(self._scene.insides)))]
        self._stand(name, self._point(region, 0.75)[:2], self._bottom(region) + 0.02)

    def _before_door(self, name: str) -> None:
        """Where a door passes, or would if it were not so high."""
        doors = [t for t in self._scene.things if joints_of(self._scene, t)]
        if not doors:
            return self._on_floor(name)
        joint = self._scene.joints[
            str(self._rng.choice(joints_of(self._scene, str(self._rng.choice(doors)))))
        ]
        now = float(self._data.joint(joint.name).qpos[0])
        fraction = self._rng.uniform(0.05, 0.6)
        self._data.joint(joint.name).qpos = joint.closed + fraction * (joint.open - joint.closed)
        mujoco.mj_kinematics(self._model, self._data)
        hinge = self._data.body(int(self._model.joint(joint.name).bodyid[0])).xpos
        handle = self._data.site(self._scene.things[joint.handle].site).xpos
        share = self._rng.uniform(0.35, 1.1)
        at = (hinge + share * (handle - hinge))[:2] + self._rng.normal(0.0, 0.015, 2)
        self._data.joint(joint.name).qpos = now
        self._stand(name, at, self._surface(at))
        return None

    def _stacked(self, name: str) -> None:
        others = [n for n in self._movable if n != name and self._data.body(n).xpos[0] > 0]
        if not others:
            return self._on_floor(name)
        other = str(self._rng.choice(others))
        at = self._data.body(other).xpos
        top = self._span(other)[1]
        self._stand(name, at[:2] + self._rng.normal(0.0, 0.006, 2), top)
        return None

    def _beside(self, name: str) -> None:
        places = [t for t in self._room.spoken if t in self._scene.things and t != name]
        at = self._data.site(self._scene.things[str(self._rng.choice(places))].site).xpos[:2]
        angle, far = self._rng.uniform(0, 2 * np.pi), self._rng.uniform(0.06, 0.45)
        point = at + far * np.array([np.cos(angle), np.sin(angle)])
        self._stand(name, point, self._surface(point))

    def _barring(self, name: str) -> None:
        """Through the handles, or drawn out of them part of the way."""
        cabinet, offset = self._room.barring[name]
        body = self._data.body(cabinet)
        out = 0.0 if self._rng.random() < 0.75 else self._rng.uniform(0.05, 0.45)
        if out == 0.0:
            for joint in joints_of(self._scene, cabinet):
                self._data.joint(joint).qpos = self._rng.choice([0.0, 0.03])
        rotation = body.xmat.reshape(3, 3)
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, rotation.flatten())
        at = body.xpos + rotation @ (
            offset + np.array([0.0, out + self._rng.normal(0.0, 0.006), 0.0])
        )
        self._free(name)[:] = np.concatenate([at, quat])

    def _out(self, name: str) -> None:
        self._place(name, np.array([_AWAY - self._movable.index(name), 0.0, 0.5]), 0.0)

    # ---- geometry ------------------------------------------------------------------------------

    def _free(self, name: str) -> Doubles:
        """The seven numbers of a loose thing's pose, to be written to."""
        at = int(self._model.joint(f"{name}_free").qposadr[0])
        return np.asarray(self._data.qpos[at : at + 7])

    def _place(self, name: str, at: Doubles, yaw: float, lying: float = 0.0) -> None:
        turn, roll, quat = np.zeros(4), np.zeros(4), np.zeros(4)
        mujoco.mju_axisAngle2Quat(turn, np.array([0.0, 0.0, 1.0]), yaw)
        mujoco.mju_axisAngle2Quat(roll, np.array([1.0, 0.0, 0.0]), lying)
        mujoco.mju_mulQuat(quat, turn, roll)
        self._free(name)[:] = np.concatenate([at, quat])

    def _stand(self, name: str, at: Doubles, height: float) -> None:
        """Stand a thing on a level place, or now and then lay it down."""
        lying = float(self._rng.choice([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, np.pi / 2, -np.pi / 2]))
        yaw = self._rng.uniform(-np.pi, np.pi)
        self._place(name, np.array([*at, 5.0]), yaw, lying)
        mujoco.mj_kinematics(self._model, self._data)
        self._free(name)[2] = 5.0 + height - self._span(name)[0] - _SUNK

    def _span(self, name: str) -> tuple[float, float]:
        """The lowest and highest point of a thing (m)."""
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
        """How high the highest level place over a point of the floor is (m)."""
        found = 0.0
        for region in self._scene.tops.values():
            body = self._data.body(region.body)
            local = body.xmat.reshape(3, 3).T @ (np.array([*at, body.xpos[2]]) - body.xpos)
            if np.all(np.abs(local - region.centre)[:2] <= region.half[:2]):
                found = max(found, self._bottom(region))
        return found

    @property
    def _arm_only(self) -> npt.NDArray[np.bool_]:
        names = [f"link{i}" for i in range(8)] + ["hand", "finger_left", "finger_right"]
        return np.isin(self._model.geom_bodyid, [self._model.body(n).id for n in names])

    def _shapes(self, name: str) -> npt.NDArray[np.bool_]:
        return np.asarray(self._model.geom_bodyid == self._model.body(name).id)

    def _in_something(self, geoms: npt.NDArray[np.bool_], *, held: bool = False) -> bool:
        """Whether any of `geoms` stands in others; what is `held` may stand in the arm."""
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_collision(self._model, self._data)
        pairs, arm = self._data.contact.geom, self._arm_only
        mine = geoms[pairs].any(axis=1) & ~geoms[pairs].all(axis=1)
        if held:
            mine &= ~arm[pairs].any(axis=1)
        limit = _DEEP_ARM if (geoms & arm).any() else _DEEP
        return bool((self._data.contact.dist[mine] < -limit).any())
