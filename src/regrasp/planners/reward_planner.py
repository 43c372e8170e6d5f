"""The low-level planner of REPLAN (section 3.3): from a step to motions to rewards."""

from __future__ import annotations

from dataclasses import dataclass, replace

from regrasp.control.rewards import RewardProgram
from regrasp.core.answer import Verdict
from regrasp.models.language import LanguageModel
from regrasp.prompts.exchange import ask_value
from regrasp.prompts.motion_plan import MotionPlanPrompt
from regrasp.prompts.motions import MotionLine
from regrasp.prompts.observations import Observation
from regrasp.prompts.relocation import RelocationPrompt
from regrasp.prompts.rewards import RewardsPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.verifiers.language_verifier import LanguageVerifier

__all__ = ["RewardPlanner"]


@dataclass(frozen=True, slots=True)
class RewardPlanner:
    """Asks `model` for a motion plan and its rewards; `verifier` matches rewards to motions."""

    model: LanguageModel
    verifier: LanguageVerifier | None = None

    def rewards(
        self,
        action: str,
        scene: SceneDescription,
        plan: tuple[str, ...] = (),
        observations: tuple[Observation, ...] = (),
    ) -> RewardProgram | None:
        """The reward program of an action with its primary reward; None where none was found."""
        relocates = ask_value(self.model, RelocationPrompt(action)) is Verdict.YES
        motions = ask_value(
            self.model, MotionPlanPrompt(action, scene, plan, observations, relocates)
        )
        if not motions:
            return None
        places, joints = scene.places.known, scene.joints.known
        program = ask_value(self.model, RewardsPrompt(action, motions, places, joints))
        return None if program is None else self._with_primary(action, motions, program)

    def _with_primary(
        self, action: str, motions: tuple[MotionLine, ...], program: RewardProgram
    ) -> RewardProgram | None:
        """The program with the reward of the deciding motion flagged (B.7, B.8).

        Both are the verifier's. Without one the program stays as it was written, and the rule of
        the reward language decides (`RewardProgram.primary`).
        """
        if self.verifier is None:
            return program
        chosen = self.verifier.primary(action, motions)
        served = self.verifier.served(program, motions)
        terms = [replace(term, primary=False) for term, _ in served]
        numbers = [number for _, number in served]
        if chosen is not None and chosen.number in numbers:
            first = numbers.index(chosen.number)
            terms[first] = replace(terms[first], primary=True)
        return replace(program, terms=tuple(terms)) if terms else None
