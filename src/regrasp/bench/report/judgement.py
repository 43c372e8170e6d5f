"""The accuracy of the vision models' answers and of the agents' final claims."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import numpy as np

from regrasp.bench.answer_scores import QuestionScore, score_checks, score_claims, wrong_claims
from regrasp.bench.report.document import Block, Cell, Picture, ReportSection, Table, Text
from regrasp.bench.report.grid import Grid, method_label
from regrasp.bench.report.numbers import DASH, mean_cell, percentage_points, rate_cell
from regrasp.core.claim import ClaimResult

__all__ = ["judgement_section"]

_HEAD = (
    "", "asked", "TP", "TN", "FP", "FN", "unknown", "no truth", "TPR", "TNR", "PPV", "NPV",
)  # fmt: skip


def judgement_section(grid: Grid, generator: np.random.Generator) -> ReportSection:
    """Accuracy of answers by predicate, their detection delay, and accuracy of claims by method."""
    scores = score_checks(grid)
    blocks: list[Block] = []
    if scores:
        caption = (
            "Every yes/no answer of the vision model against the oracle's answer at that time, "
            "by predicate; all methods together. Answers that are neither yes nor no (“unknown”) "
            "and questions without ground truth (“no truth”) are in no rate. Intervals are "
            "Wilson's, clustered by seed: the answers of one seed are not independent."
        )
        blocks += [
            Table(caption, _HEAD, tuple(_row(score) for score in scores)),
            Picture("checkers", "Answers of the vision model by predicate, with 95% intervals."),
            _delays(scores, generator),
        ]
    else:
        blocks.append(Text("No yes/no question was asked, or this run did not record the answers."))
    blocks.append(_claims(grid))
    if any(record.claim for record in grid):
        blocks.append(_wrong_claims(grid))
    return ReportSection("The vision model as a classifier", blocks)


def _row(score: QuestionScore) -> tuple[Cell, ...]:
    counts = (score.asked, *score.counts, score.unknown, score.no_truth)
    return (Cell(score.name), *(Cell(str(n)) for n in counts), *map(rate_cell, score.rates))


def _delays(scores: Sequence[QuestionScore], generator: np.random.Generator) -> Table:
    rows = []
    for score in scores:
        delays = score.delays
        at_once = len(delays.seconds) - len(delays.late)
        total = len(delays.seconds) + delays.missed
        seeds, seconds = [seed for seed, _ in delays.late], [s for _, s in delays.late]
        late = mean_cell(seconds, generator, seeds)
        counts = (Cell(str(n)) for n in (total, at_once, len(delays.late), delays.missed))
        rows.append((Cell(score.name), *counts, late))
    caption = (
        "Detection delay. A new case begins when a question is asked for the first time, and when "
        "the right answer differs from the last time; the delay is the robot's time from then to "
        "the first right answer. Missed: no right answer before the next case or the end of the "
        "episode. The mean is over the late cases."
    )
    head = ("", "cases", "no delay", "late", "missed", "delay when late, s")
    return Table(caption, head, tuple(rows))


def _claims(grid: Grid) -> Table:
    rows = []
    for method in grid.methods:
        records = grid.of_method(method)
        score = score_claims(records)
        gap = (score.fp - score.fn) / len(records) if records else None
        per_episode = [
            DASH if not records else f"{fmean(values):.1f}"
            for values in ([r.calls for r in records], [len(r.checks) for r in records])
        ]
        rows.append(
            (
                Cell(method_label(method)), Cell(str(len(records))),
                *(Cell(str(n)) for n in score.counts),
                rate_cell(score.ppv), rate_cell(score.npv),
                Cell(DASH if gap is None else percentage_points(gap)),
                *(Cell(text) for text in per_episode),
            )
        )  # fmt: skip
    caption = (
        "The agents' final claims against the judge's verdicts. TP: claimed and done. FP: claimed, "
        "not done. FN: reached, not claimed, which is no success. The say–do gap is the share that "
        "claimed to be done minus the share that was done, in percentage points. Model calls are "
        "those of both models per episode."
    )
    head = (
        "", "episodes", "TP", "TN", "FP", "FN", "PPV", "NPV", "say–do gap", "model calls",
        "yes/no asked",
    )  # fmt: skip
    return Table(caption, head, tuple(rows))


def _wrong_claims(grid: Grid) -> Table:
    """The wrong claims of each method, by whether the goal was seen."""
    kinds = (ClaimResult.SEEN, ClaimResult.NOT_SEEN)
    rows = []
    for method in grid.methods:
        records = grid.of_method(method)
        claimed = sum(r.claimed for r in records)
        wrong = (rate_cell(wrong_claims(records, kind)) for kind in kinds)
        rows.append((Cell(method_label(method)), Cell(str(claimed)), *wrong))
    caption = (
        "Wrong claims: of the episodes whose agent claimed to be done, those in which the task was "
        "not done by the judge's verdict, with Wilson's 95% interval. “Done and seen”: the vision "
        "model saw the goal reached at the end. “Done, not seen”: it did not look, or its answer "
        "was unknown."
    )
    unclear = sum(r.claimed and not r.claim for r in grid if r.ended)
    if unclear:
        caption += f" {unclear} claims of an earlier version do not say which; they are in no rate."
    head = ("", "claimed", *(f"wrong of “{kind}”" for kind in kinds))
    return Table(caption, head, tuple(rows))
