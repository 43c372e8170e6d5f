"""REPLAN: plan in words, act, look, find the cause of a failure, plan again (Algorithm 1).

Skreta et al., "RePLan: Robotic Replanning with Perception and Language Models", 2024."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from regrasp.core.answer import Verdict
from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, FeedbackGiven, PlanMade, StepStarted
from regrasp.core.feedback import Feedback
from regrasp.methods.low_level import FeedbackStyle, LowLevel, robot_message
from regrasp.methods.method import Assignment
from regrasp.methods.parts import low_level, observer, step_check
from regrasp.perception.perceiver import BlindPerceiver, Perceiver
from regrasp.planners.checked_steps import StepCheck
from regrasp.planners.language_planner import LanguagePlanner
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.parsing import Declined
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.prompts.steps import Step, Verb
from regrasp.verifiers.language_verifier import LanguageVerifier

__all__ = ["Replan", "replan"]


def replan(
    assignment: Assignment,
    *,
    verify: bool = True,
    perceive: bool = True,
    replanning: bool = True,
    feedback: FeedbackStyle = "evidence",
    check_plan: bool = False,
) -> Claim:
    """REPLAN on any robot, or with a part left out (docs/methods/replan.md has the parameters)."""
    cameras, planner = observer(assignment), LanguagePlanner(assignment.language)
    verifier = LanguageVerifier(assignment.language) if verify else None
    perceiver: Perceiver | BlindPerceiver = Perceiver(cameras, planner, verifier)
    if not perceive:
        unseen = {one.name for one in perceiver.scan().objects if not one.visible}
        perceiver = BlindPerceiver(scene_text(assignment.robot.knowledge(), unseen))
    arm, emit = low_level(assignment, verifier), assignment.emit
    check = step_check(assignment, perceive) if check_plan or assignment.domain.kept else None
    method = Replan(planner, arm, verifier, perceiver, emit, replanning, feedback, check)
    return method.run(assignment.instruction)


@dataclass(slots=True)
class Replan:
    """One run: `max_plans` procedures at most (B.18), and `max_replans` repairs of each (B.13)."""

    planner: LanguagePlanner
    low_level: LowLevel
    verifier: LanguageVerifier | None
    perceiver: Perceiver | BlindPerceiver
    emit: EventSink
    replanning: bool = True
    feedback: FeedbackStyle = "evidence"
    check: StepCheck | None = None
    max_plans: int = 5
    max_replans: int = 4
    arm_moved: bool = field(default=False, init=False)

    def run(self, goal: str) -> Claim:
        """Work on `goal` until a plan succeeds and no look denies the goal, or no plan is left."""
        question = PlanPrompt(goal, self.perceiver.scan())
        plans = replans = 0
        while plans < self.max_plans:
            steps = self.check.plan(self.plan, question) if self.check else self.plan(question)
            if isinstance(steps, Declined):
                return Claim(False, steps.why)
            attempt = self.follow(goal, steps, question.scene)
            claim = None if attempt.failed else self.completed(goal, steps, attempt, question.scene)
            if claim is not None:
                return claim
            if not self.replanning:
                failed = f"could not {attempt.failed}" if attempt.failed else "goal not seen"
                return Claim(False, failed)
            if attempt.failed and attempt.reasons and replans < self.max_replans:
                replans += 1
            else:
                plans, replans = plans + 1, 0
            question = question.after(attempt)
            observed = self.perceiver.observations
            question = replace(question, scene=self.perceiver.scan(), observations=observed)
        return Claim(False, f"none of {self.max_plans} procedures reached the goal")

    def plan(self, question: PlanPrompt) -> tuple[Step, ...] | Declined:
        """HIGHLEVELPLANNER, its plan reduced to the needed steps."""
        plan = self.planner.plan(question)
        if isinstance(plan, Declined):
            return plan
        steps = self.verifier.needed(question, plan) if self.verifier else plan.steps
        dropped = tuple(str(step) for step in plan.steps if step not in steps)
        self.emit(PlanMade(question.goal, plan.thought, _texts(steps), dropped))
        return steps

    def follow(self, goal: str, steps: tuple[Step, ...], scene: SceneDescription) -> FailedAttempt:
        """Do the steps in turn, up to the first that fails; then diagnose the failure."""
        did: list[str] = []
        short: list[str] = []  # relocations that fell short of their reward
        self.arm_moved = False
        for step in steps:
            remaining: Step | None = step
            if self.planner.is_looking_step(step):
                self.emit(StepStarted(str(step), "camera"))
                remaining = self.perceiver.act(goal, step, scene, _texts(steps))  # PERCEIVERACT
            failure = self.move(remaining, steps, scene) if remaining is not None else None
            if failure is not None:
                blamed = remaining or step
                causes = self.perceiver.diagnose(blamed, scene) if self.replanning else ()
                message = robot_message(failure, self.feedback)
                explained = Feedback.misalignment(message, causes, failure.code, failure.evidence)
                self.emit(FeedbackGiven(str(remaining), explained))
                if self.replanning and not causes and _makes_room(step, steps):
                    short.append(str(step))  # the next step shows whether there is room now
                    continue
                return FailedAttempt(tuple(did), str(remaining), causes, message)
            did += [*short, str(step)]
            short.clear()
        return FailedAttempt(tuple(did))

    def move(self, step: Step, steps: tuple[Step, ...], scene: SceneDescription) -> Feedback | None:
        """LOWLEVELPLANNER and MOTIONCONTROLLER: None if the step succeeded."""
        self.emit(StepStarted(str(step), "arm"))
        self.arm_moved = True
        seen = self.perceiver.observations
        return self.low_level.carry_out(str(step), scene, _texts(steps), seen)

    def completed(
        self, goal: str, steps: tuple[Step, ...], attempt: FailedAttempt, scene: SceneDescription
    ) -> Claim | None:
        """TASKCOMPLETION after successful steps; None if the goal is seen not to be reached."""
        reached = self.perceiver.completed(goal, goal, scene, _texts(steps)).done
        if reached is Verdict.NO:
            return None
        if reached is not Verdict.YES and not self.arm_moved:
            return None  # it only looked
        return Claim(True, f"after {', '.join(attempt.did) or 'nothing'}", reached is Verdict.YES)


def _makes_room(step: Step, steps: tuple[Step, ...]) -> bool:
    return step.verb is Verb.MOVE_AWAY and step is not steps[-1]


def _texts(steps: tuple[Step, ...]) -> tuple[str, ...]:
    return tuple(map(str, steps))
