"""Every example generator by the family of its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from regrasp.lab.language import (
    copal_examples,
    interpret_examples,
    next_action_examples,
)
from regrasp.lab.language import (
    instruction_examples as goal_drills,
)
from regrasp.lab.language import (
    skill_examples as skill_drills,
)
from regrasp.lab.language import (
    step_examples as step_drills,
)
from regrasp.lab.language import (
    vision_examples as sight_drills,
)
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.question import LanguageExample

__all__ = ["GENERATORS"]

GENERATORS: Mapping[str, Callable[[ExampleSource], LanguageExample]] = {
    "is_vision": step_drills.is_vision,
    "relocation": step_drills.relocation,
    "motion_plan": step_drills.motion_plan,
    "rewards": step_drills.rewards,
    "reward_step": step_drills.reward_step,
    "primary_step": step_drills.primary_step,
    "reasons": sight_drills.reasons,
    "wrong_names": sight_drills.wrong_names,
    "rewrite_names": sight_drills.rewrite_names,
    "question_type": sight_drills.question_type,
    "questions": sight_drills.questions,
    "completed": sight_drills.completed,
    "skill_plan": skill_drills.skill_plan,
    "constraints": skill_drills.constraints,
    "goal": goal_drills.goal,
    "interpret": interpret_examples.interpret,
    "specify": copal_examples.specify,
    "commands": copal_examples.commands,
    "next_action": next_action_examples.next_action,
}
"""Every family with a generator."""
