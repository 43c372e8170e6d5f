"""Pick, place and rest: the skills of an arm with a suction cup.

Motions are planned once, at the start of their stage, and then executed to the end: like the
primitives of DoReMi, a skill does not stop because an object fell. Its report holds the readings of
the pressure sensor. A skill that begins while the arm moves brakes first. A cancelled skill leaves
the pump as it is, so a held object stays held.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regrasp.control.following import brake, follow, follow_all, hold_still
from regrasp.control.grasp_poses import placing_pose, suction_poses
from regrasp.control.ik import Pose
from regrasp.control.paths import JointPath, NoPathError, find_path, straight_path
from regrasp.control.staged_skill import Stages
from regrasp.control.suction_arm import SuctionArm
from regrasp.core.arrays import Array
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel

__all__ = ["pick", "place", "rest"]

_GENTLE = 4.5  # rad/s²: with a held object that could shear off
_ABOVE_M, _LIFT_M, _OVER_M, _BACK_M = (0.05, 0.025), 0.10, 0.03, 0.06
_PRESS_M, _GAP_M = 0.001, 0.001  # how far the cup presses; height at which an object is released
_STRAYED_M = 0.003  # how far an object may have moved during the approach
_STILL_M = 0.0003  # largest motion of a resting object in a control step
_SUCK_S, _RELEASE_S, _REFUSE_S = 0.35, 0.10, 0.20
_TRIES = 2


# ---- skills ------------------------------------------------------------------------------------


def pick(arm: SuctionArm, thing: str) -> Stages:
    """Take an object by its upper face and lift it."""
    arm.begin()
    if arm.holds:
        full = _failed(
            FailureCode.NOT_GRASPED, f"Could not pick {thing}: the cup holds something already.",
            "It holds one thing at a time.", "Place what it holds on the table first.", arm,
        )  # fmt: skip
        return (yield from _refuse(arm, full))
    arm.pump = False  # a cancelled skill may have left it on; it would pick up objects on the way
    yield from brake(arm)
    for _ in range(_TRIES):
        try:
            above, down = _to_face(arm, thing)
            yield from follow_all(arm, above, "approach", until=_elsewhere(arm, thing, down))
            while _moved(arm, thing, down):  # the object was still rolling
                yield from brake(arm)
                above, down = _to_face(arm, thing)
                yield from follow_all(arm, above, "approach", until=_elsewhere(arm, thing, down))
        except NoPathError as no:
            unreached = _unreached(f"Could not reach the top of {thing}", no, arm)
            return (yield from _refuse(arm, unreached))
        arm.pump = True
        yield from follow(arm, down, "descend", until=lambda: arm.plant.vacuum >= 1.0)
        yield from hold_still(arm, _SUCK_S, "suck", until=lambda: arm.plant.vacuum >= 1.0)
        if arm.holds:
            break
        arm.pump = False
        yield from follow(arm, straight_path(arm, arm.q, arm.cup.raised(_OVER_M)), "retreat")
    else:
        return _failed(
            FailureCode.NOT_GRASPED, f"Could not pick {thing}: the cup found no seal.",
            "It was on it and drew air.", "", arm,
        )  # fmt: skip
    arm.carrying = thing
    yield from follow(arm, straight_path(arm, arm.q, arm.cup.raised(_LIFT_M)), "lift")
    return None if arm.holds else _dropped(arm, f"Could not pick {thing}")


def place(
    arm: SuctionArm, thing: str, on: str, error: Callable[[], Array] = lambda: np.zeros(2)
) -> Stages:
    """Put the held object on a block, a fixture, or a free spot of a table.

    `error` gives the placement error (x, y), in m, which the arm does not know.
    """
    arm.begin()
    if not arm.holds or arm.carrying != thing:
        held = f"the cup holds {arm.carrying}" if arm.holds else "the cup holds nothing"
        empty = _failed(
            FailureCode.NOT_GRASPED, f"Could not place {thing} on {on}: {held}.", "",
            f"Pick {thing} first.", arm,
        )  # fmt: skip
        return (yield from _refuse(arm, empty))
    yield from brake(arm)
    carried = arm.carried(thing)
    try:
        goal = placing_pose(arm, carried, on, error(), _GAP_M)
        over = goal.raised(_OVER_M)
        arm.see()
        path = find_path(arm, arm.q, over, carried)
        down = straight_path(arm, path[-1][-1], goal)
        if touches := arm.clearance.first_collision(down, carried, beside=(on,)):
            raise NoPathError("the place is not free", touches=touches)
    except NoPathError as no:
        unreached = _unreached(f"Could not get {thing} to {on}", no, arm)
        return (yield from _refuse(arm, unreached))
    yield from follow_all(arm, path, "carry", _GENTLE)
    yield from follow(arm, down, "lower")
    kept, arm.pump = arm.holds, False
    yield from hold_still(arm, _RELEASE_S, "release")
    arm.carrying = ""
    yield from follow(arm, straight_path(arm, arm.q, arm.cup.raised(_BACK_M)), "retreat")
    return None if kept else _dropped(arm, f"Could not place {thing} on {on}")


def rest(arm: SuctionArm) -> Stages:
    """Go to the rest posture; keep what is held."""
    arm.begin()
    yield from brake(arm)
    carried = arm.carried(arm.carrying) if arm.carrying else None
    try:
        arm.see()
        path = find_path(arm, arm.q, arm.kinematics.pose(arm.home), carried)
    except NoPathError as no:
        return (yield from _refuse(arm, _unreached("Could not go to rest", no, arm)))
    yield from follow_all(arm, path, "home")
    return None


# ---- parts of skills ---------------------------------------------------------------------------


def _to_face(arm: SuctionArm, thing: str) -> tuple[JointPath, Array]:
    """A free path to above a face of an object, and from there straight onto it."""
    arm.see()
    last = NoPathError("no face of it looks up")
    for face in suction_poses(arm, thing):
        outward = -face.rotation[:, 2]
        for above in _ABOVE_M:
            try:
                path = find_path(arm, arm.q, Pose(face.position + above * outward, face.rotation))
                touch = Pose(face.position - _PRESS_M * outward, face.rotation)
                down = straight_path(arm, path[-1][-1], touch)
                if touches := arm.clearance.first_collision(down, beside=(thing,)):
                    raise NoPathError("its upper face is not free", touches=touches)
            except NoPathError as no:
                last = no
            else:
                return path, down
    raise last


def _moved(arm: SuctionArm, thing: str, down: Array) -> bool:
    """Whether an object is no longer at the end of `down`."""
    touch = arm.kinematics.pose(down[-1])
    away = [float(np.linalg.norm(f.position - touch.position)) for f in suction_poses(arm, thing)]
    return min(away, default=np.inf) > _STRAYED_M


def _elsewhere(arm: SuctionArm, thing: str, down: Array) -> Callable[[], bool]:
    """A check for every step: whether an object came to rest away from the end of `down`.

    An arm that starts towards a falling object can then replan before it arrives.
    """
    last = arm.pose_of(thing).position

    def moved_and_still() -> bool:
        nonlocal last
        before, last = last, arm.pose_of(thing).position
        still = float(np.linalg.norm(last - before)) < _STILL_M
        return still and _moved(arm, thing, down)

    return moved_and_still


def _refuse(arm: SuctionArm, why: Feedback) -> Stages:
    """Stand still for a moment, then fail: a refused skill also takes time."""
    yield from hold_still(arm, _REFUSE_S, "refuse")
    return why


# ---- reports -----------------------------------------------------------------------------------


def _failed(
    code: FailureCode, error: str, reason: str, suggestion: str, arm: SuctionArm, *more: Evidence
) -> Feedback:
    evidence = (Evidence("vacuum", arm.plant.vacuum), *more)
    return Feedback(FeedbackLevel.PHYSICAL, code, error, reason, suggestion, evidence)


def _dropped(arm: SuctionArm, what: str) -> Feedback:
    return _failed(
        FailureCode.DROPPED, f"{what}: the cup lost it.", "The vacuum fell on the way.", "", arm
    )


def _unreached(what: str, no: NoPathError, arm: SuctionArm) -> Feedback:
    """No path: which joint is at its limit, or which part of the robot would touch something.

    It never names the object that would be touched: the vision model must find it.
    """
    more = [Evidence("joint_at_limit", name) for name in no.at_limit]
    more += [Evidence("would_touch", no.touches)] if no.touches else []
    return _failed(FailureCode.UNREACHED, f"{what}: {no.reason}.", "", "", arm, *more)
