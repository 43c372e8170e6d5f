"""Why a motion failed, from the robot's own sensors only.

A report never names the other objects in contact: the agent's vision model must find them.
"""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.control.estimate import StateEstimate
from regrasp.control.motion import PrimaryError
from regrasp.control.stages import MotionStage
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel

__all__ = ["StageFailure", "failure"]

_NEAR = 0.06  # m from the palm to its target
_FIRM = 15.0  # N: more than any free object here needs to move


@dataclass(frozen=True, slots=True)
class StageFailure:
    """The stage that failed and what was measured in it."""

    stage: MotionStage
    error: float
    first_error: float
    nearest: float
    force: float
    fingers: float
    dropped: bool
    late: bool
    at_limit: tuple[str, ...]


def failure(measured: PrimaryError, now: StateEstimate, attempt: StageFailure | None) -> Feedback:
    """The feedback of a motion whose primary reward is not met."""
    left = measured.error(now)
    evidence = [Evidence("primary_error", left, measured.unit)]
    missing = f"{measured.what}: {left:.2f}{' ' + measured.unit if measured.unit else ''} off"
    if attempt is None:
        return Feedback(
            FeedbackLevel.PHYSICAL, FailureCode.DROPPED, f"The goal did not last ({missing}).",
            "It was reached and lost again after the hand let go.", "", tuple(evidence),
        )  # fmt: skip
    stage = attempt.stage
    evidence += [
        Evidence("stalled_in", stage.name),
        Evidence("peak_force", attempt.force, "N"),
        Evidence("finger_opening", 2000.0 * attempt.fingers, "mm"),
    ]
    if stage.touches:
        evidence.append(Evidence("nearest_palm_distance", attempt.nearest, "m"))
    if stage.joint:
        moved = round(attempt.first_error - attempt.error, 3) + 0.0
        evidence.append(Evidence("moved_by", moved, "of its range"))
    evidence += [Evidence("joint_at_limit", name) for name in attempt.at_limit]
    code, reason = _diagnose(attempt)
    error = f"Could not {stage.name.replace('_', ' ')} ({missing})."
    return Feedback(FeedbackLevel.PHYSICAL, code, error, reason, "", tuple(evidence))


def _diagnose(attempt: StageFailure) -> tuple[FailureCode, str]:
    stage = attempt.stage
    if attempt.dropped:
        return FailureCode.DROPPED, "The fingers lost it on the way."
    if attempt.late:
        return FailureCode.TIMED_OUT, "It was still making progress when its time was over."
    if stage.touches and attempt.nearest > _NEAR:
        why = f"The hand came no nearer than {attempt.nearest:.2f} m"
        limits = f", with {', '.join(attempt.at_limit)} at its limit" if attempt.at_limit else ""
        return FailureCode.UNREACHED, f"{why}{limits}."
    if stage.name.startswith("grasp"):
        return FailureCode.NOT_GRASPED, "The hand was there, but the fingers closed on nothing."
    if attempt.force > _FIRM:
        return FailureCode.RESISTED, (
            f"The hand was on it and pulled or pushed with up to {attempt.force:.0f} N, and it "
            "did not follow any further."
        )
    return FailureCode.TIMED_OUT, "The hand was there, but made no further progress."
