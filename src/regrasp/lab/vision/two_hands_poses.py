"""Random states of the worlds with two hands: things anywhere, towers, arms at work.

A thing stands on or in a level place, or lies there, or a hand holds it: in the air, just above a
place, tilted over a vessel, or with the other hand at its cap. Nothing is simulated.
"""

from __future__ import annotations

import math

import mujoco
import numpy as np

from regrasp.lab.vision.arm_postures import TwoArmPostures, turn_about_x, turn_about_z
from regrasp.lab.vision.level_places import Level, TakenSpace, levels_of, table_obstacles
from regrasp.lab.vision.placing import Doubles, Placer
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.worlds.kit.push_switch import switch_name
from regrasp.worlds.kit.two_arms import SIDES, TABLE_M
from regrasp.worlds.two_arms.kitchen import doors_of
from regrasp.worlds.two_arms.world import TwoArmWorld

__all__ = ["TwoHandsPoseSampler"]

_TRIES, _HOLD_TRIES = 10, 5
_DEEP_M = 0.012  # of overlap of an arm with anything: more is a collision
_DOWN = turn_about_x(math.pi)
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
_HELD, _POURING, _UNSCREWING = 0.42, 0.35, 0.25
_PUT_AWAY, _FALLEN = 0.35, 0.015
_NARROW_M = 0.012  # of a bottle's neck
_NEXT_TO = 0.3  # share of towers that are built beside another one


class TwoHandsPoseSampler(Placer):
    """Puts a `room` of two hands into one random state after another."""

    def __init__(self, room: VisionRoom, world: TwoArmWorld, rng: np.random.Generator) -> None:
        super().__init__(room, rng, ())
        self._arms_world = world
        model, self._postures = world.model, TwoArmPostures(world, rng)
        roots = model.body_rootid[model.geom_bodyid]
        self._robot = np.asarray(roots == model.body("torso").id)
        self._levels = levels_of(world.scene, model)
        self._obstacles = table_obstacles(world.scene, "table")
        self._first = {name: self._free(name).copy() for name in self._movable}
        self._taken = TakenSpace()

    def pose(self) -> None:
        """Draw where things and hands are; contents, caps and switches are left as they were."""
        self._world.reset()
        self._data.qvel[:] = 0.0
        self._taken = TakenSpace()
        for grip in self._arms_world.grips.values():
            grip.lose()
        self._swing_doors()
        kinds = {self._scene.things[name].kind for name in self._movable}
        if kinds == {"block"}:
            self._build_towers()
        else:
            self._stand_things()
        mujoco.mj_kinematics(self._model, self._data)
        for side in (str(one) for one in self._rng.permutation(SIDES)):
            self._pose_hand(side)
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
        blocked = level.place == "table" and any(self._over(at, one, radius) for one in self._obstacles)
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

    # ---- hands ---------------------------------------------------------------------------------

    def _pose_hand(self, side: str) -> None:
        """Let a hand hold something, be at something, or rest, clear of everything."""
        draw = float(self._rng.random())
        held = ""
        if draw < _HELD:
            held = self._take(side)
        elif draw < 0.70:
            self._go_near(side)
        else:
            self._postures.rest(side)
        if self._collides(side, held):
            if held:
                self._arms_world.grips[side].lose()
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
        busy = {grip.holds for grip in self._arms_world.grips.values()}
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
        narrow = {"bottle": _NARROW_M, "dough": 0.007}
        wide = narrow.get(thing.kind, thing.extent[0]) if grasp.above else thing.extent[0]
        self._postures.open_fingers(side, 0.007 if thing.kind == "dough" else wide)
        self._arms_world.grips[side].take(int(self._model.body(name).id))
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
        if self._rng.random() < 0.35:  # just taken, or about to be put down
            gap = float(self._rng.choice([0.005, 0.03, 0.06, 0.12]))
            return np.array([x, y, TABLE_M + high + gap])
        return np.array([x, y, self._rng.uniform(0.90, 1.25)])

    def _go_near(self, side: str) -> None:
        """Bring an empty hand to a thing, a handle, or the cap of a bottle in the other hand."""
        other = self._arms_world.grips["right" if side == "left" else "left"].holds
        mujoco.mj_kinematics(self._model, self._data)
        handles = [t for t in self._scene.things.values() if t.kind == "handle"]
        for _ in range(_HOLD_TRIES):
            draw = float(self._rng.random())
            if other.endswith("_bottle") and draw < _UNSCREWING * 2:
                at = self._data.site(f"{other}_cap").xpos.copy()
                rotation = turn_about_z(self._rng.uniform(-math.pi, math.pi)) @ _DOWN
            elif handles and draw < 0.3:
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
