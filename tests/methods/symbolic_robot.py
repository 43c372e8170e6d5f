"""A robot and eyes over the world of symbols: the real method, with no physics and no pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from symbolic_world import SymbolicWorld

from regrasp.control.rewards import parse_rewards
from regrasp.core.action import Action, SkillSpec
from regrasp.core.errors import UnknownNameError
from regrasp.core.event import Event
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackKind
from regrasp.core.knowledge import KnownJoint, KnownObject, Use
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, SkillReport
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, QuestionKind, Verdict
from regrasp.prompts.parsing import Line
from regrasp.prompts.steps import Step, parse_step
from regrasp.worlds.asked_why import action_asked_about

FAILED = Feedback(
    FeedbackKind.PHYSICAL,
    FailureCode.RESISTED,
    "Could not pull.",
    "It did not follow.",
    evidence=(Evidence("primary_error", 0.75),),
)


class Motion:
    """A skill that is over in one step."""

    def __init__(self, robot: SymbolicRobot, action: Action) -> None:
        self.robot, self.action = robot, action
        self.report: SkillReport | None = None
        self.progress = Progress("move", 1.0)

    def step(self) -> bool:
        if self.report is None:
            names = self.robot.world.truth
            program = parse_rewards(
                self.action.args[0], objects=names.places.known, joints=names.joints.known
            )
            self.robot.seconds += 1.0
            worked = self.robot.world.execute(program)
            outcome = Outcome.SUCCEEDED if worked else Outcome.FAILED
            self.report = SkillReport(self.action, outcome, 1.0, None if worked else FAILED)
        return False

    def cancel(self, why: str) -> None:
        pass


@dataclass
class SymbolicRobot:
    world: SymbolicWorld
    name: str = "symbols"
    seconds: float = 0.0

    def cameras(self) -> tuple[str, ...]:
        return ("front",)

    def look(self, camera: str) -> CameraImage:
        rgb, depth = np.zeros((4, 6, 3), np.uint8), np.ones((4, 6), np.float32)
        return CameraImage(camera, rgb, depth, 45.0, np.zeros(3), np.eye(3))

    def joints(self) -> JointReading:
        return JointReading((), (), (), ())

    def objects(self) -> tuple[str, ...]:
        return self.world.truth.places.known

    def knowledge(self) -> tuple[KnownObject, ...]:
        return tuple(
            KnownObject(
                o.name,
                o.kind,
                tuple(Use(str(use)) for use in sorted(o.can)),
                tuple(KnownJoint(j.name, j.handle) for j in o.joints),
                o.spot,
            )
            for o in self.world.objects
        )

    def skills(self) -> tuple[SkillSpec, ...]:
        return (SkillSpec("follow_reward", ("program",), "satisfy it"),)

    def start(self, action: Action) -> Motion:
        if action.name != "follow_reward":
            raise UnknownNameError("skill", action.name, ["follow_reward"])
        return Motion(self, action)

    def stop(self) -> None:
        pass


@dataclass
class SymbolicEyes:
    world: SymbolicWorld
    name: str = "symbolic eyes"
    asked: list[str] = field(default_factory=list)

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        assert images
        self.asked.append(question)
        action = action_asked_about(question)
        if action is not None:
            step = parse_step(action, Line(action, 0), self.world.truth)
            assert isinstance(step, Step)
            wording = len(self.asked) % 6
            return Answer(Verdict.TEXT, self.world.explain(step.other or str(step.object), wording))
        said = self.world.see(question.partition("?")[0] + "?")
        verdict = Verdict(said) if said in ("yes", "no", "unknown") else Verdict.TEXT
        return Answer(verdict, said)


@dataclass
class Told:
    """Where the events of an agent go."""

    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]
