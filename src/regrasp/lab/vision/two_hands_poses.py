"""Random states of the worlds with two hands: things anywhere, towers, arms at work.

A thing stands on or in a level place, or lies there, or a hand holds it: in the air, just above a
place, tilted over a vessel, or with the other hand at its cap. Nothing is simulated.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from regrasp.lab.vision.hand_poses import HandPoseSampler
from regrasp.lab.vision.level_places import Level, TakenSpace, levels_of, table_obstacles
from regrasp.lab.vision.placing import Doubles
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.kit.push_switch import switch_name
from regrasp.worlds.kit.two_arms import TABLE_M
from regrasp.worlds.two_arms.kitchen import doors_of
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["TwoHandsPoseSampler"]

_TRIES = 10
_TIDY = 0.6  # share of states in which most things stand where they are at the start
_WAYS = {
    "bottle": {"shelf": 5, "table": 4, "tray": 3, "fridge": 4, "oven": 1, "mixer": 1, "": 1},
    "bowl": {"table": 7, "tray": 3, "shelf": 2, "fridge": 2, "oven": 2, "mixer": 1, "": 1},
    "glass": {"table": 5, "tray": 5, "shelf": 1, "fridge": 2, "oven": 1, "mixer": 2, "": 1},
    "dough": {"table": 5, "oven": 5, "tray": 2, "": 1},
}
"""How often a thing is at a place of that kind; "" is nowhere."""
_PLACE_KINDS = {"refrigerator": "fridge"}
_LYING = {"bottle": 0.05, "glass": 0.05}
_PUT_AWAY, _FALLEN = 0.35, 0.015
_NEXT_TO = 0.3  # share of towers that are built beside another one


class TwoHandsPoseSampler(HandPoseSampler):
    """Puts a `room` of two hands into one random state after another."""

    def __init__(self, room: VisionRoom, world: TwoArmWorld, rng: np.random.Generator) -> None:
        super().__init__(room, world, rng)
        self._levels = levels_of(world.scene, world.model)
        self._obstacles = table_obstacles(world.scene, "table")
        self._first = {name: self._free(name).copy() for name in self._movable}

    def pose(self) -> None:
        """Draw where things and hands are; contents, caps and switches are left as they were."""
        self._world.reset()
        self._data.qvel[:] = 0.0
        self._taken = TakenSpace()
        for grip in self._arms.grips.values():
            grip.lose()
        self._swing_doors()
        kinds = {self._scene.things[name].kind for name in self._movable}
        if kinds == {"block"}:
            self._build_towers()
        else:
            self._stand_things()
        self._pose_hands()
        self._world.set_state(self._data.qpos.copy(), self._data.userdata.copy())

    # ---- doors and things ----------------------------------------------------------------------

    def _swing_doors(self) -> None:
        self._doors()
        for name in self._scene.joints:
            if name.endswith(switch_name("")):
                self._data.joint(name).qpos = 0.0
        mujoco.mj_kinematics(self._model, self._data)

    def _stand_things(self) -> None:
        moved = set(self._movable)
        if self._rng.random() < _TIDY:
            count = int(self._rng.integers(2, 14))
            moved = set(self._rng.permutation(self._movable)[:count].tolist())
            self._stock(moved)
        for name in moved:
            self._out(name)
        order = self._rng.permutation(sorted(moved)).tolist()
        put_away = self._put_away(order) if self._rng.random() < _PUT_AWAY else set()
        for name in (one for one in order if one not in put_away):
            if self._rng.random() < _FALLEN:
                at = self._rng.uniform((0.95, -0.8, 0.0), (1.4, 0.8, 0.0))
                at[2] = self._scene.things[name].extent[0]
                self._place(name, at, self._rng.uniform(-math.pi, math.pi), math.pi / 2)
                continue
            for _ in range(_TRIES):
                if self._stand_somewhere(name):
                    break

    def _put_away(self, names: list[str]) -> set[str]:
        """Put some things into a container, whose doors are opened; those that have room there."""
        place = str(self._rng.choice(list(self._scene.insides)))
        for name in doors_of(self._scene, place):
            joint = self._scene.joints[name]
            self._data.joint(name).qpos = joint.position(self._rng.uniform(0.65, 1.1))
        levels, some = self._levels[place], names[: int(self._rng.integers(1, 6))]
        draws = self._rng.integers(len(levels), size=len(some))
        return {
            name
            for name, k in zip(some, draws, strict=True)
            if any(self._stand_on(name, levels[k]) for _ in range(_TRIES))
        }

    def _stock(self, moved: set[str]) -> None:
        """Put things where things of their kind stand at the start, which of them is drawn."""
        groups: dict[tuple[str, tuple[float, float]], list[str]] = {}
        for name in self._movable:
            thing = self._scene.things[name]
            groups.setdefault((thing.kind, thing.extent), []).append(name)
        for names in groups.values():
            for name, other in zip(names, self._rng.permutation(names).tolist(), strict=True):
                self._free(name)[:] = self._first[other]
                if name not in moved:
                    wide, high = self._scene.things[name].extent
                    self._taken.add(name, self._first[other][:3], high, wide)

    def _stand_somewhere(self, name: str) -> bool:
        """Stand or lay a thing at one of its places, if there is room; or take it away."""
        ways = _WAYS[self._scene.things[name].kind]
        kinds = {p: self._scene.things[p].kind for p in self._levels}
        here = {p: ways.get(_PLACE_KINDS.get(kind, kind), 0) for p, kind in kinds.items()}
        weights = np.array([*here.values(), ways[""]], float)
        chosen = int(self._rng.choice(len(weights), p=weights / weights.sum()))
        if chosen == len(here):
            return True
        levels = self._levels[list(here)[chosen]]
        return self._stand_on(name, levels[int(self._rng.integers(len(levels)))])

    def _stand_on(self, name: str, level: Level) -> bool:
        thing = self._scene.things[name]
        wide, high = thing.extent
        lying = bool(self._rng.random() < _LYING.get(thing.kind, 0.0))
        radius, half = (high, wide) if lying else (wide, high)
        body = self._data.body(level.body)
        room = np.maximum(np.array(level.half) - radius - 0.005, 0.0)
        if min(level.half) < 0.7 * radius:
            return False
        aside = room * self._rng.uniform(-1.0, 1.0, 2)
        local = np.array(level.centre) + np.array([*aside, half + 0.0005])
        at = body.xpos + body.xmat.reshape(3, 3) @ local
        blocked = level.place == "table" and any(
            self._over(at, one, radius) for one in self._obstacles
        )
        if blocked or not self._taken.is_free(at, half, radius):
            return False
        self._place(name, at, self._rng.uniform(-math.pi, math.pi), math.pi / 2 if lying else 0.0)
        self._taken.add(name, at, half, radius)
        return True

    def _over(self, at: Doubles, level: Level, radius: float) -> bool:
        """Whether a disc around a point is over a rectangle."""
        body = self._data.body(level.body)
        local = body.xmat.reshape(3, 3).T @ (at - body.xpos) - np.array(level.centre)
        return bool(np.all(np.abs(local[:2]) < np.array(level.half) + radius))

    # ---- towers --------------------------------------------------------------------------------

    def _build_towers(self) -> None:
        order = self._rng.permutation(self._movable).tolist()
        wide, high = self._scene.things[order[0]].extent
        apart = float(self._rng.uniform(0.2, 0.9))
        tower: list[str] = []
        base = np.zeros(2)
        for name in order:
            if self._rng.random() < 0.06:
                self._out(name)
                continue
            if not tower or len(tower) >= 7 or self._rng.random() < apart:
                base, tower = self._tower_place(1.42 * wide), []
            sloppy = float(self._rng.choice([0.001, 0.004, 0.007]))
            base = base + np.clip(self._rng.normal(0.0, sloppy, 2), -0.012, 0.012)
            z = TABLE_M + (2 * len(tower) + 1) * high
            self._place(name, np.array([*base, z]), self._rng.uniform(-0.5, 0.5))
            self._taken.add(name, np.array([*base, z]), high, 1.3 * wide)
            tower.append(name)

    def _tower_place(self, radius: float) -> Doubles:
        """A place on the table that is free from the bottom up, often close to another tower."""
        for _ in range(40):
            at = self._rng.uniform((0.27, -0.48), (0.58, 0.48))
            others = list(self._taken.cylinders.values())
            if others and self._rng.random() < _NEXT_TO:
                x, y, *_ = others[int(self._rng.integers(len(others)))]
                angle = self._rng.uniform(-math.pi, math.pi)
                far = self._rng.uniform(0.067, 0.085)
                at = np.array([x + far * math.cos(angle), y + far * math.sin(angle)])
            tall = np.array([*at, TABLE_M + 0.15])
            if self._taken.is_free(tall, 0.15, radius - 0.004):
                return at
        return np.array([0.30, 0.62])
