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
from dataclasses import dataclass, field

import numpy as np

from regrasp.core.arrays import Array
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
)
from regrasp.core.object_description import Affordance
from regrasp.core.put_poses import MOST_TARGETS, put_ways, taking_ways
from regrasp.core.robot import JointReading, Robot
from regrasp.perception.facts import holds_something
from regrasp.perception.grounded_predicates import ArmReach

__all__ = ["EvidencePredicates", "base_pose", "lift_height"]

_SIX = ("find", "at", "detected", "graspable", "placeable", "reachable")
_RELATIONS = ("on", "in", "opened")
_PREDICATES = (*_SIX, *_RELATIONS)
_AT_M, _FACING = 1.1, 1.5  # m from the base to a thing, rad off its heading
_OPEN_M = 0.10
_HAND_OVER_M = 0.08  # of the palm over a place, where nothing is known of what is held
_TILTS = (0.0, 0.5, 1.0)
_YAWS = 8


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

    def expect(self, facts: State) -> None:
        """See `PredicateGrounding`."""
        for fact in facts:
            if fact.predicate in ("on", "in"):
                self.evidence.expect(*fact.args)

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
        ways = self._ways_to(name)
        if not ways:
            return False, "there is no pose of a hand for it.", None
        assert self._reading is not None
        lift = np.array([0.0, 0.0, lift_height(self._reading)])
        best = ReachEvidence("", self._out(ways[0].shown), 0.0, 0)
        for arm, reach in self.arms().items():
            mine = [way for way in ways if way.arm in ("", arm)]
            if not mine:
                continue
            poses = [pose for way in mine for pose in way.poses]
            index = reach.query(
                np.array([one.position for one in poses]),
                np.array([one.rotation for one in poses]), mount_offset=lift,
            )  # fmt: skip
            ends = np.cumsum([len(way.poses) for way in mine])
            for way, end in zip(mine, ends, strict=True):
                part = slice(end - len(way.poses), end)
                share = float(index.manipulability[part].min())
                if index.reachable[part].all() and (not best.arm or share > best.index):
                    visits = int(index.visits[part].min())
                    best = ReachEvidence(arm, self._out(way.shown), share, visits)
        if not best.arm:
            return False, f"no arm has a way for one of {len(ways)} poses.", best
        return True, f"the {best.arm} arm reaches it.", best

    def _ways_to(self, name: str) -> list[_HandWay]:
        """What a hand does at a thing, in the frame of the base: as the robot's skills do it.

        A free hand takes it, or the hand that holds something puts that there. With empty hands,
        any hand over a place counts.
        """
        base, held = self._base, self._held
        if self._is_taken(name):
            arms = [arm for arm in self.arms() if all(one.arm != arm for one in held)]
            return [
                _HandWay(arm, way, way[-1])
                for target in self._grasps_of(name)[:MOST_TARGETS]
                for way in taking_ways(target, base)
                for arm in arms
            ]
        places = self._places_on(name)[:MOST_TARGETS]
        if held:
            return [
                _HandWay(thing.arm, way.poses, way.put)
                for thing in held
                for place in places
                for way in put_ways(thing, place, base)
            ]
        return [_HandWay("", (hand,), hand) for one in places for hand in _hands_over(one, base)]

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


@dataclass(frozen=True, slots=True, eq=False)
class _HandWay:
    """Poses that the hand of one `arm` has to reach, "" for any; `shown` is the one to draw."""

    arm: str
    poses: tuple[HandPose, ...]
    shown: HandPose


def _hands_over(place: Placement, base: BasePose) -> list[HandPose]:
    """Hands over a place, from above and tilted, or level into a shelf; in the base's frame."""
    at: Array = (place.position - base.position) @ base.rotation
    ahead = math.atan2(at[1], at[0])
    if place.inward is not None:
        ahead = math.atan2(place.inward[1], place.inward[0]) - base.yaw
    tilts = (1.2, math.pi / 2) if place.inward is not None else _TILTS
    hands = []
    for tilt in tilts:
        for yaw in ahead + np.linspace(-0.8, 0.8, _YAWS):
            into = np.array([math.cos(yaw), math.sin(yaw), 0.0])
            approach = math.sin(tilt) * into - math.cos(tilt) * np.array([0.0, 0.0, 1.0])
            closing = np.array([-math.sin(yaw), math.cos(yaw), 0.0])
            rotation = np.stack([np.cross(closing, approach), closing, approach], axis=1)
            hands.append(HandPose(at + np.array([0.0, 0.0, _HAND_OVER_M]), rotation))
    return hands
