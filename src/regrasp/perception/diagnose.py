"""Why did a step fail? Ask the vision model in several ways and summarize (REPLAN, B.9-B.12)."""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.answer import Verdict
from regrasp.perception.observer import Observer
from regrasp.planners.language_planner import LanguagePlanner
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Step
from regrasp.prompts.visual_question import obstacle_questions
from regrasp.prompts.why import why_prompts
from regrasp.verifiers.language_verifier import LanguageVerifier

__all__ = ["Diagnosis"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Asks each wording `samples` times; `in_words=False` asks object by object, for yes or no."""

    observer: Observer
    planner: LanguagePlanner
    verifier: LanguageVerifier | None = None
    samples: int = 1
    in_words: bool = True

    def causes(self, step: Step, scene: SceneDescription) -> tuple[str, ...]:
        """At most two causes, in the names of `scene`; none where nothing is seen."""
        said = self._in_words(step, scene) if self.in_words else self._one_by_one(step, scene)
        if self.verifier is not None:
            said = [self.verifier.named(sentence, scene) for sentence in said]
        return self.planner.causes(str(step), scene, tuple(said))

    def _in_words(self, step: Step, scene: SceneDescription) -> list[str]:
        pictures = self.observer.look()
        asked = [
            self.observer.ask(pictures, prompt, str(step), seed=sample)
            for prompt in why_prompts(str(step), scene.places.known)
            for sample in range(self.samples)
        ]
        return [one.text for one in asked if one is not None and one.obstacle]

    def _one_by_one(self, step: Step, scene: SceneDescription) -> list[str]:
        pictures, found = self.observer.look(), []
        for sight in obstacle_questions(step, scene):
            said = self.observer.ask(pictures, AskVisionPrompt(str(sight)), str(step))
            if said is not None and said.verdict is Verdict.YES:
                found.append(sight.statement(True))
        return found
