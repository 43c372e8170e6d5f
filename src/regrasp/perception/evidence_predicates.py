"""The six predicates of IALP, from the same evidence that the robot's skills act on.

| predicate | true if |
|---|---|
| `find(x)` | a floor path to x is known |
| `at(x)` | the base is near where x was seen, and faces it |
| `detected(x)` | x is in the picture that is taken now |
| `graspable(x)` | x has a grasp |
| `placeable(x)` | x has a free place |
| `reachable(x)` | an arm has a posture for one of those grasps or places |

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
from regrasp.core.grounding import FloorPath, GraspTarget, Grounding, Placement
from regrasp.core.object_description import Affordance
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
_HALF_TURN = np.diag([-1.0, -1.0, 1.0])  # the fingers of a hand are alike


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
        if self._is_taken(name):
            poses = [
                HandPose(one.position, one.rotation @ turn)
                for one in self._grasps_of(name)
                for turn in (np.eye(3), _HALF_TURN)
            ]
        else:
            places = self._places_on(name)
            poses = [hand for one in places for hand in _hands_over(one, self._base)]
        if not poses:
            return False, "there is no pose of a hand for it.", None
        assert self._reading is not None
        base, lift = self._base, np.array([0.0, 0.0, lift_height(self._reading)])
        positions = (np.array([one.position for one in poses]) - base.position) @ base.rotation
        rotations = base.rotation.T @ np.array([one.rotation for one in poses])
        best = ReachEvidence("", poses[0], 0.0, 0)
        for arm, reach in self.arms().items():
            index = reach.query(positions, rotations, mount_offset=lift)
            for k in map(int, np.flatnonzero(index.reachable)):
                if not best.arm or index.manipulability[k] > best.index:
                    share = float(index.manipulability[k])
                    best = ReachEvidence(arm, poses[k], share, int(index.visits[k]))
        if not best.arm:
            return False, f"no arm reaches one of {len(poses)} poses.", best
        return True, f"the {best.arm} arm reaches it.", best

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


def _hands_over(place: Placement, base: BasePose) -> list[HandPose]:
    """Hands over a place: from above and tilted towards it, or level into a shelf."""
    away: Array = place.position[:2] - base.position[:2]
    ahead = math.atan2(away[1], away[0])
    if place.inward is not None:
        ahead = math.atan2(place.inward[1], place.inward[0])
    tilts = (1.2, math.pi / 2) if place.inward is not None else _TILTS
    hands = []
    for tilt in tilts:
        for yaw in ahead + np.linspace(-0.8, 0.8, _YAWS):
            into = np.array([math.cos(yaw), math.sin(yaw), 0.0])
            approach = math.sin(tilt) * into - math.cos(tilt) * np.array([0.0, 0.0, 1.0])
            closing = np.array([-math.sin(yaw), math.cos(yaw), 0.0])
            rotation = np.stack([np.cross(closing, approach), closing, approach], axis=1)
            over = place.position + np.array([0.0, 0.0, _HAND_OVER_M])
            hands.append(HandPose(over, rotation))
    return hands
