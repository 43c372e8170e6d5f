"""States with unknown facts: without any, they agree with the rules; unknown is not false."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from random_problems import random_domain, random_problem

from regrasp.core.action import Action
from regrasp.core.fact import Literal
from regrasp.domains.partial_state import PartialState
from regrasp.domains.pddl_read import read_domain
from regrasp.domains.rules import Rules
from skill_domains import PLACES, facts


@pytest.mark.parametrize("seed", range(40))
def test_without_unknown_facts_it_agrees_with_the_rules(seed: int) -> None:
    dice = Random(seed)
    domain = random_domain(dice)
    problem = random_problem(dice, domain)
    rules, state = Rules.of(domain, problem), PartialState(problem.init)
    for schema in domain.actions:
        for binding in itertools.islice(rules.bindings(schema.parameters), 30):
            action = Action(schema.name, tuple(binding.values()))
            holds = rules.holds(schema.precondition, problem.init, binding)
            assert state.may_hold(rules, schema.precondition, binding) is holds
            assert state.may_hold(rules, schema.precondition, binding, False) is not holds
            assert state.after(rules, action) == PartialState(rules.successor(problem.init, action))
            for one in state.unmet(rules, schema.precondition, binding):
                assert (one.fact in problem.init) is not one.positive


@pytest.mark.parametrize("seed", range(40))
def test_what_may_hold_holds_for_some_and_what_may_not_for_no_unknown_facts(seed: int) -> None:
    dice = Random(seed)
    domain = random_domain(dice)
    problem = random_problem(dice, domain)
    rules = Rules.of(domain, problem)
    every = [fact for one in domain.predicates for fact in rules.facts(one.name)]
    unknown = frozenset(dice.sample(every, min(3, len(every))))
    state = PartialState(problem.init - unknown, unknown)
    worlds = [
        state.true | set(chosen)
        for size in range(len(unknown) + 1)
        for chosen in itertools.combinations(sorted(unknown), size)
    ]
    for schema in domain.actions:
        for binding in itertools.islice(rules.bindings(schema.parameters), 10):
            possible = [rules.holds(schema.precondition, one, binding) for one in worlds]
            if any(possible):  # Kleene's logic may say "perhaps" too often, never "no"
                assert state.may_hold(rules, schema.precondition, binding)
            action = Action(schema.name, tuple(binding.values()))
            after = state.after(rules, action)
            for world in (one for one, ok in zip(worlds, possible, strict=True) if ok):
                truth = rules.successor(world, action)
                assert after.true <= truth <= after.true | after.unknown


def test_a_command_on_unknown_facts_makes_what_it_needed_known() -> None:
    place = PLACES["two_hands"]()
    rules = place.skills.rules(place.known)
    opened = facts("open(fridge)")
    state = PartialState(place.state, opened)
    taken = state.after(rules, Action("get", ("rum_bottle", "fridge", "left_hand")))
    assert opened <= taken.true and not taken.unknown


def test_alternatives_that_cannot_change_are_no_reason() -> None:
    place = PLACES["two_hands"]()
    rules = place.skills.rules(place.known)
    schema, binding = rules.bind(Action("get", ("gin_bottle", "table", "left_hand")))
    unmet = PartialState(place.state).unmet(rules, schema.precondition, binding)
    assert unmet == (Literal.of("on", "gin_bottle", "table"),)  # nothing can be inside a table


QUANTIFIED = (
    "(forall (?c) (imply (= ?c a) (p ?c)))",
    "(forall (?c) (and (imply (= ?c a) (p ?c)) (p b)))",
    "(forall (?c) (and (= ?c a) (p ?c)))",
    "(forall (?c ?d) (imply (and (= ?c ?d) (= ?c a)) (p ?d)))",
    "(exists (?c) (and (= ?c a) (p ?c)))",
    "(exists (?c) (imply (= ?c a) (p ?c)))",
    "(exists (?c ?d) (and (= a ?d) (p ?c) (not (= ?c ?d))))",
)


@pytest.mark.parametrize("text", QUANTIFIED)
def test_an_equality_narrows_a_quantifier_and_changes_nothing(text: str) -> None:
    domain = read_domain(f"""(define (domain d) (:requirements :adl) (:constants a b c)
      (:predicates (p ?x)) (:action act :parameters () :precondition {text} :effect (p a)))""")
    rules, condition = Rules(domain, domain.constants), domain.action("act").precondition
    every = facts("p(a); p(b); p(c)")
    for size in range(4):
        for chosen in itertools.combinations(sorted(every), size):
            state = frozenset(chosen)
            holds = rules.holds(condition, state)
            assert PartialState(state).may_hold(rules, condition, {}) is holds
            assert PartialState(state).may_hold(rules, condition, {}, False) is not holds
