"""Random states of the walker's room: it stands, squats, walks or bows anywhere, and the box is
between its hands, just dropped, on a table, on the floor, or absent. Half of the states use a
moment of an episode (postures.py) in another room.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np
import numpy.typing as npt

from regrasp.control.arm_kinematics import ThreeJointArm
from regrasp.lab.vision.placing import Doubles, Placer
from regrasp.lab.vision.postures import postures
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.kit.walker import (
    ARM_M,
    ARMS,
    BASE,
    FOREARM_M,
    HAND_M,
    HANDS,
    HOME,
    JOINTS,
    LINKS,
    SHOULDER_M,
    SOLES,
)
from regrasp.worlds.walker_room.judge import AHEAD_M, ASIDE_M
from regrasp.worlds.walker_room.tasks import GATE, OBSTACLE
from regrasp.worlds.walker_room.world import WalkerWorld

__all__ = ["APART_M", "WalkerPoseSampler"]

APART_M = 0.03
"""Distance of a hand from a box at which it is clear that the hand does not hold it."""
_CARRY = np.array([0.30, 0.0, 0.10])  # the box between the hands, in the trunk's frame
_READY = np.array([0.15, 0.30, 0.16])
_BEFORE_M = 0.38  # from the centre of a table to a walker in front of it
_LEAN_RAD = 0.09  # sideways: walking sways, and a limping walk leans by 0.12 all the time
_GUESSED = 0.5  # share of drawn states; the others are moments of episodes
_CARRIED, _BOX_ELSEWHERE = 0.42, 0.15
_BORDERING = 0.35  # share of pillars at the border of the path
_PRESSED_M = 0.0015  # overlap of a hand with the held box, so that they touch
_TRIES = 12


class WalkerPoseSampler(Placer):
    """Puts a `room` of the walker into one random state after another."""

    def __init__(self, room: VisionRoom, world: WalkerWorld, rng: np.random.Generator) -> None:
        links = (f"{side}_{link.part}" for side in ("left", "right") for link in LINKS)
        super().__init__(room, rng, (BASE, *links, *HANDS))
        self._walker = world
        self._arms = [ThreeJointArm(SHOULDER_M, ARM_M, FOREARM_M, side) for side in (1, -1)]
        model = self._model
        self._joints = [int(model.joint(name).qposadr[0]) for name in JOINTS]
        bodies = (str(model.body(b).name) for b in range(model.nbody))
        self._pillars = [name for name in bodies if name.startswith(OBSTACLE)]

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be used."""
        for _ in range(_TRIES):
            self._clear()
            box = self._movable[0] if self._movable else ""
            drawn = self._draw if self._rng.random() < _GUESSED else self._recall
            if drawn(box) and not self._in_something(self._robot & ~self._hands()):
                break
        mujoco.mj_forward(self._model, self._data)

    def _draw(self, box: str) -> bool:
        """Any state, reachable or not."""
        self._stand_somewhere()
        if box and self._rng.random() < _CARRIED:
            return self._carry(box)
        self._hang()
        if box:
            self._somewhere(box, self._ways())
        return True

    def _recall(self, box: str) -> bool:
        """A moment of an episode, or only the walker's posture, with the box elsewhere."""
        suits = [one for one in postures() if box or one.box is one.table is None]
        posture = suits[int(self._rng.integers(len(suits)))]
        at_table = posture.table is not None
        stands = posture.from_table(self._data, self._a_table()) if at_table else self._spot()
        self._free(BASE)[:] = posture.trunk(stands)
        self._data.qpos[self._joints] = posture.joints
        mujoco.mj_kinematics(self._model, self._data)
        own = posture.box is not None and (posture.held or self._rng.random() > _BOX_ELSEWHERE)
        if own:
            self._free(box)[:] = posture.thing(stands)
            self._walker.grip.set("on", float(posture.held))
            mujoco.mj_forward(self._model, self._data)
        elif box:
            self._somewhere(box, self._apart_ways())
        return (self._walker.holding == box) is posture.held if own else True

    def near_a_hand(self, box: str) -> float:
        """The distance (m) of the nearer hand from a box."""
        at, half = self._data.body(box), self._scene.things[box].extent[0]
        away = [at.xmat.reshape(3, 3).T @ (self._data.body(h).xpos - at.xpos) for h in HANDS]
        return min(float(np.linalg.norm(np.maximum(np.abs(a) - half, 0.0))) for a in away) - HAND_M

    def over(self, name: str) -> float:
        """The height (m) of an object's lowest point above the top or floor below it."""
        return self._span(name)[0] - self._surface(self._data.body(name).xpos[:2])

    def _hands(self) -> npt.NDArray[np.bool_]:
        return np.isin(self._model.geom_bodyid, [self._model.body(h).id for h in HANDS])

    # ---- the walker ----------------------------------------------------------------------------

    def _stand_somewhere(self) -> None:
        """Put the walker on its soles, at a typical place or anywhere else."""
        rng = self._rng
        x, y, yaw = self._spot()
        low = float(rng.uniform(0.0, 1.0)) if rng.random() < 0.3 else 0.0
        bow, lean = 0.10 + 0.40 * low + rng.normal(0.0, 0.06), rng.normal(0.0, _LEAN_RAD)
        stride = rng.uniform(-0.35, 0.35) if low == 0.0 and rng.random() < 0.6 else 0.0
        legs = []
        for way in (stride, -stride):
            pitch, knee = -0.45 - 1.25 * low + way, 0.85 + 1.30 * low + max(0.0, rng.normal(0, 0.1))
            ankle = float(np.clip(-(pitch + knee) - bow, -1.3, 0.9))
            legs += [*rng.normal(0.0, 0.05, 2), pitch, knee, ankle]
        self._data.qpos[self._joints] = [*HOME[: len(ARMS)], *legs]
        quat, turn = np.zeros(4), np.zeros(4)
        mujoco.mju_euler2Quat(quat, np.array([lean, bow, 0.0]), "XYZ")
        mujoco.mju_axisAngle2Quat(turn, np.array([0.0, 0.0, 1.0]), yaw)
        mujoco.mju_mulQuat(quat, turn, quat.copy())
        free = self._free(BASE)
        free[:] = [x, y, 1.0, *quat]
        mujoco.mj_kinematics(self._model, self._data)
        free[2] -= min(float(self._data.site(sole).xpos[2]) for sole in SOLES)
        mujoco.mj_kinematics(self._model, self._data)

    def _spot(self) -> tuple[float, float, float]:
        """The walker's pose (x, y, yaw)."""
        return self._by_the_forest() if GATE in self._scene.things else self._by_a_table()

    def _a_table(self) -> str:
        return str(self._rng.choice(list(self._scene.tops)))

    def _by_a_table(self) -> tuple[float, float, float]:
        rng = self._rng
        if rng.random() < 0.55:
            table = self._data.body(self._a_table())
            ahead = table.xmat.reshape(3, 3)[:2, 0]
            away = _BEFORE_M + (abs(rng.normal(0, 0.04)) if rng.random() < 0.6
                                else rng.uniform(0, 1.0))  # fmt: skip
            side = rng.normal(0.0, 0.10)
            x, y = table.xpos[:2] - away * ahead + side * np.array([-ahead[1], ahead[0]])
            return x, y, float(math.atan2(ahead[1], ahead[0]) + rng.normal(0.0, 0.12))
        if rng.random() < 0.3:
            return float(rng.normal(0, 0.1)), float(rng.normal(0, 0.1)), rng.normal(0.0, 1.0)
        return rng.uniform(-0.6, 2.2), rng.uniform(-2.0, 2.0), rng.uniform(-math.pi, math.pi)

    def _by_the_forest(self) -> tuple[float, float, float]:
        rng, draw = self._rng, self._rng.random()
        if draw < 0.85 and self._pillars:
            yaw = float(rng.normal(0.0, 0.8))
            far, wide = (1.25, 0.45) if rng.random() < 0.5 else (2.2, 1.0)  # in its path; around it
            ahead, left = rng.uniform(0.2, far), rng.uniform(-wide, wide)
            if rng.random() < _BORDERING:  # at the border of its path
                if rng.random() < 0.5:
                    ahead = AHEAD_M + rng.normal(0.0, 0.15)
                else:
                    left = rng.choice([-1.0, 1.0]) * ASIDE_M + rng.normal(0.0, 0.12)
            x, y = self._data.body(str(rng.choice(self._pillars))).xpos[:2]
            c, s = math.cos(yaw), math.sin(yaw)
            return x - ahead * c + left * s, y - ahead * s - left * c, yaw
        if rng.random() < 0.6:
            x, y = self._data.body(GATE).xpos[:2] + rng.uniform([-0.9, -0.5], [0.5, 0.5])
            return x, y, float(rng.normal(0.0, 0.5))
        return rng.uniform(-0.3, 10.5), rng.uniform(-1.8, 1.8), float(rng.normal(0.0, 1.0))

    def _hang(self) -> None:
        """Arms hanging, or raised in front, or swung open as after a drop."""
        draw = self._rng.random()
        if draw < 0.5:
            home = np.array(HOME[: len(ARMS)])
            self._data.qpos[self._joints[: len(ARMS)]] = home + self._rng.normal(0.0, 0.08, 6)
        elif draw < 0.65:
            self._reach(
                *((_READY * (1, side, 1) + self._rng.normal(0, 0.03, 3)) for side in (1, -1))
            )
        else:
            self._apart(_CARRY + self._rng.normal(0.0, 0.03, 3), 0.10)

    def _apart(self, middle: Doubles, half: float) -> None:
        """Hands on both sides of a present or former box, clearly without contact."""
        for_each = half + HAND_M + APART_M + self._rng.uniform(0.01, 0.12)
        self._reach(*(middle + np.array([0.0, side * for_each, 0.0]) for side in (1, -1)))

    def _reach(self, left: Doubles, right: Doubles) -> None:
        angles = [arm.reach(at) for arm, at in zip(self._arms, (left, right), strict=True)]
        self._data.qpos[self._joints[: len(ARMS)]] = np.concatenate(angles)
        mujoco.mj_kinematics(self._model, self._data)

    def _of_trunk(self, at: Doubles) -> Doubles:
        """A point of the trunk's frame in the room."""
        trunk = self._data.body(BASE)
        return np.asarray(trunk.xpos + trunk.xmat.reshape(3, 3) @ at)

    # ---- the box -------------------------------------------------------------------------------

    def _carry(self, box: str) -> bool:
        """Put the box between the hands: carried, or at its place before a pick or a release."""
        rng, half = self._rng, self._scene.things[box].extent[0]
        middle = _CARRY + rng.normal(0.0, [0.02, 0.01, 0.03])
        if rng.random() < 0.3:
            middle = middle + np.array([0.04, 0.0, -rng.uniform(0.0, 0.22)])
        wide = half + HAND_M - _PRESSED_M
        self._reach(*(middle + np.array([0.0, side * wide, 0.02]) for side in (1, -1)))
        hands = [np.array(self._data.body(hand).xpos) for hand in HANDS]
        left = (hands[0] - hands[1]) / np.linalg.norm(hands[0] - hands[1])
        if abs(np.linalg.norm(hands[0] - hands[1]) - 2 * wide) > 0.01:
            return False  # out of reach
        up = np.array([*rng.normal(0.0, 0.06, 2), 1.0])
        ahead = np.cross(left, up)
        ahead /= np.linalg.norm(ahead)
        axes = np.stack([ahead, left, np.cross(ahead, left)], axis=1)
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, axes.flatten())
        self._free(box)[:] = [*(0.5 * (hands[0] + hands[1]) - 0.02 * axes[:, 2]), *quat]
        if self._in_something(self._shapes(box), held=True):
            return False
        self._walker.grip.set("on", 1.0)
        mujoco.mj_forward(self._model, self._data)
        return self._walker.holding == box

    def _ways(self) -> list[tuple[float, Callable[[str], None]]]:
        return [*self._apart_ways(), (0.16, self._falling), (0.12, self._between)]

    def _apart_ways(self) -> list[tuple[float, Callable[[str], None]]]:
        """The ways that do not move the arms."""
        return [
            (0.30, self._on_table),
            (0.22, self._before_the_feet),
            (0.16, self._on_the_floor),
            (0.04, self._out),
        ]

    def _on_table(self, name: str) -> None:
        region = self._scene.tops[str(self._rng.choice(list(self._scene.tops)))]
        self._stand(name, self._point(region, 0.75)[:2], self._bottom(region))

    def _before_the_feet(self, name: str) -> None:
        at = self._of_trunk(np.array([self._rng.uniform(0.2, 0.9), self._rng.normal(0, 0.3), 0.0]))
        self._stand(name, at[:2], 0.0)

    def _on_the_floor(self, name: str) -> None:
        self._stand(name, self._rng.uniform([-0.5, -2.2], [2.6, 2.2]), 0.0)

    def _falling(self, name: str) -> None:
        """Falling from between the opened hands."""
        at = self._of_trunk(_CARRY + self._rng.normal(0.0, 0.03, 3))
        at[2] = self._rng.uniform(0.16, max(0.17, at[2] - 0.1))
        self._apart(_CARRY + self._rng.normal(0.0, 0.02, 3), 0.10)
        turn, tilt = self._rng.uniform(-math.pi, math.pi), self._rng.normal(0.0, 0.4)
        self._place(name, at, turn, float(tilt))

    def _between(self, name: str) -> None:
        """On a table or the floor, with the hands on both sides but without contact."""
        middle = _CARRY + np.array([0.03, 0.0, self._rng.uniform(-0.2, 0.0)])
        at = self._of_trunk(middle)[:2]
        self._stand(name, at, self._surface(at))
        mujoco.mj_kinematics(self._model, self._data)
        trunk = self._data.body(BASE)
        box = trunk.xmat.reshape(3, 3).T @ (self._data.body(name).xpos - trunk.xpos)
        self._apart(np.asarray(box), math.sqrt(2.0) * self._scene.things[name].extent[0])
