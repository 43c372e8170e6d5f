"""Random states of the tabletop: blocks anywhere, towers that stand, lean or fall, any arm pose.

Towers are built tilted and simulated for a moment. Then they stand, have fallen, or still fall.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np

from regrasp.control.ik import Kinematics, Pose
from regrasp.lab.vision.placing import Doubles, Placer
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.kit.ur5e import CUP, HOME, JOINTS
from regrasp.worlds.tabletop.judge import TabletopJudge
from regrasp.worlds.tabletop.tasks import FIXTURE, TABLE
from regrasp.worlds.tabletop.world import TabletopWorld

__all__ = ["BlockPoseSampler", "clear_of_the_cup"]

_ROBOT = (*JOINTS, "tool", CUP)
_NEAR, _FAR = (0.30, -0.40), (0.70, 0.40)  # area of the table for blocks
_TOUCHING = 0.012  # m from the cup: nearer, it is unclear whether the cup holds an object
_CLEAR = 0.004  # m by which a block is clearly over another, or clearly not
_TRIES = 4
_LONGEST = 45  # control steps for which a tower is simulated


class BlockPoseSampler(Placer):
    """Puts a `room` of the tabletop into one random state after another."""

    def __init__(self, room: VisionRoom, world: TabletopWorld, rng: np.random.Generator) -> None:
        super().__init__(room, rng, _ROBOT)
        self._table = world
        self._kinematics = Kinematics(world.model, JOINTS, CUP)
        self._joints = [int(world.model.joint(name).qposadr[0]) for name in JOINTS]

    def pose(self) -> None:
        """Draw a state; afterwards the world is consistent and its judge can be used."""
        self._clear()
        hold = str(self._rng.choice(self._movable)) if self._rng.random() < 0.45 else ""
        for name in self._rng.permutation(self._movable).tolist():
            if name != hold:
                self._somewhere(name, self._ways())
        held = bool(hold) and any(self._carry(hold) for _ in range(_TRIES))
        if not held:
            self._put_cup(self._over_something() if self._rng.random() < 0.6 else None)
        mujoco.mj_forward(self._model, self._data)
        if self._rng.random() < 0.6:
            self._let_be(held)
        mujoco.mj_forward(self._model, self._data)

    def _let_be(self, held: bool) -> None:
        """Simulate for a short time; sometimes the held object is dropped during it."""
        arm, steps = self._data.qpos[self._joints].copy(), int(self._rng.integers(1, _LONGEST))
        lost = int(self._rng.integers(steps)) if self._rng.random() < 0.25 else steps
        for step in range(steps):
            self._table.advance(np.append(arm, float(held and step < lost)))

    # ---- the arm -------------------------------------------------------------------------------

    def _put_cup(self, at: Doubles | None) -> bool:
        """Bring the cup to a point, from above; without a point, near its rest position."""
        q = np.array(HOME) + self._rng.normal(0.0, 0.08, 6)
        if at is not None:
            yaw, tilt = self._rng.uniform(-math.pi, math.pi), self._rng.normal(0.0, 0.03, 2)
            z = np.array([*tilt, -1.0])
            z /= np.linalg.norm(z)
            x = np.array([math.cos(yaw), math.sin(yaw), 0.0])
            x -= (x @ z) * z
            x /= np.linalg.norm(x)
            found = self._kinematics.solve(
                Pose(at, np.stack([x, np.cross(z, x), z], axis=1)), np.array(HOME)
            )
            if not found.reached:
                return False
            q = found.q
        before = self._data.qpos[self._joints].copy()
        self._data.qpos[self._joints] = q
        if self._in_something(self._robot):
            self._data.qpos[self._joints] = before
            return False
        return True

    def _over_something(self) -> Doubles:
        """A point over the table, often slightly over a block or the fixture."""
        at = np.array([*self._rng.uniform(_NEAR, _FAR), self._rng.uniform(0.12, 0.40)])
        there = [n for n in (*self._movable, FIXTURE) if self._data.body(n).xpos[0] > 0]
        if self._rng.random() < 0.6:
            name = str(self._rng.choice(there))
            top = self._span(name)[1]
            at[:2] = self._data.body(name).xpos[:2] + self._rng.normal(0.0, 0.012, 2)
            at[2] = top + self._rng.choice([0.002, 0.015, 0.03, 0.06, 0.1]) * self._rng.uniform(
                1, 2
            )
        return at

    def _carry(self, name: str) -> bool:
        """Put a block at the cup: in the air, or at its place before a grasp or a release."""
        wide, high = self._scene.things[name].extent
        at = self._over_something() + np.array([0.0, 0.0, 2 * high])
        if self._rng.random() < 0.3:
            at[2] = self._surface(at[:2]) + 2 * high + self._rng.choice([0.0, 0.004, 0.02])
        if not self._put_cup(at):
            return False
        mujoco.mj_kinematics(self._model, self._data)
        cup = self._data.site(CUP)
        axes = cup.xmat.reshape(3, 3) @ np.diag([1.0, -1.0, -1.0])
        turn = self._rng.uniform(-math.pi, math.pi)
        spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0],
                         [0, 0, 1]])  # fmt: skip
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, (axes @ spin).flatten())
        off = self._rng.uniform(-1, 1, 2) * (wide - 0.014)
        middle = cup.xpos + axes @ np.array([*off, -high + 0.0004])
        self._free(name)[:] = np.concatenate([middle, quat])
        if self._in_something(self._shapes(name), held=True):
            self._out(name)
            return False
        mujoco.mj_forward(self._model, self._data)
        self._table.cup.set("level", 1.0)
        if self._table.cup.holds == name:
            return True
        self._table.cup.set("level", 0.0)
        self._out(name)
        return False

    # ---- blocks --------------------------------------------------------------------------------

    def _ways(self) -> list[tuple[float, Callable[[str], None]]]:
        return [
            (0.40, self._on_table),
            (0.22, self._on_fixture),
            (0.26, self._askew),
            (0.07, self._leaning),
            (0.05, self._out),
        ]

    def _on_table(self, name: str) -> None:
        at = self._rng.uniform(_NEAR, _FAR)
        self._stand(name, at, self._surface(at))

    def _on_fixture(self, name: str) -> None:
        """At its centre, or with a placement error."""
        at = self._data.body(FIXTURE).xpos[:2] + self._rng.normal(0.0, 0.012, 2)
        self._stand(name, at, self._bottom(self._scene.tops[FIXTURE]))

    def _askew(self, name: str) -> None:
        """On another block, centred or not."""
        others = [n for n in self._movable if n != name and self._data.body(n).xpos[0] > 0]
        if not others:
            return self._on_fixture(name)
        other = str(self._rng.choice(others))
        off = self._rng.normal(0.0, self._rng.choice([0.003, 0.012, 0.02]), 2)
        self._stand(name, self._data.body(other).xpos[:2] + off, self._span(other)[1])
        return None

    def _leaning(self, name: str) -> None:
        """Tilted beside another block, so that it falls over or leans."""
        others = [n for n in (*self._movable, FIXTURE) if n != name]
        at = self._data.body(str(self._rng.choice(others))).xpos[:2]
        angle, far = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(0.03, 0.07)
        point = at + far * np.array([math.cos(angle), math.sin(angle)])
        self._place(name, np.array([*point, 5.0]), angle, float(self._rng.uniform(0.2, 1.3)))
        mujoco.mj_kinematics(self._model, self._data)
        self._free(name)[2] = 5.0 + self._bottom(self._scene.tops[TABLE]) - self._span(name)[0]


def clear_of_the_cup(world: TabletopWorld, judge: TabletopJudge, one: Candidate) -> bool:
    """Whether an image shows the answer: not if the cup may hold a block or only touch it.

    A block at the cup counts as held if the pump is on, as it is for every agent's question.
    """
    things, held = world.scene.things, world.cup.holds
    blocks = [name for name, thing in things.items() if thing.movable]
    if one.topic in (Topic.HELD, Topic.ANY_HELD):
        asked = [one.a] if one.topic is Topic.HELD else blocks
        return not any(n in blocks and n != held and _at_cup(world, n) for n in asked)
    if one.topic is Topic.ON and {one.a, one.b} <= set(things) and one.a in blocks:
        level, over = judge.margins(one.a, one.b)
        if one.a == held:
            return level < -_TOUCHING or over < -_CLEAR
        return abs(over) > _CLEAR and not -_CLEAR < level < 0.001
    return True


def _at_cup(world: TabletopWorld, block: str) -> bool:
    """Whether a block is so near to the cup that an image does not show whether it is held."""
    wide, high = world.scene.things[block].extent
    body = world.data.body(block)
    away = body.xmat.reshape(3, 3).T @ (world.data.site(CUP).xpos - body.xpos)
    beyond = np.maximum(np.abs(away) - np.array([wide, wide, high]), 0.0)
    return bool(np.linalg.norm(beyond) < _TOUCHING)
