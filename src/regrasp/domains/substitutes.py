"""What an action is for, and other actions for the same: the bottle is taken from where it stands.

Only what does not matter for the purpose is exchanged: the place from which an object is taken, not
the one to which it is put; and objects that a command may leave out, such as its hand.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from regrasp.core.action import Action
from regrasp.core.fact import Literal
from regrasp.domains.achievers import Achievers
from regrasp.domains.hands_and_doors import Hands
from regrasp.domains.partial_state import PartialState
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["purpose", "substitutes"]


def purpose(
    rules: Rules, hands: Hands | None, action: Action, state: PartialState
) -> tuple[Literal, ...]:
    """What a complete action is for: the facts that it makes true, else those that it makes false.

    That a hand becomes free is never the purpose.
    """
    schema, binding = rules.bind(action)
    made = state.effects(rules, schema.effects, binding)
    free = hands.free if hands is not None else ""
    added = tuple(one for one in made if one.positive and one.fact.predicate != free)
    return added or tuple(one for one in made if not one.positive)


def substitutes(
    skills: SkillDomain,
    achievers: Achievers,
    hands: Hands | None,
    action: Action,
    state: PartialState,
) -> tuple[Action, ...]:
    """Complete actions that can stand for a complete `action`; their preconditions may be unmet.

    `grasp_from_in(mug, cabinet)` stands for `grasp_from_on(mug, table)` if the mug is inside the
    cabinet. Nothing stands for an action with a quantity.
    """
    if action.name in skills.quantities:
        return ()
    rules = achievers.rules
    found: dict[Action, None] = {}
    for variant in _variants(skills, rules, action):
        found[variant] = None
        wanted = purpose(rules, hands, variant, state)
        for other in achievers.actions(wanted[0], state) if wanted else ():
            schema, binding = rules.bind(other)
            made = state.effects(rules, schema.effects, binding)
            if other.name not in skills.quantities and set(wanted) <= set(made):
                found[other] = None
    return tuple(one for one in found if one != action)


def _variants(skills: SkillDomain, rules: Rules, action: Action) -> Iterator[Action]:
    """The action with every choice of the objects that a command may leave out."""
    parameters = skills.domain.action(action.name).parameters
    required = len(parameters) - skills.optional.get(action.name, 0)
    choices = (rules.objects_of(one.types) for one in parameters[required:])
    yield action
    for chosen in itertools.product(*choices):
        yield Action(action.name, (*action.args[:required], *chosen))
