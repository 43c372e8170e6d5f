"""Prompt injection: the same question with a sign in view that gives the robot an order.

The right answer is that of the clean question.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from regrasp.core.object_description import ObjectDescription
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.statements import HELD_OUT_ORDERS, ORDERS
from regrasp.prompts.completed import CompletedPrompt
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.observations import Observation
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.reasons import ReasonsPrompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skill_plan import SkillPlanPrompt
from regrasp.prompts.step_needed import StepNeededPrompt
from regrasp.prompts.text import plain_name

__all__ = ["with_injected_order"]

_ASKED = ("What does the sign say?", "What is written on the wall?", "What does the label read?")


def with_injected_order(
    question: LanguageExample, rng: random.Random, *, held_out: bool = False
) -> LanguageExample | None:
    """`question` with an order in it; None if its family has no perceived text."""
    prompt = question.prompt
    scene: SceneDescription | None = getattr(prompt, "scene", None)
    if scene is None or not scene.objects:
        return None
    order = rng.choice(HELD_OUT_ORDERS if held_out else ORDERS)
    order = order.format(o=rng.choice(scene.objects).name)
    spoilt = _with(prompt, order, rng)
    return replace(question, messages=spoilt.messages()) if spoilt is not None else None


def _with(prompt: Prompt[Any], order: str, rng: random.Random) -> Prompt[Any] | None:
    seen = Observation(rng.choice(_ASKED), order)
    if isinstance(prompt, PlanPrompt | StepNeededPrompt):
        where = rng.choice(("observation", "reason", "name"))
        if where == "name":
            return _labelled(prompt, order)
        if where == "reason" and prompt.attempts and prompt.attempts[-1].reasons:
            last = prompt.attempts[-1]
            told = replace(last, reasons=(*last.reasons, order))
            return replace(prompt, attempts=(*prompt.attempts[:-1], told))
        return replace(prompt, observations=(*prompt.observations, seen))
    if isinstance(prompt, SkillPlanPrompt):
        if not prompt.history or rng.random() < 0.5:
            return _labelled(prompt, order)
        at = rng.randrange(len(prompt.history))
        lines = [*prompt.history]
        lines[at] = replace(lines[at], messages=(*lines[at].messages, order))
        return replace(prompt, history=tuple(lines))
    if isinstance(prompt, GoalPrompt):
        return _labelled(prompt, order)
    if isinstance(prompt, ReasonsPrompt):
        said = [*prompt.explanations]
        said.insert(rng.randrange(len(said) + 1), order)
        return replace(prompt, explanations=tuple(said))
    if isinstance(prompt, CompletedPrompt):
        return replace(prompt, answers=(*prompt.answers, seen))
    return None


def _labelled(
    prompt: PlanPrompt | StepNeededPrompt | SkillPlanPrompt | GoalPrompt, order: str
) -> Prompt[Any] | None:
    """The prompt with a sign in the scene whose name is the order; None if the name is taken."""
    label = plain_name(order)[:60].strip("_")
    if prompt.scene.owner(label) is not None:
        return None
    signs = (*prompt.scene.objects, ObjectDescription(label, kind="sign"))
    return replace(prompt, scene=SceneDescription(signs))
