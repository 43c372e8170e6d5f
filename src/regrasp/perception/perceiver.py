"""The perceiver of REPLAN (section 3.2): scan, diagnose and act with one vision model."""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.perception.observer import Observer, scan
from regrasp.planners.language_planner import LanguagePlanner
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.completed import Completed
from regrasp.prompts.observations import Observation, with_observation
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Step
from regrasp.prompts.visual_question import obstacle_questions
from regrasp.prompts.why import why_prompts
from regrasp.verifiers.language_verifier import LanguageVerifier

__all__ = ["BlindPerceiver", "Perceiver"]


@dataclass(slots=True)
class Perceiver:
    """Cameras with a vision model, the planner that chooses questions, and the verifier, if any.

    For a diagnosis, each wording of the question is asked `samples` times; `in_words=False` asks
    object by object, for yes or no. `observations` are all answers so far, which planner and low
    level are shown.
    """

    observer: Observer
    planner: LanguagePlanner
    verifier: LanguageVerifier | None = None
    samples: int = 1
    in_words: bool = True
    observations: tuple[Observation, ...] = field(default=(), init=False)

    def scan(self) -> SceneDescription:
        """All objects that the robot knows, each with its visibility and, if visible, its state."""
        return scan(self.observer)

    def diagnose(self, step: Step, scene: SceneDescription) -> tuple[str, ...]:
        """At most two visible causes of a failed step, in the names of `scene` (B.9 to B.12)."""
        explanations = (
            self._causes_in_words(step, scene) if self.in_words else self._obstacles(step, scene)
        )
        if self.verifier is not None:
            explanations = [self.verifier.named(sentence, scene) for sentence in explanations]
        return self.planner.causes(str(step), scene, tuple(explanations))

    def act(
        self, goal: str, step: Step, scene: SceneDescription, plan: tuple[str, ...]
    ) -> Step | None:
        """Do a step by looking (figures B.14 to B.17); what remains for the arm, if anything."""
        remaining = self.completed(goal, str(step), scene, plan).remaining
        return remaining if remaining is not None and not remaining.looks else None

    def completed(
        self, goal: str, action: str, scene: SceneDescription, plan: tuple[str, ...]
    ) -> Completed:
        """Whether `action`, a step of `plan` or the `goal`, is done.

        It is unknown without answers. A yes counts only if every question has an answer.
        """
        questions = self.planner.questions(goal, scene, action, plan, self.observations)
        pictures = self.observer.look() if questions else ()
        answers: list[Observation] = []
        all_known = True
        for question in questions:
            prompt = AskVisionPrompt(question, scene.places.known)
            seen = self.observer.ask(pictures, prompt, action)
            all_known = all_known and seen is not None and seen.verdict is not Verdict.UNKNOWN
            if seen is not None:
                answers.append(Observation(question, seen.text))
                self.observations = with_observation(self.observations, answers[-1])
        if not answers:
            return Completed(Verdict.UNKNOWN)
        known = self.observations if action == goal else tuple(answers)
        found = self.planner.completed(action, scene, known, plan)
        return found if all_known or found.done is Verdict.NO else Completed(Verdict.UNKNOWN)

    def _causes_in_words(self, step: Step, scene: SceneDescription) -> list[str]:
        pictures = self.observer.look()
        answers = [
            self.observer.ask(pictures, prompt, str(step), seed=sample)
            for prompt in why_prompts(str(step), scene.places.known)
            for sample in range(self.samples)
        ]
        return [one.text for one in answers if one is not None and one.obstacle]

    def _obstacles(self, step: Step, scene: SceneDescription) -> list[str]:
        pictures, found = self.observer.look(), []
        for question in obstacle_questions(step, scene):
            answer = self.observer.ask(pictures, AskVisionPrompt(str(question)), str(step))
            if answer is not None and answer.verdict is Verdict.YES:
                found.append(question.statement(True))
        return found


@dataclass(frozen=True, slots=True)
class BlindPerceiver:
    """REPLAN without its perceiver: it knows which objects are in sight at the start, no more."""

    scene: SceneDescription
    observations: tuple[Observation, ...] = ()

    def scan(self) -> SceneDescription:
        """The scene at the start, without states."""
        return self.scene

    def diagnose(self, step: Step, scene: SceneDescription) -> tuple[str, ...]:
        """No cause is seen."""
        return ()

    def act(
        self, goal: str, step: Step, scene: SceneDescription, plan: tuple[str, ...]
    ) -> Step | None:
        """A step of looking does nothing."""
        return None

    def completed(
        self, goal: str, action: str, scene: SceneDescription, plan: tuple[str, ...]
    ) -> Completed:
        """Nobody knows."""
        return Completed(Verdict.UNKNOWN)
