"""DoReMi (Guo et al., "DoReMi: Grounding Language Model by Detecting and Recovering from
Plan-Execution Misalignment", IROS 2024). Tables are numbered as in the preprint.

The arm: tables 2 and 6 (success and time) and table 7 (the detector). The paper runs four seeds of
twelve episodes, 48 in all; our default is twelve. A failure takes as long as the limit: 10 s to
pick and place, 60 s to stack. Its vision model is BLIP; ours is a choice (`--vlm`), and with the
oracle there are no errors for an ensemble to correct.

The humanoid: table 3 (success and time). The paper runs five seeds of twelve episodes, 60 in all;
our default is twelve. A failure takes as long as the limit, 90 s. Its table has no CLIPort, which
is a policy for arms.

The row `doremi-paper` has the paper's monitor: four noes in a row, 0.1 s apart, however unsure each
is, and no look when a skill has ended. The row `doremi` has ours, which ignores unsure noes and
looks at the end of each skill. Reports before November 18, 2026 call ours DoReMi.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from regrasp.bench.answer_scores import Counts
from regrasp.bench.record import Limits
from regrasp.bench.suite import Knob, Paper, Suite, SuiteMethod, SuiteTask

__all__ = ["ARM", "HUMANOID"]

_Figures: TypeAlias = Sequence[tuple[int, float]]
"""Percent of successes and mean seconds, for each value of a knob."""

_PICK_DROPS, _NOISES = (0.0, 0.1, 0.2, 0.3), (0, 1, 2, 3)
_TABLES = {0.0: 2, 0.05: 6, 0.1: 2, 0.15: 6}  # p of stacking, and the paper's table that reports it
_BOX_DROPS, _DENSITIES = (0.0, 0.02, 0.04), (0.0, 0.3, 0.6)
_HUMANOID_LIMIT_S = 90.0

_DROP = Knob("p", "chance of a drop in a second", usual=0.0, least=0.0, most=0.99)
_METHODS = (
    SuiteMethod("doremi-paper", "doremi-paper", "DoReMi"),
    SuiteMethod("doremi", "doremi", "DoReMi, looks at ends (ours)"),
    SuiteMethod("doremi-odds", "doremi-odds", "DoReMi, odds (ours)"),
    SuiteMethod("doremi-single", "doremi-paper-single", "DoReMi w/o ensembling"),
    SuiteMethod("inner-monologue", "inner-monologue", "Inner Monologue"),
    SuiteMethod("cliport", "cliport", "CLIPort"),
    SuiteMethod("saycan", "saycan", "SayCan"),
    SuiteMethod(
        "doremi-log-only", "doremi-log-only", "DoReMi, alarms only logged", on_request=True
    ),
)


def _name(kind: str, **at: float) -> str:
    """A task at these values of its knobs: `stack-n1-p0.05`."""
    return "-".join([kind, *(f"{knob}{value:g}" for knob, value in sorted(at.items()))])


def _task(kind: str, world: str, task: str, limit_s: float, table: str, **at: float) -> SuiteTask:
    given = ",".join(f"{knob}={value:g}" for knob, value in at.items() if value)
    full = f"{task}:{given}" if given else task
    paper = ", ".join(f"{knob} = {value:g}" for knob, value in sorted(at.items()))
    return SuiteTask(_name(kind, **at), world, full, paper, limit_s=limit_s, table=table)


def _papers(figures: Mapping[str, tuple[int, float]], runs: int) -> Mapping[str, Paper]:
    return {task: Paper(percent / 100, runs, s) for task, (percent, s) in figures.items()}


def _arm(picked: _Figures, stacked: Mapping[float, _Figures]) -> Mapping[str, Paper]:
    """Figures for p = 0 … 0.3 of picking, and by p for n = 0 … 3 of stacking."""
    found = {_name("pick", p=p): row for p, row in zip(_PICK_DROPS, picked, strict=False)}
    for p, rows in stacked.items():
        found |= {_name("stack", n=n, p=p): row for n, row in zip(_NOISES, rows, strict=True)}
    return _papers(found, 48)


def _counts(p: float, *counts: tuple[int, int, int, int]) -> Mapping[str, Counts]:
    rows = zip(_NOISES, counts, strict=True)
    return {_name("stack", n=n, p=p): Counts(*four) for n, four in rows}


def _humanoid(moved: _Figures, walked: _Figures) -> Mapping[str, Paper]:
    """Figures for each p of moving the box and each d of the forest."""
    found = {_name("move", p=p): row for p, row in zip(_BOX_DROPS, moved, strict=True)}
    found |= {_name("forest", d=d): row for d, row in zip(_DENSITIES, walked, strict=True)}
    return _papers(found, 60)


_PICKING = [
    _task(
        "pick", "tabletop", "pick-and-place", 10.0, "Pick and place, random drop p (table 2)", p=p
    )
    for p in _PICK_DROPS
]
_STACKING = [
    _task(
        "stack", "tabletop", "stack-in-order", 60.0,
        f"Stack in order, noise n, random drop p = {p:g} (table {table})", p=p, n=n,
    )
    for p, table in _TABLES.items()
    for n in _NOISES
]  # fmt: skip

ARM = Suite(
    name="doremi-arm",
    summary="DoReMi's arm: pick and place and stacking under drops and misplacement, four methods",
    source="DoReMi, tables 2, 6 and 7",
    llm="scripted",  # the embedded model plans over skills in nine of ten cases only
    tasks=(*_PICKING, *_STACKING),
    methods=_METHODS,
    figures={
        "doremi-paper": _arm(
            ((100, 2.7), (100, 2.8), (100, 3.0), (100, 3.3)),
            {
                0.0: ((100, 7.2), (100, 7.5), (96, 10.2), (83, 16.6)),
                0.05: ((100, 7.4), (98, 8.1), (94, 10.8), (73, 19.9)),
                0.1: ((98, 8.4), (94, 9.6), (92, 11.5), (50, 26.8)),
                0.15: ((94, 8.9), (92, 10.3), (85, 14.0), (44, 29.3)),
            },
        ),
        "doremi-single": _arm(
            (),
            {
                0.05: ((100, 7.5), (96, 8.6), (88, 12.1), (67, 25.8)),
                0.15: ((92, 9.7), (90, 12.5), (79, 21.3), (33, 40.6)),
            },
        ),
        "inner-monologue": _arm(
            ((100, 2.7), (100, 2.9), (100, 3.4), (100, 4.0)),
            {
                0.0: ((100, 7.2), (96, 8.0), (88, 15.2), (79, 22.7)),
                0.05: ((100, 7.9), (94, 9.3), (83, 17.3), (63, 36.3)),
                0.1: ((98, 9.6), (94, 10.2), (81, 18.7), (42, 40.2)),
                0.15: ((92, 10.6), (88, 14.8), (73, 25.2), (23, 47.8)),
            },
        ),
        "cliport": _arm(
            ((100, 2.7), (100, 2.9), (100, 3.4), (100, 4.0)),
            {
                0.0: ((100, 7.2), (96, 8.0), (85, 16.4), (75, 23.2)),
                0.1: ((94, 11.0), (94, 10.7), (79, 19.5), (33, 42.8)),
            },
        ),
        "saycan": _arm(
            ((100, 2.7), (96, 3.2), (81, 4.7), (63, 6.6)),
            {
                0.0: ((100, 7.2), (96, 8.0), (63, 26.1), (31, 42.6)),
                0.1: ((71, 22.4), (71, 21.4), (54, 29.8), (21, 48.0)),
            },
        ),
    },
    detections={
        "doremi-paper": {
            **_counts(0.0, (150, 0, 0, 0), (188, 0, 0, 4), (249, 27, 3, 6), (272, 81, 1, 2)),
            **_counts(0.05, (173, 5, 0, 0), (204, 7, 1, 1), (196, 23, 3, 4), (253, 92, 2, 6)),
            **_counts(0.1, (202, 13, 1, 1), (180, 8, 0, 1), (212, 14, 3, 1), (231, 100, 4, 7)),
            **_counts(0.15, (182, 24, 1, 0), (178, 12, 2, 0), (175, 26, 1, 3), (208, 128, 6, 9)),
        }
    },
    knobs=(
        _DROP,
        Knob("n", "centimetres that a placing may be off", usual=0.0, least=0.0, most=10.0),
    ),
    methods_across=True,
    episodes=12,
    limits=Limits(sim_s=60.0, calls=30_000),
)
"""The suite of the arm."""

_MOVING = [
    _task(
        "move", "walker_room", "move-box", _HUMANOID_LIMIT_S,
        "Move box from A to B, random drop p (table 3)", p=p,
    )
    for p in _BOX_DROPS
]  # fmt: skip
_FOREST = [
    _task(
        "forest", "walker_room", "obstacle-forest", _HUMANOID_LIMIT_S,
        "Go through the obstacle forest, density d (table 3)", d=d,
    )
    for d in _DENSITIES
]  # fmt: skip

HUMANOID = Suite(
    name="doremi-humanoid",
    summary="DoReMi's humanoid: a box that drops and obstacles in the way, three methods",
    source="DoReMi, table 3",
    llm="scripted",  # the embedded model plans over skills in nine of ten cases only
    tasks=(*_MOVING, *_FOREST),
    methods=tuple(method for method in _METHODS if method.name != "cliport"),
    figures={
        "doremi-paper": _humanoid(
            ((97, 24.4), (92, 36.9), (88, 43.2)), ((100, 27.3), (92, 38.5), (90, 41.5))
        ),
        "inner-monologue": _humanoid(
            ((98, 23.8), (88, 44.3), (82, 57.2)), ((100, 27.3), (68, 52.4), (40, 64.9))
        ),
        "saycan": _humanoid(
            ((98, 23.8), (61, 53.0), (43, 67.4)), ((100, 27.3), (68, 52.4), (40, 64.9))
        ),
    },
    knobs=(
        _DROP,
        Knob("d", "obstacles to a metre of the way", usual=0.0, least=0.0, most=1.0),
    ),
    methods_across=True,
    episodes=12,
    limits=Limits(sim_s=_HUMANOID_LIMIT_S, calls=30_000),
)
"""The suite of the humanoid."""
