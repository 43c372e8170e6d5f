"""Hands at work, for pictures: holding, pouring, at a cap, at a handle, near a thing, at rest."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from regrasp.lab.vision.arm_postures import TwoArmPostures, turn_about_x, turn_about_z
from regrasp.lab.vision.level_places import TakenSpace
from regrasp.lab.vision.placing import Doubles, Placer
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.kit.two_arms import SIDES, TABLE_M
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["HandPoseSampler"]

_HOLD_TRIES = 5
_DEEP_M = 0.012  # of overlap of an arm with anything: more is a collision
_DOWN = turn_about_x(math.pi)
_HELD, _NEAR = 0.42, 0.28  # shares of hands that hold something, and that are near something
_POURING, _AT_CAP, _AT_HANDLE, _JUST_ABOVE = 0.35, 0.5, 0.3, 0.35
_NECK_M, _TIN_HANDLE_M = 0.012, 0.007  # half widths of what is gripped from above


class HandPoseSampler(Placer):
    """Poses the hands of `world` among its things; `_taken` is the space that these take."""

    def __init__(self, room: VisionRoom, world: TwoArmWorld, rng: np.random.Generator) -> None:
        super().__init__(room, rng, ())
        self._arms, self._postures = world, TwoArmPostures(world, rng)
        model = world.model
        roots = model.body_rootid[model.geom_bodyid]
        self._robot = np.asarray(roots == model.body("torso").id)
        self._taken = TakenSpace()

    def _pose_hands(self) -> None:
        """Pose one hand after the other; before, neither holds anything."""
        mujoco.mj_kinematics(self._model, self._data)
        for side in (str(one) for one in self._rng.permutation(SIDES)):
            self._pose_hand(side)

    def _pose_hand(self, side: str) -> None:
        """Let a hand hold something, be at something, or rest, clear of everything."""
        draw = float(self._rng.random())
        held = ""
        if draw < _HELD:
            held = self._take(side)
        elif draw < _HELD + _NEAR:
            self._go_near(side)
        else:
            self._postures.rest(side)
        if self._collides(side, held):
            if held:
                self._arms.grips[side].lose()
                self._out(held)
            self._postures.rest(side)
            if self._collides(side, ""):
                self._postures.rest(side)

    def _collides(self, side: str, held: str) -> bool:
        """Whether an arm, or what its hand holds, is deep in anything else."""
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_collision(self._model, self._data)
        pairs = self._data.contact.geom
        if not len(pairs):
            return False
        bodies = self._model.geom_bodyid[pairs]
        names = [str(self._model.body(int(b)).name) for b in bodies.ravel()]
        arm = np.array([n.startswith(f"{side}_") for n in names]).reshape(-1, 2)
        own = np.array([n == held for n in names]).reshape(-1, 2) if held else np.zeros_like(arm)
        # The fingers may touch what they are at.
        finger = np.array(["finger" in n or n.endswith("_hand") for n in names]).reshape(-1, 2)
        mine = (arm | own).any(axis=1) & ~(arm | own).all(axis=1) & ~(arm & finger).any(axis=1)
        return bool((self._data.contact.dist[mine] < -_DEEP_M).any())

    def _take(self, side: str) -> str:
        """Put a thing into a hand; its name, or empty if no try succeeds."""
        busy = {grip.holds for grip in self._arms.grips.values()}
        names = [n for n in self._movable if n not in busy]
        for name in (str(n) for n in self._rng.permutation(names)[:_HOLD_TRIES]):
            kind = self._scene.things[name].kind
            if kind == "block" and self._bears(name):
                continue
            tilt = 0.0
            if kind in ("bottle", "bowl", "glass") and self._rng.random() < _POURING:
                tilt = float(self._rng.uniform(0.4, 2.1) * self._rng.choice([-1.0, 1.0]))
            if self._grip(side, name, tilt):
                return name
        self._postures.rest(side)
        return ""

    def _bears(self, block: str) -> bool:
        """Whether another block stands on a block."""
        at = self._free(block)[:3]
        others = (self._free(n)[:3] for n in self._movable if n != block)
        return any(np.hypot(*(o - at)[:2]) < 0.03 and 0.0 < o[2] - at[2] < 0.05 for o in others)

    def _grip(self, side: str, name: str, tilt: float) -> bool:
        thing, before = self._scene.things[name], self._free(name).copy()
        grasp = thing.grasps[int(self._rng.integers(len(thing.grasps)))]
        point, frame = self._postures.grasp_frame(grasp)
        at = self._carried_to(side, name, tilt)
        level = self._rng.normal(0.0, 0.35) + self._postures.toward(side, at)
        yaw = self._rng.uniform(-math.pi, math.pi) if grasp.above else level
        turn = turn_about_z(yaw) @ turn_about_x(tilt + self._rng.normal(0.0, 0.04))
        palm = self._postures.reach(side, at + turn @ point, turn @ frame)
        if palm is None:
            return False
        turn = palm.rotation @ frame.T
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, turn.flatten())
        self._free(name)[:] = np.concatenate([palm.position - turn @ point, quat])
        mujoco.mj_kinematics(self._model, self._data)
        if self._in_something(self._shapes(name), held=True):
            self._free(name)[:] = before
            return False
        self._taken.remove(name)
        narrow = {"bottle": _NECK_M, "dough": _TIN_HANDLE_M}
        wide = narrow.get(thing.kind, thing.extent[0]) if grasp.above else thing.extent[0]
        self._postures.open_fingers(side, _TIN_HANDLE_M if thing.kind == "dough" else wide)
        self._arms.grips[side].take(int(self._model.body(name).id))
        return True

    def _carried_to(self, side: str, name: str, tilt: float) -> Doubles:
        """Where a held thing is: over a vessel if tilted, just above a place, or anywhere."""
        sign, (_, high) = 1.0 if side == "left" else -1.0, self._scene.things[name].extent
        vessels = [n for n in self._taken.cylinders if n != name]
        if tilt and vessels:
            x, y, _, top, _ = self._taken.cylinders[str(self._rng.choice(vessels))]
            over = self._rng.normal(0.0, 0.03, 2)
            return np.array([x + over[0], y + over[1], top + high + self._rng.uniform(0.03, 0.12)])
        x, y = self._rng.uniform(0.28, 0.62), sign * self._rng.uniform(-0.15, 0.55)
        if self._rng.random() < _JUST_ABOVE:  # just taken, or about to be put down
            gap = float(self._rng.choice([0.005, 0.03, 0.06, 0.12]))
            return np.array([x, y, TABLE_M + high + gap])
        return np.array([x, y, self._rng.uniform(0.90, 1.25)])

    def _go_near(self, side: str) -> None:
        """Bring an empty hand to a thing, a handle, or the cap of a bottle in the other hand."""
        other = self._arms.grips["right" if side == "left" else "left"].holds
        mujoco.mj_kinematics(self._model, self._data)
        handles = [t for t in self._scene.things.values() if t.kind == "handle"]
        for _ in range(_HOLD_TRIES):
            draw = float(self._rng.random())
            if other.endswith("_bottle") and draw < _AT_CAP:
                at = self._data.site(f"{other}_cap").xpos.copy()
                rotation = turn_about_z(self._rng.uniform(-math.pi, math.pi)) @ _DOWN
            elif handles and draw < _AT_HANDLE:
                handle = self._data.site(handles[int(self._rng.integers(len(handles)))].site)
                rotation = handle.xmat.reshape(3, 3).copy()
                at = handle.xpos - rotation[:, 2] * self._rng.choice([0.0, 0.0, 0.05, 0.1])
            else:
                name = str(self._rng.choice(self._movable))
                thing = self._scene.things[name]
                grasp = thing.grasps[int(self._rng.integers(len(thing.grasps)))]
                point, frame = self._postures.grasp_frame(grasp)
                body = self._data.body(name)
                turn = turn_about_z(self._postures.toward(side, body.xpos))
                rotation = turn @ frame
                back = self._rng.choice([0.0, 0.03, 0.08, 0.15])
                at = body.xpos + turn @ point - rotation[:, 2] * back
            if self._postures.reach(side, at, rotation) is not None:
                self._postures.open_fingers(side, float(self._rng.choice([0.04, 0.03, 0.005])))
                return
        self._postures.rest(side)
