"""The stages of a motion: reach, work a joint, grasp, lift, carry, release, retreat, rest.

A stage is a cost for the planner, an error that should decrease (to detect a stall) and a test for
completion. Error and test use the present reading of the robot's estimator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from regrasp.control import costs
from regrasp.control.affordance import Affordances, Articulation, SceneObject
from regrasp.control.estimate import StateEstimate
from regrasp.control.grasping import approach_of, choose_grasp, closing_axes
from regrasp.control.mpc import Cost, Rollouts
from regrasp.control.sampler import OPEN
from regrasp.core.arrays import Array

__all__ = ["REST", "MotionStage", "Stages"]

REST = (0.40, 0.0, 0.45)  # m: where the palm waits between motions
_REST_APPROACH = np.array([0.78, 0.0, -0.62])
_OUT = 0.35  # m: the largest distance to draw an object out from under a roof
_STILL = 0.12  # m/s: release an object only below this speed of the hand


@dataclass(frozen=True, slots=True)
class MotionStage:
    """One stage of a motion.

    `touches` is the site that the palm must reach, `held` the site it must stay at; `joint` names
    the moved joint. A stage that is not `needed` may run out of time without a failure.
    """

    name: str
    cost: Cost
    error: Callable[[StateEstimate], float]
    done: Callable[[StateEstimate], bool]
    limit: float
    touches: str = ""
    held: str = ""
    joint: str = ""
    needed: bool = True


class Stages:
    """Creates stages from the robot's knowledge of the scene and its present state, `now`.

    `kept_joints` (sensor to position) and `kept_things` (site to place) are the initial state and
    the results of earlier motions: later motions pay a cost for changing them. `half_done` are
    joints that did not reach their target, with the fraction of their range at the start.
    """

    def __init__(self, affordances: Affordances, now: StateEstimate) -> None:
        self.affordances, self.now = affordances, now
        self.kept_joints: dict[str, float] = {}
        self.kept_things: dict[str, Array] = {}
        self.half_done: dict[str, float] = {}

    # ---- the stages ----------------------------------------------------------------------------

    def work_joint(
        self, joint: Articulation, fraction: float, weight: float = 1.0, *, needed: bool = True
    ) -> MotionStage:
        """Take the joint's handle and bring the joint to `fraction` of its range."""
        handle = self.affordances.things[joint.handle]
        target = joint.closed + fraction * (joint.open - joint.closed)
        sensor, site = f"{joint.name}.q", handle.grasps[0].site if handle.grasps else handle.site
        unit = abs(joint.open - joint.closed)
        approach, closing = self.now[f"{site}.z"], self.now[f"{site}.y"]
        start = float(self.now[sensor][0])
        travel = max(abs(target - start), 0.05 * unit)

        def cost(seen: Rollouts) -> Array:
            near, distance = costs.funnel(seen, site)
            left = np.abs(seen[sensor][..., 0] - target)
            # The hand may turn freely once the door is on its way.
            stiff = 1.0 - 0.8 * np.clip(1.0 - left / travel, 0.0, 1.0)
            total = (
                near + 2.7 * weight * left / unit + stiff * costs.align(seen, approach, [closing])
            )
            if handle.grasps:
                total += 0.3 * costs.grip(seen, distance)
            return total

        def error(now: StateEstimate) -> float:
            return abs(float(now[sensor][0]) - target) / unit

        return MotionStage(
            f"work {joint.name}", self._with_rest(cost, moving=sensor), error,
            lambda now: error(now) < 0.1, 15.0, touches=site,
            joint=joint.name, needed=needed,
        )  # fmt: skip

    def grasp(self, thing: SceneObject) -> MotionStage:
        """Close the fingers around a movable object without pushing it."""
        how = choose_grasp(self.now, thing)
        site, approach = how.site, approach_of(self.now, how)
        start = self.now[thing.site]
        closing = closing_axes(self.now, how)

        def cost(seen: Rollouts) -> Array:
            askew = costs.align(seen, approach, [seen[axis] for axis in closing])
            near, distance = costs.funnel(seen, site, askew=askew, gap=0.12)
            return (
                near
                + 1.5 * askew
                + 0.3 * costs.grip(seen, distance, near=0.02)
                + 0.5 * costs.length((seen[thing.site] - start)[..., :2])
            )

        def done(now: StateEstimate) -> bool:
            return self.holds(now, site) and now.fingers_still

        return MotionStage(
            f"grasp {thing.name}", self._with_rest(cost, moving=thing.site),
            lambda now: now.distance("palm", site), done, 12.0, touches=site,
        )  # fmt: skip

    def lift(self, thing: SceneObject, height: float) -> MotionStage:
        """Raise a held object by `height` metres."""
        return self.raise_to(thing, float(self.now[thing.site][2]) + height)

    def raise_to(self, thing: SceneObject, z: float, weight: float = 1.0) -> MotionStage:
        """Bring a held object to the height `z` (m)."""

        def error(now: StateEstimate) -> float:
            return abs(float(now[thing.site][2]) - z)

        def goal(seen: Rollouts) -> Array:
            return 2.0 * weight * np.abs(seen[thing.site][..., 2] - z)

        return self._carry(f"lift {thing.name}", thing, goal, error, 0.04)

    def turn(self, thing: SceneObject, angle: float, weight: float = 1.0) -> MotionStage:
        """Turn a held object about the world's x axis until it is `angle` rad from upright."""
        want = np.array([0.0, -np.sin(angle), np.cos(angle)])

        def error(now: StateEstimate) -> float:
            return float(np.arccos(np.clip(now[f"{thing.site}.z"] @ want, -1.0, 1.0)))

        def goal(seen: Rollouts) -> Array:
            total: Array = weight * (1.0 - seen[f"{thing.site}.z"] @ want)
            return total

        return self._carry(f"turn {thing.name}", thing, goal, error, 0.25, level=False)

    def away(
        self,
        thing: SceneObject,
        other: str,
        distance: float,
        spot: Array | None,
        weight: float = 1.0,
    ) -> MotionStage:
        """Move a held object at least `distance` m from the point `other`, towards `spot` (3,)."""
        height = float(self.now[thing.site][2])

        def error(now: StateEstimate) -> float:
            return max(0.0, distance - now.distance(thing.site, other))

        def goal(seen: Rollouts) -> Array:
            at = seen[thing.site]
            if spot is None:
                separation = costs.length(at - seen[other])
                return 3.0 * weight * np.maximum(0.0, distance + 0.02 - separation)
            aside = costs.length((at - spot)[..., :2])
            total: Array = weight * (2.5 * aside + np.abs(at[..., 2] - height))
            return total

        # The hand keeps its orientation, so that an inserted object comes out straight.
        approach, closing = self.now["palm.z"], self.now["palm.y"]

        def straight(seen: Rollouts) -> Array:
            return goal(seen) + costs.align(seen, approach, [closing])

        name = f"take {thing.name} away"
        return self._carry(name, thing, straight, error, 0.003, limit=20.0)

    def draw_out(self, thing: SceneObject, clear: Callable[[], bool]) -> MotionStage:
        """Pull a held object towards the arm's base until `clear`, e.g. out of a cabinet.

        It moves straight, without turning the hand: there is no room to turn inside.
        """
        start, approach, closing = self.now[thing.site], self.now["palm.z"], self.now["palm.y"]
        inward = -start[:2] / max(float(np.linalg.norm(start[:2])), 1e-6)
        to = start + np.append(_OUT * inward, 0.03)

        def error(now: StateEstimate) -> float:
            return 0.0 if clear() else float(np.linalg.norm((now[thing.site] - to)[:2]))

        def goal(seen: Rollouts) -> Array:
            aside = costs.length(seen[thing.site] - to)
            return 2.5 * aside + costs.align(seen, approach, [closing])

        return self._carry(f"draw out {thing.name}", thing, goal, error, 0.03, 15.0)

    def put(
        self,
        thing: SceneObject,
        to: Array,
        weight: float = 1.0,
        *,
        tolerance: float = 0.025,
        limit: float = 15.0,
        needed: bool = True,
    ) -> MotionStage:
        """Lower a held object until its centre is at the point `to` (3,), and stop there."""

        def error(now: StateEstimate) -> float:
            return float(np.linalg.norm(now[thing.site] - to))

        def goal(seen: Rollouts) -> Array:
            return 2.0 * weight * costs.lower(seen, thing.site, to)

        stage = self._carry(f"put {thing.name}", thing, goal, error, tolerance, limit)
        return replace(
            stage, needed=needed, done=lambda now: stage.done(now) and now.speed < _STILL
        )

    def release(self, thing: SceneObject) -> MotionStage:
        """Open the fingers and back off along the hand's own axis; the object does not move."""
        start = self.now[thing.site]
        site = min((g.site for g in thing.grasps), key=lambda s: self.now.distance("palm", s))
        back = self.now["palm"] - 0.13 * self.now["palm.z"]

        def cost(seen: Rollouts) -> Array:
            return (
                1.5 * costs.open_fingers(seen)
                + 1.0 * costs.length(seen["palm"] - back)
                + 1.0 * costs.length(seen[thing.site] - start)
            )

        def error(now: StateEstimate) -> float:
            return float(np.linalg.norm(now["palm"] - back)) + (OPEN - now.fingers)

        def done(now: StateEstimate) -> bool:
            clear = now.distance("palm", site) > 0.09
            return clear and now.fingers > 0.8 * OPEN

        return MotionStage(
            f"release {thing.name}", self._with_rest(cost), error, done, 5.0, needed=False
        )

    def reach(self, site: str, weight: float = 1.0) -> MotionStage:
        """Bring the palm to a point."""

        def cost(seen: Rollouts) -> Array:
            near = costs.length(seen["palm"] - seen[site])
            return weight * near + 0.2 * costs.open_fingers(seen)

        def error(now: StateEstimate) -> float:
            return now.distance("palm", site)

        return MotionStage(
            f"reach {site}", self._with_rest(cost), error, lambda n: error(n) < 0.04, 8.0,
            touches=site,
        )  # fmt: skip

    def leave(self, site: str, distance: float, weight: float = 1.0) -> MotionStage:
        """Move the palm at least `distance` m away from a point."""

        def cost(seen: Rollouts) -> Array:
            separation = costs.length(seen["palm"] - seen[site])
            return 2.0 * weight * np.maximum(0.0, distance + 0.02 - separation)

        def error(now: StateEstimate) -> float:
            return max(0.0, distance - now.distance("palm", site))

        return MotionStage(
            f"leave {site}", self._with_rest(cost), error, lambda n: error(n) < 0.003, 8.0
        )

    def retreat(self) -> MotionStage:
        """Open the fingers and go back along the hand's own axis."""
        z = self.now["palm.z"]
        to = self.now["palm"] - 0.14 * z

        def cost(seen: Rollouts) -> Array:
            return (
                2.0 * costs.length(seen["palm"] - to)
                + costs.open_fingers(seen)
                + 0.5 * (1.0 - seen["palm.z"] @ z)
            )

        def error(now: StateEstimate) -> float:
            return float(np.linalg.norm(now["palm"] - to))

        return MotionStage(
            "retreat", self._with_rest(cost), error, lambda n: error(n) < 0.05, 3.0, needed=False
        )

    def rest(self, *, open_hand: bool = True) -> MotionStage:
        """Go to the rest position of the hand."""
        to = np.array(REST)

        def cost(seen: Rollouts) -> Array:
            total = costs.length(seen["palm"] - to)
            total += costs.align(seen, _REST_APPROACH, [np.array([0.0, 1.0, 0.0])])
            return total + 0.3 * costs.open_fingers(seen) if open_hand else total

        def error(now: StateEstimate) -> float:
            return float(np.linalg.norm(now["palm"] - to))

        return MotionStage(
            "rest", self._with_rest(cost), error, lambda n: error(n) < 0.06, 5.0, needed=False
        )

    # ---- shared by the stages ------------------------------------------------------------------

    def holds(self, now: StateEstimate, site: str) -> bool:
        """Whether the fingers are closed on something at `site`."""
        return now.closing and now.fingers > 0.002 and now.distance("palm", site) < 0.032

    def _carry(
        self,
        name: str,
        thing: SceneObject,
        goal: Cost,
        error: Callable[[StateEstimate], float],
        tolerance: float,
        limit: float = 12.0,
        *,
        level: bool = True,
    ) -> MotionStage:
        """Hold `thing`, and keep it upright if it is upright, while `goal` is pursued."""
        site = min((g.site for g in thing.grasps), key=lambda s: self.now.distance("palm", s))
        upright = level and self.now[f"{thing.site}.z"][2] > 0.7

        def cost(seen: Rollouts) -> Array:
            near, distance = costs.funnel(seen, site, gap=0.10)
            total = 0.8 * near + 0.4 * costs.grip(seen, distance, near=0.025) + goal(seen)
            return total + 1.0 - seen[f"{thing.site}.z"][..., 2] if upright else total

        return MotionStage(
            name, self._with_rest(cost, moving=thing.site), error,
            lambda now: error(now) < tolerance, limit, touches=site, held=site,
        )  # fmt: skip

    def _with_rest(self, cost: Cost, moving: str = "") -> Cost:
        """Add joint effort and the cost of changing kept joints and objects, except `moving`."""
        joints = [(s, q) for s, q in self.kept_joints.items() if s != moving]
        things = [(s, p) for s, p in self.kept_things.items() if s != moving]

        def total(seen: Rollouts) -> Array:
            out = cost(seen) + costs.effort(seen)
            for sensor, q in joints:
                out += 2.0 * np.maximum(0.0, np.abs(seen[sensor][..., 0] - q) - 0.1)
            for site, place in things:
                out += 2.0 * costs.length(seen[site] - place)
            return out

        return total
