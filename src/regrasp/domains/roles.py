"""Turn a domain over roles into a domain over the types that have these roles.

A role is a type that stands for others, e.g. `pickable` for cubes and bars. Where no type has a
role, the parts that need it are left out: a parameter without a type removes its action or
predicate, "for all" over nothing is true, and a fact that fits no objects is false.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from regrasp.domains.domain import ActionSchema, Domain, Predicate, Type
from regrasp.domains.formula import (
    ALWAYS,
    NEVER,
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
    joined,
    negated,
)

__all__ = ["RoleAssignment"]

Types = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RoleAssignment:
    """The types of each role of a domain; none of the types is a supertype of another.

    `constant` are predicates that no action changes: they are left out, and true wherever needed.
    """

    roles: Types
    predicates: Mapping[str, tuple[tuple[str, ...], ...]]
    constant: frozenset[str] = frozenset()

    @classmethod
    def of(cls, domain: Domain, roles: Types, constant: Iterable[str] = ()) -> RoleAssignment:
        """The assignment for a domain over roles; predicates that no type fits are left out."""
        fixed = frozenset(constant)
        bare = cls(roles, {}, fixed)
        taken = {
            one.name: tuple(bare.parameter(p).types for p in one.parameters)
            for one in domain.predicates
            if one.name not in fixed
        }
        return replace(bare, predicates={name: t for name, t in taken.items() if all(t)})

    def domain(self, over_roles: Domain, types: Iterable[Type], actions: Collection[str]) -> Domain:
        """The domain over `types`, with those of its `actions` that some objects allow."""
        predicates = (one for one in over_roles.predicates if one.name in self.predicates)
        schemas = (self._schema(one) for one in over_roles.actions if one.name in actions)
        return replace(
            over_roles,
            types=tuple(types),
            predicates=tuple(
                Predicate(one.name, tuple(map(self.parameter, one.parameters)))
                for one in predicates
            ),
            actions=tuple(one for one in schemas if one is not None),
        )

    def parameter(self, parameter: Parameter) -> Parameter:
        """The parameter with the types of its roles; without types where no type has them."""
        types = (type_name for role in parameter.types for type_name in self.roles[role])
        return replace(parameter, types=tuple(dict.fromkeys(types)))

    def condition(self, condition: Condition, bound: Types) -> Condition:
        """The condition over types; `bound` has the types of the variables around it."""
        match condition:
            case Atom(predicate):
                if predicate in self.constant:
                    return ALWAYS
                return condition if self._fits(condition, bound) else NEVER
            case Equal(left, right):
                return condition if set(bound[left]) & set(bound[right]) else NEVER
            case Not(part):
                return negated(self.condition(part, bound))
            case And(parts) | Or(parts):
                return joined(condition, [self.condition(part, bound) for part in parts])
            case Imply(premise, conclusion):
                return self.condition(Or((Not(premise), conclusion)), bound)
            case ForAll(variables, part) | Exists(variables, part):
                found = tuple(map(self.parameter, variables))
                empty = ALWAYS if isinstance(condition, ForAll) else NEVER
                if not all(one.types for one in found):
                    return empty
                inner = self.condition(part, {**bound, **_types(found)})
                return (
                    inner
                    if inner in (ALWAYS, NEVER)
                    else replace(condition, variables=found, part=inner)
                )

    def effects(self, effects: Iterable[Effect], bound: Types) -> tuple[Effect, ...]:
        """The effects over types, without those that concern no object."""
        found = []
        for effect in effects:
            variables = tuple(map(self.parameter, effect.variables))
            inner = {**bound, **_types(variables)}
            condition = self.condition(effect.condition, inner)
            known = effect.atom.predicate in self.predicates
            if known and condition != NEVER and self._fits(effect.atom, inner):
                found.append(replace(effect, variables=variables, condition=condition))
        return tuple(found)

    def _schema(self, schema: ActionSchema) -> ActionSchema | None:
        parameters = tuple(map(self.parameter, schema.parameters))
        if not all(one.types for one in parameters):
            return None
        bound = _types(parameters)
        condition = self.condition(schema.precondition, bound)
        effects = self.effects(schema.effects, bound)
        if condition == NEVER or not effects:
            return None
        return ActionSchema(schema.name, parameters, condition, effects)

    def _fits(self, atom: Atom, bound: Types) -> bool:
        """Whether some objects of the variables' types can make the atom true."""
        takes = self.predicates.get(atom.predicate)
        return takes is not None and all(
            set(bound[term]) & set(types) for term, types in zip(atom.terms, takes, strict=True)
        )


def _types(parameters: Iterable[Parameter]) -> Types:
    return {one.name: one.types for one in parameters}
