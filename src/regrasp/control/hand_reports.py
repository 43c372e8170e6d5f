"""Failures that the skills of a robot with two hands share, in words."""

from __future__ import annotations

from regrasp.control.following import hold_still
from regrasp.control.staged_skill import Stages
from regrasp.control.two_arms import OPEN_M, HandArm, TwoArms
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel

__all__ = ["failed", "lost", "no_free_hand", "not_held", "refuse"]

_REFUSE_S = 0.2


def refuse(robot: TwoArms, why: Feedback) -> Stages:
    """Stand still for a moment, then fail: a refused skill also takes time."""
    yield from hold_still(next(iter(robot.arms.values())), _REFUSE_S, "refuse")
    return why


def failed(
    code: FailureCode, error: str, reason: str = "", suggestion: str = "", *evidence: Evidence
) -> Feedback:
    """A failure that the robot itself has sensed."""
    return Feedback(FeedbackLevel.PHYSICAL, code, error, reason, suggestion, evidence)


def lost(arm: HandArm, thing: str, what: str) -> Feedback:
    """The hand had the thing and lost it."""
    arm.fingers = OPEN_M
    return failed(
        FailureCode.DROPPED, f"{what}: the {arm.hand} lost it.",
        "The fingers of the gripper closed on the way.", f"Get {thing} again.",
        Evidence("hand", arm.hand), Evidence("load", arm.load_g, "g"),
    )  # fmt: skip


def not_held(robot: TwoArms, thing: str, what: str) -> Feedback:
    """No hand holds the thing."""
    held = [f"the {arm.hand} holds {arm.holds or 'nothing'}" for arm in robot.arms.values()]
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: no hand holds it.",
        f"{' and '.join(held)}.".capitalize(), f"Get {thing} first.",
    )  # fmt: skip


def no_free_hand(robot: TwoArms, what: str, hand: str | None = None) -> Feedback | None:
    """The failure if the named hand, or both, hold something; None if one is free."""
    arms = [arm for arm in robot.arms.values() if hand in (None, arm.hand)]
    if any(not arm.holds for arm in arms):
        return None
    held = [f"the {arm.hand} holds {arm.holds}" for arm in arms]
    return failed(
        FailureCode.NOT_GRASPED, f"{what}: {' and '.join(held)}.",
        "A hand holds one thing at a time.", f"Put {arms[0].holds} down first.",
        *(Evidence(arm.hand, arm.holds) for arm in arms),
    )  # fmt: skip
