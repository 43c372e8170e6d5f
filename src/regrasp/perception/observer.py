"""A robot's cameras and a vision model: take pictures once, ask many questions about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from regrasp.core.answer import QuestionKind
from regrasp.core.event import EventSink, VisionAsked
from regrasp.core.robot import Robot
from regrasp.models.images import ImageData
from regrasp.models.vision import VisionModel
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.prompt import VisionPrompt

__all__ = ["Observer", "Pictures"]

T = TypeVar("T")

_VIEWS = 2
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
