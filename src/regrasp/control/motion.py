"""From a reward program to a motion: which stages, in which order, and when the primary is met.

A motion is a generator: it yields stages and receives whether each was done. It can therefore grasp
an object again that slipped, or first put down the object in the hand.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial

import numpy as np

from regrasp.control.affordance import Articulation, SceneObject
from regrasp.control.estimate import StateEstimate
from regrasp.control.free_space import free_position
from regrasp.control.grasping import headroom
from regrasp.control.reward_terms import (
    PALM,
    REST_POSITION,
    ImpossibleRewardError,
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    ObjectHeight,
    ObjectOrientation,
    Reward,
    RewardProgram,
)
from regrasp.control.stages import REST, MotionStage, Stages
from regrasp.core.arrays import Array

__all__ = [
    "Motion",
    "PrimaryError",
    "RewardAbandoned",
    "destination",
    "furthest",
    "measures",
    "motion",
]

Motion = Generator[MotionStage, bool, None]
_TRIES = 2
_LIFT = 0.15  # m that an object is lifted before it is carried
_CARRIED = 0.35  # m above the floor: an object this high can be carried
_HAND = 0.10  # m of room that a hand needs above an object held from the front
_STIRRED = 0.05  # of a joint's range: a smaller motion does not count


class RewardAbandoned(Exception):  # noqa: N818 - a signal to the motion, not an error
    """Stop pursuing the reward; the rest of the motion empties the hand and goes to rest."""


@dataclass(frozen=True, slots=True)
class PrimaryError:
    """How far the primary reward is from being met: `error(now)`, met below `tolerance`."""

    what: str
    unit: str
    error: Callable[[StateEstimate], float]
    tolerance: float

    def met(self, now: StateEstimate) -> bool:
        """Whether it is met now."""
        return self.error(now) <= self.tolerance


class _MotionBuilder:
    """Builds the motion of one program."""

    def __init__(self, program: RewardProgram, stages: Stages) -> None:
        self.program, self.stages, self.now = program, stages, stages.now
        self.things, self.joints = stages.affordances.things, stages.affordances.joints
        for term in program.terms:
            self.check(term)

    def check(self, term: Reward) -> None:
        """Raise unless there is a motion for the term."""
        if REST_POSITION in term.names:
            if not (isinstance(term, MinimizeDistance) and PALM in term.names):
                raise ImpossibleRewardError(
                    f'only the palm rests: {term}. Write minimize_l2_distance_reward("palm", '
                    '"rest_position").'
                )
        elif isinstance(term, ObjectHeight | ObjectOrientation):
            self.movable(term.obj)
        elif isinstance(term, MinimizeDistance | MaximizeDistance) and PALM not in term.names:
            self.mover(term)

    def run(self) -> Motion:
        """Stages for every term that is not covered by another one, then back to rest."""
        for name in self.joints:  # the hand must not shut an open door as it passes
            self.stages.kept_joints.setdefault(f"{name}.q", float(self.now[f"{name}.q"][0]))
        try:
            held = self.held()
            if held and not any(self.moves(term, held) for term in self.program.terms):
                yield from self.put_aside(held)
            covered = self.covered_by_others()
            pursued = [t for t in self.program.terms if t.weight > 0 and t not in covered]
            before: Reward | None = None
            for term in pursued:
                if isinstance(before, JointFraction) and isinstance(term, JointFraction):
                    # Closing two doors, 10 seeds: 9 closed from the rest position, 6 without it.
                    yield from self.draw_back()
                yield from self.term(term)
                before = term
        except RewardAbandoned:
            if held := self.held():
                yield from self.put_aside(held)
        if self.held() is None:
            yield from self.draw_back()

    def draw_back(self) -> Motion:
        """Move the empty hand away from what it touched, to its rest position."""
        if self.engaged():
            yield self.stages.retreat()
        yield self.stages.rest()

    def moves(self, term: Reward, held: SceneObject) -> bool:
        """Whether the term needs `held` in the hand, not only as a place for another object."""
        if isinstance(term, MinimizeDistance | MaximizeDistance) and PALM not in term.names:
            return self.mover(term)[0] is held
        return held.name in term.names

    def must(self, stage: MotionStage) -> Motion:
        """A stage that the remaining stages need."""
        done = yield stage
        if not done:
            raise RewardAbandoned

    def covered_by_others(self) -> set[Reward]:
        """Palm terms that only name what the hand must touch for another term."""
        touched = {n for t in self.program.terms if PALM not in t.names for n in t.names}
        handles = {self.joints[n].handle for n in touched if n in self.joints}
        owners = {self.things[h].of for h in handles}
        return {
            t
            for t in self.program.terms
            if isinstance(t, MinimizeDistance)
            and PALM in t.names
            and set(t.names) - {PALM} <= touched | handles | owners
        }

    def term(self, term: Reward) -> Motion:
        """The stages of one term."""
        weight = term.weight
        match term:
            case JointFraction(joint=name, fraction=fraction):
                yield from self.work(self.joints[name], fraction, weight)
            case MinimizeDistance(a=a, b=b) if PALM in (a, b):
                other = b if a == PALM else a
                if other == REST_POSITION:
                    yield self.stages.rest(open_hand=self.held() is None)
                elif self.things[other].movable:
                    yield from self.take(self.things[other])
                else:
                    yield from self.must(self.stages.reach(self.things[other].site, weight))
            case MaximizeDistance(a=a, b=b, distance=distance) if PALM in (a, b):
                other = b if a == PALM else a
                yield from self.must(self.stages.leave(self.site(other), distance, weight))
            case MinimizeDistance():
                thing, other = self.mover(term)
                yield from self.bring(thing, other, weight)
            case MaximizeDistance(distance=distance):
                thing, other = self.mover(term)
                yield from self.take_away(thing, self.site(other), distance, weight)
            case ObjectHeight(obj=name, height=height):
                thing = self.movable(name)
                yield from self.take(thing)
                if not self.can_rise(thing, height):
                    out = self.stages.draw_out(thing, partial(self.can_rise, thing, height))
                    yield from self.must(out)
                yield from self.must(self.stages.raise_to(thing, height, weight))
            case ObjectOrientation(obj=name, angle=angle):
                thing = self.movable(name)
                yield from self.take(thing)
                yield from self.must(self.stages.lift(thing, 0.12))
                yield from self.must(self.stages.turn(thing, angle, weight))

    # ---- parts of a term -----------------------------------------------------------------------

    def work(self, joint: Articulation, fraction: float, weight: float) -> Motion:
        """Move a joint to a fraction; if it gets stuck, remember where it was found."""
        sensor, half_done = f"{joint.name}.q", self.stages.half_done
        found = joint.fraction(float(self.now[sensor][0]))
        self.stages.kept_joints.pop(sensor, None)
        try:
            yield from self.must(self.stages.work_joint(joint, fraction, weight))
        except RewardAbandoned:
            if abs(joint.fraction(float(self.now[sensor][0])) - found) > _STIRRED:
                half_done.setdefault(joint.name, found)
            raise
        half_done.pop(joint.name, None)
        self.stages.kept_joints[sensor] = float(self.now[sensor][0])

    def undo(self) -> Motion:
        """Move stuck joints back: they may hold the object that must be moved."""
        for name, found in list(self.stages.half_done.items()):
            yield self.stages.work_joint(self.joints[name], found, needed=False)
            self.stages.kept_joints[f"{name}.q"] = float(self.now[f"{name}.q"][0])
            yield self.stages.retreat()
            del self.stages.half_done[name]

    def take(self, thing: SceneObject) -> Motion:
        """Grasp the object, unless it is in the hand."""
        self.stages.kept_things.pop(thing.site, None)
        for _ in range(_TRIES):
            if self.held() is thing:
                return
            yield self.stages.grasp(thing)
        if self.held() is not thing:
            raise RewardAbandoned

    def bring(self, thing: SceneObject, other: str, weight: float) -> Motion:
        """Grasp the object and put it on or in the other; grasp it again if it slips."""
        target = self.target(thing, other)
        carried = self.held() is thing
        for _ in range(_TRIES):
            yield from self.take(thing)
            height = float(self.now[thing.site][2])
            # A held object may be under a roof: lift it no higher than needed.
            rise = float(np.clip(_CARRIED - height, 0.0, _LIFT)) if carried else _LIFT
            lifted = yield self.stages.lift(thing, rise)
            put = lifted and (yield self.stages.put(thing, target(self.now), weight))
            if put:
                yield self.stages.release(thing)
                self.stages.kept_things[thing.site] = self.now[thing.site]
                return
        raise RewardAbandoned

    def take_away(self, thing: SceneObject, other: str, distance: float, weight: float) -> Motion:
        """Move the object away from a point and set it down in free space.

        A stuck object is released and grasped again: a new grasp often frees it.
        """
        if self.held() is not thing:
            yield from self.undo()
        for _ in range(_TRIES):
            yield from self.take(thing)
            spot = self.spot(thing, other, distance)
            moved = yield self.stages.away(thing, other, distance, spot, weight)
            if moved:
                yield from self.set_down(thing, spot)
                self.stages.kept_things[thing.site] = self.now[thing.site]
                return
            yield self.stages.release(thing)
        raise RewardAbandoned

    def can_rise(self, thing: SceneObject, height: float) -> bool:
        """Whether a held object and the hand have room above them up to `height` (m)."""
        at = self.now[thing.site]
        return headroom(self.now, at) > max(0.0, height - float(at[2])) + _HAND

    def put_aside(self, thing: SceneObject) -> Motion:
        """Set the held object down in free space, to empty the hand."""
        yield from self.set_down(thing, self.spot(thing, PALM, 0.0))

    def set_down(self, thing: SceneObject, spot: Array | None) -> Motion:
        """Put the held object roughly on a spot, and release it.

        A hand that holds it from the side cannot reach the ground: it stops and releases the object
        there.
        """
        goes_down = self.now["palm.z"][2] < -0.6
        target = spot if spot is not None and goes_down else self.now[thing.site]
        yield self.stages.put(thing, target, tolerance=0.03, limit=5.0, needed=False)
        yield self.stages.release(thing)

    def spot(self, thing: SceneObject, other: str, distance: float) -> Array | None:
        """A free spot for the object."""
        now, affordances = self.now, self.stages.affordances
        return free_position(now.model, now.data, affordances, thing, now[other], distance)

    def held(self) -> SceneObject | None:
        """The object between the closed fingers."""
        for thing in self.things.values():
            if thing.movable and any(self.stages.holds(self.now, g.site) for g in thing.grasps):
                return thing
        return None

    def engaged(self) -> bool:
        """Whether the hand is still near something it touched."""
        return any(
            self.now.distance("palm", t.site) < 0.12 for t in self.things.values() if t.name != PALM
        )

    def target(self, thing: SceneObject, other: str) -> Callable[[StateEstimate], Array]:
        """The target of the object's centre when it is brought to the other."""
        where = self.things[other]
        site = where.place or where.site
        rise = thing.extent[1] + 0.006 + (0.0 if where.place else where.extent[1])
        return lambda now: now[site] + [0.0, 0.0, rise]

    def site(self, name: str) -> str:
        return self.things[name].site

    def movable(self, name: str) -> SceneObject:
        thing = self.things.get(name)
        if thing is None or not thing.movable:
            names = ", ".join(sorted(t.name for t in self.things.values() if t.movable))
            raise ImpossibleRewardError(f"{name!r} cannot be moved. Movable here: {names}.")
        return thing

    def mover(self, term: MinimizeDistance | MaximizeDistance) -> tuple[SceneObject, str]:
        """Which of the two is moved: the first if it can be, else the second."""
        for name, other in ((term.a, term.b), (term.b, term.a)):
            if self.things[name].movable:
                return self.things[name], other
        return self.movable(term.a), term.b


def motion(program: RewardProgram, stages: Stages) -> Motion:
    """The motion of a program; raises `ImpossibleRewardError` if a term names no motion."""
    return _MotionBuilder(program, stages).run()


def destination(
    term: MinimizeDistance | MaximizeDistance, stages: Stages
) -> tuple[SceneObject, Array | None]:
    """The object that a distance term moves, and the target (3,) of its centre.

    None if there is no free place for it.
    """
    maker = _MotionBuilder(RewardProgram((term,)), stages)
    thing, other = maker.mover(term)
    if isinstance(term, MinimizeDistance):
        return thing, maker.target(thing, other)(stages.now)
    return thing, maker.spot(thing, maker.site(other), term.distance)


def measures(program: RewardProgram, stages: Stages) -> tuple[PrimaryError, ...]:
    """The error measure of each term that decides a program's success; raises as `motion` does."""
    maker = _MotionBuilder(program, stages)
    return tuple(_measure(maker, term) for term in program.deciding)


def furthest(measured: tuple[PrimaryError, ...], now: StateEstimate) -> PrimaryError:
    """The measure that is furthest from being met, relative to its tolerance."""
    return max(measured, key=lambda one: one.error(now) / one.tolerance)


def _measure(maker: _MotionBuilder, term: Reward) -> PrimaryError:
    things = maker.things
    match term:
        case JointFraction(joint=name, fraction=fraction):
            joint = maker.joints[name]

            def off(now: StateEstimate) -> float:
                short = fraction - joint.fraction(float(now[f"{name}.q"][0]))
                return max(0.0, short) if fraction > 0.9 else abs(short)  # beyond open is open

            return PrimaryError(f"{name} from {fraction:g}", "", off, 0.2)
        case MinimizeDistance(a=a, b=b) if REST_POSITION in (a, b):
            return PrimaryError(
                "palm from rest", "m", lambda n: float(np.linalg.norm(n["palm"] - REST)), 0.08
            )
        case MinimizeDistance(a=a, b=b) if PALM in (a, b):
            thing = things[b if a == PALM else a]
            sites = [g.site for g in thing.grasps] or [thing.site]
            return PrimaryError(
                f"palm from {thing.name}", "m",
                lambda n: min(n.distance("palm", s) for s in sites), 0.05,
            )  # fmt: skip
        case MaximizeDistance(a=a, b=b, distance=distance):
            one, two = maker.site(a), maker.site(b)
            return PrimaryError(
                f"{a} short of {distance:g} m from {b}", "m",
                lambda n: max(0.0, distance - n.distance(one, two)), 0.02,
            )  # fmt: skip
        case MinimizeDistance():
            thing, other = maker.mover(term)
            target = maker.target(thing, other)
            return PrimaryError(
                f"{thing.name} from {other}", "m",
                lambda n: float(np.linalg.norm(n[thing.site] - target(n))), 0.06,
            )  # fmt: skip
        case ObjectHeight(obj=name, height=height):
            site = maker.movable(name).site
            return PrimaryError(
                f"{name} from {height:g} m up", "m", lambda n: abs(float(n[site][2]) - height), 0.06
            )
        case ObjectOrientation(obj=name, angle=angle):
            site = maker.movable(name).site
            want = np.array([0.0, -np.sin(angle), np.cos(angle)])
            return PrimaryError(
                f"{name} from {angle:g} rad", "rad",
                lambda n: float(np.arccos(np.clip(n[f"{site}.z"] @ want, -1.0, 1.0))), 0.35,
            )  # fmt: skip
