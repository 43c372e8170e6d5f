"""The perceiver of REPLAN (section 3.2): scan, diagnose and act, over one pair of eyes."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.perception.act import Attention, Noticed
from regrasp.perception.diagnose import Diagnosis
from regrasp.perception.observer import Observer
from regrasp.perception.scan import scan
from regrasp.planners.language import LanguagePlanner
from regrasp.prompts.observations import Observation
from regrasp.prompts.scene import SceneText
from regrasp.prompts.steps import Step
from regrasp.verifiers.language import LanguageVerifier

__all__ = ["Perceiver"]


@dataclass(frozen=True, slots=True)
class Perceiver:
    """Eyes, the planner that knows what to ask, and the verifier of what they say, if any."""

    observer: Observer
    planner: LanguagePlanner
    verifier: LanguageVerifier | None = None
    samples: int = 1
    in_words: bool = True

    def scan(self) -> SceneText:
        """Everything the robot knows, with what is in sight and what is open."""
        return scan(self.observer)

    def diagnose(self, step: Step, scene: SceneText) -> tuple[str, ...]:
        """Why a step failed, as far as it can be seen."""
        parts = (self.observer, self.planner, self.verifier, self.samples, self.in_words)
        return Diagnosis(*parts).causes(step, scene)

    def settle(
        self,
        goal: str,
        action: str,
        scene: SceneText,
        plan: tuple[str, ...],
        observations: tuple[Observation, ...],
    ) -> Noticed:
        """Whether an action, or the goal itself, is done."""
        attention = Attention(self.observer, self.planner)
        return attention.settle(goal, action, scene, plan, observations)
