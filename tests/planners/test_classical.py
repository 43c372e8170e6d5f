"""One function plans; its engines agree on what can be reached and in how many steps."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from portable import portable_domain, portable_problem
from random_problems import random_tasks

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.domains import grounding
from regrasp.domains.domain import Domain, Problem
from regrasp.domains.household import TASKS, household_domain, household_problem
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.rules import validate
from regrasp.planners import classical
from regrasp.planners.classical import ENGINES, PlanningOutcome, PlanResult, plan

SHORTEST = dict(zip(TASKS, (12, 8, 8, 4, 8, 12), strict=True))


def sorted_tasks(
    seed: int, solvable: int, unsolvable: int
) -> Iterator[tuple[Domain, Problem, PlanResult]]:
    """Random problems with what the search says, until there are enough of both kinds."""
    left = {PlanningOutcome.SOLVED: solvable, PlanningOutcome.UNSOLVABLE: unsolvable}
    for domain, problem in random_tasks(seed):
        found = plan(domain, problem, "search", seconds=120)
        assert found.outcome in left, found
        if left[found.outcome]:
            left[found.outcome] -= 1
            yield domain, problem, found
        if not any(left.values()):
            return


@pytest.mark.parametrize("engine", ["search", "auto"])
@pytest.mark.parametrize("task", TASKS)
def test_every_household_task_has_the_shortest_plan_of_the_paper(task: str, engine: str) -> None:
    domain, problem = household_domain(), household_problem(task)
    found = plan(domain, problem, engine)
    assert found.outcome is PlanningOutcome.SOLVED
    assert len(found.plan) == SHORTEST[task]
    assert validate(domain, problem, found.plan).valid


def test_engine_and_search_agree(engine: Path) -> None:
    for domain, problem, searched in sorted_tasks(seed=7, solvable=30, unsolvable=10):
        found = plan(domain, problem, "fast-downward")
        assert found.outcome is searched.outcome, write_problem(problem)
        assert len(found.plan) == len(searched.plan), write_problem(problem)


@pytest.mark.long
def test_engine_search_and_the_engines_own_translator_agree(engine: Path, tmp_path: Path) -> None:
    count = {PlanningOutcome.SOLVED: 0, PlanningOutcome.UNSOLVABLE: 0}
    for domain, problem, searched in sorted_tasks(seed=2024, solvable=200, unsolvable=50):
        count[searched.outcome] += 1
        found = plan(domain, problem, "fast-downward", seconds=120)
        message = f"{write_domain(domain)}{write_problem(problem)}"
        assert (found.outcome, len(found.plan)) == (searched.outcome, len(searched.plan)), message
        steps = translated_cost(engine, domain, problem, tmp_path)
        assert steps == (len(searched.plan) if searched.solved else None), message
    assert tuple(count.values()) == (200, 50)


def translated_cost(engine: Path, domain: Domain, problem: Problem, folder: Path) -> int | None:
    """The cost of a shortest plan by Fast Downward alone, from our PDDL; None for no plan."""
    texts = {
        "domain.pddl": write_domain(portable_domain(domain)),
        "problem.pddl": write_problem(portable_problem(problem)),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    beside = engine.parent / "translate" / "translate.py"  # where the engine's package has its own
    translator = [str(beside)] if beside.is_file() else ["-m", "fast_downward.translate"]
    translate = [sys.executable, *translator, *texts]
    ended = subprocess.run(translate, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    for plan_file in folder.rglob("sas_plan*"):
        plan_file.unlink()
    (folder / "found_plans").mkdir(exist_ok=True)
    searched = subprocess.run(
        [engine, "--search", "astar(blind())"],
        cwd=folder,
        input=(folder / "output.sas").read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        check=False,
    )
    if searched.returncode in (11, 12):
        return None
    assert searched.returncode == 0, searched.stdout
    steps = next(folder.rglob("sas_plan*")).read_text(encoding="utf-8").splitlines()
    # One of the translators ends a plan with a step of its own that costs nothing.
    return sum(line.startswith("(") and not line.startswith("(__") for line in steps)


def test_a_call_takes_less_than_a_quarter_of_a_second(engine: Path) -> None:
    """In processor time of our own and the engine's process, which load elsewhere cannot spoil."""
    spent = []
    for task in TASKS * 2:
        before = os.times()
        assert plan(household_domain(), household_problem(task), "fast-downward").solved
        spent.append(sum(os.times()[:4]) - sum(before[:4]))
    assert statistics.median(spent) < 0.25


@pytest.mark.parametrize("engine_name", ["search", "fast-downward"])
def test_the_same_problem_gives_the_same_plan(engine_name: str, engine: Path) -> None:
    task = "'collect-toys'"
    code = "from regrasp.domains.household import *; from regrasp.planners.classical import plan\n"
    code += f"print(*plan(household_domain(), household_problem({task}), '{engine_name}').plan)"
    message = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hashed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashed in ("1", "2")
    ]
    assert message[0] == message[1] and "toy_car" in message[0]


def test_without_the_engine_our_own_search_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classical, "find_downward", lambda: None)
    domain, problem = household_domain(), household_problem("halve-egg")
    found = plan(domain, problem)
    assert found.engine == "search" and len(found.plan) == 4
    with pytest.raises(RegraspError, match=r"pip install 'regrasp\[planning\]'"):
        plan(domain, problem, "fast-downward")


def test_an_unknown_engine_is_named_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'fast-downward'") as caught:
        plan(household_domain(), household_problem("halve-egg"), "fastdownward")
    assert set(caught.value.valid) == set(ENGINES)


@pytest.mark.parametrize(("limit", "most"), [("MAX_OPERATORS", 5), ("MAX_ALTERNATIVES", 1)])
def test_a_problem_that_is_too_large_is_unsupported(
    limit: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grounding, limit, most)
    found = plan(household_domain(), household_problem("collect-toys"), "search")
    assert found.outcome is PlanningOutcome.UNSUPPORTED and f"more than {most}" in found.message


def test_a_plan_that_does_not_hold_counts_as_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = plan(household_domain(), household_problem("frozen-pie"), "search").plan
    monkeypatch.setattr(
        classical, "search", lambda task, seconds: PlanResult(PlanningOutcome.SOLVED, wrong[1:])
    )
    found = plan(household_domain(), household_problem("frozen-pie"), "search")
    assert found.outcome is PlanningOutcome.BROKE and found.plan == ()
    assert "step 1, open(refrigerator), needs inview(refrigerator)" in found.message
