"""What a domain means: what holds, what an action needs and changes, whether a plan is valid."""

from __future__ import annotations

from itertools import islice

import pytest
from random_problems import random_tasks

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.domains.grounding import ground_task
from regrasp.domains.household import household_domain, household_problem
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.domains.rules import ActionError, Rules, validate
from skill_domains import PLACES

DOMAIN = household_domain()
BOIL = household_problem("boil-water")
RULES = Rules.of(DOMAIN, BOIL)
TAKE = Action("grasp_from_in", ("mug", "cabinet"))


def fact(text: str) -> Fact:
    name, *args = text.split()
    return Fact(name, tuple(args))


def said(literals: tuple[Literal, ...]) -> list[str]:
    return [str(literal) for literal in literals]


def test_preconditions_are_single_facts_in_the_order_they_are_written() -> None:
    assert said(RULES.preconditions(TAKE, BOIL.init)) == [
        "not closed(cabinet)",
        "inview(mug)",
        "inside(mug, cabinet)",
        "handempty()",
    ]
    assert RULES.preconditions(Action("find", ("mug",)), BOIL.init) == ()


def test_what_a_predicate_does_not_take_is_no_fact_to_look_at() -> None:
    toys = household_problem("collect-toys")
    needed = Rules.of(DOMAIN, toys).preconditions(
        Action("placein", ("toy_duck", "blue_container")), toys.init
    )
    assert said(needed) == ["inhand(toy_duck)", "inview(blue_container)"]


def test_of_alternatives_the_one_that_holds_counts() -> None:
    domain = read_domain(
        "(define (domain d) (:predicates (p) (q) (r)) (:action a :parameters () :precondition"
        " (and (or (p) (q)) (imply (p) (r)) (not (and (p) (r)))) :effect (p)))"
    )
    rules = Rules(domain, ())
    assert said(rules.preconditions(Action("a"), frozenset({Fact("q")}))) == ["q()", "not p()"]
    assert said(rules.preconditions(Action("a"), frozenset())) == ["p()", "not p()"]


def test_effects_are_what_becomes_so_of_the_things_that_are_named() -> None:
    assert said(RULES.effects(TAKE, BOIL.init)) == [
        "inhand(mug)",
        "not handempty()",
        "not inside(mug, cabinet)",
    ]
    assert said(RULES.effects(Action("find", ("sink",)), BOIL.init)) == ["inview(sink)"]


def test_finding_one_thing_leaves_every_other() -> None:
    state = RULES.successor(BOIL.init, Action("find", ("sink",)))
    state = RULES.successor(state, Action("find", ("cabinet",)))
    assert [f for f in state if f.predicate == "inview"] == [fact("inview cabinet")]


def test_what_is_made_so_and_undone_at_once_is_so() -> None:
    domain = read_domain(
        "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x)"
        " :effect (and (p ?x) (forall (?y) (not (p ?y))))))"
    )
    problem = read_problem(
        "(define (problem q) (:domain d) (:objects a b) (:init (p a) (p b)) (:goal (p a)))", domain
    )
    state = Rules.of(domain, problem).successor(problem.init, Action("a", ("a",)))
    assert state == {fact("p a")}


def test_closed_doors_hide_what_is_inside() -> None:
    find = Action("find", ("mug",))
    assert RULES.unmet_preconditions(find, BOIL.init) == (
        "(inside(mug, cabinet) implies not closed(cabinet))",
    )
    assert RULES.unmet_preconditions(find, BOIL.init - {fact("closed cabinet")}) == ()


def test_a_placed_thing_is_in_the_room_of_its_place() -> None:
    problem = household_problem("empty-bottle")
    rules = Rules.of(DOMAIN, problem)
    lay, held = fact("onfloor green_bottle wooden_floor"), fact("inhand green_bottle")
    state = problem.init - {lay} | {held}
    after = rules.successor(state, Action("placefloor", ("green_bottle", "tiled_floor")))
    assert {f for f in after if f.predicate == "inroom" and "green_bottle" in f.args} == {
        fact("inroom green_bottle hall")
    }


PLAN = tuple(
    Action(name, tuple(args))
    for name, *args in map(
        str.split,
        (
            "find carving_knife",
            "grasp_from_on carving_knife countertop",
            "find hard_boiled_egg",
            "cut hard_boiled_egg carving_knife",
        ),
    )
)


@pytest.mark.parametrize(
    ("plan", "step", "message"),
    [
        (PLAN, 0, "valid in 4 steps"),
        (PLAN[:2], 0, "the goal needs halved(hard_boiled_egg), which does not hold at the end."),
        (
            PLAN[1:],
            1,
            "step 1, grasp_from_on(carving_knife, countertop), needs inview(carving_knife), "
            "which does not hold.",
        ),
        (
            (PLAN[0], *PLAN[3:]),
            2,
            "step 2, cut(hard_boiled_egg, carving_knife), needs inview(hard_boiled_egg) and "
            "inhand(carving_knife), which does not hold.",
        ),
        ((Action("cutt", ()),), 1, "step 1, cutt(): unknown action 'cutt'. Did you mean 'cut'?"),
        ((Action("find", ()),), 1, "step 1, find(): find takes 1 objects, not 0."),
        ((Action("find", ("egg",)),), 1, "step 1, find(egg): unknown object 'egg'."),
        (
            (Action("open", ("countertop",)),),
            1,
            "step 1, open(countertop): countertop is of type surface, but ?r must be receptacle.",
        ),
    ],
)
def test_the_validator_names_the_step_and_what_it_lacks(
    plan: tuple[Action, ...], step: int, message: str
) -> None:
    checked = validate(DOMAIN, household_problem("halve-egg"), plan)
    assert checked.valid is (message == "valid in 4 steps") and checked.step == step
    assert str(checked).startswith(message)
    assert len(checked.states) == (len(plan) + 1 if step == 0 else step)


def test_an_action_that_does_not_exist_cannot_be_done() -> None:
    with pytest.raises(ActionError, match="unknown action 'fly'"):
        RULES.successor(BOIL.init, Action("fly"))


def test_grounding_means_what_the_rules_mean() -> None:
    """For random problems, each operator can be done where its action can, and does the same."""
    compared = 0
    for domain, problem in islice(random_tasks(seed=5), 25):
        rules, task = Rules.of(domain, problem), ground_task(domain, problem)
        changing = {f for i, f in enumerate(task.facts) if task.fluent_mask >> i & 1}
        state, bits = problem.init, task.init
        for _ in range(6):
            able = {o.action: o for o in task.operators if o.precondition.holds(bits)}
            every = {Action(s.name, tuple(b.values())) for s in domain.actions
                     for b in rules.bindings(s.parameters)}  # fmt: skip
            for action in every - able.keys():  # left out only if it cannot be, or changes nothing
                assert (
                    rules.unmet_preconditions(action, state)
                    or rules.successor(state, action) == state
                )
            for action, operator in able.items():
                assert rules.unmet_preconditions(action, state) == ()
                after = rules.successor(state, action)
                facts = {f for i, f in enumerate(task.facts) if operator.successor(bits) >> i & 1}
                assert facts & changing == after & changing and after - changing == state - changing
                compared += 1
            if not able:
                break
            chosen = sorted(able, key=str)[compared % len(able)]
            state, bits = rules.successor(state, chosen), able[chosen].successor(bits)
    assert compared > 200


def test_changes_over_all_objects_count_if_they_are_about_a_named_one() -> None:
    place = PLACES["two_hands"]()
    rules = place.skills.rules(place.known)
    held = rules.successor(place.state, Action("get", ("gin_bottle", "shelf", "left_hand")))
    put = Action("put", ("gin_bottle", "tray"))
    assert rules.effects(put, held) == ()
    assert set(rules.effects(put, held, quantified=True)) == {
        Literal.of("on", "gin_bottle", "tray"),
        Literal.of("holding", "left_hand", "gin_bottle", positive=False),
    }


def test_an_effect_that_makes_no_sense_for_the_objects_is_none() -> None:
    place = PLACES["two_hands"]()
    rules = place.skills.rules(place.known)
    found = rules.effects(Action("get", ("gin_bottle", "shelf", "left_hand")), place.state)
    assert {one.fact.predicate for one in found} == {"holding", "free", "on"}
