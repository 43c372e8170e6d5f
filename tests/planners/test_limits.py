"""Time and size limits of planning: they cover grounding, and what is far too large is counted."""

from __future__ import annotations

import time

import pytest

from regrasp.core.errors import RegraspError
from regrasp.domains.deadline import Deadline
from regrasp.domains.grounding import ground_task
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.planners import search as search_module
from regrasp.planners.classical import plan
from regrasp.planners.plan_result import PlanningOutcome, PlanResult
from regrasp.planners.search import search

DOMAIN = "(define (domain d) (:predicates (p ?x) (q ?x ?y)) %s)"
ACTION = "(:action a :parameters (%s) :precondition %s :effect (p ?x0))"


def nested(depth: int, inner: str) -> str:
    """An inner condition under quantifiers that alternate."""
    opened = "".join(f"({('exists', 'forall')[i % 2]} (?y{i}) " for i in range(depth))
    return f"{opened}{inner}{')' * depth}"


def variables(count: int) -> str:
    return " ".join(f"?x{i}" for i in range(count))


def problem(objects: int, goal: str = "(p o0)", init: str = "") -> str:
    names = " ".join(f"o{i}" for i in range(objects))
    return f"(define (problem x) (:domain d) (:objects {names}) (:init {init}) (:goal {goal}))"


def solve(action: str, of: str, seconds: float = 60.0) -> PlanResult:
    domain = read_domain(DOMAIN % action)
    return plan(domain, read_problem(of, domain), "search", seconds)


DIFFERENT = " ".join(f"(not (= ?x{i} ?x{j}))" for i in range(6) for j in range(i))


@pytest.mark.parametrize(
    ("action", "of", "says"),
    [
        (ACTION % ("?x0", nested(9, "(q ?y0 ?y8)")), problem(10), "10^9 facts"),
        (ACTION % ("?x0", "()"), problem(10, nested(9, "(p ?y8)")), "the goal of x"),
        (ACTION % (variables(6), "()"), problem(32), "more than 200000 ground actions"),
        (ACTION % (variables(6), f"(and {DIFFERENT})"), problem(32), "more than 200000"),
        (
            "(:action a :parameters (?x0) :effect (forall (?a ?b ?c ?d ?e ?f) (q ?a ?f)))",
            problem(10),
            "the effect of a speaks of 1000000 facts",
        ),
    ],
    ids=["nested quantifiers", "nested goal", "10^9 actions", "all different", "effects for all"],
)
def test_what_is_far_too_large_is_refused_at_once(action: str, of: str, says: str) -> None:
    began = time.process_time()
    found = solve(action, of)
    assert time.process_time() - began < 1.0
    assert found.outcome is PlanningOutcome.UNSUPPORTED
    assert says in found.message


@pytest.mark.parametrize(
    ("action", "of"),
    [
        (ACTION % ("?x0", nested(4, "(p ?y3)")), problem(10)),
        (
            ACTION
            % (variables(6), "(and " + "".join(f"(q ?x{i} ?x{i + 1})" for i in range(5)) + ")"),
            problem(32, init=" ".join(f"(q o{i} o{j})" for i in range(32) for j in range(32))),
        ),
        (ACTION % (variables(3), "()"), problem(58, "(and (p o1) (q o1 o2))")),
    ],
    ids=["a condition", "static conditions", "many operators"],
)
def test_the_time_limit_covers_grounding(action: str, of: str) -> None:
    began = time.process_time()
    found = solve(action, of, seconds=0.2)
    assert time.process_time() - began < 2.0
    assert (found.outcome, found.message) == (PlanningOutcome.TIMED_OUT, "no plan in 0.2 s")


def test_the_time_limit_holds_within_one_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state with many successors, each of which takes a while to look at, is no proof."""
    domain = read_domain(DOMAIN % (ACTION % ("?x0", "()")))
    task = ground_task(domain, read_problem(problem(40, "(q o1 o2)"), domain))
    now = [0.0]

    def slow(*_: object) -> int:
        now[0] += 1.0
        return 1

    monkeypatch.setattr(search_module, "h_max", slow)
    found = search(task, 5.0, lambda: now[0])
    assert found.outcome is PlanningOutcome.TIMED_OUT
    assert now[0] <= 7.0


def test_a_deadline_looks_at_the_clock_every_few_steps() -> None:
    looks, now = [0], [0.0]

    def clock() -> float:
        looks[0] += 1
        return now[0]

    deadline = Deadline(1.0, clock)
    for _ in range(1000):
        deadline.step()
    assert looks[0] < 10
    now[0] = 2.0
    with pytest.raises(RegraspError, match="no plan in 1 s"):
        for _ in range(1000):
            deadline.step()
    assert deadline.left_s == 0.0


COUNT = 20_000
LARGE = {
    "objects": problem(COUNT),
    "facts": problem(1, init="(p o0) " * COUNT),
}


@pytest.mark.parametrize("kind", LARGE)
def test_a_large_problem_is_read_in_seconds(kind: str) -> None:
    domain, began = read_domain(DOMAIN % ""), time.process_time()
    read_problem(LARGE[kind], domain)
    assert time.process_time() - began < 5.0


@pytest.mark.parametrize(
    "section",
    [
        "(:types " + " ".join(f"t{i}" for i in range(COUNT)) + ")",
        "(:types " + " ".join(f"t{i} - t{i + 1}" for i in range(COUNT)) + f" t{COUNT})",
        "(:types " + " ".join(f"t{i} - t{(i + 1) % COUNT}" for i in range(COUNT)) + ")",
        "(:predicates " + " ".join(f"(p{i} ?x)" for i in range(COUNT)) + ")",
        " ".join(f"(:action a{i} :parameters () :effect ())" for i in range(COUNT // 3)),
    ],
    ids=["types", "a chain of types", "a ring of types", "predicates", "actions"],
)
def test_a_large_domain_is_read_or_refused_in_seconds(section: str) -> None:
    began = time.process_time()
    try:
        read_domain(f"(define (domain d) {section})")
    except RegraspError as error:
        assert "domain, line 1" in str(error)
        assert len(str(error)) < 1000
    assert time.process_time() - began < 8.0
