"""Domains and problems as PDDL text that `pddl_read` turns back into the same values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from regrasp.domains.domain import ActionSchema, Domain, Problem
from regrasp.domains.formula import (
    ALWAYS,
    And,
    Atom,
    Condition,
    Effect,
    Equal,
    Exists,
    ForAll,
    Imply,
    Not,
    Or,
    Parameter,
)

__all__ = ["write_domain", "write_effects", "write_problem"]


def write_domain(domain: Domain) -> str:
    """The text of a domain."""
    sections = []
    if domain.requirements:
        sections.append(f"(:requirements {' '.join(domain.requirements)})")
    if domain.types:
        sections.append(_section(":types", [_typed(t.name, t.parent) for t in domain.types]))
    if domain.constants:
        sections.append(_section(":constants", [_typed(o.name, o.type) for o in domain.constants]))
    if domain.predicates:
        lines = [_listed([one.name, *map(_parameter, one.parameters)]) for one in domain.predicates]
        sections.append(_section(":predicates", lines))
    sections += map(_action, domain.actions)
    return _define(f"(domain {domain.name})", sections)


def write_problem(problem: Problem) -> str:
    """The text of a problem; facts are sorted, so that the same problem is the same text."""
    sections = [f"(:domain {problem.domain})"]
    if problem.objects:
        sections.append(_section(":objects", [_typed(o.name, o.type) for o in problem.objects]))
    facts = [_listed([fact.predicate, *fact.args]) for fact in sorted(problem.init)]
    sections.append(_section(":init", facts))
    sections.append(f"(:goal {_condition(problem.goal)})")
    return _define(f"(problem {problem.name})", sections)


def write_effects(effects: Iterable[Effect]) -> str:
    """The text of an effect, as `pddl_read.read_effects` reads it."""
    return _listed(["and", *map(_effect, effects)])


def _define(title: str, sections: Sequence[str]) -> str:
    return f"(define {title}" + "".join(f"\n  {section}" for section in sections) + ")\n"


def _section(key: str, lines: Iterable[str]) -> str:
    return f"({key}" + "".join(f"\n    {line}" for line in lines) + ")"


def _action(schema: ActionSchema) -> str:
    parts = [f"(:action {schema.name}", f":parameters {_variables(schema.parameters)}"]
    if schema.precondition != ALWAYS:
        parts.append(f":precondition {_condition(schema.precondition)}")
    parts.append(f":effect {write_effects(schema.effects)}")
    return "\n    ".join(parts) + ")"


def _effect(effect: Effect) -> str:
    text = _atom(effect.atom) if effect.positive else f"(not {_atom(effect.atom)})"
    if effect.condition != ALWAYS:
        text = f"(when {_condition(effect.condition)} {text})"
    return f"(forall {_variables(effect.variables)} {text})" if effect.variables else text


def _condition(condition: Condition) -> str:
    match condition:
        case Atom():
            return _atom(condition)
        case Equal(left, right):
            return f"(= {left} {right})"
        case Not(part):
            return f"(not {_condition(part)})"
        case And(parts) | Or(parts):
            word = "and" if isinstance(condition, And) else "or"
            return _listed([word, *map(_condition, parts)])
        case Imply(premise, conclusion):
            return f"(imply {_condition(premise)} {_condition(conclusion)})"
        case ForAll(variables, part) | Exists(variables, part):
            word = "forall" if isinstance(condition, ForAll) else "exists"
            return f"({word} {_variables(variables)} {_condition(part)})"


def _atom(atom: Atom) -> str:
    return _listed([atom.predicate, *atom.terms])


def _variables(parameters: Sequence[Parameter]) -> str:
    return _listed([_parameter(one) for one in parameters])


def _parameter(parameter: Parameter) -> str:
    types = parameter.types
    return _typed(parameter.name, types[0] if len(types) == 1 else _listed(["either", *types]))


def _typed(name: str, of: str) -> str:
    return f"{name} - {of}"


def _listed(words: Iterable[str]) -> str:
    return f"({' '.join(words)})"
