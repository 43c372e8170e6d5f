"""The perceiver of REPLAN (section 3.2): scan, diagnose and act, over one pair of eyes."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.perception.diagnose import Diagnosis
from regrasp.perception.looking_step import LookingResult, LookingStep
from regrasp.perception.observer import CallObserver
from regrasp.perception.scan import scan
from regrasp.planners.language_planner import LanguagePlanner
from regrasp.prompts.observations import Observation
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Step
from regrasp.verifiers.language_verifier import LanguageVerifier

__all__ = ["Perceiver"]


@dataclass(frozen=True, slots=True)
class Perceiver:
    """Eyes, the planner that knows what to ask, and the verifier of what they say, if any."""

    observer: CallObserver
    planner: LanguagePlanner
    verifier: LanguageVerifier | None = None
    samples: int = 1
    in_words: bool = True

    def scan(self) -> SceneDescription:
        """Everything the robot knows, with what is in sight and what is open."""
        return scan(self.observer)

    def diagnose(self, step: Step, scene: SceneDescription) -> tuple[str, ...]:
        """Why a step failed, as far as it can be seen."""
        parts = (self.observer, self.planner, self.verifier, self.samples, self.in_words)
        return Diagnosis(*parts).causes(step, scene)

    def answer_by_looking(
        self,
        goal: str,
        action: str,
        scene: SceneDescription,
        plan: tuple[str, ...],
        observations: tuple[Observation, ...],
    ) -> LookingResult:
        """Whether an action, or the goal itself, is done."""
        attention = LookingStep(self.observer, self.planner)
        return attention.answer_by_looking(goal, action, scene, plan, observations)
