"""DoReMi (Guo et al., "DoReMi: Grounding Language Model by Detecting and Recovering from
Plan-Execution Misalignment", IROS 2024), the humanoid: table 3 (success and time), as numbered in
the preprint.

The paper runs five seeds of twelve episodes, 60 in all; our default is twelve. A failure takes as
long as the limit, 90 s. Its table has no CLIPort, which is a policy for arms.
"""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.bench.knob import Knob
from regrasp.bench.limits import Limits
from regrasp.bench.paper import Paper
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

_RUNS, _LIMIT_S = 60, 90.0
_DROPS, _DENSITIES = (0.0, 0.02, 0.04), (0.0, 0.3, 0.6)


def _move(p: float) -> str:
    return f"move-p{p:g}"


def _forest(d: float) -> str:
    return f"forest-d{d:g}"


def _disturbed(task: str, name: str, value: float) -> str:
    return f"{task}:{name}={value:g}" if value else task


_TASKS = (
    *(
        SuiteTask(
            _move(p),
            "walker_room",
            _disturbed("move-box", "p", p),
            f"p = {p:g}",
            limit_s=_LIMIT_S,
            table="Move box from A to B, random drop p (table 3)",
        )
        for p in _DROPS
    ),
    *(
        SuiteTask(
            _forest(d),
            "walker_room",
            _disturbed("obstacle-forest", "d", d),
            f"d = {d:g}",
            limit_s=_LIMIT_S,
            table="Go through the obstacle forest, density d (table 3)",
        )
        for d in _DENSITIES
    ),
)


def _figures(
    moved: tuple[tuple[int, float], ...], walked: tuple[tuple[int, float], ...]
) -> Mapping[str, Paper]:
    """Percent and seconds, for each p of moving the box and each d of the forest."""
    rows = [(_move(p), figure) for p, figure in zip(_DROPS, moved, strict=True)]
    rows += [(_forest(d), figure) for d, figure in zip(_DENSITIES, walked, strict=True)]
    return {task: Paper(percent / 100, _RUNS, seconds) for task, (percent, seconds) in rows}


SUITE = Suite(
    name="doremi-humanoid",
    summary="DoReMi's humanoid: a box that drops and obstacles in the way, three methods",
    source="DoReMi, table 3",
    llm="scripted",  # the embedded model plans over skills in nine of ten cases only
    tasks=_TASKS,
    methods=(
        SuiteMethod("doremi", "doremi", "DoReMi"),
        SuiteMethod("doremi-odds", "doremi-odds", "DoReMi, odds (ours)"),
        SuiteMethod("doremi-single", "doremi-single", "DoReMi w/o ensembling"),
        SuiteMethod("inner-monologue", "inner-monologue", "Inner Monologue"),
        SuiteMethod("saycan", "saycan", "SayCan"),
        SuiteMethod(
            "doremi-log-only", "doremi-log-only", "DoReMi, alarms only logged", on_request=True
        ),
    ),
    figures={
        "doremi": _figures(
            ((97, 24.4), (92, 36.9), (88, 43.2)), ((100, 27.3), (92, 38.5), (90, 41.5))
        ),
        "inner-monologue": _figures(
            ((98, 23.8), (88, 44.3), (82, 57.2)), ((100, 27.3), (68, 52.4), (40, 64.9))
        ),
        "saycan": _figures(
            ((98, 23.8), (61, 53.0), (43, 67.4)), ((100, 27.3), (68, 52.4), (40, 64.9))
        ),
    },
    knobs=(
        Knob("p", "chance of a drop in a second", usual=0.0, least=0.0, most=0.99),
        Knob("d", "obstacles to a metre of the way", usual=0.0, least=0.0, most=1.0),
    ),
    methods_across=True,
    episodes=12,
    limits=Limits(sim_s=_LIMIT_S, calls=30_000),
)
"""The suite."""
