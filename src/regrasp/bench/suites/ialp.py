"""IALP (Wang et al., "Instruction-Augmented Long-Horizon Planning: Embedding Grounding Mechanisms
in Embodied Mobile Manipulation", AAAI 2025): five tasks of a mobile manipulator in an apartment.

`PLANNING` is the test of the paper's figure 6, whose bars have no numbers: the text reports over
80% in every task. Its second table is ours: does the action also begin a shortest plan?
"""

from __future__ import annotations

from regrasp.bench.observation_sets import SHORTEST, run_observation_set
from regrasp.bench.record import Limits
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask

__all__ = ["PLANNING", "SUITE"]

_NAMES = ("place-box", "take-jacket", "take-pill-box", "insert-book", "lift-bucket")
_METHODS = (
    SuiteMethod("ialp", "ialp", "IALP"),
    SuiteMethod("no-feasibility", "ialp-no-feasibility", "IALP w/o Feasibility Feedback"),
    SuiteMethod("no-selection", "ialp-no-selection", "IALP w/o Optimal Selection"),
)

SUITE = Suite(
    name="ialp",
    summary="IALP's five tasks in an apartment, end to end",
    source="IALP, table 3",
    tasks=tuple(SuiteTask(name, "apartment", name) for name in _NAMES),
    methods=(
        _METHODS[0],
        *(SuiteMethod(one.name, one.method, one.paper, on_request=True) for one in _METHODS[1:]),
    ),
    senses=True,
    episodes=20,
    limits=Limits(sim_s=900.0),
)
"""The five tasks, end to end."""

PLANNING = Suite(
    name="ialp-planning",
    summary="IALP's planning test: is the action executable under random observations?",
    source="IALP, figure 6",
    tasks=(
        *(SuiteTask(name, "apartment", name, table="Executable") for name in _NAMES),
        *(
            SuiteTask(f"{name}{SHORTEST}", "apartment", name, table="Begins a shortest plan (ours)")
            for name in _NAMES
        ),
    ),
    methods=(*_METHODS, SuiteMethod("per-token", "ialp-per-token", on_request=True)),
    methods_across=True,
    episodes=20,
    llm="scripted",
    vlm="oracle",
    run_job=run_observation_set,
)
"""The planning test: no robot moves."""
