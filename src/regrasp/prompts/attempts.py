"""Failed attempts, as the planner's prompt lists them (REPLAN, figures B.13 and B.18).

    Failed attempts:
    #1
    - did: Move the kettle away from the microwave_handle
    - failed: Open the microwave
    - why: "red_bar is blocking microwave_handle"

An attempt whose steps all worked, but that missed the goal, has `- goal not reached` in place of
`failed`. `robot` is the controller's own report, where the planner gets it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.prompts.sections import section
from regrasp.prompts.text import one_line, quoted, unquoted

__all__ = ["ATTEMPTS", "FailedAttempt", "attempted", "read_attempts"]

ATTEMPTS = "Failed attempts"
"""The title of the section."""

_MISSED = "- goal not reached"


@dataclass(frozen=True, slots=True)
class FailedAttempt:
    """Steps that worked, the step that failed (or ""), its known causes, and the robot's report."""

    did: tuple[str, ...] = ()
    failed: str = ""
    reasons: tuple[str, ...] = ()
    robot: str = ""

    def lines(self, number: int) -> tuple[str, ...]:
        """The attempt as lines, under its number."""
        return (
            f"#{number}",
            *(f"- did: {one_line(step)}" for step in self.did),
            f"- failed: {one_line(self.failed)}" if self.failed else _MISSED,
            *(f"- why: {quoted(reason)}" for reason in self.reasons),
            *([] if self.reasons else ["- why: unknown"]),
            *([f"- robot: {quoted(self.robot)}"] if self.robot else []),
        )


def attempted(attempts: Iterable[FailedAttempt]) -> str:
    """The section."""
    numbered = enumerate(attempts, 1)
    return section(ATTEMPTS, (line for i, attempt in numbered for line in attempt.lines(i)))


def read_attempts(lines: Iterable[str]) -> tuple[FailedAttempt, ...]:
    """The attempts that `attempted` wrote; lines of no known form are left out."""
    found: list[dict[str, list[str]]] = []
    for line in lines:
        if line.startswith("#"):
            found.append({})
        elif found:
            label, _, value = line.removeprefix("- ").partition(": ")
            found[-1].setdefault(label, []).append(unquoted(value))
    return tuple(
        FailedAttempt(
            tuple(one.get("did", [])),
            "; ".join(one.get("failed", [])),
            tuple(why for why in one.get("why", []) if why != "unknown"),
            "; ".join(one.get("robot", [])),
        )
        for one in found
    )
