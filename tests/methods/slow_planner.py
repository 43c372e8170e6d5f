"""A language model and a bar that take their time, to see what overlaps."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from symbolic_bar import BlindVision, Events, SymbolicBar, SymbolicRun, bar_domain

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import ReplanLevel, Replanned
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Capabilities, Completions, Request, RequestModel

SPECIFIER_S, COMMANDER_S, SKILL_S = 16.1, 14.9, 8.0
"""Seconds of the paper's agents (section IV-A), and of a usual skill of the bar's robot."""


@dataclass
class SlowModel(RequestModel):
    """The scripted model, which sleeps `scale` times the paper's seconds before it replies."""

    scale: float = 0.005
    thought: list[tuple[float, float]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "slow"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        seconds = {"specify": SPECIFIER_S, "commands": COMMANDER_S}.get(request.purpose, 0.6)
        began = time.perf_counter()
        time.sleep(self.scale * seconds)
        reply = ScriptedModel().respond(request, cancel)
        self.thought.append((began, time.perf_counter()))
        return reply


@dataclass
class SlowBar(SymbolicBar):
    """The bar, whose skills sleep `scale` times a skill's seconds."""

    scale: float = 0.005
    began: list[float] = field(default_factory=list)

    def start(self, action: Action) -> SymbolicRun:
        self.began.append(time.perf_counter())
        time.sleep(self.scale * SKILL_S)
        return super().start(action)


class Timed:
    """One request; `seconds` are those of the robot and its planner, unscaled."""

    def __init__(self, method: str, ahead: bool, says: str, scale: float = 0.005) -> None:
        bar, model = SlowBar(scale=scale), SlowModel(scale)
        self.bar, self.events = bar, Events()
        options = {"ahead": True} if ahead else {}
        run: Callable[..., Claim] = open_method(method)
        began = time.perf_counter()
        self.claim = run(
            Assignment(says, bar, bar_domain(), model, BlindVision(), self.events), **options
        )
        self.seconds = (time.perf_counter() - began) / scale
        self.overlapping = [a for a, b in model.thought if any(a < t < b for t in bar.began)]
        self.replans = sum(one.level is ReplanLevel.HIGH for one in self.events.of(Replanned))
