"""Reads conditions, effects and lists of typed names, and checks every name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn, cast

from regrasp.core.errors import UnknownNameError
from regrasp.domains.domain import ROOT, Domain, Predicate
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
from regrasp.domains.pddl_text import Group, Node, PddlToken, Source

__all__ = ["WORDS", "Scope", "name_of", "require_group", "typed_list"]

WORDS = ("=", "and", "either", "exists", "forall", "imply", "not", "or", "when")
"""The keywords of conditions and effects."""

_NAME = re.compile(r"[a-z0-9_][a-z0-9_-]*")
_VARIABLE = re.compile(r"\?[a-z0-9_][a-z0-9_-]*")


def name_of(source: Source, node: Node, what: str) -> PddlToken:
    """The node as the name of a `what`; PddlError if it is not one."""
    if isinstance(node, Group):
        source.fail(node, f"expected the name of {what}, found '('.")
    if not _NAME.fullmatch(node.text):
        source.fail(node, f"{node.text!r} cannot be the name of {what}: use letters, digits, -, _.")
    return node


def require_group(source: Source, node: Node, what: str) -> Group:
    """The node as a group; PddlError if it is a single word."""
    if isinstance(node, PddlToken):
        source.fail(node, f"expected {what} in parentheses, found {node.text!r}.")
    return node


def typed_list(
    source: Source, nodes: Sequence[Node], what: str
) -> Iterator[tuple[PddlToken, tuple[PddlToken, ...]]]:
    """`a b - t  c` as (a, t), (b, t), (c, object); a type may be `(either t u)`."""
    waiting: list[PddlToken] = []
    rest = iter(nodes)
    for node in rest:
        if isinstance(node, Group):
            source.fail(node, f"expected {what}, found '('. A list of types needs '-' before it.")
        if node.text != "-":
            waiting.append(node)
            continue
        if not waiting:
            source.fail(node, f"a '-' needs {what} before it.")
        kind = next(rest, None)
        if kind is None:
            source.fail(node, "a '-' needs a type after it.")
        types = _types(source, kind)
        yield from ((one, types) for one in waiting)
        waiting = []
    yield from ((one, (replace(one, text=ROOT),)) for one in waiting)


def _types(source: Source, node: Node) -> tuple[PddlToken, ...]:
    if isinstance(node, PddlToken):
        return (name_of(source, node, "a type"),)
    if node.head != "either" or len(node.items) < 2:
        source.fail(node, "a choice of types is written (either TYPE TYPE …).")
    return tuple(name_of(source, item, "a type") for item in node.items[1:])


@dataclass(frozen=True, slots=True)
class DomainNames:
    """The types and predicates of a domain by name."""

    types: frozenset[str]
    predicates: Mapping[str, Predicate]

    @classmethod
    def of(cls, domain: Domain) -> DomainNames:
        """The names of `domain`."""
        types = frozenset({ROOT, *(one.name for one in domain.types)})
        return cls(types, {one.name: one for one in domain.predicates})


@dataclass(frozen=True, slots=True)
class Scope:
    """The meaning of names at a place in the text: the domain, the objects, the bound variables.

    `objects` maps each object to its type, `variables` each variable to its types.
    """

    source: Source
    domain: Domain
    objects: Mapping[str, str]
    variables: Mapping[str, tuple[str, ...]]
    names: DomainNames | None = None

    @property
    def known(self) -> DomainNames:
        """The names of the domain; made once, where a scope has none from its outer scope."""
        if self.names is None:
            object.__setattr__(self, "names", DomainNames.of(self.domain))
        return cast("DomainNames", self.names)

    def unknown(self, at: PddlToken, what: str, valid: Iterable[str]) -> NoReturn:
        """Raise the error for a name that is not among the valid ones."""
        self.source.fail(at, str(UnknownNameError(what, at.text, valid)))

    def parameters(self, nodes: Sequence[Node]) -> tuple[Parameter, ...]:
        """Typed variables, each bound only once."""
        known, found = self.known.types, dict(self.variables)
        listed = []
        for variable, types in typed_list(self.source, nodes, "a variable"):
            if not _VARIABLE.fullmatch(variable.text):
                self.source.fail(
                    variable,
                    f"expected a variable, found {variable.text!r}: variables begin with '?'.",
                )
            if variable.text in found:
                self.source.fail(
                    variable,
                    f"the variable {variable.text} is already declared; choose another name.",
                )
            for one in types:
                if one.text not in known:
                    self.unknown(one, "type", known)
            found[variable.text] = tuple(one.text for one in types)
            listed.append(Parameter(variable.text, found[variable.text]))
        return tuple(listed)

    def within(self, parameters: Iterable[Parameter]) -> Scope:
        """The scope in which these variables are also bound."""
        more = {parameter.name: parameter.types for parameter in parameters}
        return replace(self, variables={**self.variables, **more}, names=self.known)

    def condition(self, node: Node) -> Condition:
        """A condition; `()` is the one that always holds."""
        group = require_group(self.source, node, "a condition")
        parts = group.items[1:]
        match group.head:
            case "" if not group.items:
                return ALWAYS
            case "and":
                return And(tuple(map(self.condition, parts)))
            case "or":
                return Or(tuple(map(self.condition, parts)))
            case "not":
                return Not(self.condition(*self._exactly(group, 1)))
            case "imply":
                premise, conclusion = self._exactly(group, 2)
                return Imply(self.condition(premise), self.condition(conclusion))
            case "forall" | "exists":
                variables, inner, part = self._quantified(group)
                kind = ForAll if group.head == "forall" else Exists
                return kind(variables, inner.condition(part))
            case "=":
                left, right = (self._term(term)[0] for term in self._exactly(group, 2))
                return Equal(left, right)
            case "when":
                self.source.fail(group, "'when' belongs to effects; in a condition write 'imply'.")
            case _:
                return self.atom(group, exact=False)

    def effects(
        self,
        node: Node,
        variables: tuple[Parameter, ...] = (),
        condition: Condition = ALWAYS,
    ) -> tuple[Effect, ...]:
        """An effect as its single changes, each for `variables` under `condition`; `()` is none."""
        group = require_group(self.source, node, "an effect")
        match group.head:
            case "" if not group.items:
                return ()
            case "and":
                parts = (self.effects(part, variables, condition) for part in group.items[1:])
                return tuple(effect for part in parts for effect in part)
            case "forall":
                more, inner, part = self._quantified(group)
                return inner.effects(part, variables + more, condition)
            case "when":
                asked, part = self._exactly(group, 2)
                met = self.condition(asked)
                met = met if condition == ALWAYS else And((condition, met))
                return self.effects(part, variables, met)
            case "not":
                [part] = self._exactly(group, 1)
                atom = self.atom(require_group(self.source, part, "a fact"), exact=False)
                return (Effect(atom, False, variables, condition),)
            case "or" | "exists" | "imply" | "=":
                self.source.fail(
                    group,
                    f"{group.head!r} is not allowed in an effect: effects are certain. "
                    "Effects are made of and, not, forall, when and facts.",
                )
            case _:
                return (Effect(self.atom(group, exact=True), True, variables, condition),)

    def atom(self, group: Group, *, exact: bool) -> Atom:
        """A predicate and its terms, with the right number of them.

        Each term must be of a type that the predicate takes. Where the atom is not made true
        (`exact=False`), a term may be of a supertype: for objects of other types the atom is false.
        """
        if not group.items:
            self.source.fail(group, "expected a fact, found '()'.")
        first = group.items[0]
        if isinstance(first, Group):
            self.source.fail(
                first, "expected the name of a predicate, found '('. A list of facts needs 'and'."
            )
        if first.text in WORDS:
            self.source.fail(group, f"expected a single fact, found '({first.text}'.")
        known = self.known.predicates
        if first.text not in known:
            self.unknown(first, "predicate", known)
        wanted, terms = known[first.text].parameters, group.items[1:]
        if len(terms) != len(wanted):
            self.source.fail(
                group,
                f"{first.text} takes {len(wanted)} term{'s' * (len(wanted) != 1)}, "
                f"not {len(terms)}.",
            )
        names = []
        for term, parameter in zip(terms, wanted, strict=True):
            name, types = self._term(term)
            if not self._accepts(parameter.types, types, exact):
                self.source.fail(
                    term,
                    f"{name} is of type {' or '.join(types)}, but {first.text} takes "
                    f"{' or '.join(parameter.types)} here.",
                )
            names.append(name)
        return Atom(first.text, tuple(names))

    def _accepts(self, takes: tuple[str, ...], given: tuple[str, ...], exact: bool) -> bool:
        if exact:
            return all(self.domain.is_a(one, takes) for one in given)
        return any(
            self.domain.is_a(one, takes) or any(self.domain.is_a(t, (one,)) for t in takes)
            for one in given
        )

    def _term(self, node: Node) -> tuple[str, tuple[str, ...]]:
        """The name of a variable or object, and its types."""
        if isinstance(node, Group):
            self.source.fail(node, "expected a variable or an object, found '('.")
        if node.text.startswith("?"):
            if node.text not in self.variables:
                self._unbound(node)
            return node.text, self.variables[node.text]
        if node.text not in self.objects:
            self.unknown(node, "object", self.objects)
        return node.text, (self.objects[node.text],)

    def _unbound(self, variable: PddlToken) -> NoReturn:
        message = f"the variable {variable.text} is bound nowhere. "
        message += f"Bound here: {', '.join(self.variables) or 'none'}. "
        self.source.fail(variable, message + "Add it to :parameters or to a forall or exists.")

    def _quantified(self, group: Group) -> tuple[tuple[Parameter, ...], Scope, Node]:
        listed, part = self._exactly(group, 2)
        group = require_group(self.source, listed, "the list of variables")
        variables = self.parameters(group.items)
        return variables, self.within(variables), part

    def _exactly(self, group: Group, count: int) -> tuple[Node, ...]:
        parts = group.items[1:]
        if len(parts) != count:
            self.source.fail(
                group,
                f"'{group.head}' takes {count} part{'s' * (count != 1)}, not {len(parts)}."
                + (" Join several with 'and'." if len(parts) > count else ""),
            )
        return parts
