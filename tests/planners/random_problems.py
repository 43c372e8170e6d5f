"""Tiny random planning problems: invented ones with every feature, lamps, blocks, households."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

from regrasp.core.fact import Fact
from regrasp.domains.domain import ROOT, ActionSchema, Domain, Object, Predicate, Problem, Type
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
from regrasp.domains.grounding import ground_task
from regrasp.domains.household import TASKS, household_domain, household_problem
from regrasp.domains.pddl_read import read_domain
from regrasp.domains.rules import Rules

TYPES = (Type("thing"), Type("red", "thing"), Type("blue", "thing"), Type("dot", "red"))
KINDS = (("thing",), ("red",), ("blue",), ("dot", "blue"), (ROOT,))


def random_domain(dice: Random) -> Domain:
    """A domain of a few predicates and actions, whose conditions and effects use all there is."""
    predicates = tuple(
        Predicate(f"p{i}", _parameters(dice, f"x{i}", dice.choice((0, 1, 1, 2))))
        for i in range(dice.randint(2, 4))
    )
    constants = (Object("c", dice.choice(("red", "blue", "dot"))),) * dice.randint(0, 1)
    bare = Domain("made-up", TYPES, predicates, (), constants, (":adl",))
    actions = tuple(_schema(dice, bare, f"a{i}") for i in range(dice.randint(2, 5)))
    return replace(bare, actions=actions)


def random_problem(dice: Random, domain: Domain) -> Problem:
    """A problem of two or three objects; its goal is a fact or two, or a choice of such."""
    objects = tuple(
        Object(f"o{i}", dice.choice(("red", "blue", "dot"))) for i in range(dice.randint(2, 3))
    )
    rules = Rules(domain, (*domain.constants, *objects))
    facts = [fact for one in domain.predicates for fact in rules.facts(one.name)]
    init = frozenset(fact for fact in facts if dice.random() < 0.3)
    wanted = [_literal(dice, fact) for fact in dice.sample(facts, min(len(facts), 3))]
    goal: Condition = And(tuple(wanted[:2]))
    if dice.random() < 0.3 and len(wanted) == 3:
        goal = Or((goal, wanted[2]))
    return Problem("made-up-problem", domain.name, objects, init, goal)


def disordered_household(dice: Random) -> tuple[Domain, Problem]:
    """A household task with things elsewhere, doors otherwise, and perhaps one in the hand."""
    domain, problem = household_domain(), household_problem(dice.choice(TASKS))
    rules, state = Rules.of(domain, problem), set(problem.init)
    for thing in rules.objects_of(("movable",)):
        if dice.random() < 0.5:
            continue
        state -= {f for f in state if f.predicate in _PLACES and f.args[0] == thing}
        where = [f for name in _PLACES for f in rules.facts(name) if f.args[0] == thing]
        where = [f for f in where if f.predicate != "inhand" or Fact("handempty") in state]
        if where and dice.random() < 0.9:
            state.add(found := dice.choice(where))
            if found.predicate == "inhand":
                state.discard(Fact("handempty"))
    for fact in rules.facts("closed"):
        (state.add if dice.random() < 0.5 else state.discard)(fact)
    if dice.random() < 0.5:
        state.add(dice.choice(list(rules.facts("inview"))))
    return domain, replace(problem, init=frozenset(state))


LIGHTS = read_domain("""
(define (domain lights)
  (:predicates (wired ?x ?y) (lit ?x))
  (:action press :parameters (?x)
    :effect (forall (?y) (and (when (and (wired ?x ?y) (lit ?y)) (not (lit ?y)))
                              (when (and (wired ?x ?y) (not (lit ?y))) (lit ?y))))))
""")
BLOCKS = read_domain("""
(define (domain blocks)
  (:predicates (on ?x ?y) (ontable ?x))
  (:action move :parameters (?x ?from ?to)
    :precondition (and (on ?x ?from) (not (= ?x ?to)) (forall (?y) (and (not (on ?y ?x))
                                                                     (not (on ?y ?to)))))
    :effect (and (on ?x ?to) (not (on ?x ?from))))
  (:action lift :parameters (?x ?to)
    :precondition (and (ontable ?x) (not (= ?x ?to)) (forall (?y) (and (not (on ?y ?x))
                                                                     (not (on ?y ?to)))))
    :effect (and (on ?x ?to) (not (ontable ?x))))
  (:action drop :parameters (?x ?from)
    :precondition (and (on ?x ?from) (not (exists (?y) (on ?y ?x))))
    :effect (and (ontable ?x) (not (on ?x ?from)))))
""")


def wired_lights(dice: Random) -> tuple[Domain, Problem]:
    """Press switches until all lamps are lit; often there is no way, which only search can show."""
    names = [f"l{i}" for i in range(dice.randint(4, 6))]
    wires = {Fact("wired", (a, b)) for a in names for b in names if dice.random() < 0.4}
    lit = {Fact("lit", (name,)) for name in names if dice.random() < 0.5}
    goal = ForAll((Parameter("?x"),), Atom("lit", ("?x",)))
    objects = tuple(map(Object, names))
    return LIGHTS, Problem("all-lit", "lights", objects, frozenset(wires | lit), goal)


def stacked_blocks(dice: Random) -> tuple[Domain, Problem]:
    """Blocks to stack otherwise; sometimes one is wanted on two others at once, or on itself."""
    names = [f"b{i}" for i in range(dice.randint(3, 4))]
    order = dice.sample(names, len(names))
    init = {Fact("ontable", (order[0],))}
    for below, above in pairwise(order):
        tower = dice.random() < 0.6
        init.add(Fact("on", (above, below)) if tower else Fact("ontable", (above,)))
    wanted = [Atom("on", (dice.choice(names), dice.choice(names))) for _ in range(2)]
    objects = tuple(map(Object, names))
    return BLOCKS, Problem("stack", "blocks", objects, frozenset(init), And(tuple(wanted)))


def invented(dice: Random) -> tuple[Domain, Problem]:
    """An invented problem whose goal is neither met at once nor out of reach at a glance."""
    while True:
        domain = random_domain(dice)
        problem = random_problem(dice, domain)
        task = ground_task(domain, problem)
        if task.goal and not task.is_goal(task.init):
            return domain, problem


def random_tasks(seed: int) -> Iterator[tuple[Domain, Problem]]:
    """Problems without end, the same for the same seed."""
    dice = Random(seed)
    while True:
        yield dice.choice((invented, disordered_household, wired_lights, stacked_blocks))(dice)


_PLACES = ("inside", "ontop", "onfloor", "inhand")


def _parameters(dice: Random, stem: str, count: int) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"?{stem}{i}", dice.choice(KINDS[:4])) for i in range(count))


def _literal(dice: Random, fact: Fact) -> Condition:
    atom = Atom(fact.predicate, fact.args)
    return atom if dice.random() < 0.75 else Not(atom)


def _schema(dice: Random, domain: Domain, name: str) -> ActionSchema:
    parameters = _parameters(dice, "y", dice.randint(0, 2))
    asked = tuple(_condition(dice, domain, parameters, 2) for _ in range(dice.randint(0, 3)))
    effects = tuple(
        effect
        for _ in range(dice.randint(1, 3))
        if (effect := _effect(dice, domain, parameters)) is not None
    )
    return ActionSchema(name, parameters, And(asked), effects)


def _effect(dice: Random, domain: Domain, scope: tuple[Parameter, ...]) -> Effect | None:
    variables = _parameters(dice, "z", 1) if dice.random() < 0.25 else ()
    within = (*scope, *variables)
    so = dice.random() < 0.6
    atom = _atom(dice, domain, within, exact=so)
    condition = _condition(dice, domain, within, 1) if dice.random() < 0.3 else ALWAYS
    return atom and Effect(atom, so, variables, condition)


def _condition(dice: Random, domain: Domain, scope: tuple[Parameter, ...], depth: int) -> Condition:
    def part() -> Condition:
        return _condition(dice, domain, scope, depth - 1)

    kind = dice.choice(("atom", "atom", "not", "equal", "and", "or", "imply", "all", "some"))
    if depth == 0 or kind in ("atom", "not"):
        atom = _atom(dice, domain, scope, exact=False)
        if atom is not None:
            return Not(atom) if kind == "not" else atom
        return ALWAYS
    if kind == "equal":
        terms = [p.name for p in scope] + [o.name for o in domain.constants]
        return Equal(dice.choice(terms), dice.choice(terms)) if terms else ALWAYS
    if kind in ("and", "or"):
        parts = tuple(part() for _ in range(dice.randint(0 if kind == "and" else 1, 2)))
        return And(parts) if kind == "and" else Or(parts)
    if kind == "imply":
        return Imply(part(), part())
    variables = _parameters(dice, f"q{depth}", 1)
    inner = _condition(dice, domain, (*scope, *variables), depth - 1)
    return ForAll(variables, inner) if kind == "all" else Exists(variables, inner)


def _atom(
    dice: Random, domain: Domain, scope: tuple[Parameter, ...], *, exact: bool
) -> Atom | None:
    """A predicate of variables and constants whose types fit; None if none was found."""
    for _ in range(10):
        predicate = dice.choice(domain.predicates)
        chosen = []
        for wanted in predicate.parameters:
            terms = [p.name for p in scope if _fits(domain, p.types, wanted.types, exact)]
            terms += [o.name for o in domain.constants if domain.is_a(o.type, wanted.types)]
            if not terms:
                break
            chosen.append(dice.choice(terms))
        else:
            return Atom(predicate.name, tuple(chosen))
    return None


def _fits(domain: Domain, given: tuple[str, ...], takes: tuple[str, ...], exact: bool) -> bool:
    narrow = [domain.is_a(one, takes) for one in given]
    wide = [any(domain.is_a(t, (one,)) for t in takes) for one in given]
    return all(narrow) if exact else any(n or w for n, w in zip(narrow, wide, strict=True))
