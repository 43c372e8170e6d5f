"""Collisions of one arm along a path, in the robot's own model of the scene, with their distances.

The arm and what it carries are checked against everything else: things, furniture, the torso, the
other arm and what that one holds. What is carried is also checked against the links of the arm
itself. Nothing else is checked against anything, which makes a check of a posture cost tens of
microseconds in a scene of fifty things.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.control.clearance import Carried, between_knots, place_body
from regrasp.control.ik import Pose
from regrasp.core.arrays import Array

__all__ = ["FREE_M", "HIT_M", "CollisionCheck", "Near", "nearest_of"]

FREE_M = 0.03
"""Distances beyond this are not measured: an arm that far from everything is free."""
HIT_M = 0.001
"""A pair nearer than this collides."""


@dataclass(frozen=True, slots=True)
class Near:
    """A part of the robot (or what it carries) and another body, and their distance (m)."""

    own: str
    other: str
    distance: float

    @property
    def collides(self) -> bool:
        """Whether the two would touch."""
        return self.distance < HIT_M


def nearest_of(pairs: Iterable[Near]) -> Near:
    """The nearest pair; a free one if there is none."""
    return min(pairs, key=lambda near: near.distance, default=Near("", "", FREE_M))


class CollisionCheck:
    """Checks the arm of `joints` in a copy of `model`; `palm` is the site that carries things."""

    def __init__(self, model: mujoco.MjModel, joints: Sequence[str], palm: str) -> None:
        self._model = copy.copy(model)
        self._data = mujoco.MjData(self._model)
        self._at = model.jnt_qposadr[[model.joint(name).id for name in joints]]
        self._palm = int(model.site(palm).id)
        first = int(model.jnt_bodyid[model.joint(joints[0]).id])
        self._arm = np.zeros(model.nbody, bool)
        for body in range(model.nbody):
            self._arm[body] = body == first or self._arm[model.body_parentid[body]]
        hand = int(model.site_bodyid[self._palm])
        self._hand = self._parts(str(model.body(hand).name))
        fingers = [int(body) for body in np.flatnonzero(self._hand) if body != hand]
        slides = [j for j in range(model.njnt) if model.jnt_bodyid[j] in fingers]
        self._grip, self._open = model.jnt_qposadr[slides], model.jnt_range[slides, 1].copy()
        self._pads = _pads(model, fingers, float(model.site_pos[self._palm, 2]))
        self._solid = ((model.geom_contype != 0) | (model.geom_conaffinity != 0)).astype(bool)
        self._model.geom_margin[:] = FREE_M
        self._model.geom_gap[:] = 0.0
        self._names = _thing_names(model)
        self._mine = np.zeros(model.nbody, bool)

    def see(self, qpos: Array) -> None:
        """Copy the present positions of the scene, (nq,)."""
        self._data.qpos[:] = qpos

    @contextmanager
    def moved(self, joint: str, value: float) -> Iterator[None]:
        """Check with a joint of the scene (a door) at another position meanwhile."""
        address = int(self._model.joint(joint).qposadr[0])
        before = float(self._data.qpos[address])
        self._data.qpos[address] = value
        yield
        self._data.qpos[address] = before

    def along(
        self,
        knots: Array,
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        support: Collection[str] = (),
        gripped: Collection[str] = (),
        leaving: Collection[str] = (),
        driven: Sequence[str] = (),
        fingers: float = np.inf,
    ) -> list[Near]:
        """The nearest pair with each other body along `knots` (m, n), if nearer than `FREE_M`.

        Bodies in `ignore` are not checked, those in `support` not against the carried thing, those
        in `gripped` not against the pads of the fingers, those in `leaving` not against hand,
        fingers and what is carried. `driven` joints of the scene (doors) move with the arm: their
        positions follow in the knots' last columns. Each of the `fingers` of an empty hand is so
        far (m) from the middle, at most fully open.
        """
        model, data = self._model, self._data
        addresses = [int(model.joint(name).qposadr[0]) for name in driven]
        columns = np.concatenate([self._at, np.array(addresses, int)])
        load = np.zeros(model.nbody, bool) if carried is None else self._parts(carried.name)
        mine = self._arm | load
        self._mark(mine, load)
        skip = self._named(ignore)
        touched = (
            (self._named(support), ~self._arm),
            (self._named(leaving), self._hand | ~self._arm),
        )
        held = self._named(gripped)
        before = data.qpos.copy()
        if carried is None:
            data.qpos[self._grip] = np.minimum(self._open, fingers)
        found: dict[int, Near] = {}
        for q in between_knots(knots):
            data.qpos[columns] = q
            self._pose(carried)
            mujoco.mj_collision(model, data)
            if data.ncon == 0:
                continue
            contacts = data.contact
            geoms = contacts.geom
            pairs = model.geom_bodyid[geoms]
            for (f, g), (a, b), distance in zip(geoms, pairs, contacts.dist, strict=True):
                own, other = (a, b) if mine[a] and not load[b] else (b, a)
                if skip[other] or distance >= FREE_M:
                    continue
                if held[other] and (self._pads[f] or self._pads[g]):
                    continue
                if any(others[other] and owns[own] for others, owns in touched):
                    continue
                known = found.get(other)
                if known is None or distance < known.distance:
                    found[other] = Near(self._names[own], self._names[other], float(distance))
        data.qpos[:] = before
        return list(found.values())

    # ---- how it is done ------------------------------------------------------------------------

    def _pose(self, carried: Carried | None) -> None:
        """Kinematics of the present positions, with the carried thing at the palm."""
        model, data = self._model, self._data
        mujoco.mj_kinematics(model, data)
        if carried is None:
            return
        rotation = data.site_xmat[self._palm].reshape(3, 3)
        pose = carried.under(Pose(data.site_xpos[self._palm], rotation))
        place_body(model, data, carried.name, pose)
        mujoco.mj_kinematics(model, data)

    def _mark(self, mine: Array, load: Array) -> None:
        """Let the bodies in `mine` (nbody,) collide with all others, and no others.

        Those of them that are the `load` also collide with the links of the arm before the hand.
        """
        if np.array_equal(mine, self._mine):
            return
        self._mine = mine.copy()
        model = self._model
        kind = np.where(load, 3, mine.astype(int))
        meets = np.where(mine, 2 * np.logical_and(self._arm, np.logical_not(self._hand)), 1)
        model.geom_contype[:] = self._solid * kind[model.geom_bodyid]
        model.geom_conaffinity[:] = self._solid * meets[model.geom_bodyid]
        for body in range(model.nbody):
            first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
            solid = count > 0 and bool(self._solid[first : first + count].any())
            model.body_contype[body] = int(solid) * kind[body]
            model.body_conaffinity[body] = int(solid) * meets[body]

    def _parts(self, thing: str) -> Array:
        """The bodies (nbody,) that move with a thing."""
        parts = np.zeros(self._model.nbody, bool)
        parts[self._model.body(thing).id] = True
        for body in range(self._model.nbody):
            parts[body] |= parts[self._model.body_parentid[body]]
        return parts

    def _named(self, names: Collection[str]) -> Array:
        """The bodies (nbody,) that have one of these names, or are parts of one that has."""
        named = np.zeros(self._model.nbody, bool)
        for name in names:
            named |= self._parts(name)
        return named


def _pads(model: mujoco.MjModel, fingers: Sequence[int], palm: float) -> Array:
    """The geoms (ngeom,) of the fingers between which a thing is held: those at the palm's height.

    `palm` (m) is that height in the hand's frame.
    """
    pads = np.zeros(model.ngeom, bool)
    for finger in fingers:
        first, count = int(model.body_geomadr[finger]), int(model.body_geomnum[finger])
        heights = model.body_pos[finger, 2] + model.geom_pos[first : first + count, 2]
        pads[first + int(np.argmin(np.abs(heights - palm)))] = True
    return pads


def _thing_names(model: mujoco.MjModel) -> list[str]:
    """The name under which each body is known: a part of a free thing has the thing's name."""
    names = []
    for body in range(model.nbody):
        root = int(model.body_rootid[body])
        free = root > 0 and int(model.body_dofnum[root]) == 6
        names.append(str(model.body(root if free else body).name))
    return names
