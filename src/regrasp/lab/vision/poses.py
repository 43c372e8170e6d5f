"""Random states of a room, reachable or not: random doors, objects and arm poses.

Nothing is simulated. Each object is placed (on the floor, on or in another object, in the hand, in
the sweep of a door, out of the room) and removed if it would overlap another.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from regrasp.lab.vision.placing import AWAY, Doubles, Placer
from regrasp.lab.vision.reach import put_arm, put_hand
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.blocking import joints_of
from regrasp.worlds.kit.franka import FINGER_OPEN, HOME, PALM

__all__ = ["ArmPoseSampler"]

_TRIES = 6
_ROBOT = (*(f"link{i}" for i in range(8)), "hand", "finger_left", "finger_right")


class ArmPoseSampler(Placer):
    """Puts a `room` of the arm into one random state after another."""

    def __init__(self, room: VisionRoom, rng: np.random.Generator) -> None:
        super().__init__(room, rng, _ROBOT)

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be used."""
        self._clear()
        self._doors()
        hold = self._arm()
        order = [n for n in self._rng.permutation(self._movable).tolist() if n != hold]
        order.sort(key=lambda name: name not in self._room.barring)  # bars first: they shut doors
        for name in order:
            self._somewhere(name, self._ways(name))
        if hold == "" and self._rng.random() < 0.2:
            self._hover()
        self._sensors()
        mujoco.mj_forward(self._model, self._data)

    # ---- joints and arm ------------------------------------------------------------------------

    def _arm(self) -> str:
        """Draw an arm pose. Returns the name of the held object, if any."""
        draw = self._rng.random()
        put_arm(self._world, np.array(HOME) + self._rng.normal(0.0, 0.05, 7), FINGER_OPEN)
        if draw < 0.45:
            return ""
        for _ in range(_TRIES):
            low, high = (0.30, -0.45, 0.06), (0.75, 0.45, 0.60)
            if self._reach(self._rng.uniform(low, high)) and not self._in_something(self._robot):
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
        """Put an object between the fingers and close them. Returns its name if they hold it."""
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
        self._place(name, np.array([AWAY, 5.0, 0.5]), 0.0)
        return ""

    def _hover(self) -> None:
        """Bring the open hand over an object without contact: it looks similar to holding."""
        if not self._movable:
            return
        name = str(self._rng.choice(self._movable))
        at = self._data.body(name).xpos.copy()
        if at[0] < AWAY / 2:
            return
        before = self._data.qpos.copy()
        at[2] += self._rng.uniform(0.0, 0.09)
        for joint in ("finger_left", "finger_right"):
            self._data.joint(joint).qpos = FINGER_OPEN
        if not self._reach(at) or self._in_something(self._robot):
            self._data.qpos[:] = before
        mujoco.mj_kinematics(self._model, self._data)

    def _sensors(self) -> None:
        """Press plates down, with their load."""
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

    def _ways(self, name: str) -> list[tuple[float, Callable[[str], None]]]:
        """The ways to place an object, and their probabilities."""
        if name in self._room.barring and self._rng.random() < 0.6:
            return [(1.0, self._barring)]
        return [
            (0.28, self._on_floor),
            (0.18 if self._scene.tops else 0.0, self._on_top),
            (0.20 if self._scene.insides else 0.0, self._inside),
            (0.12, self._before_door),
            (0.06, self._stacked),
            (0.08, self._beside),
            (0.08, self._out),
        ]

    def _on_floor(self, name: str) -> None:
        at = self._rng.uniform((0.22, -0.55), (0.85, 0.55))
        self._stand(name, at, self._surface(at) if self._rng.random() < 0.8 else 0.0)

    def _before_door(self, name: str) -> None:
        """In the sweep of a door, or below it."""
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
