"""PDDL in and out: what is read, and that what is written reads back as the same."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from random_problems import random_domain, random_problem

from regrasp.core.fact import Fact
from regrasp.domains.domain import ActionSchema, Object, Type
from regrasp.domains.formula import And, Atom, Effect, Equal, Exists, ForAll, Not, Parameter
from regrasp.domains.household import TASKS, household_domain, household_problem
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.domains.pddl_write import write_domain, write_problem

SHELF = """
; Case does not matter, and neither do line breaks.
(DEFINE (domain Shelf) (:requirements :strips :typing)
  (:types box Toy - thing thing)
  (:constants TOP)
  (:predicates (in ?x - toy ?b - box) (big ?x - (either toy box)) (free))
  (:action Take-Out :parameters (?x - toy ?b - box) ; from a box
    :precondition (and (in ?x ?b) (not (big ?x)))
    :effect (and (not (in ?x ?b))
                 (forall (?y - toy)
                   (when (not (= ?y ?x)) (and (big ?y) (when (free) (not (free)))))))))
"""


def test_a_domain_is_read_as_typed_values() -> None:
    domain = read_domain(SHELF)
    assert domain.name == "shelf" and domain.requirements == (":strips", ":typing")
    assert domain.types == (Type("box", "thing"), Type("toy", "thing"), Type("thing", "object"))
    assert domain.constants == (Object("top", "object"),)
    assert domain.predicate("big").parameters == (Parameter("?x", ("toy", "box")),)
    assert domain.is_a("toy", ("thing",)) and not domain.is_a("thing", ("toy", "box"))
    x, b, y = Parameter("?x", ("toy",)), Parameter("?b", ("box",)), Parameter("?y", ("toy",))
    other = Not(Equal("?y", "?x"))
    assert domain.action("take-out") == ActionSchema(
        "take-out",
        (x, b),
        And((Atom("in", ("?x", "?b")), Not(Atom("big", ("?x",))))),
        (
            Effect(Atom("in", ("?x", "?b")), False),
            Effect(Atom("big", ("?y",)), True, (y,), other),
            Effect(Atom("free"), False, (y,), And((other, Atom("free")))),
        ),
    )


def test_a_problem_is_read_as_typed_values() -> None:
    problem = read_problem(
        "(define (problem P1) (:domain shelf) (:objects Bear - toy crate - box)"
        " (:init (free) (in bear crate) (free)) (:goal (exists (?b - box) (not (in bear ?b)))))",
        read_domain(SHELF),
    )
    assert problem.name == "p1" and problem.domain == "shelf"
    assert problem.objects == (Object("bear", "toy"), Object("crate", "box"))
    assert problem.init == {Fact("free"), Fact("in", ("bear", "crate"))}
    assert problem.goal == Exists((Parameter("?b", ("box",)),), Not(Atom("in", ("bear", "?b"))))


def test_a_condition_may_speak_of_more_than_a_predicate_takes() -> None:
    """Of what it does not take it is never so: nobody needs an action of its own for that."""
    find = household_domain().action("find")
    assert isinstance(find.precondition, ForAll) and find.parameters[0].types == ("thing",)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_written_reads_back_as_the_same(seed: int) -> None:
    dice = Random(seed)
    domain = random_domain(dice)
    problem = random_problem(dice, domain)
    assert read_domain(write_domain(domain)) == domain
    assert read_problem(write_problem(problem), domain) == problem


def test_the_household_reads_back_as_the_same() -> None:
    domain = household_domain()
    assert read_domain(write_domain(domain)) == domain
    for task in TASKS:
        problem = household_problem(task)
        assert read_problem(write_problem(problem), domain) == problem
