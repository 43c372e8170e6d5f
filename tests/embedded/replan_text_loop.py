"""REPLAN's Algorithm 1 over prompts alone, with a symbolic world in place of robot and camera.

Every decision is a model's reply to one of our prompts; this file only carries text between them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from regrasp.control.rewards import RewardProgram, parse_rewards
from regrasp.core.answer import Verdict
from regrasp.lab.language.symbols import SymbolicWorld
from regrasp.models.language import LanguageModel
from regrasp.prompts.ask_vision import AskVisionPrompt, VisionReply
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.completed import Completed, CompletedPrompt
from regrasp.prompts.exchange import ask
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.motions import MotionLine
from regrasp.prompts.observations import Observation, with_observation
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.question_type import QuestionType, QuestionTypePrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.reward_step import RewardStepPrompt, StepChoice
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.steps import Step
from regrasp.prompts.visual_question import obstacle_questions
from regrasp.prompts.why import Explanation, WhyPrompt, why_prompts
from regrasp.prompts.wrong_names import WrongNamesPrompt

T = TypeVar("T")


@dataclass
class Replan:
    """One run: the world, the model, and what was asked and done."""

    model: LanguageModel
    world: SymbolicWorld
    goal: str
    free_form: bool = True  # ask why in six wordings, or by yes/no questions
    most_plans: int = 10
    log: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    observations: tuple[Observation, ...] = ()

    def put(self, prompt: Prompt[T], kind: type[T]) -> T | None:
        """Ask; None if the model declined. A reply that cannot be read fails the test."""
        result: Any = ask(self.model, prompt).result
        self.asked[type(prompt).__name__] += 1
        if isinstance(result, kind):
            return result
        assert type(result).__name__ == "Declined", f"{prompt.render()}\n--- {result}"
        self.log.append(f"declined: {result.why}")
        return None

    def run(self) -> bool:
        """Whether the model came to believe that the goal is reached."""
        scene = self.world.scan()
        question = PlanPrompt(self.goal, scene)
        for _ in range(self.most_plans):
            question = replace(question, scene=self.world.scan(), observations=self.observations)
            plan = self.put(question, Plan)
            if plan is None:
                return False
            self.log.append("plan: " + "; ".join(map(str, plan.steps)))
            steps = self.needed(plan, question)
            did, failed, reasons = self.follow(steps)
            if not failed and self.settled(self.goal, steps) is not Verdict.NO:
                return True
            question = question.after(FailedAttempt(did, failed, reasons))
        return False

    def needed(self, plan: Plan, question: PlanPrompt) -> tuple[Step, ...]:
        texts = tuple(map(str, plan.steps))
        kept = []
        for number, step in enumerate(plan.steps, 1):
            prompt = StepNeededPrompt(
                self.goal, question.scene, texts, number, self.observations, question.attempts
            )
            if self.put(prompt, Verdict) is not Verdict.NO:
                kept.append(step)
            else:
                self.log.append(f"dropped: {step}")
        return tuple(kept)

    def follow(self, steps: tuple[Step, ...]) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
        """Steps that worked, the one that failed, and why."""
        did: list[str] = []
        for step in steps:
            looks = self.put(IsVisionPrompt(str(step)), Verdict)
            if looks is Verdict.YES:
                self.settled(str(step), steps)
            elif not self.act(step, steps):
                reasons = self.diagnose(step)
                self.log.append(f"failed: {step} ({'; '.join(reasons)})")
                return tuple(did), str(step), reasons
            did.append(str(step))
        return tuple(did), "", ()

    def act(self, step: Step, steps: tuple[Step, ...]) -> bool:
        scene = self.world.scan()
        relocates = self.put(RelocationPrompt(str(step)), Verdict) is Verdict.YES
        plan = tuple(map(str, steps))
        prompt = MotionPlanPrompt(str(step), scene, plan, self.observations, relocates)
        motions = self.put(prompt, tuple)
        if motions is None:
            return False
        program = self.rewards(step, motions, scene)
        return program is not None and self.world.execute(program)

    def rewards(
        self, step: Step, motions: tuple[MotionLine, ...], scene: SceneDescription
    ) -> RewardProgram | None:
        places, joints = scene.places.known, scene.joints.known
        program = self.put(RewardsPrompt(str(step), motions, places, joints), RewardProgram)
        primary = self.put(PrimaryStepPrompt(str(step), motions), StepChoice)
        if program is None or primary is None:
            return None
        kept = []
        for term in program.terms:
            line = self.put(RewardStepPrompt(motions, str(term)), StepChoice)
            if line is not None and line.number is not None:
                kept.append(replace(term, primary=line.number == primary.number))
        text = str(RewardProgram(tuple(kept)))
        return parse_rewards(text, objects=places, joints=joints)

    def diagnose(self, step: Step) -> tuple[str, ...]:
        scene = self.world.scan()
        target = step.other or str(step.object)
        said: list[str] = []
        if self.free_form:
            for prompt in why_prompts(str(step), scene.places.known):
                text = self.world.explain(target, prompt.wording)
                explanation = WhyPrompt(str(step), scene.places.known).parse(text)
                if isinstance(explanation, Explanation) and explanation.obstacle:
                    said.append(self.verified(explanation.text, scene))
        else:
            for sight in obstacle_questions(step, scene):
                if self.world.see(str(sight)) == "yes":
                    said.append(sight.statement(True))
        if not said:
            return ()
        return self.put(ReasonsPrompt(str(step), scene, tuple(said)), tuple) or ()

    def verified(self, sentence: str, scene: SceneDescription) -> str:
        names = tuple(o.name for o in scene.objects)
        wrong = self.put(WrongNamesPrompt(sentence, scene.places.known), Verdict)
        if wrong is not Verdict.YES:
            return sentence
        return self.put(RewriteNamesPrompt(sentence, names), str) or sentence

    def settled(self, action: str, steps: tuple[Step, ...]) -> Verdict:
        """Ask the eyes about an action or a goal; whether it is done."""
        scene = self.world.scan()
        plan = tuple(map(str, steps))
        prompt = QuestionsPrompt(self.goal, scene, action, plan, self.observations)
        answers: list[Observation] = []
        for question in self.put(prompt, tuple) or ():
            asks = self.put(QuestionTypePrompt(question), QuestionType)
            assert asks is not QuestionType.NEITHER, question
            look = AskVisionPrompt(question, scene.places.known)
            seen = look.parse(self.world.see(question))
            assert isinstance(seen, VisionReply), question
            answers.append(Observation(question, seen.text))
            self.observations = with_observation(self.observations, answers[-1])
            self.log.append(f"saw: {answers[-1]}")
        if not answers:
            return Verdict.UNKNOWN
        known = self.observations if action == self.goal else tuple(answers)
        done = self.put(CompletedPrompt(action, scene, known, plan), Completed)
        return done.done if done is not None else Verdict.UNKNOWN
