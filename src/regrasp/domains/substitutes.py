"""Actions that do the same thing with other objects: the bottle is taken from where it stands.

Only objects that do not matter for the purpose are exchanged: those that occur in nothing that the
action makes true (`from` of `get`, not `to` of `put`), and those that a command may leave out (its
hand). The first object is always kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from regrasp.core.action import Action
from regrasp.domains.achievers import Achievers
from regrasp.domains.domain import ActionSchema
from regrasp.domains.partial_state import PartialState
from regrasp.domains.skill_domain import SkillCall, SkillDomain

__all__ = ["substitutes"]


def substitutes(
    skills: SkillDomain, achievers: Achievers, action: Action, state: PartialState
) -> tuple[Action, ...]:
    """Complete actions that can stand for a complete `action`, for objects that the state names.

    Among them are actions that are the same call of the robot: `grasp_from_in(mug, cabinet)` for
    `grasp_from_on(mug, table)`, both of which are the skill `grasp(mug)`.
    """
    found = dict.fromkeys((*_other_objects(skills, achievers, action, state),
                           *_same_call(skills, achievers, action, state)))  # fmt: skip
    return tuple(one for one in found if one != action)


def _other_objects(
    skills: SkillDomain, achievers: Achievers, action: Action, state: PartialState
) -> Iterator[Action]:
    schema, binding = achievers.rules.bind(action)
    made = {term for one in schema.effects if one.positive for term in one.atom.terms}
    required = len(schema.parameters) - skills.optional.get(action.name, 0)
    for i, parameter in list(enumerate(schema.parameters))[1:]:
        others = {name: value for name, value in binding.items() if name != parameter.name}
        if i >= required:
            names = achievers.rules.objects_of(parameter.types)
        elif parameter.name not in made:
            names = achievers.determined(schema, others, parameter, state)
        else:
            continue
        for name in names:
            yield Action(action.name, (*action.args[:i], name, *action.args[i + 1 :]))


def _same_call(
    skills: SkillDomain, achievers: Achievers, action: Action, state: PartialState
) -> Iterator[Action]:
    wanted = skills.skill(action)
    for schema in skills.domain.actions:
        call = skills.skills.get(schema.name, SkillCall(schema.name))
        if schema.name == action.name or call.name != wanted.name or call.arguments is None:
            continue
        places = zip(call.arguments, wanted.args, strict=False)
        binding = {schema.parameters[i].name: arg for i, arg in places}
        yield from _completed(schema, binding, achievers, state)


def _completed(
    schema: ActionSchema, binding: dict[str, str], achievers: Achievers, state: PartialState
) -> Iterator[Action]:
    """The actions of a schema whose open parameters the state determines, one after another."""
    allowed = achievers.rules.objects_of
    if any(
        one.name in binding and binding[one.name] not in allowed(one.types)
        for one in schema.parameters
    ):
        return
    left = next((one for one in schema.parameters if one.name not in binding), None)
    if left is None:
        yield Action(schema.name, tuple(binding[one.name] for one in schema.parameters))
        return
    for name in achievers.determined(schema, binding, left, state):
        yield from _completed(schema, {**binding, left.name: name}, achievers, state)
