"""A robot's cameras and a vision model: take pictures once, ask many questions about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.event import SCAN, EventSink, VisionAsked
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.robot import Robot
from regrasp.models.images import ImageData
from regrasp.models.vision import VisionModel
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.prompt import VisionPrompt
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.prompts.see_object import SeeObjectPrompt
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion

__all__ = ["Observer", "Pictures", "scan"]

T = TypeVar("T")

_VIEWS = 2
_STATES = {Verdict.YES: "open", Verdict.NO: "closed"}
Pictures: TypeAlias = tuple[ImageData, ...]


@dataclass(frozen=True, slots=True)
class Observer:
    """Asks `model` about pictures from the cameras of `robot`; every answer is an event.

    `cameras` are the ones to use; the first two of the robot where none are named.
    """

    robot: Robot
    model: VisionModel
    emit: EventSink
    cameras: tuple[str, ...] = ()

    def look(self) -> Pictures:
        """A picture from each camera, now."""
        cameras = self.cameras or self.robot.cameras()[:_VIEWS]
        return tuple(ImageData.from_array(self.robot.look(camera).rgb) for camera in cameras)

    def ask(
        self, pictures: Pictures, prompt: VisionPrompt[T], action: str, seed: int | None = None
    ) -> T | None:
        """The model's parsed reply about `pictures`; None if it cannot be read."""
        question = prompt.render()
        answer = self.model.answer(pictures, question, kind=prompt.kind, seed=seed)
        closed = prompt.kind is QuestionKind.YES_NO
        reply = str(answer.verdict) if closed else answer.text or str(answer.verdict)
        self.emit(VisionAsked(action, question, reply))
        result = prompt.parse(reply)
        return None if isinstance(result, Declined | ParseError) else result


def scan(observer: Observer) -> SceneDescription:
    """Look for every known object (REPLAN, B.1), and whether those in sight are open.

    One that is seen to be absent is marked, not removed.
    """
    pictures, known = observer.look(), observer.robot.knowledge()
    seen = {one: observer.ask(pictures, SeeObjectPrompt(one.name), SCAN) for one in known}
    unseen = {one.name for one, verdict in seen.items() if verdict is Verdict.NO}
    states = {
        one.name: _state(observer, pictures, one)
        for one, verdict in seen.items()
        if verdict is Verdict.YES and one.allows(Affordance.OPEN)
    }
    return scene_text(known, unseen, states)


def _state(observer: Observer, pictures: Pictures, thing: ObjectDescription) -> str:
    question = str(VisualQuestion(ObjectQuestion.OPEN, thing.name))
    answer = observer.ask(pictures, AskVisionPrompt(question), SCAN)
    return _STATES.get(answer.verdict, "") if answer is not None else ""
