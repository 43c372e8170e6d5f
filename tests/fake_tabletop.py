"""A tabletop without physics: blocks, an arm whose skills take time, and vision that may err.

Skills have the names and stages of the world `tabletop`. What goes wrong is told beforehand, as
pairs of a time and what happens then, or drawn: a drop with `drop_rate` a second while held.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from regrasp.core.action import Action, SkillSpec
from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import UnknownNameError
from regrasp.core.event import Event
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, SkillReport
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer

DT = 0.01
STAGES = {
    "pick": (("approach", 0.5), ("descend", 0.2), ("suck", 0.1), ("lift", 0.3)),
    "place": (("carry", 0.8), ("lower", 0.2), ("release", 0.1), ("retreat", 0.3)),
    "rest": (("home", 1.0),),
}
SKILLS = (
    SkillSpec("pick", ("block",), "take a block"),
    SkillSpec("place", ("block", "place"), "put the block in the hand on a place"),
    SkillSpec("rest", (), "go home, keep what is held"),
)
BLOCKS = ("red_block", "green_block", "blue_block")
PLACE = "place the red_block on the fixture"
STACK = "stack the blocks in the order red_block, green_block, blue_block"


@dataclass
class FakeTabletop:
    """A `Robot` whose world is two fields: what lies on what, and what is held."""

    mishaps: Sequence[tuple[float, Callable[[FakeTabletop], None]]] = ()
    drop_rate: float = 0.0
    miss_rate: float = 0.0
    refuses: bool = False  # to pick up what it holds already
    guarded_s: float = float("inf")  # from when on its guard stops every skill
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    name: str = "fake"
    seconds: float = 0.0
    held: str = ""
    on: dict[str, str] = field(default_factory=lambda: dict.fromkeys(BLOCKS, "table"))
    running: FakeRun | None = None
    looks: int = 0

    def drop(self) -> None:
        """Lose what is held."""
        if self.held:
            self.on[self.held], self.held = "table", ""

    def fall(self, block: str) -> None:
        """A block falls down, and all that stands on it."""
        for above in [x for x, y in self.on.items() if y == block]:
            self.fall(above)
        self.on[block] = "table"

    def pass_time(self) -> None:
        """One control step of the world."""
        before = self.seconds
        self.seconds = round(before + DT, 6)
        for at, what in self.mishaps:
            if before < at <= self.seconds:
                what(self)
        if self.held and self.rng.random() < self.drop_rate * DT:
            self.drop()

    def cameras(self) -> tuple[str, ...]:
        return ("front", "left")

    def look(self, camera: str) -> CameraImage:
        self.looks += 1
        rgb = np.zeros((4, 6, 3), np.uint8)
        depth = np.ones((4, 6), np.float32)
        return CameraImage(camera, rgb, depth, 45.0, np.zeros(3), np.eye(3))

    def joints(self) -> JointReading:
        return JointReading((), (), (), ())

    def objects(self) -> tuple[str, ...]:
        return (*BLOCKS, "fixture", "table")

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        blocks = (
            ObjectDescription(name, "block", (Affordance.PICK, Affordance.PUT_ON))
            for name in BLOCKS
        )
        fixed = (
            ObjectDescription(name, name, (Affordance.PUT_ON,)) for name in ("fixture", "table")
        )
        return (*blocks, *fixed)

    def skills(self) -> tuple[SkillSpec, ...]:
        return SKILLS

    def start(self, action: Action) -> FakeRun:
        assert self.running is None or self.running.report is not None, "a skill is running"
        if action.name not in STAGES:
            raise UnknownNameError("skill", action.name, STAGES)
        self.running = FakeRun(self, action)
        return self.running

    def stop(self) -> None:
        if self.running is not None and self.running.report is None:
            self.running.cancel("stop was called")
            self.running.step()


class FakeRun:
    """A skill in progress; blind to a drop until its end, as the paper's primitive is."""

    def __init__(self, robot: FakeTabletop, action: Action) -> None:
        self.robot, self.action, self.begun = robot, action, robot.seconds
        self.report: SkillReport | None = None
        self.why = ""
        self.had = robot.held
        self.stages = [(name, round(s / DT)) for name, s in STAGES[action.name]]
        self.progress = Progress(self.stages[0][0], 1.0)

    def cancel(self, why: str) -> None:
        self.why = why

    def step(self) -> bool:
        if self.report is not None:
            return False
        if self.why:
            said = Feedback(FeedbackLevel.RUNTIME, FailureCode.CANCELLED, f"cancelled: {self.why}")
            return self.end(Outcome.ABORTED, said)
        if self.robot.seconds >= self.robot.guarded_s:
            return self.fail(FailureCode.GUARD)
        if self.action.name == "pick" and self.had == self.action.args[0]:
            return self.refuse() if self.robot.refuses else self.end(Outcome.SUCCEEDED)
        if self.action.name == "place" and not self.had:
            return self.refuse()
        name, left = self.stages[0]
        if self.progress.stage != name:
            self.enter(name)
        self.progress = Progress(name, left * DT)
        self.robot.pass_time()
        self.stages[0] = (name, left - 1)
        if left <= 1:
            self.stages.pop(0)
        return bool(self.stages) or self.finish()

    def refuse(self) -> bool:
        """What cannot be done takes a moment too."""
        for _ in range(round(0.2 / DT)):
            self.robot.pass_time()
        return self.fail(FailureCode.NOT_GRASPED)

    def enter(self, stage: str) -> None:
        """What happens when a stage begins."""
        robot, first = self.robot, (*self.action.args, "")[0]
        if stage == "lift" and first not in robot.on.values() and not robot.held:
            robot.held = first
            robot.on.pop(first, None)
        if stage == "retreat" and robot.held == first:
            misses = robot.rng.random() < robot.miss_rate
            robot.on[first], robot.held = "table" if misses else self.action.args[1], ""

    def finish(self) -> bool:
        kind, first = self.action.name, (*self.action.args, "")[0]
        if kind == "pick" and self.robot.held != first:
            return self.fail(FailureCode.DROPPED)
        if kind == "place" and self.robot.on.get(first) != self.action.args[1] and self.dropped:
            return self.fail(FailureCode.DROPPED)
        return self.end(Outcome.SUCCEEDED)

    @property
    def dropped(self) -> bool:
        """Whether the vacuum was gone before it let go; a miss is not felt."""
        return self.robot.miss_rate == 0.0

    def fail(self, code: FailureCode) -> bool:
        return self.end(
            Outcome.FAILED, Feedback(FeedbackLevel.RUNTIME, code, f"{self.action}: {code}")
        )

    def end(self, outcome: Outcome, feedback: Feedback | None = None) -> bool:
        spent = self.robot.seconds - self.begun
        self.report = SkillReport(self.action, outcome, spent, feedback)
        return False


@dataclass
class FakeVision:
    """A vision model: it says no to what is true as often as `false_no`, else as `true_no`."""

    robot: FakeTabletop
    false_no: float = 0.0
    true_no: float = 1.0
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))
    name: str = "fake vision"
    blind: bool = False
    confidence: float | None = None
    asked: list[tuple[float, str, str]] = field(default_factory=list)

    def is_true(self, question: str) -> bool:
        words = question.removesuffix("?").split()
        if "holding" in words:
            return self.robot.held == words[-1]
        return self.robot.on.get(words[2]) == words[-1]

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        assert len(images) == 2
        no = self.rng.random() < (self.false_no if self.is_true(question) else self.true_no)
        said = Verdict.UNKNOWN if self.blind else Verdict.NO if no else Verdict.YES
        self.asked.append((self.robot.seconds, question, str(said)))
        return Answer(said, str(said), self.confidence)


@dataclass
class Told:
    """Where the events of an agent go, with the robot's time."""

    robot: FakeTabletop
    events: list[Event] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def __call__(self, event: Event) -> None:
        self.events.append(event)
        self.times.append(self.robot.seconds)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    def at(self, kind: type[Event]) -> list[float]:
        return [t for t, e in zip(self.times, self.events, strict=True) if isinstance(e, kind)]
