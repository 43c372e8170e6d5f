"""One candidate motion (a primitive), tried in the robot's own model of the scene.

A trial collects the parts of the way, the nearest pairs along it, the smallest distance of a joint
from its limit, and what was out of reach. Things that could be moved away do not end a trial: so it
knows all that are in its way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

import numpy as np

from regrasp.control.clearance import Carried
from regrasp.control.collision_check import FREE_M, Near, nearest_of
from regrasp.control.ik import Pose, Solution
from regrasp.control.knots import blend, evenly, smooth
from regrasp.control.two_arms import HandArm, TwoArms
from regrasp.core.arrays import Array

__all__ = ["Planning", "PrimitiveTrial", "UnreachedError", "best_first"]

Planning: TypeAlias = Generator[None, None, None]
"""The planning of a primitive, part by part: it yields where a better one may be tried first."""

_DRAWN = 0.25  # rad: how strongly the elbow is drawn; more would bend the line between two knots
_JUMP = 0.8  # rad: a line on which a joint moves further between two knots is not straight
_AMPLE_RAD = 0.5  # a joint this far from its limits is free
_TRAVEL = 0.03  # cost of a radian of travel
_SWING_M = 0.010  # room that a fast arm should have: it leaves its path by a few millimetres
_WITHOUT = 0.5  # cost of an arm that is left where it is
_THOROUGH = 3  # so many primitives are tried again if none can be carried out


@dataclass(frozen=True, eq=False)
class UnreachedError(Exception):
    """The palm cannot reach a pose: the nearest solution, and how far (m) the place is too far.

    `bends` is whether single poses can be reached, but not on a straight or level way.
    """

    solution: Solution
    too_far: float
    bends: bool = False


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

    def solve(
        self,
        pose: Pose,
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        gripped: Collection[str] = (),
        fingers: float = np.inf,
    ) -> Array:
        """Joints (n,) for a pose of the palm: free there, and far from the joints' limits.

        The other arguments are those of `CollisionCheck.along`.
        """
        found = self.solve_any([pose], carried, ignore=ignore, gripped=gripped, fingers=fingers)
        return found[1]

    def solve_any(
        self,
        poses: Sequence[Pose],
        carried: Carried | None = None,
        *,
        ignore: Collection[str] = (),
        gripped: Collection[str] = (),
        fingers: float = np.inf,
    ) -> tuple[Pose, Array]:
        """The one of several poses that is free and farthest from the joints' limits, its joints.

        The other arguments are those of `CollisionCheck.along`.
        """

        def cost(q: Array) -> int:
            nears = self.arm.check.along(
                q[None], carried, ignore=ignore, gripped=gripped, fingers=fingers
            )
            return sum(self._cost(near) for near in nears if near.collides)

        found = [(pose, *self.arm.postures.solve(pose, cost)) for pose in poses]
        reached = [(pose, one.q, hits) for pose, one, hits in found if one.reached]
        if not reached:
            pose, one, _ = min(found, key=lambda each: each[1].distance)
            return pose, self._reached(one, pose)
        margin = self.arm.kinematics.margin
        best, q, _ = min(reached, key=lambda each: (each[2], -margin(each[1])))
        return best, q

    def solve_sequence(
        self,
        choices: Sequence[Sequence[Pose]],
        least: int,
        carried: Carried | None = None,
        *,
        gripped: Collection[str] = (),
        driven: Sequence[str] = (),
        values: Array | None = None,
        fingers: float = np.inf,
    ) -> tuple[Sequence[Pose], Array]:
        """The sequence of poses that is reached furthest, and joints (k, n) for its first k poses.

        Fewer than `least` end the planning. Postures that would touch furniture or the robot itself
        are avoided; `values` (m, d) are the positions of `driven` joints at each pose, the other
        arguments are those of `CollisionCheck.along`.
        """
        columns = np.zeros((max(map(len, choices)), 0)) if values is None else values

        def blocked(knots: Array) -> Array:
            hits = []
            for q, others in zip(knots, columns, strict=False):
                nears = self.arm.check.along(
                    np.append(q, others)[None], carried, gripped=gripped, driven=driven,
                    fingers=fingers,
                )  # fmt: skip
                hits.append(any(n.collides and self._cost(n) > 1 for n in nears))
            return np.array(hits, bool)

        reached = [(poses, self.arm.postures.sequence(poses, blocked)) for poses in choices]
        poses, knots = max(reached, key=lambda one: len(one[1]))
        if len(knots) < least:
            self._stuck(poses, knots)
        return poses, knots

    def join(self, start: Array, poses: Sequence[Pose], end: Array | None) -> Array:
        """Knots (m, n) through poses from the posture `start` at the first of them to `end`.

        Without an `end` the last posture is any. What cannot be joined ends the planning.
        """
        knots = self.arm.postures.sequence(poses, first=start, last=end)
        if len(knots) < len(poses):
            self._stuck(poses, knots)
        return smooth(evenly(knots))

    def line(self, start: Array, pose: Pose) -> Array:
        """Knots (m, n) that move the palm straight from the posture `start` to `pose`.

        Meanwhile the elbow comes nearer to where it is at rest.
        """
        first = self.arm.kinematics.pose(start)
        knots, step = [start], np.zeros_like(start)
        for at in blend(first, pose):
            rest = self.arm.postures.natural(at.position) - knots[-1]
            found = self.arm.kinematics.solve(
                at, knots[-1] + step, distance=1e-3, angle=5e-3, iterations=15, patience=6,
                toward=knots[-1] + np.clip(rest, -_DRAWN, _DRAWN),
            )  # fmt: skip
            q = self._reached(found, at)
            if float(np.abs(q - knots[-1]).max()) > _JUMP:
                raise UnreachedError(found, 0.0, bends=True)
            step = q - knots[-1]  # the next knot is about as far again
            knots.append(q)
        return np.array(knots)

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
    ) -> Array:
        """Use the first way with room to swing, else the one with the fewest collisions."""
        _, path, nears = self._choose(ways, carried, ignore)
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
    ) -> tuple[int, list[Array], list[Near]]:
        """The cost of collisions, the parts and the nearest pairs of the best way.

        What the hand or its load touches at the start it may touch as it leaves.
        """
        best: tuple[int, list[Array], list[Near]] | None = None
        least = (0, 0.0)
        failed: UnreachedError | None = None
        for way in ways:
            try:
                path = way()
            except UnreachedError as error:
                failed = failed or error
                continue
            start = self.arm.check.along(path[0][:1], carried, ignore=ignore)
            leaves = [near.other for near in start if near.collides]
            nears = self.arm.check.along(
                np.concatenate(path), carried, ignore=ignore, leaving=leaves
            )
            hits = sum(self._cost(near) for near in nears if near.collides)
            tight = 0.0 if hits else max(0.0, _SWING_M - nearest_of(nears).distance)
            if best is None or (hits, tight) < least:
                best, least = (hits, path, nears), (hits, tight)
            if hits == 0 and tight == 0.0:
                break
        if best is None:
            assert failed is not None
            raise failed
        return best

    def _cost(self, near: Near) -> int:
        return 1 if near.other in self.robot.movable else 10

    def _add(self, stage: str, knots: Array, nears: Iterable[Near]) -> None:
        self.parts.setdefault(stage, []).append(knots)
        self._joint_margin = min(self._joint_margin, self.arm.kinematics.margin(knots))
        self._travel += float(np.abs(np.diff(knots, axis=0)).max(axis=1, initial=0.0).sum())
        for near in nears:
            known = self._nears.get(near.other)
            if known is None or near.distance < known.distance:
                self._nears[near.other] = near

    def _stuck(self, poses: Sequence[Pose], knots: Array) -> NoReturn:
        """Fail at the first pose that a sequence of postures `knots` (k, n) does not reach."""
        stuck = poses[len(knots)]
        start = knots[-1] if len(knots) else self.arm.postures.natural(stuck.position)
        found = self.arm.kinematics.solve(stuck, start)
        self._reached(found, stuck)
        raise UnreachedError(found, 0.0, bends=True)

    def _reached(self, found: Solution, pose: Pose) -> Array:
        if found.reached:
            return found.q
        away = float(np.linalg.norm(pose.position - self.arm.shoulder))
        raise UnreachedError(found, max(0.0, away - self.arm.reach_m))

    # ---- what came of it -----------------------------------------------------------------------

    @property
    def hits(self) -> list[Near]:
        """The pairs that would collide, the deepest first."""
        return sorted((n for n in self._nears.values() if n.collides), key=lambda n: n.distance)

    @property
    def blockers(self) -> list[Near]:
        """The collisions with things that could be moved away."""
        return [near for near in self.hits if near.other in self.robot.movable]

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
        """Smaller is better: what runs, what is blocked by few things, what nearly reaches."""
        if self.unreached is not None:
            short = self.unreached.too_far or self.unreached.solution.distance
            return (3, 0, short)
        if self.possible:
            return (0, 0 if self.finished else 1, -self.score)
        hard = len(self.hits) - len(self.blockers)
        return (2 if hard else 1, len(self.hits), -self.score)


def best_first(trials: Iterable[PrimitiveTrial]) -> list[PrimitiveTrial]:
    """The trials, the best one first.

    The most promising trial is planned further until a finished one is better than what any other
    can still become. If none can be carried out, all are planned to their end, and the best few are
    tried again thoroughly: then what is in the way is known.
    """
    known = list(trials)
    if _plan_the_best(known):
        return sorted(known, key=lambda trial: trial.rank)
    for trial in known:
        trial.finish()
    ranked = sorted(known, key=lambda trial: trial.rank)
    again = [trial.again() for trial in ranked[:_THOROUGH]]
    _plan_the_best(again)
    for trial in again:
        trial.finish()
    return sorted([*again, *ranked[_THOROUGH:]], key=lambda trial: trial.rank)


def _plan_the_best(trials: list[PrimitiveTrial]) -> bool:
    """Plan further what promises most; whether one was finished that can be carried out."""
    while alive := [trial for trial in trials if trial.possible]:
        best = max(alive, key=lambda trial: trial.score)
        if best.finished:
            return True
        best.advance()
    return False
