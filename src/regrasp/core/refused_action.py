"""A command that the robot found impossible before it moved, and under which conditions."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.core.fact import Fact

__all__ = ["RefusedAction"]


@dataclass(frozen=True, slots=True)
class RefusedAction:
    """`action` cannot be done while all facts of `during` are true; `why` is the robot's sentence.

    `objects` are what it depends on: once one of them is moved, the refusal says nothing any more.
    """

    action: Action
    during: tuple[Fact, ...] = ()
    objects: tuple[str, ...] = ()
    why: str = ""
