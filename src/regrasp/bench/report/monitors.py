"""The accuracy of monitors, counted as in table 7 of DoReMi, and their detection delays."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np

from regrasp.bench.answer_scores import Rate
from regrasp.bench.clustered import by_seed, clustered_bootstrap
from regrasp.bench.detection import (
    LASTING_S,
    Detection,
    at_work,
    detection,
    replay_answers,
)
from regrasp.bench.report.document import Cell, ReportSection, Table
from regrasp.bench.report.grid import Grid, method_label, task_label
from regrasp.bench.report.numbers import DASH, rate_cell
from regrasp.bench.suite import SuiteMethod, SuiteTask
from regrasp.core.arrays import Array
from regrasp.monitors.detectors import ConsecutiveDetector, ShiryaevDetector, ViolationDetector

__all__ = ["at_work_section", "monitors_section", "rules_section"]

_HEAD = (
    "", "", "", "TP", "TN", "FP", "FN", "TPR", "TNR", "PPV", "NPV", "median delay, s",
)  # fmt: skip

_RULES: tuple[tuple[str, ViolationDetector], ...] = (
    ("one no", ConsecutiveDetector(1)),
    ("two noes in a row", ConsecutiveDetector(2)),
    ("four noes in a row, as in the paper", ConsecutiveDetector(4)),
    ("odds, alarm at 0.9", ShiryaevDetector(alarm_threshold=0.9)),
    ("odds, alarm at 0.99", ShiryaevDetector(alarm_threshold=0.99)),
    ("odds, alarm at 0.999999", ShiryaevDetector(alarm_threshold=0.999999)),
)
_LOG_ONLY = "doremi-log-only"
_SKILLS = 200


def monitors_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """A row for each method with a monitor and each task; None without any."""
    rows: list[tuple[Cell, ...]] = []
    for method in grid.methods:
        if not any(record.watched for record in grid.of_method(method)):
            continue
        for task in grid.tasks:
            records = grid.ended(task, method)
            if records:
                rows.append(_row(method, task, "ours", detection(records), generator))
            paper = grid.suite.detections.get(method.name, {}).get(task.name)
            if records and paper is not None:
                rows.append(_row(None, None, "paper", Detection(*paper.counts), generator))
    if not rows:
        return None
    caption = (
        "Monitors as classifiers; as in the paper, “positive” is that nothing is wrong. TP: a "
        "watched skill without a break or an alarm. TN: a break that was found. FP: a break "
        f"of {LASTING_S:g} s or more that was not. FN: a false alarm. The paper counts by the "
        "step, of picking and placing. Delays count from the middle between the looks before "
        "and after the break, so each is off by half a period at most; their interval is the "
        "bootstrap's, of the median, drawing whole seeds; the others are clustered by seed too."
    )
    return ReportSection("Monitors", [Table(caption, _HEAD, tuple(rows), labels=3)])


def rules_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """What other rules of alarm would have done with the same looks; None without a monitor."""
    if not any(record.watched for record in grid):
        return None
    return ReportSection("Other rules of alarm", [_other_rules(grid, generator)])


def at_work_section(grid: Grid, generator: np.random.Generator) -> ReportSection | None:
    """Recall, precision and false alarms of each monitor at work; None without any."""
    table = _at_work(grid, generator)
    return ReportSection("Monitors at work", [table]) if table.rows else None


def _at_work(grid: Grid, generator: np.random.Generator) -> Table:
    """Recall, precision and false alarms of each method with a monitor, by predicate."""
    rows = []
    for method in grid.methods:
        for found in at_work(grid.of_method(method)):
            rows.append(
                (
                    Cell(method_label(method)), Cell(found.predicate), rate_cell(found.recall),
                    rate_cell(found.of_every), rate_cell(found.precision), _per_skills(found.false),
                    _delay(found.delays, generator),
                )
            )  # fmt: skip
    caption = (
        f"At work, over all tasks. Recall: violations with an alarm within {LASTING_S:g} s, of "
        f"those that had one or lasted {LASTING_S:g} s. Of all violations: those in which any "
        f"alarm stopped the skill within {LASTING_S:g} s, also of those that the end of a skill "
        "cut short. Precision: alarms about a constraint that was violated. False alarms: in "
        f"{_SKILLS} watched skills, with the 95% interval."
    )
    head = (
        "", "predicate", f"recall within {LASTING_S:g} s", "of all violations", "precision",
        f"false alarms in {_SKILLS} skills", "median delay, s",
    )  # fmt: skip
    return Table(caption, head, tuple(rows), labels=2)


def _per_skills(false: Rate) -> Cell:
    """A rate of false alarms, as their number in so many skills."""
    if false.value is None:
        return Cell(DASH)
    low, high = (_SKILLS * end for end in false.interval)
    return Cell(f"{_SKILLS * false.value:.1f}", f"{false.hits}/{false.n}, {low:.1f}–{high:.1f}")


def _other_rules(grid: Grid, generator: np.random.Generator) -> Table:
    """Each detection rule on the looks of the first method with a monitor.

    A method that only logs alarms is preferred: its looks continue to the end of every skill.
    """
    watching = [m for m in grid.methods if any(r.watched for r in grid.of_method(m))]
    method = next((m for m in watching if m.address == _LOG_ONLY), watching[0])
    rows = []
    for name, fresh in _RULES:
        found = replay_answers(grid.of_method(method), fresh)
        rows.append(
            (
                Cell(name),
                Cell(str(found.false_alarms), f"of {found.looks} looks"),
                _per_skills(found.false),
                rate_cell(found.detected),
                rate_cell(found.soon),
                _delay(found.delays, generator),
            )
        )
    caption = f"The looks of {method_label(method)}, over all its episodes, through other rules."
    if method.address != _LOG_ONLY:
        caption += (
            " They end where its own rule stopped a skill, so that a break may be over before a "
            f"slow rule detects it ({_LOG_ONLY} continues)."
        )
    head = (
        "", "false alarms", f"in {_SKILLS} skills", "breaks detected",
        f"within {LASTING_S:g} s", "median delay, s",
    )  # fmt: skip
    return Table(caption, head, tuple(rows))


def _row(
    method: SuiteMethod | None,
    task: SuiteTask | None,
    whose: str,
    found: Detection,
    generator: np.random.Generator,
) -> tuple[Cell, ...]:
    return (
        Cell(method_label(method) if method else ""), Cell(task_label(task) if task else ""),
        Cell(whose), *(Cell(str(n)) for n in found.counts), *map(rate_cell, found.rates),
        _delay(found.delays, generator),
    )  # fmt: skip


def _delay(found: Sequence[tuple[int, float]], generator: np.random.Generator) -> Cell:
    if not found:
        return Cell(DASH)
    delays = [delay for _, delay in found]
    low, high = clustered_bootstrap(by_seed(found), generator, _median)
    interval = f"{low:.2f}–{high:.2f}, " if np.isfinite(low) and low != high else ""
    return Cell(f"{median(delays):.2f}", f"{interval}n = {len(delays)}")


def _median(values: Array) -> Array:
    return np.asarray(np.median(values, axis=-1))
