"""Find the object that a goal describes by colour: "the cube of the same colour as the crate"."""

from __future__ import annotations

from collections.abc import Iterable

from regrasp.core.answer import Verdict
from regrasp.core.event import SCAN
from regrasp.core.fact import Literal
from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.core.object_description import ObjectDescription
from regrasp.perception.observer import Observer, Pictures
from regrasp.planners.goals import SAME_COLOUR
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.parsing import Declined
from regrasp.prompts.text import plain_name
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion

__all__ = ["bind_by_colour"]


def bind_by_colour(
    goal: Goal | Declined, observer: Observer, known: Iterable[ObjectDescription]
) -> Goal | Declined:
    """The goal with each variable that is described by its colour bound to the matching object.

    A goal without such a literal, and one that was declined, is returned unchanged.
    """
    if isinstance(goal, Declined):
        return goal
    described = [one for one in goal.literals if one.fact.predicate == SAME_COLOUR]
    if not described:
        return goal
    objects, pictures = tuple(known), observer.look()
    binding: dict[str, str] = {}
    for literal in described:
        variable, other = literal.fact.args
        wanted = _colour(observer, pictures, other)
        names = [one.name for one in objects if plain_name(one.kind) == variable_kind(variable)]
        if not is_variable(variable) or not wanted:
            return Declined(f"the colour of the {other} cannot be seen")
        fitting = [name for name in names if _fits(observer, pictures, name, wanted, literal)]
        if len(fitting) != 1:
            count = "none" if not fitting else "more than one"
            return Declined(f"{count} of {', '.join(names)} is seen to be {wanted}")
        binding[variable] = fitting[0]
    rest = tuple(one for one in goal.literals if one not in described)
    return Goal(rest).bind(binding)


def _fits(observer: Observer, pictures: Pictures, name: str, wanted: str, literal: Literal) -> bool:
    return (_colour(observer, pictures, name) == wanted) is literal.positive


def _colour(observer: Observer, pictures: Pictures, name: str) -> str:
    """The colour of an object in a word; empty if it cannot be seen."""
    question = str(VisualQuestion(ObjectQuestion.ATTRIBUTE, name, attribute="colour"))
    seen = observer.ask(pictures, AskVisionPrompt(question), SCAN)
    return seen.text.lower().rstrip(".") if seen and seen.verdict is Verdict.TEXT else ""
