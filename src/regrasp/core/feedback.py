"""What any part says when something is wrong: error, reason, suggestion, evidence.

One value from a parser to a monitor: REPLAN's reasons, DoReMi's alarms and CoPAL's corrections are
three uses of it. `level` says where in the loop it was found, so that a method can route it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Evidence", "FailureCode", "Feedback", "FeedbackLevel"]


class FeedbackLevel(StrEnum):
    """Where in the loop the disagreement was found."""

    SYNTAX = "syntax"  # a reply that cannot be read
    SEMANTIC = "semantic"  # names or skills that do not exist, an instruction that is declined
    LOGICAL = "logical"  # a precondition that is not met, a goal that no plan reaches
    PHYSICAL = "physical"  # what the robot felt
    RUNTIME = "runtime"  # stopped from outside
    MISALIGNMENT = "misalignment"  # the world is not as the plan made it


class FailureCode(StrEnum):
    """What went wrong, in one word."""

    UNREACHED = "unreached"  # the hand never got to what it had to touch
    NOT_GRASPED = "not_grasped"  # it got there, but the fingers hold nothing
    RESISTED = "resisted"  # it pulled or pushed with force, and the thing did not follow
    DROPPED = "dropped"  # it held the thing and lost it
    TIMED_OUT = "timed_out"  # still making progress when its time was over
    CANCELLED = "cancelled"  # somebody stopped it
    REFUSED = "refused"  # the robot has no motion for what it was asked to do
    GUARD = "guard"  # the guard stopped it: limits, divergence, a command that is not finite
    UNREADABLE = "unreadable"  # a model's reply is in no form that was asked for
    DECLINED = "declined"  # a model said that it cannot
    NO_PLAN = "no_plan"  # no plan reaches the goal from what is believed
    NOT_OBSERVED = "not_observed"  # what should be true was not seen, or seen to be false


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that was measured, e.g. `palm_distance = 0.04 m`."""

    name: str
    value: float | str
    unit: str = ""

    def __str__(self) -> str:
        value = f"{self.value:.3g}" if isinstance(self.value, float) else self.value
        return f"{self.name} = {value}{' ' + self.unit if self.unit else ''}"


_BETWEEN = "; "


@dataclass(frozen=True, slots=True)
class Feedback:
    """What went wrong (`error`), why as far as known (`reason`), what may help (`suggestion`)."""

    level: FeedbackLevel
    code: FailureCode
    error: str
    reason: str = ""
    suggestion: str = ""
    evidence: tuple[Evidence, ...] = ()

    def __str__(self) -> str:
        parts = [f"[{self.level}/{self.code}] {self.error}"]
        parts += [p for p in (self.reason, self.suggestion) if p]
        if self.evidence:
            parts.append("(" + "; ".join(map(str, self.evidence)) + ")")
        return " ".join(parts)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The single reasons, where several were found."""
        return tuple(self.reason.split(_BETWEEN)) if self.reason else ()

    @classmethod
    def misalignment(
        cls,
        error: str,
        reasons: Iterable[str],
        code: FailureCode = FailureCode.NOT_OBSERVED,
        evidence: tuple[Evidence, ...] = (),
    ) -> Feedback:
        """The world is not as the plan made it, by these reasons."""
        reason = _BETWEEN.join(one.replace(_BETWEEN, ", ") for one in reasons)
        return cls(FeedbackLevel.MISALIGNMENT, code, error, reason, "", evidence)
