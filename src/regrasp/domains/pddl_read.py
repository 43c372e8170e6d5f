"""Read PDDL into typed domains and problems: STRIPS with types, equality, quantifiers and `when`.

Every error is a PddlError with file, line, column and the expected input. Other parts of PDDL
(numbers, costs, durations, axioms) raise an error that names them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact
from regrasp.domains.domain import ROOT, ActionSchema, Domain, Object, Predicate, Problem, Type
from regrasp.domains.formula import ALWAYS, Effect, Parameter
from regrasp.domains.pddl_formula import WORDS, Scope, name_of, require_group, typed_list
from regrasp.domains.pddl_text import MAX_CHARACTERS, Group, Node, PddlError, PddlToken, Source

__all__ = [
    "PddlError",
    "load_domain",
    "load_problem",
    "read_domain",
    "read_effects",
    "read_problem",
]

REQUIREMENTS = (
    ":adl", ":conditional-effects", ":disjunctive-preconditions", ":equality",
    ":existential-preconditions", ":negative-preconditions", ":quantified-preconditions",
    ":strips", ":typing", ":universal-preconditions",
)  # fmt: skip
"""The supported requirements. They need not be declared to be used."""

_UNSUPPORTED = (
    ":action-costs", ":constraints", ":continuous-effects", ":derived-predicates",
    ":duration-inequalities", ":durative-actions", ":fluents", ":goal-utilities",
    ":numeric-fluents", ":object-fluents", ":preferences", ":time", ":timed-initial-literals",
)  # fmt: skip
_UNSUPPORTED_SECTIONS = (":constraints", ":derived", ":durative-action", ":functions", ":metric")
_DOMAIN_SECTIONS = (":requirements", ":types", ":constants", ":predicates", ":action")
_PROBLEM_SECTIONS = (":domain", ":requirements", ":objects", ":init", ":goal")
_MAX_TYPE_DEPTH = 60
_MAX_BYTES = 4 * MAX_CHARACTERS + 1
_ACTION_KEYS = (":parameters", ":precondition", ":effect")


def load_domain(path: Path) -> Domain:
    """Read a domain from a file."""
    return read_domain(_text(path), path.name)


def load_problem(path: Path, domain: Domain) -> Problem:
    """Read a problem of `domain` from a file."""
    return read_problem(_text(path), domain, path.name)


def read_domain(text: str, file: str = "domain") -> Domain:
    """Read a domain; `file` is the name of the text in errors."""
    source = Source(text, file)
    name, sections = _define(source, "domain", _DOMAIN_SECTIONS)
    found = Domain(name.text)
    for section in sections.get(":requirements", ()):
        found = replace(found, requirements=_requirements(source, section))
    for section in sections.get(":types", ()):
        found = replace(found, types=_types(source, section))
    for section in sections.get(":constants", ()):
        found = replace(found, constants=_objects(source, section, found))
    for section in sections.get(":predicates", ()):
        found = replace(found, predicates=_predicates(source, section, found))
    constants = {one.name: one.type for one in found.constants}
    scope, actions = Scope(source, found, constants, {}), dict[str, ActionSchema]()
    for section in sections.get(":action", ()):
        action = _action(section, scope, actions)
        actions[action.name] = action
    return replace(found, actions=tuple(actions.values()))


def read_problem(text: str, domain: Domain, file: str = "problem") -> Problem:
    """Read a problem of `domain`; `file` is the name of the text in errors."""
    source = Source(text, file)
    name, sections = _define(source, "problem", _PROBLEM_SECTIONS)
    for needed in (":domain", ":init", ":goal"):
        if needed not in sections:
            source.fail(name, f"the problem {name.text} has no ({needed} …) section.")
    [section] = sections[":domain"]
    named = name_of(source, _only(source, section), "a domain")
    if named.text != domain.name:
        source.fail(named, f"the problem is of the domain {named.text!r}, not of {domain.name!r}.")
    for section in sections.get(":requirements", ()):
        _requirements(source, section)
    objects: tuple[Object, ...] = ()
    for section in sections.get(":objects", ()):
        objects = _objects(source, section, domain)
    types = {one.name: one.type for one in (*domain.constants, *objects)}
    scope = Scope(source, domain, types, {})
    [init], [goal] = sections[":init"], sections[":goal"]
    facts = frozenset(_fact(source, node, scope) for node in init.items[1:])
    return Problem(name.text, domain.name, objects, facts, scope.condition(_only(source, goal)))


def read_effects(
    text: str, domain: Domain, parameters: tuple[Parameter, ...], file: str = "effect"
) -> tuple[Effect, ...]:
    """Read an effect over given parameters, as in an action of `domain`."""
    source = Source(text, file)
    constants = {one.name: one.type for one in domain.constants}
    return Scope(source, domain, constants, {}).within(parameters).effects(source.group())


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:  # also a pipe, which the user names
            return file.read(_MAX_BYTES).decode("utf-8")
    except OSError as error:
        raise RegraspError(f"cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        column = error.start - error.object.rfind(b"\n", 0, error.start)
        message = "from here on, the file is not UTF-8 text. Save it as UTF-8."
        raise PddlError(message, path.name, line, column) from error


def _define(
    source: Source, what: str, valid: tuple[str, ...]
) -> tuple[PddlToken, Mapping[str, Sequence[Group]]]:
    """The name in `(define (what NAME) …)`, and its sections by keyword; only actions repeat."""
    whole = source.group()
    if whole.head != "define":
        source.fail(whole, f"expected (define ({what} NAME) …), found '({whole.head}'.")
    title = whole.items[1] if len(whole.items) > 1 else whole.end
    if not isinstance(title, Group) or title.head != what or len(title.items) != 2:
        other = {"domain": "problem", "problem": "domain"}[what]
        swapped = isinstance(title, Group) and title.head == other
        hint = f" This is a {other}; are two files swapped?" if swapped else ""
        source.fail(title, f"expected ({what} NAME) after (define.{hint}")
    name = name_of(source, title.items[1], f"a {what}")
    found: dict[str, list[Group]] = {}
    for node in whole.items[2:]:
        section = require_group(source, node, "a section such as (:init …)")
        key = section.items[0] if section.items else section.end
        if isinstance(key, Group) or key.text not in valid:
            at = section if isinstance(key, Group) else key
            if isinstance(key, PddlToken) and key.text in _UNSUPPORTED_SECTIONS:
                source.fail(at, f"({key.text} …) is not supported: no numbers, times or axioms.")
            unknown = UnknownNameError("section", section.head, valid)
            source.fail(at, f"in a {what}: {unknown}")
        if key.text in found and key.text != ":action":
            first = found[key.text][0].start.line
            source.fail(key, f"({key.text} …) is already in line {first}. Merge the two sections.")
        found.setdefault(key.text, []).append(section)
    return name, found


def _only(source: Source, section: Group) -> Node:
    if len(section.items) != 2:
        count = len(section.items) - 1
        source.fail(section, f"({section.head} …) takes one part, not {count}.")
    return section.items[1]


def _requirements(source: Source, section: Group) -> tuple[str, ...]:
    found = []
    for node in section.items[1:]:
        if isinstance(node, Group):
            source.fail(node, "expected a requirement such as :typing, found '('.")
        if node.text in _UNSUPPORTED:
            source.fail(
                node, f"{node.text} is not supported. Supported: {', '.join(REQUIREMENTS)}."
            )
        if node.text not in REQUIREMENTS:
            source.fail(node, str(UnknownNameError("requirement", node.text, REQUIREMENTS)))
        found.append(node.text)
    return tuple(found)


def _types(source: Source, section: Group) -> tuple[Type, ...]:
    listed: dict[str, tuple[PddlToken, PddlToken]] = {}
    for name, parents in typed_list(source, section.items[1:], "a type"):
        name_of(source, name, "a type")
        if name.text == ROOT:
            source.fail(name, f"{ROOT!r} is the root of all types and is predefined; leave it out.")
        if name.text in listed:
            line = listed[name.text][0].line
            source.fail(name, f"the type {name.text!r} is already declared in line {line}.")
        if len(parents) > 1:
            source.fail(parents[0], f"the type {name.text!r} can have only one parent type.")
        listed[name.text] = (name, parents[0])
    for _, parent in listed.values():
        if parent.text != ROOT and parent.text not in listed:
            unknown = UnknownNameError("type", parent.text, {ROOT, *listed})
            source.fail(parent, f"{unknown} A parent type must be declared too.")
    for name, _ in listed.values():
        above = [name.text]
        while above[-1] != ROOT and len(above) <= _MAX_TYPE_DEPTH:
            above.append(listed[above[-1]][1].text)
            if above[-1] == name.text:
                source.fail(name, f"the types form a cycle: {' - '.join(above)}. Remove one link.")
            if above[-1] in above[:-1]:
                break  # a cycle further up, which is reported at a type that is part of it
        if len(above) > _MAX_TYPE_DEPTH:
            source.fail(name, f"the types nest deeper than {_MAX_TYPE_DEPTH}; write them flatter.")
    return tuple(Type(name.text, parent.text) for name, parent in listed.values())


def _objects(source: Source, section: Group, domain: Domain) -> tuple[Object, ...]:
    types = {ROOT, *(one.name for one in domain.types)}
    taken = {one.name: "a constant of the domain" for one in domain.constants}
    found = []
    for name, kinds in typed_list(source, section.items[1:], "an object"):
        name_of(source, name, "an object")
        if name.text in types and [kind.text for kind in kinds] != [name.text]:
            why = "so only an object of that type can have that name."
            source.fail(name, f"{name.text!r} is a type, {why}")
        if name.text in taken:
            source.fail(name, f"the object {name.text!r} is already declared: {taken[name.text]}.")
        if len(kinds) > 1:
            source.fail(kinds[0], f"the object {name.text!r} can have only one type.")
        if kinds[0].text not in types:
            source.fail(kinds[0], str(UnknownNameError("type", kinds[0].text, types)))
        taken[name.text] = f"in line {name.line}"
        found.append(Object(name.text, kinds[0].text))
    return tuple(found)


def _predicates(source: Source, section: Group, domain: Domain) -> tuple[Predicate, ...]:
    scope, found = Scope(source, domain, {}, {}), dict[str, Predicate]()
    for node in section.items[1:]:
        group = require_group(source, node, "a predicate")
        if not group.items:
            source.fail(group, "expected a predicate such as (on ?x ?y), found '()'.")
        name = name_of(source, group.items[0], "a predicate")
        if name.text in WORDS:
            source.fail(name, f"{name.text!r} is a keyword of PDDL; rename the predicate.")
        if name.text in found:
            source.fail(name, f"the predicate {name.text!r} is already declared.")
        found[name.text] = Predicate(name.text, scope.parameters(group.items[1:]))
    return tuple(found.values())


def _action(section: Group, scope: Scope, before: Mapping[str, ActionSchema]) -> ActionSchema:
    source = scope.source
    if len(section.items) < 2:
        source.fail(section.end, "an action needs a name after ':action'.")
    name = name_of(source, section.items[1], "an action")
    if name.text in before:
        source.fail(name, f"the action {name.text!r} is already declared.")
    parts: dict[str, Node] = {}
    rest = list(section.items[2:])
    while rest:
        key = rest.pop(0)
        if isinstance(key, Group):
            source.fail(key, f"expected one of {', '.join(_ACTION_KEYS)}, found '('.")
        if key.text not in _ACTION_KEYS:
            source.fail(key, str(UnknownNameError("part of an action", key.text, _ACTION_KEYS)))
        if key.text in parts:
            source.fail(key, f"the action {name.text!r} has {key.text} twice.")
        if not rest or not isinstance(rest[0], Group):
            source.fail(rest[0] if rest else section.end, f"expected '(' after {key.text}.")
        parts[key.text] = rest.pop(0)
    for needed in (":parameters", ":effect"):
        if needed not in parts:
            source.fail(name, f"the action {name.text!r} has no {needed}; write {needed} ().")
    listed = require_group(source, parts[":parameters"], "the list of parameters")
    parameters = scope.parameters(listed.items)
    inner = scope.within(parameters)
    precondition = parts.get(":precondition")
    return ActionSchema(
        name.text,
        parameters,
        ALWAYS if precondition is None else inner.condition(precondition),
        inner.effects(parts[":effect"]),
    )


def _fact(source: Source, node: Node, scope: Scope) -> Fact:
    group = require_group(source, node, "a fact")
    if group.head == "not":
        source.fail(group, "facts that are not in :init are false; leave out the (not …).")
    if group.head in WORDS:
        source.fail(group, f"{group.head!r} is not allowed in :init, which is a list of facts.")
    atom = scope.atom(group, exact=True)
    return Fact(atom.predicate, atom.terms)
