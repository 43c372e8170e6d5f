"""Plans for large problems: drinks, pizzas and towers, valid though not always shortest."""

from __future__ import annotations

import pytest

from regrasp.core.fact import parse_literals
from regrasp.domains.domain import Problem
from regrasp.domains.formula import And, Atom
from regrasp.domains.grounding import ground_task
from regrasp.domains.household import TASKS, household_domain, household_problem
from regrasp.domains.rules import validate
from regrasp.domains.skill_domain import SkillDomain, problem_of
from regrasp.planners.classical import LARGE, PlanningOutcome, plan
from regrasp.planners.downward import find_downward
from regrasp.planners.greedy import greedy_search
from regrasp.planners.search import search
from regrasp.worlds.registry import open_world

ENGINES = ("search", *(["fast-downward"] if find_downward() else []))
DRINK = ("on(third_glass, tray)", "contains(third_glass, rum)", "contains(third_glass, mint)",
         "contains(third_glass, milk)", "contains(third_glass, soda_water)")  # fmt: skip
PIZZA = ("contains(pizza_dough, tomato_sauce)", "contains(pizza_dough, mozzarella_cheese)",
         "contains(pizza_dough, ham)", "inside(pizza_dough, oven)",
         "baked(pizza_dough)")  # fmt: skip


def problem(world: str, task: str | None, *goal: str) -> tuple[SkillDomain, Problem]:
    opened = open_world(world, task)
    assert opened.plan.domain is not None
    domain = opened.plan.domain(opened)
    wanted = parse_literals(*goal) or opened.goal.literals
    atoms = And(tuple(Atom(one.fact.predicate, one.fact.args) for one in wanted))
    return domain, problem_of(domain, opened.objects(), domain.init, atoms)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("world", "task", "goal", "most"),
    [("bar", None, DRINK, 24), ("pizza", None, PIZZA, 24), ("blocks", "stack:12", (), 60)],
)
def test_a_drink_a_pizza_and_twelve_blocks_are_planned(
    engine: str, world: str, task: str | None, goal: tuple[str, ...], most: int
) -> None:
    domain, wanted = problem(world, task, *goal)
    found = plan(domain.domain, wanted, engine, 60.0)
    assert found.solved, found.message
    assert len(found.plan) <= most
    assert validate(domain.domain, wanted, found.plan).valid


@pytest.mark.parametrize("task", TASKS)
def test_small_problems_are_solved_too(task: str) -> None:
    ground = ground_task(household_domain(), household_problem(task))
    found, best = greedy_search(ground, 20.0), search(ground, 20.0)
    assert found.solved and len(found.plan) >= len(best.plan)
    assert validate(household_domain(), household_problem(task), found.plan).valid
    assert len(ground.operators) < LARGE


def test_what_cannot_be_reached_is_proven() -> None:
    domain, wanted = problem("blocks", "stack:2", "on(b1, b2)", "on(b2, b1)")
    found = greedy_search(ground_task(domain.domain, wanted), 10.0)
    assert found.outcome is PlanningOutcome.UNSOLVABLE


def test_no_time_is_no_plan() -> None:
    domain, wanted = problem("blocks", "stack:12")
    clock = iter(range(1000))
    found = greedy_search(ground_task(domain.domain, wanted), 2.0, lambda: float(next(clock)))
    assert found.outcome is PlanningOutcome.TIMED_OUT
