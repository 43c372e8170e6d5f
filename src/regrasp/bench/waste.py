"""The time lost by drops in recorded episodes, to compare with Theorem 1 of DoReMi.

A carrying skill can drop its object from its start until the release at t. A method that checks
only at the end detects a drop at s when the empty hand opens at t: it wastes t - s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.event import Disturbed, SkillEnded, SkillProgress, SkillStarted
from regrasp.core.trace import TraceEntry

__all__ = ["Carry", "carries"]


@dataclass(frozen=True, slots=True)
class Carry:
    """One carrying skill: the seconds until it let go, and those after a drop (0 without one)."""

    seconds: float
    wasted: float


def carries(
    entries: Iterable[TraceEntry],
    skill: str = "place",
    lets_go: str = "release",
    drop: str = "falls",
) -> list[Carry]:
    """Every run of `skill` that reached its stage `lets_go`; one that was stopped earlier is none.

    A skill that began without its object never reaches it. The text `drop` is in the description
    of a disturbance that is a drop, and not in that of a placement error.
    """
    found: list[Carry] = []
    action: Action | None = None
    began = 0.0
    dropped: float | None = None
    for entry in entries:
        event, now = entry.event, entry.stamp.sim_s
        match event:
            case SkillStarted() if event.action.name == skill:
                action, began, dropped = event.action, now, None
            case Disturbed(fault=mishap) if event.action == action and drop in mishap:
                dropped = now
            case SkillProgress(stage=stage) if action is not None and stage == lets_go:
                found.append(Carry(now - began, now - dropped if dropped is not None else 0.0))
                action = None
            case SkillEnded():
                action = None
            case _:
                pass
    return found
