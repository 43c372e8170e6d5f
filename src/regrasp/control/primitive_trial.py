"""One candidate motion (a primitive), tried in the robot's own model of the scene.

A trial collects the parts of the way, the nearest pairs along it, the smallest distance of a joint
from its limit, and what was out of reach. Things that could be moved away do not end a trial: so it
knows all that are in its way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from regrasp.control.clearance import Carried, between_knots
from regrasp.control.collision_check import FREE_M, Near, nearest_of
from regrasp.control.palm_planner import PalmPlanner, UnreachedError, hit_cost
from regrasp.control.two_arms import HandArm, TwoArms
from regrasp.core.arrays import Array

__all__ = ["Planning", "PrimitiveTrial"]

Planning: TypeAlias = Generator[None, None, None]
"""The planning of a primitive, part by part: it yields where a better one may be tried first."""

_AMPLE_RAD = 0.5  # a joint this far from its limits is free
_TRAVEL = 0.03  # cost of a radian of travel
_SWING_M = 0.010  # room that a fast arm should have: it leaves its path by a few millimetres
_SAME_M = 0.0005  # less room than this makes no way better
_WITHOUT = 0.5  # cost of an arm that is left where it is
_SEARCHED = ("approach", "carry", "return")  # stages whose way may be searched for at random


class PrimitiveTrial:
    """A primitive of one arm from its present posture; `name` says which, in words.

    `plan` plans it. `preference` is added to the score: a grasp that serves more purposes is worth
    some margin. A `thorough` trial also searches for ways at random.
    """

    def __init__(
        self,
        robot: TwoArms,
        arm: HandArm,
        name: str,
        plan: Callable[[PrimitiveTrial], Planning],
        preference: float = 0.0,
        *,
        thorough: bool = False,
    ) -> None:
        self.robot, self.arm, self.name = robot, arm, name
        self.palm = PalmPlanner(robot, arm)
        self.lacks_way = False
        """Whether it fails only because no way between two of its postures was found."""
        self.thorough, self._plan = thorough, plan
        self.parts: dict[str, list[Array]] = {}
        self.unreached: UnreachedError | None = None
        self.finished = False
        self._planning = plan(self)
        self._nears: dict[str, Near] = {}
        self._joint_margin, self._travel, self._preference = _AMPLE_RAD, 0.0, preference

    def again(self) -> PrimitiveTrial:
        """The same primitive, to be tried thoroughly."""
        return PrimitiveTrial(
            self.robot, self.arm, self.name, self._plan, self._preference, thorough=True
        )

    def advance(self) -> None:
        """Plan and check the next part; what cannot be reached ends the planning."""
        try:
            next(self._planning)
        except StopIteration:
            self.finished = True
        except UnreachedError as unreached:
            self.unreached, self.finished = unreached, True

    def finish(self) -> None:
        """Plan all parts."""
        while not self.finished:
            self.advance()

    # ---- its way -------------------------------------------------------------------------------

    def use(
        self,
        stage: str,
        knots: Array,
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        support: Collection[str] = (),
        gripped: Collection[str] = (),
        driven: Sequence[str] = (),
        fingers: float = np.inf,
    ) -> Array:
        """Check a part of the way and add it to a stage; returns its last posture."""
        nears = self.arm.check.along(
            knots,
            carried,
            ignore=ignore,
            support=support,
            gripped=gripped,
            driven=driven,
            fingers=fingers,
        )
        own = knots[:, : len(self.arm.home)]
        self._add(stage, own, nears)
        last: Array = own[-1]
        return last

    def use_best(
        self,
        stage: str,
        ways: Iterable[Callable[[], list[Array]]],
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        arrives: bool = False,
    ) -> Array:
        """Use the first way with room to swing, else the one with the fewest collisions.

        What the hand or its load touches at the start it may touch as it leaves, unless the way
        `arrives` somewhere.
        """
        lacks = stage in _SEARCHED and self.possible
        try:
            hits, path, nears = self._choose(ways, carried, ignore, arrives)
        except UnreachedError as error:
            self.lacks_way = lacks and error.bends
            raise
        self.lacks_way |= lacks and hits > 0
        for k, part in enumerate(path):
            self._add(stage, part, nears if k == 0 else [])
        last: Array = path[-1][-1]
        return last

    def use_if_free(
        self, stage: str, ways: Iterable[Callable[[], list[Array]]], carried: Carried | None = None
    ) -> None:
        """Use the first way without a collision, or none: the primitive does without this part.

        Then it is worth less. One that cannot be carried out anyway needs none.
        """
        if not self.possible:
            return
        simple = list(ways)[: -1 if self.thorough else None]  # not worth a search
        try:
            hits, path, _ = self._choose(simple, carried, ())
        except UnreachedError:
            hits, path = 1, []
        if hits:
            self.worsen(_WITHOUT)
        else:  # where it is close to a limit, that is no reason to do without it
            self.parts.setdefault(stage, []).extend(path)

    def worsen(self, cost: float) -> None:
        """Take something from its score."""
        self._preference -= cost

    def block(self, thing: str, on: str) -> None:
        """Note that a thing stands on the one that would be taken."""
        self._nears[thing] = Near(on, thing, 0.0)

    def _choose(
        self,
        ways: Iterable[Callable[[], list[Array]]],
        carried: Carried | None,
        ignore: Collection[str],
        arrives: bool = False,
    ) -> tuple[int, list[Array], list[Near]]:
        """The cost of collisions, the parts and the nearest pairs of the best way."""
        best: tuple[int, list[Array], list[Near]] | None = None
        least = (0, 0.0)
        failed: UnreachedError | None = None
        for way in ways:
            try:
                path = way()
            except UnreachedError as error:
                failed = failed or error
                continue
            start, end = (
                self.arm.check.along(q[None], carried, ignore=ignore)
                for q in (path[0][0], path[-1][-1])
            )
            touched = {near.other: near.distance for near in start if near.collides}
            nears = self.arm.check.along(
                np.concatenate(path), carried, ignore=ignore, leaving=() if arrives else touched
            )
            if np.array_equal(path[0][0], self.arm.q):
                nears = [near for near in nears if not _leaves(near, touched)]
            hits = sum(hit_cost(self.robot, near) for near in nears if near.collides)
            tight = 0.0 if hits else _tightness(nears)
            if best is None or (hits, tight) < least:
                best, least = (hits, path, nears), (hits, tight)
            if hits == 0 and tight <= max(map(_tightness, (start, end))) + _SAME_M:
                break  # no way has more room than its ends
        if best is None:
            assert failed is not None
            raise failed
        return best

    def _add(self, stage: str, knots: Array, nears: Iterable[Near]) -> None:
        self.parts.setdefault(stage, []).append(knots)
        self._joint_margin = min(self._joint_margin, self.arm.kinematics.margin(knots))
        self._travel += float(np.abs(np.diff(knots, axis=0)).max(axis=1, initial=0.0).sum())
        for near in nears:
            known = self._nears.get(near.other)
            if known is None or near.distance < known.distance:
                self._nears[near.other] = near

    # ---- what came of it -----------------------------------------------------------------------

    @property
    def hits(self) -> list[Near]:
        """The pairs that would collide, the deepest first."""
        return sorted((n for n in self._nears.values() if n.collides), key=lambda n: n.distance)

    @property
    def blockers(self) -> list[Near]:
        """The collisions with things that could be moved away."""
        return [near for near in self.hits if near.other in self.robot.movable]

    def palm_points(self) -> Array:
        """Points (m, 3) of the palm along all of its way."""
        ways = [between_knots(part) for parts in self.parts.values() for part in parts]
        points = [self.arm.kinematics.pose(q).position for way in ways for q in way]
        return np.array(points).reshape(-1, 3)

    @property
    def feasible(self) -> bool:
        """Whether it can be carried out: planned to its end, and free."""
        return self.finished and self.possible

    @property
    def possible(self) -> bool:
        """Whether what was planned so far can be carried out."""
        return self.unreached is None and not any(n.collides for n in self._nears.values())

    @property
    def joint_margin(self) -> float:
        """The smallest distance of a joint from its limits, rad."""
        return self._joint_margin

    @property
    def clearance(self) -> float:
        """The smallest distance from anything, m."""
        return nearest_of(self._nears.values()).distance

    @property
    def score(self) -> float:
        """Margin to collisions and joint limits, each at most 1, less the travel.

        It can only fall while the planning goes on.
        """
        margin = self.clearance / FREE_M + self._joint_margin / _AMPLE_RAD
        return margin - _TRAVEL * self._travel + self._preference

    @property
    def rank(self) -> tuple[int, int, float]:
        """Smaller is better: what runs, what is blocked by few things, what nearly reaches.

        It can only grow while the planning goes on.
        """
        if self.unreached is not None:
            short = self.unreached.too_far or self.unreached.solution.distance
            return (3, 0, short)
        if self.possible:
            return (0, 0, -self.score)
        hard = len(self.hits) - len(self.blockers)
        return (2 if hard else 1, len(self.hits), -self.score)


def _leaves(near: Near, touched: Mapping[str, float]) -> bool:
    """Whether a pair is at no point nearer than it already is, by distances (m) at the start.

    An arm that has come to rest against something would otherwise never get away.
    """
    return near.other in touched and near.distance > touched[near.other] - _SAME_M


def _tightness(nears: Iterable[Near]) -> float:
    """By how much (m) there is less room than a fast arm should have; nothing for what touches."""
    room = nearest_of(near for near in nears if not near.collides).distance
    return max(0.0, _SWING_M - room)
