"""Recorded runs that took no robot: whole ones as methods make them, and a long one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from regrasp.core.action import Action
from regrasp.core.claim import ClaimResult
from regrasp.core.event import (
    AnswerChecked,
    ConstraintsWatched,
    ConstraintViolated,
    Disturbed,
    Event,
    FeedbackGiven,
    GoalUnderstood,
    Judged,
    ModelCalled,
    PersonAsked,
    PlanMade,
    RunEnded,
    RunStarted,
    ShownMessage,
    SkillEnded,
    SkillProgress,
    SkillStarted,
    StepStarted,
    VisionAsked,
)
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, SkillReport
from regrasp.core.trace import Clock, TraceWriter


class Recorder:
    """Writes events at times of one's choosing; a wall second passes with each of them."""

    def __init__(self, folder: Path) -> None:
        self.seconds, self._wall = 0.0, 1000.0
        self.trace = TraceWriter(folder, Clock(lambda: self.seconds, self._tick))

    def _tick(self) -> float:
        self._wall += 1.0
        return self._wall

    def write(self, *events: Event) -> None:
        for event in events:
            self.trace.write(event)

    def look(self, camera: str, level: int, size: tuple[int, int] = (24, 32)) -> str:
        """A picture that no other level gives, and no smoother than a real one; its name."""
        rng, (height, width) = np.random.default_rng(level), size
        rgb = rng.integers(0, 255, (height // 4, width // 4, 3), np.uint8)
        rgb = rgb.repeat(4, axis=0).repeat(4, axis=1)
        depth = np.ones(size, np.float32)
        image = CameraImage(camera, rgb, depth, 45.0, np.zeros(3), np.eye(3))
        self.trace.write_image(image)
        return self.trace.store(rgb)

    def move(self, action: Action, seconds: float, feedback: Feedback | None = None) -> None:
        self.write(SkillStarted(action))
        for i in range(round(2 * seconds)):
            self.seconds += 0.5
            self.write(SkillProgress("reach" if i < 2 else "pull", 1.0 / (i + 1)))
        outcome = Outcome.FAILED if feedback else Outcome.SUCCEEDED
        self.write(SkillEnded(SkillReport(action, outcome, seconds, feedback)))


def kitchen(folder: Path, mark: str = "") -> None:
    """The microwave resists, the kettle is seen to be in the way and is moved, the apple is found.

    `mark` is put behind every word that a person, a world or a model may choose.
    """
    record = Recorder(folder)
    goal = f"find the apple{mark}"
    opening, moving = f"Open the microwave{mark}", f"Move the kettle{mark} away"
    looking = f"Look inside the microwave{mark}"
    versions = {"regrasp": "0.1.0", f"vision model{mark}": f"oracle{mark}"}
    record.write(RunStarted(f"kitchen{mark}", f"apple{mark}", 7, goal, f"replan{mark}", versions))
    seen = record.look(f"front{mark}", 1), record.look("side", 2)
    _ask(record, "scan", f"Do you see the kettle{mark}?", "yes", seen, mark)
    _ask(record, "scan", f"Do you see the apple{mark}?", "no", seen, mark)
    _think(record, "plan", mark)
    record.write(PlanMade(goal, f"It may be inside{mark}.", (opening, looking), (f"Wait{mark}",)))
    _think(record, "eyes or arm", mark)
    record.write(StepStarted(opening, "arm"))
    _think(record, "rewards", mark)
    record.move(Action(f"follow_reward{mark}", (f"open(door){mark}",)), 3.0, _resisted(mark))
    seen = record.look("front", 3), record.look("side", 4)
    _ask(
        record, opening, f"What is in the way{mark}? Objects: a, b", f"The kettle{mark}", seen, mark
    )
    _think(record, "wrong names", mark)
    stuck = Feedback.misalignment(f"stuck{mark}", (f"kettle is blocking microwave{mark}",))
    record.write(FeedbackGiven(opening, stuck))
    seen = record.look("front", 3), record.look("side", 4)
    _ask(record, "scan", f"Do you see the kettle{mark}?", "no", seen, mark)
    _think(record, "plan", mark)
    record.write(PlanMade(goal, f"The kettle is in the way{mark}.", (moving, opening, looking)))
    for step in (moving, opening):
        record.write(StepStarted(step, "arm"))
        record.move(Action("follow_reward", (f"do({step})",)), 2.0)
    record.write(StepStarted(looking, "camera"))
    seen = (record.look("front", 5),)
    _ask(record, looking, f"Do you see the apple{mark}?", "yes", seen, mark)
    _think(record, "completed", mark)
    record.look("front", 5)
    record.write(AnswerChecked("seen", f"Do you see the kettle{mark}?", "no", "yes", 3.0))
    record.write(Judged(True, (f"visible(apple{mark})",)))
    record.write(RunEnded(Outcome.SUCCEEDED, f"after all{mark}"))


def dropped(folder: Path, mark: str = "") -> None:
    """The block falls on the way, the monitor sees it at the second look and stops the motion.

    `mark` is as for `kitchen`.
    """
    record = Recorder(folder)
    held, question = f"block{mark} is held", f"Is the robot holding the block{mark}?"
    placing = Action("place", (f"block{mark}",))
    record.write(RunStarted("tabletop", "pick", 0, "put it there", "doremi", {}))
    _think(record, "plan", mark)
    record.write(PlanMade("put it there", "", (f"place(block{mark})",)))
    record.write(StepStarted(f"place(block{mark})", "arm"), SkillStarted(placing))
    record.write(ConstraintsWatched((held,), (question,)))
    for look, answer in enumerate(("yes", "no", "no")):
        record.seconds += 0.1
        if look == 1:
            record.write(Disturbed(placing, f"it falls{mark}"))
        seen = record.look("front", 2 * look), record.look("left", 2 * look + 1)
        said = (ShownMessage("user", question, seen),)
        record.write(ModelCalled("oracle", "look", "1" * 64, said, (answer,), answer))
    stopped = SkillReport(placing, Outcome.ABORTED, 0.3)
    record.write(
        SkillEnded(stopped), ConstraintViolated(placing, (f"block{mark} is not held",), (question,))
    )
    lost = Feedback.misalignment("", (f"block{mark} is not held",))
    record.write(FeedbackGiven(f"place(block{mark})", lost))
    record.write(ConstraintsWatched((), ()), AnswerChecked("held", question, "no", "yes", 0.2))
    record.write(RunEnded(Outcome.FAILED, "enough"))


def asked_back(folder: Path, mark: str = "", *, chosen: bool = True) -> None:
    """The instruction may mean two cubes, and the person is asked which; without answer, no run.

    `mark` is as for `kitchen`.
    """
    record = Recorder(folder)
    asked, cubes = f"put the cube{mark} on the crate", (f"red cube{mark}", f"yellow cube{mark}")
    record.write(RunStarted("cubes", "match", 0, asked, "replan", {}))
    seen = (record.look("front", 1),)
    _think(record, "goal", mark)
    words, other = f"the cube{mark} is on the crate", f"every cube{mark} is on the crate"
    clauses = (f"on(the cube{mark}, crate)", f"keep not moved(bottle{mark})")
    unexplained = (f"gizmo{mark}",)
    record.write(GoalUnderstood(asked, clauses, words, 0.72, unexplained, (words, other)))
    _ask(record, "scan", f"Is the red cube{mark} on the crate?", "no", seen, mark)
    question = f"Which cube{mark} do you mean?"
    record.write(PersonAsked(question, cubes, cubes[1] if chosen else ""))
    if not chosen:
        record.write(RunEnded(Outcome.FAILED, question, ClaimResult.NOT_DONE))
        return
    record.write(PlanMade(f"put the {cubes[1]} on the crate", "", ("Place the cube",)))
    record.write(StepStarted("Place the cube", "arm"))
    record.move(Action("follow_reward", ("place(cube)",)), 2.0)
    record.write(RunEnded(Outcome.SUCCEEDED, "after 1 action", ClaimResult.NOT_SEEN))


def declined(folder: Path, mark: str = "") -> None:
    """The instruction names something that is not there. `mark` is as for `kitchen`."""
    record = Recorder(folder)
    asked, why = f"bring me the banana{mark}", f"I know of no banana{mark} here."
    record.write(RunStarted("cubes", "match", 0, asked, "replan", {}))
    record.look("front", 1)
    _think(record, "goal", mark)
    record.write(GoalUnderstood(asked, (), why, 0.0))
    record.write(RunEnded(Outcome.FAILED, why, ClaimResult.NOT_DONE))


def long(folder: Path, events: int = 500) -> int:
    """A run of at least that many events, with big pictures; how many there are."""
    record = Recorder(folder)
    record.write(RunStarted("kitchen", "apple", 0, "find the apple", "replan", {}))
    written, plan = 1, 0
    while written < events:
        plan += 1
        seen = (
            record.look("front", 2 * plan, (240, 320)),
            record.look("side", 2 * plan + 1, (240, 320)),
        )
        for thing in ("counter", "microwave", "kettle", "apple"):
            _ask(record, "scan", f"Do you see the {thing}?", "yes", seen, "")
        _think(record, "plan", " and so on" * 200)
        record.write(PlanMade("find the apple", f"Thought {plan}.", ("Open the door",)))
        record.write(StepStarted("Open the door", "arm"))
        record.move(Action("follow_reward", ("open(door)",)), 6.0, _resisted(""))
        stuck = Feedback.misalignment("stuck", ("kettle is blocking door",))
        record.write(FeedbackGiven("Open the door", stuck))
        written += 2 + 8 + 1 + 2 + 14 + 1
    record.write(RunEnded(Outcome.FAILED, "none of them worked"))
    return written + 1


def _resisted(mark: str) -> Feedback:
    return Feedback(
        FeedbackLevel.PHYSICAL,
        FailureCode.RESISTED,
        f"Could not open it{mark}.",
        f"It did not follow{mark}.",
        evidence=(Evidence(f"peak_force{mark}", 42.0, "N"),),
    )


def _think(record: Recorder, purpose: str, mark: str) -> None:
    messages = (
        ShownMessage("system", f"Task: {purpose}{mark}"),
        ShownMessage(f"user{mark}", f"Objects{mark}"),
    )
    call = ModelCalled(
        f"scripted{mark}", f"{purpose}{mark}", "0" * 64, messages, (f"reply to {purpose}{mark}",),
        prompt_tokens=100, completion_tokens=10, usd=0.01, wall_latency_s=0.5,
    )  # fmt: skip
    record.write(call)


def _ask(
    record: Recorder, action: str, question: str, answer: str, images: tuple[str, ...], mark: str
) -> None:
    said = (ShownMessage("user", question, images),)
    record.write(
        ModelCalled(f"oracle{mark}", "look", "1" * 64, said, (answer,), "yes", 0.9, (f"no{mark}",)),
        VisionAsked(action, question, answer),
    )
