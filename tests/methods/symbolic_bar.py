"""A bar without physics: the domain of two hands, a robot that believes nothing, and blind vision.

The world is a set of facts. A skill takes a second; at its end its effects happen, unless its
precondition is not met or `breaks` says why it fails, in the robot's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from regrasp.core.action import Action, SkillSpec
from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.event import Event
from regrasp.core.fact import Fact, State
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, SkillReport
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.two_hands import two_hands_domain
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer
from regrasp.verifiers.logical_checker import LogicalChecker

BOTTLES = ("rum", "gin", "soda_water", "tonic_water", "salt")
COLD = ("tonic_water",)
BOWLS = ("lime_slice", "mint", "sugar_cubes", "ice_cubes")
GLASSES = ("first_glass", "second_glass")
MOJITO = {"rum", "lime_slice", "mint", "sugar_cubes", "soda_water", "ice_cubes"}
DT = 0.1

Breaks = Callable[["SymbolicBar", Action], Feedback | None]
E = TypeVar("E", bound=Event)


def known_objects() -> tuple[ObjectDescription, ...]:
    names = (
        *(f"{one}_bottle" for one in BOTTLES),
        *(f"{one}_bowl" for one in BOWLS),
        *GLASSES, "table", "shelf", "tray",
    )  # fmt: skip
    return (*map(ObjectDescription, names), ObjectDescription("fridge", "refrigerator"))


def inventory() -> State:
    facts = {Fact.of("contains", f"{one}_bottle", one) for one in BOTTLES}
    facts |= {Fact.of("capped", f"{one}_bottle") for one in BOTTLES}
    facts |= {Fact.of("inside", f"{one}_bottle", "fridge") for one in COLD}
    facts |= {Fact.of("on", f"{one}_bottle", "shelf") for one in BOTTLES if one not in COLD}
    facts |= {Fact.of("contains", f"{one}_bowl", one) for one in BOWLS}
    facts |= {Fact.of("on", f"{one}_bowl", "table") for one in BOWLS}
    facts |= {Fact.of(p, *args) for g in GLASSES for p, args in _glass(g)}
    return frozenset(facts)


def _glass(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ("empty", (name,)), ("on", (name, "table"))


def bar_domain() -> SkillDomain:
    return two_hands_domain(inventory(), (*BOTTLES, *BOWLS))


def nothing(bar: SymbolicBar, action: Action) -> Feedback | None:
    return None


def blocked(thing: str, by: str) -> Breaks:
    """`thing` cannot be taken while `by` stands where it stood at first."""

    def breaks(bar: SymbolicBar, action: Action) -> Feedback | None:
        where = next(one for one in inventory() if one.predicate == "on" and one.args[0] == by)
        if action.name != "get" or action.args[0] != thing or where not in bar.truth:
            return None
        return Feedback(
            FeedbackLevel.PHYSICAL,
            FailureCode.COLLISION,
            f"Could not take {thing}.",
            f"The left_hand would hit the {by}.",
            f"Move the {by} away.",
        )

    return breaks


@dataclass
class SymbolicBar:
    """A `Robot`; `truth` is its world."""

    breaks: Breaks = nothing
    domain: SkillDomain = field(default_factory=bar_domain)
    known: tuple[ObjectDescription, ...] = field(default_factory=known_objects)
    name: str = "bar"
    seconds: float = 0.0
    ran: list[Action] = field(default_factory=list)
    tried: list[Action] = field(default_factory=list)
    truth: State = field(init=False)
    checker: LogicalChecker = field(init=False)

    def __post_init__(self) -> None:
        self.truth = self.domain.init
        self.checker = LogicalChecker(self.domain, self.known)

    def content(self, glass: str) -> set[str]:
        return {f.args[1] for f in self.truth if f.predicate == "contains" and f.args[0] == glass}

    def cameras(self) -> tuple[str, ...]:
        return ("front",)

    def look(self, camera: str) -> CameraImage:
        rgb = np.zeros((2, 2, 3), np.uint8)
        return CameraImage(camera, rgb, np.ones((2, 2), np.float32), 45.0, np.zeros(3), np.eye(3))

    def joints(self) -> JointReading:
        return JointReading((), (), (), ())

    def objects(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.known)

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        return self.known

    def skills(self) -> tuple[SkillSpec, ...]:
        return tuple(SkillSpec(one.name, (), "") for one in self.domain.domain.actions)

    def start(self, action: Action) -> SymbolicRun:
        self.tried.append(action)
        return SymbolicRun(self, action)

    def stop(self) -> None:
        return None


@dataclass
class SymbolicRun:
    """A skill of ten steps; one that is cancelled while it pours has poured a part."""

    bar: SymbolicBar
    action: Action
    steps: int = 0
    report: SkillReport | None = None

    @property
    def progress(self) -> Progress:
        return Progress("work", 1.0 - self.steps / 10)

    def cancel(self, why: str) -> None:
        poured = (Evidence("poured", 4.0 * self.steps, "ml"),) if self.steps else ()
        if self.action.name == "pour" and poured:
            self._apply()
        feedback = Feedback(
            FeedbackLevel.RUNTIME, FailureCode.CANCELLED, "It was cancelled.", why, "",
            poured if self.action.name == "pour" else (),
        )  # fmt: skip
        self.report = SkillReport(self.action, Outcome.ABORTED, self.bar.seconds, feedback)

    def step(self) -> bool:
        if self.report is not None:
            return False
        self.steps += 1
        self.bar.seconds += DT
        if self.steps < 10:
            return True
        wrong = self.bar.breaks(self.bar, self.action)
        wrong = wrong or self.bar.checker.check(self.action, self.bar.truth)
        outcome = Outcome.SUCCEEDED if wrong is None else Outcome.FAILED
        whole = self._apply() if wrong is None else self.action
        self.report = SkillReport(whole, outcome, 1.0, wrong)
        return False

    def _apply(self) -> Action:
        whole = self.bar.checker.complete(self.action, self.bar.truth)
        self.bar.truth = self.bar.checker.rules.successor(self.bar.truth, whole)
        self.bar.ran.append(self.action)
        quantity = self.action.args[len(whole.args) :] if self.action.name == "pour" else ()
        return replace(whole, args=(*whole.args, *quantity))


class BlindVision:
    """A vision model that sees nothing."""

    name = "blind"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        return Answer(Verdict.UNKNOWN, "unknown")


@dataclass
class Events:
    """An event sink that remembers."""

    all: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        self.all.append(event)

    def of(self, kind: type[E]) -> list[E]:
        return [one for one in self.all if isinstance(one, kind)]
