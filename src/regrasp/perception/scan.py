"""The scan: which known objects are in sight, and which of those are open (REPLAN, B.1)."""

from __future__ import annotations

from regrasp.core.answer import Verdict
from regrasp.core.event import SCAN
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.perception.observer import Observer, Pictures
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.prompts.see_object import SeeObjectPrompt
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion

__all__ = ["scan"]

_STATES = {Verdict.YES: "open", Verdict.NO: "closed"}


def scan(observer: Observer) -> SceneDescription:
    """Look for every known object; one that is seen to be absent is marked, not removed."""
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
