"""What a robot or a checker says when something is wrong: error, reason, suggestion, evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Evidence", "FailureCode", "Feedback", "FeedbackKind"]


class FeedbackKind(StrEnum):
    """Where in the loop the disagreement was found."""

    SYNTAX = "syntax"
    SEMANTIC = "semantic"
    LOGICAL = "logical"
    PHYSICAL = "physical"
    RUNTIME = "runtime"
    MISALIGNMENT = "misalignment"


class FailureCode(StrEnum):
    """Why a skill ended without its goal, in the robot's own terms."""

    UNREACHED = "unreached"  # the hand never got to what it had to touch
    NOT_GRASPED = "not_grasped"  # it got there, but the fingers hold nothing
    RESISTED = "resisted"  # it pulled or pushed with force, and the thing did not follow
    DROPPED = "dropped"  # it held the thing and lost it
    TIMED_OUT = "timed_out"  # still making progress when its time was over
    CANCELLED = "cancelled"  # somebody stopped it
    REFUSED = "refused"  # the robot has no motion for what it was asked to do
    GUARD = "guard"  # the guard stopped it: limits, divergence, a command that is not finite


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing the robot measured with its own sensors, e.g. `palm_distance = 0.04 m`."""

    name: str
    value: float | str
    unit: str = ""

    def __str__(self) -> str:
        value = f"{self.value:.3g}" if isinstance(self.value, float) else self.value
        return f"{self.name} = {value}{' ' + self.unit if self.unit else ''}"


@dataclass(frozen=True, slots=True)
class Feedback:
    """What went wrong (`error`), why as far as known (`reason`), what may help (`suggestion`)."""

    kind: FeedbackKind
    code: FailureCode
    error: str
    reason: str = ""
    suggestion: str = ""
    evidence: tuple[Evidence, ...] = ()

    def __str__(self) -> str:
        parts = [f"[{self.kind}/{self.code}] {self.error}"]
        parts += [p for p in (self.reason, self.suggestion) if p]
        if self.evidence:
            parts.append("(" + "; ".join(map(str, self.evidence)) + ")")
        return " ".join(parts)
