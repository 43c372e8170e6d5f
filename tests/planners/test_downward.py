"""Fast Downward as a process: it is killed with its children, leaves nothing, and may break."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from regrasp.domains.grounding import GroundTask, ground_task
from regrasp.domains.household import household_domain, household_problem
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.planners.classical import plan
from regrasp.planners.downward import downward
from regrasp.planners.plan_result import PlanningOutcome


@pytest.fixture
def task() -> GroundTask:
    return ground_task(household_domain(), household_problem("halve-egg"))


def script(folder: Path, text: str) -> Path:
    """A program that stands in for the engine."""
    path = folder / "engine.sh"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def _alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"  # ended, and only not yet collected


def test_after_a_time_out_its_children_are_gone_too(task: GroundTask, tmp_path: Path) -> None:
    child = tmp_path / "child"
    engine = script(tmp_path, f"sleep 60 & echo $! > {child}; wait")
    found = downward(task, 1.0, engine)
    assert found.outcome is PlanningOutcome.TIMED_OUT and found.message == "no plan in 1 s"
    pid, patience = int(child.read_text(encoding="utf-8")), time.monotonic() + 10
    while _alive(pid) and time.monotonic() < patience:
        time.sleep(0.02)
    assert not _alive(pid)


def test_it_leaves_no_files(
    task: GroundTask, tmp_path: Path, engine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = set(Path.cwd().iterdir())
    assert downward(task, 20.0, engine).solved
    stuck = script(tmp_path, "sleep 60")
    assert downward(task, 0.3, stuck).outcome is PlanningOutcome.TIMED_OUT
    assert list(folder.iterdir()) == [] and set(Path.cwd().iterdir()) == before


@pytest.mark.parametrize(
    ("text", "outcome", "message"),
    [
        ("echo out of luck; exit 1", PlanningOutcome.BROKE, "exit code 1: out of luck"),
        ("kill -9 $$", PlanningOutcome.BROKE, "signal 9: no output"),
        ("exit 0", PlanningOutcome.BROKE, "it left no plan"),
        ("cat > /dev/null; exit 12", PlanningOutcome.UNSOLVABLE, "every state was looked at"),
        ("exit 34", PlanningOutcome.UNSUPPORTED, "exit code 34: no output"),
    ],
)
def test_how_it_ends_is_told(
    task: GroundTask, tmp_path: Path, text: str, outcome: PlanningOutcome, message: str
) -> None:
    found = downward(task, 20.0, script(tmp_path, text))
    assert (found.outcome, found.message, found.plan) == (outcome, message, ())


def test_an_engine_that_cannot_be_run_is_broken(task: GroundTask, tmp_path: Path) -> None:
    found = downward(task, 20.0, tmp_path / "nothing")
    assert found.outcome is PlanningOutcome.BROKE and "cannot be run: No such file" in found.message


DOORS = """
(define (domain doors)
  (:predicates (at ?x) (door ?x ?y) (seen ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (door ?x ?y))
    :effect (and (at ?y) (not (at ?x)) (seen ?x))))
"""


@pytest.mark.parametrize(
    ("goal", "outcome", "steps"),
    [
        ("(at a)", PlanningOutcome.SOLVED, 0),
        ("(and)", PlanningOutcome.SOLVED, 0),
        ("(or (at c) (and (at b) (seen b)))", PlanningOutcome.SOLVED, 2),
        ("(exists (?x) (and (at ?x) (seen ?x) (not (at a))))", PlanningOutcome.SOLVED, 3),
        ("(and (at a) (at b))", PlanningOutcome.UNSOLVABLE, 0),
        ("(or)", PlanningOutcome.UNSOLVABLE, 0),
        ("(seen d)", PlanningOutcome.UNSOLVABLE, 0),
    ],
)
@pytest.mark.parametrize("name", ["search", "fast-downward"])
def test_goals_of_every_shape(
    goal: str, outcome: PlanningOutcome, steps: int, name: str, engine: Path
) -> None:
    domain = read_domain(DOORS)
    problem = read_problem(
        "(define (problem p) (:domain doors) (:objects a b c d) (:init (at a) (door a b) (door b c)"
        f" (door c b) (door b a) (door d a)) (:goal {goal}))",
        domain,
    )
    found = plan(domain, problem, name)
    assert (found.outcome, len(found.plan), found.engine) == (outcome, steps, name)


def test_it_is_never_imported(engine: Path) -> None:
    import subprocess
    import sys

    code = "import regrasp.planners.classical as c, sys; assert c.find_downward()\n"
    code += "print(*[m for m in sys.modules if 'downward' in m.partition('.')[0]])"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert ended.stdout.split() == []
