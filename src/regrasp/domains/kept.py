"""Literals to keep: the same domain, in which no action can make them false.

For each action that could make a kept literal false, a precondition forbids exactly those choices
of its parameters, and those states, in which it would. "Without opening the cabinet" is
`closed(cabinet)`: `open(?y)` then needs that `?y` is not the cabinet.

`not moved(x)` is true as long as no action changes a fact whose first argument is `x`; facts that
change although nobody touches `x` do not count: those whose words have `moves=False` (it comes into
sight, the robot walks up to it), and those that only say what is on or in `x`, such as `clear(x)`.

A variable in a kept literal stands for every object of its kind: `not moved(?cup)` keeps all cups.
A kept literal that is false at first may become true; from then on it stays true.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Literal, State
from regrasp.core.goal import Goal, is_variable, variable_kind
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.domain import ActionSchema, Domain
from regrasp.domains.formula import (
    ALWAYS,
    NEVER,
    And,
    Condition,
    Effect,
    Equal,
    Exists,
    Or,
    joined,
    negated,
    substitute,
)
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain
from regrasp.prompts.goal import MOVED
from regrasp.prompts.text import plain_name

__all__ = ["broken_literals", "kept_statement", "with_kept"]


def with_kept(
    skills: SkillDomain, keep: Iterable[Literal], known: Iterable[ObjectDescription]
) -> SkillDomain:
    """The domain in which no action can make a literal of `keep` false; `known` is the robot's.

    An action that would always do so is left out. Raises for a literal that the domain cannot
    express. The objects of the literals become constants, so that the actions may name them.
    """
    objects = tuple(known)
    rules = skills.rules(objects)
    kept = tuple(dict.fromkeys(g for one in keep for g in _grounded(one, skills, rules, objects)))
    if not kept:
        return skills
    actions = [_forbidding(schema, kept, skills, rules) for schema in skills.domain.actions]
    named = {name for literal in kept for name in literal.fact.args}
    constants = (one for one in rules.objects if one.name in named)
    required = skills.domain.requirements
    domain = replace(
        skills.domain,
        actions=tuple(schema for schema in actions if schema.precondition != NEVER),
        constants=tuple(dict.fromkeys((*skills.domain.constants, *constants))),
        requirements=required if not required or ":adl" in required else (*required, ":adl"),
    )
    lexicon = replace(skills.lexicon, domain=domain)
    return replace(skills, lexicon=lexicon, kept=(*skills.kept, *kept))


def broken_literals(
    skills: SkillDomain, rules: Rules, action: Action, state: State
) -> tuple[Literal, ...]:
    """The kept literals that `action` would make false in `state`."""
    schema, binding = rules.bind(action)
    return tuple(
        literal
        for literal in skills.kept
        if rules.holds(_breaking(schema, literal, skills, rules), state, binding)
    )


def kept_statement(skills: SkillDomain, literal: Literal) -> str:
    """A kept literal as a sentence, e.g. `bottle must not be moved`."""
    if _is_moved(literal, skills.domain):
        return f"{literal.fact.args[0]} must not be moved"
    return f"this must stay true: {skills.lexicon.statement(literal)}"


def _forbidding(
    schema: ActionSchema, kept: tuple[Literal, ...], skills: SkillDomain, rules: Rules
) -> ActionSchema:
    """The action with a precondition under which every kept literal stays true."""
    own = schema.precondition
    allowed = [negated(_breaking(schema, literal, skills, rules)) for literal in kept]
    parts = own.parts if isinstance(own, And) else (own,)
    return replace(schema, precondition=joined(And(), (*parts, *allowed)))


def _breaking(
    schema: ActionSchema, literal: Literal, skills: SkillDomain, rules: Rules
) -> Condition:
    """When the action makes the literal false, over its parameters and the state before it."""
    fact = literal.fact
    if _is_moved(literal, skills.domain):
        still = _still_predicates(skills)
        moving = (e for e in schema.effects if e.atom.terms and e.atom.predicate not in still)
        return joined(Or(), [_when(effect, schema, fact.args, rules) for effect in moving])
    made, undone = (
        joined(
            Or(),
            [
                _when(effect, schema, fact.args, rules)
                for effect in schema.effects
                if effect.atom.predicate == fact.predicate and effect.positive is positive
            ],
        )
        for positive in (True, False)
    )
    # Where an action makes a fact both true and false, it becomes true.
    return joined(And(), [undone, negated(made)]) if literal.positive else made


def _when(effect: Effect, schema: ActionSchema, args: tuple[str, ...], rules: Rules) -> Condition:
    """When the effect changes a fact with these first arguments."""
    universal = {one.name: one for one in effect.variables}
    typed = {one.name: one for one in (*schema.parameters, *effect.variables)}
    chosen: dict[str, str] = {}
    same: list[Condition] = []
    for term, name in zip(effect.atom.terms, args, strict=False):
        if term not in typed:
            if term != name:  # a constant
                return NEVER
        elif name not in rules.objects_of(typed[term].types):
            return NEVER
        elif term not in universal:
            same.append(Equal(term, name))
        elif chosen.setdefault(term, name) != name:
            return NEVER
    when = substitute(effect.condition, chosen)
    left = tuple(one for one in effect.variables if one.name not in chosen)
    if left and when not in (ALWAYS, NEVER):
        when = Exists(left, when)
    return joined(And(), [*same, when])


def _is_moved(literal: Literal, domain: Domain) -> bool:
    predicate = literal.fact.predicate
    return predicate == MOVED and all(one.name != MOVED for one in domain.predicates)


def _still_predicates(skills: SkillDomain) -> frozenset[str]:
    """The predicates that change although nobody touches their first object."""
    listed = (entry.predicate for entry in skills.lexicon.entries if not entry.moves)
    return _occupancy_predicates(skills.domain) | frozenset(listed)


@cache
def _occupancy_predicates(domain: Domain) -> frozenset[str]:
    """Predicates of one object that only say what is on or in it, such as `clear` or `occupied`.

    Some action changes them together with the place of another object: `clear(?y)` with
    `on(?x, ?y)`. No action changes them without either that or another fact about the object.
    """
    found: set[str] = set()
    alone: set[str] = set()
    for schema in domain.actions:
        for atom in (effect.atom for effect in schema.effects if len(effect.atom.terms) == 1):
            others = [e.atom for e in schema.effects if e.atom.predicate != atom.predicate]
            if any(atom.terms[0] in other.terms[1:] for other in others):
                found.add(atom.predicate)
            elif all(atom.terms != other.terms[:1] for other in others):
                alone.add(atom.predicate)
    return frozenset(found - alone)


def _grounded(
    literal: Literal, skills: SkillDomain, rules: Rules, known: Iterable[ObjectDescription]
) -> Iterator[Literal]:
    """The literal for every choice of objects for its variables; checked."""
    fact = literal.fact
    moved = _is_moved(literal, skills.domain)
    if moved and literal.positive:
        raise RegraspError(f"{literal} cannot be kept; write not {fact} for what is left alone.")
    wanted = 1 if moved else len(skills.domain.predicate(fact.predicate).parameters)
    if len(fact.args) != wanted:
        raise RegraspError(f"{literal}: {fact.predicate} takes {wanted} objects.")
    kinds = {one.name: plain_name(one.type) for one in rules.objects}
    kinds |= {one.name: plain_name(one.kind) for one in known}
    for name in fact.args:
        if is_variable(name) and variable_kind(name) not in kinds.values():
            raise UnknownNameError("kind of object", variable_kind(name), kinds.values())
        if not is_variable(name) and name not in kinds:
            raise UnknownNameError("object", name, kinds)
    goal = Goal((literal,))
    choices = (
        [name for name, kind in kinds.items() if kind == variable_kind(variable)]
        for variable in goal.variables
    )
    for chosen in itertools.product(*choices):
        yield from goal.bind(dict(zip(goal.variables, chosen, strict=True))).literals
