"""A step done by looking: ask, then conclude what is done and what remains (REPLAN, B.14–17)."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.answer import Verdict
from regrasp.perception.observer import CallObserver
from regrasp.planners.language_planner import LanguagePlanner
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.completed import Completed
from regrasp.prompts.observations import Observation, with_observation
from regrasp.prompts.scene import SceneDescription

__all__ = ["LookingResult", "LookingStep"]


@dataclass(frozen=True, slots=True)
class LookingResult:
    """The result of a looking step: whether the action is done, and all observations so far."""

    completed: Completed
    observations: tuple[Observation, ...]


@dataclass(frozen=True, slots=True)
class LookingStep:
    """Settles an action, or the goal itself, by the planner's questions to the vision model."""

    observer: CallObserver
    planner: LanguagePlanner

    def answer_by_looking(
        self,
        goal: str,
        action: str,
        scene: SceneDescription,
        plan: tuple[str, ...],
        observations: tuple[Observation, ...],
    ) -> LookingResult:
        """Ask about `action`, a step of `plan` or the `goal`; unknown without answers."""
        questions = self.planner.questions(goal, scene, action, plan, observations)
        pictures = self.observer.look() if questions else ()
        answers: list[Observation] = []
        for question, asks in questions:
            prompt = AskVisionPrompt(question, scene.places.known, asks)
            seen = self.observer.ask(pictures, prompt, action)
            if seen is not None:
                answers.append(Observation(question, seen.text))
                observations = with_observation(observations, answers[-1])
        if not answers:
            return LookingResult(Completed(Verdict.UNKNOWN), observations)
        known = observations if action == goal else tuple(answers)
        return LookingResult(self.planner.completed(action, scene, known, plan), observations)
