"""Feedback: error, reason, suggestion and evidence of anything that went wrong.

Parsers, skills and monitors share one type: REPLAN's reasons, DoReMi's alarms and CoPAL's
corrections are three uses of it. `level` is where in the loop the error was found, so that a method
can route it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Evidence", "FailureCode", "Feedback", "FeedbackLevel"]


class FeedbackLevel(StrEnum):
    """Where in the loop the error was found."""

    SYNTAX = "syntax"  # a reply that cannot be read
    SEMANTIC = "semantic"  # names or skills that do not exist, an instruction that is declined
    LOGICAL = "logical"  # a precondition that is not met, a goal that no plan reaches
    PHYSICAL = "physical"  # sensed by the robot itself
    RUNTIME = "runtime"  # stopped from outside
    MISALIGNMENT = "misalignment"  # the world differs from the state that the plan expects


class FailureCode(StrEnum):
    """The kind of failure, in one word."""

    UNREACHED = "unreached"  # the hand did not reach its target
    NOT_GRASPED = "not_grasped"  # the hand reached its target, but the fingers hold nothing
    RESISTED = "resisted"  # the hand pulled or pushed with force, and the object did not move
    DROPPED = "dropped"  # the hand held the object and lost it
    TIMED_OUT = "timed_out"  # still making progress at the time limit
    CANCELLED = "cancelled"  # stopped from outside
    REFUSED = "refused"  # the robot has no motion for what it was asked to do
    GUARD = "guard"  # the guard stopped it: limits, divergence, a command that is not finite
    UNREADABLE = "unreadable"  # a model's reply is in no form that was asked for
    DECLINED = "declined"  # a model replied that it cannot answer
    NO_PLAN = "no_plan"  # no plan reaches the goal from the believed state, or this one does not
    NOT_OBSERVED = "not_observed"  # an expected fact was not seen, or was seen to be false
    UNKNOWN_NAME = "unknown_name"  # a command or an object that does not exist
    WRONG_TYPE = "wrong_type"  # an object or a quantity that the command does not take
    UNMET_PRECONDITION = "unmet_precondition"  # a precondition of the command is believed false
    OUT_OF_REACH = "out_of_reach"  # no pose of the arm reaches the target
    JOINT_LIMIT = "joint_limit"  # a joint would have to leave its range
    COLLISION = "collision"  # the motion would hit an object or the robot itself
    EMPTY = "empty"  # the flow stopped before the quantity had been poured
    OVERFLOW = "overflow"  # the vessel cannot take the quantity


@dataclass(frozen=True, slots=True)
class Evidence:
    """One measurement, e.g. `palm_distance = 0.04 m`."""

    name: str
    value: float | str
    unit: str = ""

    def __str__(self) -> str:
        value = f"{self.value:.3g}" if isinstance(self.value, float) else self.value
        return f"{self.name} = {value}{' ' + self.unit if self.unit else ''}"


_BETWEEN = "; "


@dataclass(frozen=True, slots=True)
class Feedback:
    """What went wrong (`error`), the cause if known (`reason`), what may help (`suggestion`)."""

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
        """The reasons, one by one."""
        return tuple(self.reason.split(_BETWEEN)) if self.reason else ()

    @classmethod
    def misalignment(
        cls,
        error: str,
        reasons: Iterable[str],
        code: FailureCode = FailureCode.NOT_OBSERVED,
        evidence: tuple[Evidence, ...] = (),
    ) -> Feedback:
        """Feedback for a world that differs from the plan's expectation, with these reasons."""
        return cls(FeedbackLevel.MISALIGNMENT, code, error, _joined(reasons), "", evidence)

    @classmethod
    def refused_plan(cls, error: str, reasons: Iterable[str]) -> Feedback:
        """Feedback for a plan that does not reach the goal, found before anything moves."""
        return cls(FeedbackLevel.LOGICAL, FailureCode.NO_PLAN, error, _joined(reasons))


def _joined(reasons: Iterable[str]) -> str:
    return _BETWEEN.join(one.replace(_BETWEEN, ", ") for one in reasons)
