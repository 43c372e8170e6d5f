"""The questions about each named object to find what prevents an action, from names alone."""

from __future__ import annotations

from regrasp.core.errors import RegraspError
from regrasp.core.object_description import ObjectDescription
from regrasp.prompts.parsing import Line
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Step, Verb, parse_step
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion
from regrasp.prompts.why import WhyQuestion

__all__ = ["obstacles"]

_OPENS = (Verb.OPEN, Verb.CLOSE, Verb.PULL, Verb.PRESS, Verb.TURN)


def obstacles(asked: WhyQuestion) -> tuple[VisualQuestion, ...]:
    """Questions where a yes is a cause: in the way, on top, or closed. None if no step is read.

    `prompts.visual_question.obstacle_questions` does the same for a scene with known affordances.
    """
    try:
        scene = SceneDescription(tuple(map(ObjectDescription, asked.names)))
    except RegraspError:
        return ()
    step = parse_step(asked.action, Line(asked.action, 0), scene)
    if not isinstance(step, Step):
        return ()
    moved, place = str(step.object), step.other
    others = _others(asked.names, moved, place)

    def each(look: ObjectQuestion, target: str) -> tuple[VisualQuestion, ...]:
        return tuple(VisualQuestion(look, name, target) for name in others)

    if step.verb in _OPENS:
        return each(ObjectQuestion.BLOCKING, moved)
    on_top = each(ObjectQuestion.ON, moved)
    if step.verb is Verb.PUT_IN:
        closed = VisualQuestion(ObjectQuestion.CLOSED, place)
        return (closed, *each(ObjectQuestion.BLOCKING, place), *on_top)
    if step.verb is Verb.PUT_ON:
        return (*each(ObjectQuestion.ON, place), *on_top)
    return on_top


def _others(names: tuple[str, ...], *targets: str) -> tuple[str, ...]:
    """The names that are not a target, a part of one or a spot of one."""
    meant = [target for target in targets if target]
    return tuple(n for n in names if not any(t in n or n in t for t in meant))
