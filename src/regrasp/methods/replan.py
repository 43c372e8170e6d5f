"""REPLAN (seed 000, Algorithm 1): plan, act, look, ask why it failed, plan again.

`verifier=None`, `perceiver=None` and `replanning=False` are the paper's ablations; `feedback` is
what a planner is told of a failed motion. Both levels of replanning are bounded: `most_plans` new
procedures (B.18), and `most_replans` repairs of each with the causes that were seen (B.13).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from regrasp.core.answer import Verdict
from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, FeedbackGiven, Planned, StepStarted
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot
from regrasp.methods.motion import FeedbackStyle, follow, told
from regrasp.perception.perceiver import Perceiver
from regrasp.planners.language import LanguagePlanner
from regrasp.planners.rewards import RewardPlanner
from regrasp.prompts.attempts import Attempt
from regrasp.prompts.observations import Observation
from regrasp.prompts.parsing import Declined
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.scene import SceneText
from regrasp.prompts.scene_text import scene_text
from regrasp.prompts.steps import Step
from regrasp.verifiers.language import LanguageVerifier

__all__ = ["Replan"]


@dataclass(slots=True)
class Replan:
    """One run. `planner` thinks, `low_level` turns steps into rewards, `perceiver` looks.

    `unseen` is for a run without eyes: what it is told not to be in sight, once and for all.
    """

    robot: Robot
    planner: LanguagePlanner
    low_level: RewardPlanner
    verifier: LanguageVerifier | None
    perceiver: Perceiver | None
    emit: EventSink
    replanning: bool = True
    feedback: FeedbackStyle = "evidence"
    most_plans: int = 5
    most_replans: int = 4
    unseen: frozenset[str] = frozenset()
    observations: tuple[Observation, ...] = field(default=(), init=False)

    def run(self, goal: str) -> Claim:
        """Work on `goal` until it is seen to be reached, or no plan is left."""
        question = PlanPrompt(goal, self.scan())
        plans = replans = 0
        while plans < self.most_plans:
            steps = self.plan(question)
            if isinstance(steps, Declined):
                return Claim(False, steps.why)
            went = self.follow(goal, steps, question.scene)
            if not went.failed and self.reached(goal, steps, question.scene):
                return Claim(True, f"after {', '.join(went.did) or 'nothing'}")
            if not self.replanning:
                return Claim(False, f"could not {went.failed}" if went.failed else "goal not seen")
            if went.failed and went.reasons and replans < self.most_replans:
                replans += 1
            else:
                plans, replans = plans + 1, 0
            question = question.after(went)
            question = replace(question, scene=self.scan(), observations=self.observations)
        return Claim(False, f"none of {self.most_plans} procedures reached the goal")

    def scan(self) -> SceneText:
        """PERCEIVERSCAN: what is in sight; without eyes, as it was told."""
        if self.perceiver is None:
            return scene_text(self.robot.knowledge(), self.unseen)
        return self.perceiver.scan()

    def plan(self, question: PlanPrompt) -> tuple[Step, ...] | Declined:
        """HIGHLEVELPLANNER, its plan held to the steps that are needed."""
        plan = self.planner.plan(question)
        if isinstance(plan, Declined):
            return plan
        steps = plan.steps if self.verifier is None else self.verifier.needed(question, plan)
        dropped = tuple(str(step) for step in plan.steps if step not in steps)
        self.emit(Planned(question.goal, plan.thought, tuple(map(str, steps)), dropped))
        return steps

    def follow(self, goal: str, steps: tuple[Step, ...], scene: SceneText) -> Attempt:
        """Do the steps in turn, up to the first that fails; then find out why it did."""
        did: list[str] = []
        for step in steps:
            remaining: Step | None = step
            if self.planner.looks(step):
                self.emit(StepStarted(str(step), "eyes"))
                remaining = self.look(goal, step, steps, scene)
            if remaining is not None and (why := self.move(remaining, steps, scene)) is not None:
                causes = self.diagnose(remaining, scene)
                self.emit(FeedbackGiven(str(remaining), causes, why))
                return Attempt(tuple(did), str(remaining), causes, why)
            did.append(str(step))
        return Attempt(tuple(did))

    def move(self, step: Step, steps: tuple[Step, ...], scene: SceneText) -> str | None:
        """LOWLEVELPLANNER and MOTIONCONTROLLER: None if it worked, else what is told of it."""
        self.emit(StepStarted(str(step), "arm"))
        plan = tuple(map(str, steps))
        program = self.low_level.rewards(str(step), scene, plan, self.observations)
        if program is None:
            return "no motion was found for it"
        report = follow(self.robot, program)
        worked = report.outcome is Outcome.SUCCEEDED
        return None if worked else told(report.feedback, self.feedback)

    def diagnose(self, step: Step, scene: SceneText) -> tuple[str, ...]:
        """PERCEIVERDIAGNOSE: what the eyes make of it, if there are eyes and it is of any use."""
        if self.perceiver is None or not self.replanning:
            return ()
        return self.perceiver.diagnose(step, scene)

    def look(self, goal: str, step: Step, steps: tuple[Step, ...], scene: SceneText) -> Step | None:
        """PERCEIVERACT: ask, remember the answers, and give what remains for the arm to do."""
        if self.perceiver is None:
            return None
        plan = tuple(map(str, steps))
        noticed = self.perceiver.settle(goal, str(step), scene, plan, self.observations)
        self.observations = noticed.observations
        remaining = noticed.completed.remaining
        return remaining if remaining is not None and not remaining.looks else None

    def reached(self, goal: str, steps: tuple[Step, ...], scene: SceneText) -> bool:
        """TASKCOMPLETION: unless the eyes deny it, steps that worked have reached their goal."""
        if self.perceiver is None:
            return True
        plan = tuple(map(str, steps))
        noticed = self.perceiver.settle(goal, goal, scene, plan, self.observations)
        self.observations = noticed.observations
        return noticed.completed.done is not Verdict.NO
