"""The perceiver of REPLAN (section 3.2): scan, diagnose and act with one vision model."""

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
    """Cameras with a vision model, the planner that chooses questions, and the verifier, if any."""

    observer: CallObserver
    planner: LanguagePlanner
    verifier: LanguageVerifier | None = None
    samples: int = 1
    in_words: bool = True

    def scan(self) -> SceneDescription:
        """All objects that the robot knows, each with its visibility and, if visible, its state."""
        return scan(self.observer)

    def diagnose(self, step: Step, scene: SceneDescription) -> tuple[str, ...]:
        """The visible causes of a failed step."""
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
