"""What can be a goal in a domain, and a goal as a condition of the domain.

A predicate is offered for those kinds of object for which some action changes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact, Literal
from regrasp.core.goal import Goal, variable_kind
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.formula import And, Atom, Condition, Equal, Exists, Not, Or, Parameter
from regrasp.domains.skill_domain import SkillDomain
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.prompts.skills import VARIABLES
from regrasp.prompts.text import plain_name

__all__ = ["goal_condition", "goal_forms", "goal_prompt", "goal_scene"]


def goal_prompt(
    instruction: str, skills: SkillDomain, known: Iterable[ObjectDescription]
) -> GoalPrompt:
    """The question what `instruction` wants, over the objects of the robot and its domain."""
    objects = tuple(known)
    return GoalPrompt(instruction, goal_scene(skills, objects), goal_forms(skills, objects))


def goal_scene(skills: SkillDomain, known: Iterable[ObjectDescription]) -> SceneDescription:
    """The known objects with the domain's own; the kind of those is their type."""
    scene = scene_text(known)
    named = {thing.name for thing in scene.objects}
    added = {one.name: one.type for one in (*skills.domain.constants, *skills.objects)}
    lines = (ObjectDescription(n, kind=plain_name(t)) for n, t in added.items() if n not in named)
    return SceneDescription((*scene.objects, *lines))


def goal_forms(skills: SkillDomain, known: Iterable[ObjectDescription]) -> tuple[GoalForm, ...]:
    """The possible goals: predicates that some action changes, for kinds that are present."""
    kinds = _kind_types(skills, known)
    forms = []
    for entry in skills.lexicon.entries:
        changed = tuple(_changed_types(skills, entry.predicate))
        if not changed:
            continue
        count = len(skills.domain.predicate(entry.predicate).parameters)
        takes = tuple(
            tuple(
                kind
                for kind, type_name in kinds.items()
                if any(skills.domain.is_a(type_name, types[place]) for types in changed)
            )
            for place in range(count)
        )
        if all(takes):
            fact = Fact(entry.predicate, VARIABLES[:count])
            forms.append(GoalForm(entry.predicate, takes, skills.lexicon.statement(Literal(fact))))
    return tuple(forms)


def goal_condition(
    goal: Goal, skills: SkillDomain, known: Iterable[ObjectDescription] = ()
) -> Condition:
    """The goal over the domain: a variable is some object of the type of its kind.

    Where the type has other kinds too, `known` gives the objects of this kind. Raises for a literal
    that the domain cannot express.
    """
    objects = tuple(known)
    domain = skills.domain
    for literal in goal.literals:
        fact = literal.fact
        wanted = len(domain.predicate(fact.predicate).parameters)
        if wanted != len(fact.args):
            raise RegraspError(f"{literal}: {fact.predicate} takes {wanted} objects.")
    atoms = ((Atom(one.fact.predicate, one.fact.args), one.positive) for one in goal.literals)
    parts: list[Condition] = [atom if positive else Not(atom) for atom, positive in atoms]
    types = _kind_types(skills, objects)
    variables = []
    for variable in goal.variables:
        kind = variable_kind(variable)
        type_name = types.get(kind) or _declared_type(skills, kind)
        variables.append(Parameter(variable, (type_name,)))
        parts += _only_kind(variable, kind, type_name, skills, objects)
    whole = parts[0] if len(parts) == 1 else And(tuple(parts))
    return Exists(tuple(variables), whole) if variables else whole


def _kind_types(skills: SkillDomain, known: Iterable[ObjectDescription]) -> dict[str, str]:
    """The type of every kind present; for the domain's own objects both are the same."""
    found = {
        plain_name(one.kind): skills.kinds[one.kind] for one in known if one.kind in skills.kinds
    }
    for one in (*skills.domain.constants, *skills.objects):
        found.setdefault(plain_name(one.type), one.type)
    return found


def _declared_type(skills: SkillDomain, kind: str) -> str:
    """The type of a kind that has no known object."""
    declared = {plain_name(name): type_name for name, type_name in skills.kinds.items()}
    declared |= {plain_name(one.name): one.name for one in skills.domain.types}
    if kind not in declared:
        raise UnknownNameError("kind of object", kind, declared)
    return declared[kind]


def _only_kind(
    variable: str,
    kind: str,
    type_name: str,
    skills: SkillDomain,
    known: Iterable[ObjectDescription],
) -> Iterator[Condition]:
    """The condition that the variable is of the kind, where its type alone is not enough."""
    typed = [
        (one.name, plain_name(one.kind))
        for one in known
        if one.kind in skills.kinds and skills.domain.is_a(skills.kinds[one.kind], (type_name,))
    ]
    if any(own != kind for _, own in typed):
        yield Or(tuple(Equal(variable, name) for name, own in typed if own == kind))


# ---- predicates that actions change ------------------------------------------------------------


def _changed_types(skills: SkillDomain, predicate: str) -> Iterator[tuple[tuple[str, ...], ...]]:
    """For every effect on the predicate, the types that each of its arguments may have."""
    constants = {one.name: (one.type,) for one in skills.domain.constants}
    for schema in skills.domain.actions:
        for effect in schema.effects:
            if effect.atom.predicate == predicate:
                variables = (*schema.parameters, *effect.variables)
                types = {**constants, **{one.name: one.types for one in variables}}
                yield tuple(types[term] for term in effect.atom.terms)
