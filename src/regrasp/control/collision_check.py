"""Collisions of one arm along a path, in the robot's own model of the scene, with their distances.

The arm and what it carries are checked against everything else: things, furniture, the torso, the
other arm and what that one holds. What is carried is also checked against the links of the arm
itself. Nothing else is checked against anything, which makes a check of a posture cost tens of
microseconds in a scene of fifty things.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
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
_STRIDE_M = 0.006  # a part of the robot that moves less between two postures passes nothing unseen


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


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Near pairs: their geoms (k, 2), distances (k,) in m, and the number of the posture (k,)."""

    geom: Array
    distance: Array
    at: Array

    @classmethod
    def joined(cls, some: Sequence[_Pairs]) -> _Pairs:
        """All of them, with the numbers of the postures as they are."""
        return cls(
            np.concatenate([one.geom for one in some]),
            np.concatenate([one.distance for one in some]),
            np.concatenate([one.at for one in some]),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Swept:
    """Postures (m, n), where the robot's geoms are at each (m, g, 3), the room there (m,), m."""

    postures: Array
    places: Array
    room: Array
    pairs: _Pairs


def _sweep_finely(postures: Array, sweep: Callable[[Array], _Swept]) -> list[_Swept]:
    """Look at postures, and half-way between two where something could be passed through unseen.

    A part of the robot that moves by s between two postures, with the room a before and b after,
    misses everything if a + b > s. Where a posture collides the way is known to be blocked.
    """
    swept = [sweep(postures)]
    (a, b), (at_a, at_b), (room_a, room_b) = (
        (each[:-1], each[1:]) for each in (swept[0].postures, swept[0].places, swept[0].room)
    )
    while len(a):
        moved = np.linalg.norm(at_b - at_a, axis=2).max(axis=1, initial=0.0)
        free = (room_a >= HIT_M) & (room_b >= HIT_M)
        unseen = free & (moved > _STRIDE_M) & (room_a + room_b < moved + HIT_M)
        if not unseen.any():
            break
        a, b, at_a, at_b = a[unseen], b[unseen], at_a[unseen], at_b[unseen]
        room_a, room_b = room_a[unseen], room_b[unseen]
        half = sweep((a + b) / 2)
        swept.append(half)
        a, b = np.concatenate([a, half.postures]), np.concatenate([half.postures, b])
        at_a, at_b = np.concatenate([at_a, half.places]), np.concatenate([half.places, at_b])
        room_a, room_b = np.concatenate([room_a, half.room]), np.concatenate([half.room, room_b])
    return swept


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
        self._known: dict[str, Array] = {}
        hand = int(model.site_bodyid[self._palm])
        self._hand = self._parts(str(model.body(hand).name))
        fingers = [int(body) for body in np.flatnonzero(self._hand) if body != hand]
        slides = [j for j in range(model.njnt) if model.jnt_bodyid[j] in fingers]
        self._grip, self._open = model.jnt_qposadr[slides], model.jnt_range[slides, 1].copy()
        self._pads = _pads(model, fingers, float(model.site_pos[self._palm, 2]))
        self._solid = ((model.geom_contype != 0) | (model.geom_conaffinity != 0)).astype(bool)
        self._model.geom_margin[:] = FREE_M
        self._model.body_margin[:] = FREE_M  # the broad phase goes by this one
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

        def counted(found: _Pairs) -> tuple[Array, Array, Array]:
            """Which pairs count, and the bodies of each: the robot's and the other one."""
            first, second = model.geom_bodyid[found.geom].T
            turned = load[second] | ~mine[first]
            own, other = np.where(turned, second, first), np.where(turned, first, second)
            counts = (found.distance < FREE_M) & ~skip[other]
            counts &= ~(held[other] & self._pads[found.geom].any(axis=1))
            for others, owns in touched:
                counts &= ~(others[other] & owns[own])
            return counts, own, other

        parts = np.flatnonzero(mine[model.geom_bodyid] & self._solid).tolist()

        def sweep(postures: Array) -> _Swept:
            pairs, places = self._pairs(postures, columns, carried, parts)
            room = np.full(len(postures), FREE_M)
            counts = counted(pairs)[0]
            np.minimum.at(room, pairs.at[counts], pairs.distance[counts])
            return _Swept(postures, places, room, pairs)

        pairs = _Pairs.joined([one.pairs for one in _sweep_finely(between_knots(knots), sweep)])
        data.qpos[:] = before
        counts, own, other = counted(pairs)
        kept = np.flatnonzero(counts)
        kept = kept[np.argsort(pairs.distance[kept], kind="stable")]
        nearest = kept[np.unique(other[kept], return_index=True)[1]]
        return [
            Near(self._names[own[k]], self._names[other[k]], float(pairs.distance[k]))
            for k in nearest
        ]

    # ---- how it is done ------------------------------------------------------------------------

    def _pairs(
        self, postures: Array, columns: Array, carried: Carried | None, parts: Sequence[int]
    ) -> tuple[_Pairs, Array]:
        """The near pairs at postures (m, n), and the places (m, g, 3) of the geoms `parts` (g,)."""
        model, data = self._model, self._data
        geoms, distances, at = [np.zeros((0, 2), int)], [np.zeros(0)], [np.zeros(0, int)]
        places = np.zeros((len(postures), len(parts), 3))
        for k, q in enumerate(postures):
            data.qpos[columns] = q
            self._pose(carried)
            mujoco.mj_collision(model, data)
            places[k] = data.geom_xpos[parts]
            if data.ncon:
                geoms.append(data.contact.geom.copy())
                distances.append(data.contact.dist.copy())
                at.append(np.full(data.ncon, k))
        pairs = _Pairs(np.concatenate(geoms), np.concatenate(distances), np.concatenate(at))
        return pairs, places

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
        if thing not in self._known:
            parts = np.zeros(self._model.nbody, bool)
            parts[self._model.body(thing).id] = True
            for body in range(self._model.nbody):
                parts[body] |= parts[self._model.body_parentid[body]]
            self._known[thing] = parts
        return self._known[thing]

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
