"""The high-level planner of REPLAN (section 3.1): a model that plans, asks and concludes."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.answer import Verdict
from regrasp.models.language import LanguageModel
from regrasp.prompts.completed import Completed, CompletedPrompt
from regrasp.prompts.exchange import ask, ask_value
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.observations import Observation
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.plan import Plan, PlanPrompt
from regrasp.prompts.question_type import QuestionType, QuestionTypePrompt
from regrasp.prompts.questions import QuestionsPrompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Step

__all__ = ["LanguagePlanner"]


@dataclass(frozen=True, slots=True)
class LanguagePlanner:
    """Asks `model` each question of the high level in its own prompt."""

    model: LanguageModel

    def plan(self, question: PlanPrompt) -> Plan | Declined:
        """A plan, given the failures so far (B.2, B.13, B.18), or why there is none."""
        result = ask(self.model, question).result
        if isinstance(result, ParseError):
            return Declined(f"the plan could not be read: {result.hint}")
        return result

    def is_looking_step(self, step: Step) -> bool:
        """Whether a step is done by looking rather than with the arm (B.3)."""
        return ask_value(self.model, IsVisionPrompt(str(step))) is Verdict.YES

    def questions(
        self,
        goal: str,
        scene: SceneDescription,
        action: str,
        plan: tuple[str, ...],
        observations: tuple[Observation, ...],
    ) -> tuple[str, ...]:
        """The questions to the vision model that settle an action (B.14).

        Questions that a picture cannot answer are left out (B.15).
        """
        asked = (
            ask_value(self.model, QuestionsPrompt(goal, scene, action, plan, observations)) or ()
        )
        return tuple(
            question
            for question in asked
            if ask_value(self.model, QuestionTypePrompt(question)) is not QuestionType.NEITHER
        )

    def completed(
        self,
        action: str,
        scene: SceneDescription,
        answers: tuple[Observation, ...],
        plan: tuple[str, ...],
    ) -> Completed:
        """Whether an action or goal is done, given the answers (B.17)."""
        result = ask_value(self.model, CompletedPrompt(action, scene, answers, plan))
        return result or Completed(Verdict.UNKNOWN)

    def causes(
        self, step: str, scene: SceneDescription, explanations: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The causes in the explanations of a failed step, at most two (B.12)."""
        if not explanations:
            return ()
        return ask_value(self.model, ReasonsPrompt(step, scene, explanations)) or ()
