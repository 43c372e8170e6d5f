"""REPLAN (Skreta et al., "RePLan: Robotic Replanning with Perception and Language Models", 2024),
Table 1: seven tasks, the method, its ablations and the baseline.

The eighth task is in the paper's list of instructions and in no table. Figure C.1 shows the counts
of actions only as bars; the text gives their sums over the seven tasks. The paper's robot reports
a failed motion as one number, which is the row `float-feedback`; the row `full` reports evidence.
"""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.bench.suite import Paper, PaperActions, Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

_RUNS = 10

_TASKS = (
    SuiteTask("cabinet-open", "cabinet", "open", "Task 1"),
    SuiteTask("cabinet-closed", "cabinet", "closed", "Task 2"),
    SuiteTask("cabinet-barred", "cabinet", "barred", "Task 3"),
    SuiteTask("kitchen-apple", "kitchen", "apple", "Task 4"),
    SuiteTask("lever-locked", "lever", "locked", "Task 5"),
    SuiteTask("cubes-match", "cubes", "match", "Task 6"),
    SuiteTask("cubes-occupied", "cubes", "occupied", "Task 7"),
    SuiteTask("sensor-locked", "sensor", "locked", "Task 8"),
)
_IN_TABLE = tuple(task.name for task in _TASKS[:7])


def _row(*percent: int) -> Mapping[str, Paper]:
    rates = zip(_IN_TABLE, percent, strict=True)
    return {task: Paper(rate / 100, _RUNS) for task, rate in rates}


SUITE = Suite(
    name="replan",
    summary="REPLAN's eight tasks: the method, without each of its parts, and Language to Rewards",
    source="REPLAN, Table 1 and figure C.1",
    tasks=_TASKS,
    methods=(
        SuiteMethod("full", "replan", "REPLAN [full]"),
        SuiteMethod("float-feedback", "replan-float", "REPLAN [full], a number as feedback"),
        SuiteMethod("no-verifier", "replan-no-verifier", "REPLAN [no Verifier]"),
        SuiteMethod("no-perceiver", "replan-no-perceiver", "REPLAN [no Perceiver]"),
        SuiteMethod("no-replan", "replan-no-replan", "REPLAN [no Replan]"),
        SuiteMethod("language-to-rewards", "language-to-rewards", "Language to Rewards"),
        SuiteMethod("pddl", "classical-planner", "PDDL, one plan", read_first=True),
        SuiteMethod("pddl-looks", "dkprompt", "PDDL with looks: DKPROMPT", read_first=True),
    ),
    figures={
        "full": _row(100, 100, 60, 80, 100, 90, 90),
        "no-verifier": _row(80, 80, 20, 60, 100, 100, 80),
        "no-perceiver": _row(90, 90, 30, 20, 50, 20, 0),
        "no-replan": _row(80, 70, 0, 0, 0, 80, 10),
        "language-to-rewards": _row(90, 20, 0, 0, 0, 50, 10),
    },
    actions=PaperActions("full", _IN_TABLE, motions=401, looks=101, episodes=7 * _RUNS),
    episodes=_RUNS,
)
"""The suite."""
