"""A robot and a vision model over the symbolic world, to run methods without physics or pixels."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from regrasp.control.rewards import parse_rewards
from regrasp.core.action import Action, SkillSpec
from regrasp.core.answer import Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.core.event import Event
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, SkillReport
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.models.cancel import CancelToken
from regrasp.models.vision import Answer, VisionRequest, VisionRequestModel
from regrasp.prompts.parsing import Line
from regrasp.prompts.steps import Step, parse_step
from regrasp.prompts.why import read_why

__all__ = ["EventLog", "SymbolicRobot", "SymbolicVision"]

FAILED = Feedback(
    FeedbackLevel.PHYSICAL,
    FailureCode.RESISTED,
    "Could not pull.",
    "It did not follow.",
    evidence=(Evidence("primary_error", 0.75),),
)
SLIPS = (
    (FailureCode.DROPPED, "The fingers lost it on the way."),
    (FailureCode.TIMED_OUT, "It was still making progress when its time was over."),
    (FailureCode.NOT_GRASPED, "The hand was there, but the fingers closed on nothing."),
)
"""A robot's messages about a motion that may work the next time."""


class SymbolicSkillRun:
    """A skill that ends in one step."""

    def __init__(self, robot: SymbolicRobot, action: Action) -> None:
        self.robot, self.action = robot, action
        self.report: SkillReport | None = None
        self.progress = Progress("move", 1.0)

    def step(self) -> bool:
        """Run the whole skill; there is no second step."""
        if self.report is None:
            names = self.robot.world.truth
            program = parse_rewards(
                self.action.args[0], objects=names.places.known, joints=names.joints.known
            )
            self.robot.seconds += 1.0
            slip = self.robot.slip()
            failed = slip or (None if self.robot.world.execute(program) else FAILED)
            outcome = Outcome.SUCCEEDED if failed is None else Outcome.FAILED
            self.report = SkillReport(self.action, outcome, 1.0, failed)
        return False

    def cancel(self, why: str) -> None:
        """Does nothing: a skill ends in one step."""


@dataclass
class SymbolicRobot:
    """A robot whose motions end at once, and fail at random with probability `clumsy`."""

    world: SymbolicWorld
    name: str = "symbols"
    seconds: float = 0.0
    clumsy: float = 0.0
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    def slip(self) -> Feedback | None:
        """A random failure, sometimes."""
        if self.rng.random() >= self.clumsy:
            return None
        code, reason = self.rng.choice(SLIPS)
        return Feedback(FeedbackLevel.PHYSICAL, code, "Could not do it.", reason)

    def cameras(self) -> tuple[str, ...]:
        """See `Robot.cameras`."""
        return ("front",)

    def look(self, camera: str) -> CameraImage:
        """See `Robot.look`; the image is empty."""
        rgb, depth = np.zeros((4, 6, 3), np.uint8), np.ones((4, 6), np.float32)
        return CameraImage(camera, rgb, depth, 45.0, np.zeros(3), np.eye(3))

    def joints(self) -> JointReading:
        """See `Robot.joints`."""
        return JointReading((), (), (), ())

    def objects(self) -> tuple[str, ...]:
        """See `Robot.objects`."""
        return self.world.truth.places.known

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        """See `Robot.knowledge`."""
        return tuple(
            ObjectDescription(
                o.name,
                o.kind,
                tuple(Affordance(str(use)) for use in sorted(o.affordances)),
                tuple(JointDescription(j.name, j.handle) for j in o.joints),
                o.place_name,
            )
            for o in self.world.objects
        )

    def skills(self) -> tuple[SkillSpec, ...]:
        """See `Robot.skills`."""
        return (SkillSpec("follow_reward", ("program",), "satisfy it"),)

    def start(self, action: Action) -> SymbolicSkillRun:
        """See `Robot.start`."""
        if action.name != "follow_reward":
            raise UnknownNameError("skill", action.name, ["follow_reward"])
        return SymbolicSkillRun(self, action)

    def stop(self) -> None:
        """Does nothing: nothing moves between two steps."""


@dataclass
class SymbolicVision(VisionRequestModel):
    """A vision model over the symbolic world; with `plainly` it gives reasons in one fixed form."""

    world: SymbolicWorld
    name: str = "symbolic eyes"
    asked: list[str] = field(default_factory=list)
    plainly: bool = False

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """See `VisionRequestModel.respond`."""
        assert request.images
        self.asked.append(request.question)
        why = read_why(request.question)
        action = why.action if why is not None else None
        if action is not None:
            step = parse_step(action, Line(action, 0), self.world.truth)
            assert isinstance(step, Step)
            moved = str(step.object)
            target = moved if moved in self.world.on.values() else step.other or moved
            wording = 0 if self.plainly else len(self.asked) % 6
            return Answer(Verdict.TEXT, self.world.explain(target, wording))
        text = self.world.see(request.question.partition("?")[0] + "?")
        verdict = Verdict(text) if text in ("yes", "no", "unknown") else Verdict.TEXT
        return Answer(verdict, text)


@dataclass
class EventLog:
    """The event sink of an agent."""

    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        """Store an event."""
        self.events.append(event)

    def of(self, kind: type[Event]) -> list[Event]:
        """The events of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]
