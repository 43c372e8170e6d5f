"""DoReMi (Guo et al., "DoReMi: Grounding Language Model by Detecting and Recovering from
Plan-Execution Misalignment", IROS 2024), the arm: tables 2 and 6 (success and time) and table 7
(the detector), as numbered in the preprint.

The paper runs four seeds of twelve episodes, 48 in all; our default is twelve. A failure takes as
long as the limit: 10 s to pick and place, 60 s to stack. Its vision model is BLIP; ours is a choice
(`--vlm`), and with the oracle there are no errors for an ensemble to correct.
"""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.bench.knob import Knob
from regrasp.bench.limits import Limits
from regrasp.bench.paper import Paper, PaperDetection
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

_RUNS = 48
_DROPS = (0.0, 0.1, 0.2, 0.3)
_NOISES = (0, 1, 2, 3)
_TABLES = {
    0.0: 2,
    0.05: 6,
    0.1: 2,
    0.15: 6,
}  # p of stacking, and the paper's table that reports it


def _pick(p: float) -> str:
    return f"pick-p{p:g}"


def _stack(n: int, p: float) -> str:
    return f"stack-n{n}-p{p:g}"


def _disturbed(task: str, **how: float) -> str:
    given = ",".join(f"{name}={value:g}" for name, value in how.items() if value)
    return f"{task}:{given}" if given else task


_TASKS = (
    *(
        SuiteTask(
            _pick(p),
            "tabletop",
            _disturbed("pick-and-place", p=p),
            f"p = {p:g}",
            limit_s=10.0,
            table="Pick and place, random drop p (table 2)",
        )
        for p in _DROPS
    ),
    *(
        SuiteTask(
            _stack(n, p),
            "tabletop",
            _disturbed("stack-in-order", p=p, n=n),
            f"n = {n}, p = {p:g}",
            limit_s=60.0,
            table=f"Stack in order, noise n, random drop p = {p:g} (table {_TABLES[p]})",
        )
        for p in _TABLES
        for n in _NOISES
    ),
)


def _figures(
    picked: tuple[tuple[int, float], ...], stacked: Mapping[float, tuple[tuple[int, float], ...]]
) -> Mapping[str, Paper]:
    """Percent and seconds, for p = 0 … 0.3 of picking, and by p for n = 0 … 3 of stacking."""
    rows = [(_pick(p), figure) for p, figure in zip(_DROPS, picked, strict=False)]
    for p, figures in stacked.items():
        rows += [(_stack(n, p), figure) for n, figure in zip(_NOISES, figures, strict=True)]
    return {task: Paper(percent / 100, _RUNS, seconds) for task, (percent, seconds) in rows}


def _counts(p: float, *counts: tuple[int, int, int, int]) -> Mapping[str, PaperDetection]:
    return {_stack(n, p): PaperDetection(*four) for n, four in zip(_NOISES, counts, strict=True)}


SUITE = Suite(
    name="doremi-arm",
    summary="DoReMi's arm: pick and place and stacking under drops and misplacement, four methods",
    source="DoReMi, tables 2, 6 and 7",
    llm="scripted",  # the embedded model plans over skills in nine of ten cases only
    tasks=_TASKS,
    methods=(
        SuiteMethod("doremi", "doremi", "DoReMi"),
        SuiteMethod("doremi-odds", "doremi-odds", "DoReMi, odds (ours)"),
        SuiteMethod("doremi-single", "doremi-single", "DoReMi w/o ensembling"),
        SuiteMethod("inner-monologue", "inner-monologue", "Inner Monologue"),
        SuiteMethod("cliport", "cliport", "CLIPort"),
        SuiteMethod("saycan", "saycan", "SayCan"),
        SuiteMethod(
            "doremi-log-only", "doremi-log-only", "DoReMi, alarms only logged", on_request=True
        ),
    ),
    figures={
        "doremi": _figures(
            ((100, 2.7), (100, 2.8), (100, 3.0), (100, 3.3)),
            {
                0.0: ((100, 7.2), (100, 7.5), (96, 10.2), (83, 16.6)),
                0.05: ((100, 7.4), (98, 8.1), (94, 10.8), (73, 19.9)),
                0.1: ((98, 8.4), (94, 9.6), (92, 11.5), (50, 26.8)),
                0.15: ((94, 8.9), (92, 10.3), (85, 14.0), (44, 29.3)),
            },
        ),
        "doremi-single": _figures(
            (),
            {
                0.05: ((100, 7.5), (96, 8.6), (88, 12.1), (67, 25.8)),
                0.15: ((92, 9.7), (90, 12.5), (79, 21.3), (33, 40.6)),
            },
        ),
        "inner-monologue": _figures(
            ((100, 2.7), (100, 2.9), (100, 3.4), (100, 4.0)),
            {
                0.0: ((100, 7.2), (96, 8.0), (88, 15.2), (79, 22.7)),
                0.05: ((100, 7.9), (94, 9.3), (83, 17.3), (63, 36.3)),
                0.1: ((98, 9.6), (94, 10.2), (81, 18.7), (42, 40.2)),
                0.15: ((92, 10.6), (88, 14.8), (73, 25.2), (23, 47.8)),
            },
        ),
        "cliport": _figures(
            ((100, 2.7), (100, 2.9), (100, 3.4), (100, 4.0)),
            {
                0.0: ((100, 7.2), (96, 8.0), (85, 16.4), (75, 23.2)),
                0.1: ((94, 11.0), (94, 10.7), (79, 19.5), (33, 42.8)),
            },
        ),
        "saycan": _figures(
            ((100, 2.7), (96, 3.2), (81, 4.7), (63, 6.6)),
            {
                0.0: ((100, 7.2), (96, 8.0), (63, 26.1), (31, 42.6)),
                0.1: ((71, 22.4), (71, 21.4), (54, 29.8), (21, 48.0)),
            },
        ),
    },
    detections={
        "doremi": {
            **_counts(0.0, (150, 0, 0, 0), (188, 0, 0, 4), (249, 27, 3, 6), (272, 81, 1, 2)),
            **_counts(0.05, (173, 5, 0, 0), (204, 7, 1, 1), (196, 23, 3, 4), (253, 92, 2, 6)),
            **_counts(0.1, (202, 13, 1, 1), (180, 8, 0, 1), (212, 14, 3, 1), (231, 100, 4, 7)),
            **_counts(0.15, (182, 24, 1, 0), (178, 12, 2, 0), (175, 26, 1, 3), (208, 128, 6, 9)),
        }
    },
    knobs=(
        Knob("p", "chance of a drop in a second", usual=0.0, least=0.0, most=0.99),
        Knob("n", "centimetres that a placing may be off", usual=0.0, least=0.0, most=10.0),
    ),
    methods_across=True,
    episodes=12,
    limits=Limits(sim_s=60.0, calls=30_000),
)
"""The suite."""
