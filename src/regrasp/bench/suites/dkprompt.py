"""DKPROMPT (Zhang et al., "DKPROMPT: Domain Knowledge Prompting Vision-Language Models for
Open-World Planning", 2024): five household tasks, the method, its two halves and five baselines.

The paper's figures are successes over trials, whose number differs between cells. The sixth task is
the one of its real robot and is in no table.
"""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.bench.suite import Knob, Paper, Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

_TASKS = (
    SuiteTask("boil-water", "household", "boil-water", "boil water in the microwave"),
    SuiteTask("empty-bottle", "household", "empty-bottle", "bring in empty bottle"),
    SuiteTask("frozen-pie", "household", "frozen-pie", "cook a frozen pie"),
    SuiteTask("halve-egg", "household", "halve-egg", "halve an egg"),
    SuiteTask("store-firewood", "household", "store-firewood", "store firewood"),
    SuiteTask("collect-toys", "household", "collect-toys", "collect toys (real robot)"),
)


def _row(*counts: tuple[int, int]) -> Mapping[str, Paper]:
    cells = zip(_TASKS, counts, strict=False)
    return {task.name: Paper(good / trials, trials) for task, (good, trials) in cells}


SUITE = Suite(
    name="dkprompt",
    summary="DKPROMPT's household: a vision model checks preconditions and effects; its baselines",
    source="DKPROMPT, success over trials",
    tasks=_TASKS,
    methods=(
        SuiteMethod("dkprompt", "dkprompt", "DKPROMPT (GPT-4)"),
        SuiteMethod("dkprompt-bayes", "dkprompt-bayes"),
        SuiteMethod("dkprompt-odds", "dkprompt-odds", on_request=True),
        SuiteMethod("dkprompt-seen", "dkprompt-seen", on_request=True),
        SuiteMethod("effects", "dkprompt-effects", "Eff.-only"),
        SuiteMethod("preconditions", "dkprompt-preconditions", "Pre.-only"),
        SuiteMethod("success-affordance", "affordance-success-question", "Suc.Aff.-QA"),
        SuiteMethod("success", "success-question", "Suc.-QA"),
        SuiteMethod("affordance", "affordance-question", "Aff.-QA"),
        SuiteMethod("classical", "classical-planner", "Classical-planner"),
        SuiteMethod("vlm-planner", "vlm-planner", "VLM-planner"),
    ),
    figures={
        "dkprompt": _row((12, 18), (18, 20), (14, 23), (15, 20), (8, 20)),
        "effects": _row((15, 30), (15, 16), (4, 15), (10, 15), (7, 25)),
        "preconditions": _row((3, 17), (15, 20), (7, 20), (11, 20), (5, 20)),
        "success-affordance": _row((8, 20), (12, 16), (11, 20), (13, 20), (7, 20)),
        "success": _row((7, 18), (18, 20), (10, 20), (12, 20), (4, 20)),
        "affordance": _row((4, 28), (11, 20), (7, 20), (10, 20), (5, 20)),
        "classical": _row((5, 35), (3, 11), (4, 30), (8, 30), (1, 25)),
        "vlm-planner": _row((1, 20), (2, 34), (0, 20), (0, 19), (0, 22)),
    },
    knobs=(
        Knob(
            "situations",
            "how often things go wrong, times the paper's",
            usual=1.0,
            least=0.0,
            most=2.0,
        ),
        Knob("same_room", "1: a loose thing in the other room cannot be found", 0.0, 0.0, 1.0),
    ),
    llm="scripted",  # it reads the goal; a classical planner plans
    episodes=20,
)
"""The suite."""
