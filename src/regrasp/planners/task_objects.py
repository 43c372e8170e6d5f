"""The objects of a task: those that the instruction names, those of the goal, and their places.

IALP asks a language model for them. Here the names of known objects are looked up in the text; what
a person calls otherwise is found by the goal prompt (`planners.understanding`).
"""

from __future__ import annotations

from collections.abc import Iterable

from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.skill_domain import SkillDomain
from regrasp.prompts.names import Names

__all__ = ["named_objects", "task_objects"]

_ROUNDS = 2
"""How often the place of an object is added: a pie, the fridge it is in, the room of the fridge."""


def named_objects(instruction: str, known: Iterable[ObjectDescription]) -> tuple[str, ...]:
    """The known objects that an instruction names, in order."""
    names = Names(tuple(one.name for one in known))
    return tuple(dict.fromkeys(one.name for one in names.mentions(instruction)))


def task_objects(
    goal: Goal,
    named: Iterable[str],
    domain: SkillDomain,
    known: Iterable[ObjectDescription],
) -> frozenset[str]:
    """The objects that a plan for the goal is made over; all of a kind where the goal names one."""
    objects = tuple(known)
    arguments = {arg for literal in goal.literals for arg in literal.fact.args}
    kinds = {variable_kind(arg) for arg in arguments if is_variable(arg)}
    found = {one.name for one in objects if one.name in arguments or one.kind in kinds}
    found.update(named)
    for _ in range(_ROUNDS):
        found |= {
            arg
            for fact in domain.init
            if len(fact.args) > 1 and fact.args[0] in found
            for arg in fact.args
        }
    return frozenset(found)
