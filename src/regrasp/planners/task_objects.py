"""The objects of a task: those that the instruction names, those of the goal, and their places.

IALP asks a language model for them. Here the names of known objects are looked up in the text; what
a person calls otherwise is found by the goal prompt (`planners.understanding`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable

from regrasp.core.fact import Fact, State
from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.skill_domain import SkillDomain
from regrasp.prompts.names import Names

__all__ = ["named_objects", "stated_places", "task_objects"]

_PLACES = ("on", "in", "inside")
_WHERE = re.compile(r",?\s+(?:that is |which is |lying |standing )?(?:from|in|inside|on|off|out of)"
                    r"(?: the| a| an)?\s+", re.IGNORECASE)  # fmt: skip
_ROUNDS = 2
"""How often the place of an object is added: a pie, the fridge it is in, the room of the fridge."""


def named_objects(instruction: str, known: Iterable[ObjectDescription]) -> tuple[str, ...]:
    """The known objects that an instruction names, in order."""
    names = Names(tuple(one.name for one in known))
    return tuple(dict.fromkeys(one.name for one in names.mentions(instruction)))


def stated_places(
    instruction: str, domain: SkillDomain, known: Iterable[ObjectDescription]
) -> State:
    """The facts by which an instruction says where a thing is: "the pill box in the drawer".

    "Put it on the shelf" says so too, of where it shall be. The place of a thing that `domain.init`
    has already is left out.
    """
    objects = tuple(known)
    rules, names = domain.rules(objects), Names(tuple(one.name for one in objects))
    relations = [one.name for one in domain.domain.predicates if one.name in _PLACES]
    placed = {fact.args[0] for fact in domain.init if fact.predicate in relations}
    stated = set()
    for thing, place in itertools.pairwise(names.mentions(instruction)):
        if _WHERE.fullmatch(instruction[thing.end : place.start]) and thing.name not in placed:
            facts = (Fact.of(predicate, thing.name, place.name) for predicate in relations)
            stated |= {one for one in facts if rules.is_well_typed(one)}
    return frozenset(stated)


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
