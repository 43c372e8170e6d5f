"""The six predicates of IALP, from the same evidence that the robot's skills act on.

| predicate | true if |
|---|---|
| `find(x)` | a floor path to x is known |
| `at(x)` | the base is near where x was seen, and faces it |
| `detected(x)` | x is in the picture that is taken now |
| `graspable(x)` | x has a grasp |
| `placeable(x)` | x has a free place |
| `reachable(x)` | an arm has postures for one of those grasps, or to put what it holds there |

The evidence comes through `core.grounding.Grounding`, so `graspable(book)` and `grasp(book)` rest
on the same grasps. An oracle behind that seam gives the predicates of perfect perception.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact, State
from regrasp.core.grounded import (
    BasePose,
    GraspEvidence,
    Grounded,
    GroundedEvidence,
    HandPose,
    PathEvidence,
    PlacementEvidence,
    ReachEvidence,
    ScoredGrasp,
)
from regrasp.core.grounding import (
    FloorPath,
    GraspTarget,
    GroundedRobot,
    Grounding,
    HeldThing,
    Placement,
    Stand,
)
from regrasp.core.object_description import Affordance
from regrasp.core.put_poses import MOST_TARGETS, put_ways, taking_ways
from regrasp.core.robot import JointReading, Robot
from regrasp.perception.facts import holds_something
from regrasp.perception.grounded_predicates import ArmReach
from regrasp.perception.hand_ways import HandWay, best_reach, best_stand, hands_over

__all__ = ["EvidencePredicates", "base_pose", "lift_height"]

_SIX = ("find", "at", "detected", "graspable", "placeable", "reachable")
_RELATIONS = ("on", "in", "opened")
_PREDICATES = (*_SIX, *_RELATIONS)
_AT_M, _FACING = 1.1, 1.5  # m from the base to a thing, rad off its heading
_OPEN_M = 0.10
_STAND_TARGETS = 4  # grasps or places that a stand is looked for


def base_pose(reading: JointReading) -> BasePose:
    """The base by its own odometry; the origin for a robot that does not drive."""
    found = dict(zip(reading.names, reading.positions, strict=True))
    x, y, yaw = (float(found.get(f"odometry_{name}", 0.0)) for name in ("x", "y", "yaw"))
    return BasePose(x, y, yaw)


def lift_height(reading: JointReading) -> float:
    """How far the lift raises the arms (m); 0 for a robot without one."""
    return float(dict(zip(reading.names, reading.positions, strict=True)).get("lift", 0.0))


@dataclass(slots=True)
class EvidencePredicates:
    """See `PredicateGrounding`. `arms` loads the reachability maps when they are first needed."""

    robot: Robot
    evidence: Grounding
    arms: Callable[[], Mapping[str, ArmReach]]
    lift_range: tuple[float, float] = (0.0, 0.0)
    _reading: JointReading | None = None
    _found: dict[Fact, Grounded] = field(default_factory=dict)
    _grasps: dict[str, tuple[GraspTarget, ...]] = field(default_factory=dict)
    _places: dict[str, tuple[Placement, ...]] = field(default_factory=dict)

    @property
    def predicates(self) -> tuple[str, ...]:
        """See `PredicateGrounding`."""
        return _PREDICATES

    def look(self) -> None:
        """See `PredicateGrounding`."""
        self._reading = self.robot.joints()
        self._found, self._grasps, self._places = {}, {}, {}

    def expect(self, facts: State, wanted: State = frozenset()) -> None:
        """See `PredicateGrounding`."""
        for known, tell in ((facts, self.evidence.expect), (wanted, self.evidence.intend)):
            for fact in known:
                if fact.predicate in ("on", "in"):
                    tell(*fact.args)

    def can_ground(self, fact: Fact) -> bool:
        """See `PredicateGrounding`: where a thing is, is told by a look at it, with empty hands.

        What is in a hand may look as if it stood on what is below.
        """
        if fact.predicate == "opened":
            return self.evidence.opening_of(fact.args[0]) is not None
        if fact.predicate not in _RELATIONS:
            return True
        empty = not holds_something(self.robot.joints())
        return empty and bool(self.ground(Fact.of("detected", fact.args[0])).value)

    def ground(self, fact: Fact) -> Grounded:
        """See `PredicateGrounding`; each fact is computed once after a look."""
        if fact.predicate not in _PREDICATES:
            raise UnknownNameError("grounded predicate", fact.predicate, _PREDICATES)
        if self._reading is None:
            self.look()
        if fact not in self._found:
            rules = {
                "find": self._find, "at": self._at, "detected": self._detected,
                "graspable": self._graspable, "placeable": self._placeable,
                "reachable": self._reachable, "opened": self._opened,
            }  # fmt: skip
            relation = fact.predicate in ("on", "in")
            found = self._supported(*fact.args) if relation else rules[fact.predicate](fact.args[0])
            value, reason, evidence = found
            self._found[fact] = Grounded(fact, value, reason, evidence)
        return self._found[fact]

    # ---- navigation ----------------------------------------------------------------------------

    def _find(self, name: str) -> _Finding:
        path = self.evidence.path_to(name)
        if path is None:
            return False, "it is not in the map, or no free path leads to it.", None
        shown = _path_evidence(path)
        return True, f"a path of {shown.length:.1f} m leads to it.", shown

    def _at(self, name: str) -> _Finding:
        position = self.evidence.position_of(name)
        if position is None:
            return False, "nobody has seen it.", None
        base = self._base
        away = self.evidence.distance_to(name) or 0.0
        bearing = math.atan2(position[1] - base.y, position[0] - base.x)
        off = abs(math.remainder(bearing - base.yaw, 2 * math.pi))
        reason = f"the base is {away:.2f} m from it and {math.degrees(off):.0f}° off its direction."
        return away <= _AT_M and off <= _FACING, reason, None

    @property
    def _base(self) -> BasePose:
        assert self._reading is not None  # `ground` looks first
        return base_pose(self._reading)

    # ---- relations -----------------------------------------------------------------------------

    def _supported(self, thing: str, place: str) -> _Finding:
        where = self.evidence.support_of(thing)
        seen = f"it was seen at {where}." if where else "it was seen at no place."
        return where == place, seen, None

    def _opened(self, name: str) -> _Finding:
        out = self.evidence.opening_of(name) or 0.0
        return out > _OPEN_M, f"its front is {out:.2f} m out.", None

    # ---- manipulation --------------------------------------------------------------------------

    def _detected(self, name: str) -> _Finding:
        seen = self.evidence.in_view(name)
        return seen, "it is in view." if seen else "it is not in view.", None

    def _graspable(self, name: str) -> _Finding:
        grasps = self._grasps_of(name)
        if not grasps:
            return False, "no grasp of it is free and holds.", None
        found = tuple(
            ScoredGrasp(HandPose(one.position, one.rotation), one.width, one.score)
            for one in grasps
        )
        return True, f"{len(grasps)} grasps.", GraspEvidence(found)

    def _placeable(self, name: str) -> _Finding:
        places = self._places_on(name)
        if not places:
            return False, "no level, free place on it is in view.", None
        best = places[0]
        shown = PlacementEvidence(best.position, best.radius, math.pi * best.radius**2)
        return True, f"{len(places)} free places.", shown

    def _reachable(self, name: str) -> _Finding:
        ways = self._ways_to(name, self._base)
        if not ways:
            return False, "there is no pose of a hand for it.", None
        assert self._reading is not None
        best = best_reach(ways, self.arms(), lift_height(self._reading))
        if best is None:
            nearest = ReachEvidence("", self._out(ways[0].shown), 0.0, 0)
            return False, f"no arm has a way for one of {len(ways)} poses.", nearest
        found = replace(best, pose=self._out(best.pose))
        return True, f"the {best.arm} arm reaches it.", found

    def stand_for(self, name: str) -> Stand | None:
        """From where an arm reaches a thing or a place; None if it is not in view, or nowhere."""
        self.look()
        targets = self._grasps_of(name) if self._is_taken(name) else self._places_on(name)
        if not targets:
            return None
        target = np.mean([one.position for one in targets[:_STAND_TARGETS]], axis=0)
        assert self._reading is not None
        lift = lift_height(self._reading), *self.lift_range
        return best_stand(
            lambda base: self._ways_to(name, base, _STAND_TARGETS), self.arms(), target,
            self._base, lift,
        )  # fmt: skip

    def _ways_to(self, name: str, base: BasePose, most: int = MOST_TARGETS) -> list[HandWay]:
        """What a hand does at a thing, in the frame of the base: as the robot's skills do it.

        A free hand takes it, or the hand that holds something puts that there. With empty hands,
        any hand over a place counts.
        """
        held = self._held
        if self._is_taken(name):
            arms = [arm for arm in self.arms() if all(one.arm != arm for one in held)]
            return [
                HandWay(arm, way, way[-1])
                for target in self._grasps_of(name)[:most]
                for way in taking_ways(target, base)
                for arm in arms
            ]
        places = self._places_on(name)[:most]
        if held:
            return [
                HandWay(thing.arm, way.poses, way.put)
                for thing in held
                for place in places
                for way in put_ways(thing, place, base)
            ]
        return [HandWay("", (hand,), hand) for one in places for hand in hands_over(one, base)]

    @property
    def _held(self) -> tuple[HeldThing, ...]:
        return self.robot.held() if isinstance(self.robot, GroundedRobot) else ()

    def _out(self, pose: HandPose) -> HandPose:
        """A pose of the base's frame in the frame of the odometry."""
        base = self._base
        return HandPose(base.apply(pose.position), base.rotation @ pose.rotation)

    def _is_taken(self, name: str) -> bool:
        """Whether a hand takes it, or pulls at it; on other things it puts something."""
        known = next((one for one in self.robot.knowledge() if one.name == name), None)
        return known is None or known.allows(Affordance.PICK, Affordance.OPEN, Affordance.PULL)

    def _grasps_of(self, name: str) -> tuple[GraspTarget, ...]:
        if name not in self._grasps:
            self._grasps[name] = self.evidence.grasps_of(name)
        return self._grasps[name]

    def _places_on(self, name: str) -> tuple[Placement, ...]:
        if name not in self._places:
            self._places[name] = self.evidence.placements_on(name, "")
        return self._places[name]


_Finding = tuple[bool, str, GroundedEvidence | None]
"""The value of a predicate, the reason in a sentence, and the evidence."""


def _path_evidence(path: FloorPath) -> PathEvidence:
    points = np.array(path.points, float).reshape(-1, 2)
    return PathEvidence(points, float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()))
