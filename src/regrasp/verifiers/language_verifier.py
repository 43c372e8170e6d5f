"""The verifier of REPLAN (section 3.5): a language model checks planner and vision model."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.control.rewards import Reward, RewardProgram
from regrasp.core.answer import Verdict
from regrasp.models.language import LanguageModel
from regrasp.prompts.exchange import ask_value
from regrasp.prompts.motions import MotionLine
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.primary_step import PrimaryStepPrompt
from regrasp.prompts.reasons import is_cause
from regrasp.prompts.reward_step import RewardStepPrompt, StepChoice
from regrasp.prompts.rewrite_names import RewriteNamesPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.steps import Step
from regrasp.prompts.wrong_names import WrongNamesPrompt

__all__ = ["LanguageVerifier"]


@dataclass(frozen=True, slots=True)
class LanguageVerifier:
    """Asks `model` for a second opinion, one small question at a time."""

    model: LanguageModel

    def needed(self, question: PlanPrompt, plan: Plan) -> tuple[Step, ...]:
        """The steps of `plan`, the answer to `question`, that serve its goal; all if none does.

        A step with an object that a cause of the last failure names is kept, and nobody is asked.
        """
        texts = tuple(map(str, plan.steps))
        known = question.observations, question.attempts
        causes = question.attempts[-1].reasons if question.attempts else ()
        names = question.scene.names
        blamed = {found.name for cause in causes for found in names.mentions(cause)}

        def serves_goal(number: int) -> bool:
            if plan.steps[number - 1].object in blamed:
                return True
            prompt = StepNeededPrompt(question.goal, question.scene, texts, number, *known)
            return ask_value(self.model, prompt) is not Verdict.NO

        kept = (step for number, step in enumerate(plan.steps, 1) if serves_goal(number))
        return tuple(kept) or plan.steps

    def primary(self, action: str, motions: tuple[MotionLine, ...]) -> StepChoice | None:
        """The motion that means, once it is done, that the action is done (B.8)."""
        return ask_value(self.model, PrimaryStepPrompt(action, motions))

    def served(
        self, program: RewardProgram, motions: tuple[MotionLine, ...]
    ) -> list[tuple[Reward, int]]:
        """Each reward that implements a motion, with that motion's number (B.7)."""
        found: list[tuple[Reward, int]] = []
        for term in program.terms:
            line = ask_value(self.model, RewardStepPrompt(motions, str(term)))
            if line is not None and line.number is not None:
                found.append((term, line.number))
        return found

    def named(self, sentence: str, scene: SceneDescription) -> str:
        """The vision model's sentence, with every object called by its known name (B.10, B.11).

        A sentence that is already a cause in known names is left as it is, and nobody is asked.
        """
        if is_cause(sentence, scene.places.known):
            return sentence
        wrong = ask_value(self.model, WrongNamesPrompt(sentence, scene.places.known))
        if wrong is not Verdict.YES:
            return sentence
        names = tuple(thing.name for thing in scene.objects)
        return ask_value(self.model, RewriteNamesPrompt(sentence, names)) or sentence
