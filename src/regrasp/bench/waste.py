"""What drops cost in recorded episodes, to be held against Theorem 1 of DoReMi.

A skill that carries is exposed from its start until it lets go. A drop at s is noticed by who
looks at the end only when the hand lets go of nothing, at t: it wastes t - s.
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
    """Every run of `skill` that came to its stage `lets_go`; one that was stopped before is none.

    A skill that began without what it should carry never comes there. `drop` is in the words of a
    disturbance that is a drop, and not a placing that is off.
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
