"""Monitors counted: found and missed breaks, false alarms, delays; times with failures; waste."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from made_up import failed, manifest_of, record

from regrasp.bench.detection import at_work, detection
from regrasp.bench.record import Alarm, CheckedAnswer, EpisodeRecord
from regrasp.bench.report.document import Document
from regrasp.bench.report.execution import execution_seconds, execution_section, saved_section
from regrasp.bench.report.figure_style import draw
from regrasp.bench.report.grid import Grid
from regrasp.bench.report.markdown import to_markdown
from regrasp.bench.report.monitors import at_work_section, monitors_section, rules_section
from regrasp.bench.report.theorem import Carry, CarryWaste, carries, theorem_figure
from regrasp.bench.suite_registry import open_suite
from regrasp.core.action import Action
from regrasp.core.event import Disturbed, Event, SkillEnded, SkillProgress, SkillStarted
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import Stamp, TraceEntry

HELD, ON = "Is the robot holding the red_block?", "Is the red_block on the fixture?"


def looks(question: str, *truths: str, since: float = 0.0) -> tuple[CheckedAnswer, ...]:
    """A look every tenth of a second; the eyes say what is so."""
    times = (round(since + 0.1 * i, 6) for i in range(len(truths)))
    return tuple(
        CheckedAnswer("x", question, t, t, at) for t, at in zip(truths, times, strict=True)
    )


def watched(
    checks: tuple[CheckedAnswer, ...], *alarms: tuple[str, float], skills: int = 3
) -> EpisodeRecord:
    found = tuple(Alarm(*alarm) for alarm in alarms)
    return record(checks=checks, alarms=found, watched=skills)


def test_skills_in_which_nothing_broke_and_nothing_was_said() -> None:
    found = detection([watched(looks(HELD, *["yes"] * 9))])
    assert (found.tp, found.tn, found.fp, found.fn) == (3, 0, 0, 0)
    assert found.delays == () and found.npv.value is None


def test_a_break_that_was_found_began_between_two_looks() -> None:
    checks = looks(HELD, "yes", "yes", "no", "no", "no", "no")
    found = detection([watched(checks, (HELD, 0.51))])
    assert (found.tp, found.tn, found.fp, found.fn) == (2, 1, 0, 0)
    assert median(s for _, s in found.delays) == pytest.approx(0.36)


def test_a_break_nobody_called_is_missed_if_it_lasted() -> None:
    lasting = looks(HELD, "yes", *["no"] * 7)
    brief = looks(HELD, "yes", "no", "no", "yes", "yes")
    assert detection([watched(lasting)]).fp == 1
    assert detection([watched(brief)]).fp == 0


def test_an_alarm_about_what_is_so_is_false() -> None:
    found = detection([watched(looks(ON, *["yes"] * 6), (ON, 0.5))])
    assert (found.tp, found.tn, found.fp, found.fn) == (2, 0, 0, 1)
    assert found.npv.value == 0.0


def test_two_breaks_of_one_constraint_are_two_and_others_are_kept_apart() -> None:
    checks = (
        *looks(HELD, "yes", "no", "no", "no", "no"),
        *looks(HELD, "yes", "no", "no", "no", "no", since=5.0),
        *looks(ON, *["yes"] * 60),
    )
    found = detection([watched(checks, (HELD, 0.4), (HELD, 5.4), skills=6)])
    assert (found.tp, found.tn, found.fp, found.fn) == (4, 2, 0, 0)
    assert [s for _, s in found.delays] == pytest.approx([0.35, 0.35])


def test_at_work_a_late_alarm_is_no_recall_and_a_false_one_counts_by_watched_skills() -> None:
    late = looks(HELD, "yes", *["no"] * 9)
    soon = looks(HELD, "yes", *["no"] * 5)
    silent = looks(ON, *["yes"] * 9)
    records = [
        watched(late, (HELD, 0.9), skills=4),
        watched((*soon, *silent), (HELD, 0.4), (ON, 0.3), skills=6),
    ]
    of_all = at_work(records)[-1]
    assert of_all.predicate == "all"
    assert (of_all.recall.hits, of_all.recall.n) == (1, 2)
    assert (of_all.precision.hits, of_all.precision.n) == (2, 3)
    assert (of_all.false.hits, of_all.false.n) == (1, 10)
    assert [s for _, s in of_all.delays] == pytest.approx([0.85, 0.35])


def test_at_work_predicates_are_apart_and_a_short_violation_without_an_alarm_is_in_none() -> None:
    brief = looks(HELD, "yes", "no", "no", "yes")
    other = tuple(replace(check, predicate="on") for check in looks(ON, "yes", *["no"] * 8))
    recalls = {found.predicate: found.recall for found in at_work([watched((*brief, *other))])}
    assert list(recalls) == ["on", "x", "all"]
    assert [recalls[name].n for name in ("on", "x", "all")] == [1, 0, 1]
    assert [found.of_every.n for found in at_work([watched((*brief, *other))])] == [1, 1, 2]
    assert recalls["on"].hits == 0
    assert at_work([record()]) == ()


def test_a_failure_takes_as_long_as_the_task_allows() -> None:
    pick, *_ = open_suite("doremi-arm").tasks
    assert pick.limit_s == 10.0
    assert execution_seconds(record(sim_s=2.7), pick) == 2.7
    assert execution_seconds(failed(sim_s=2.7), pick) == 10.0


def test_the_report_has_both_tables_with_the_papers_figures() -> None:
    suite = open_suite("doremi-arm")
    rows = [
        record(
            "stack-n2-p0.1",
            "doremi-paper",
            seed,
            sim_s=10.0 + seed,
            watched=6,
            alarms=(Alarm(ON, 1),),
        )
        for seed in range(4)
    ]
    rows += [failed("stack-n2-p0.1", "saycan", seed) for seed in range(4)]
    grid, rng = Grid.of(suite, rows), np.random.default_rng(0)
    makers = (execution_section, saved_section, at_work_section, monitors_section, rules_section)
    sections = [section for make in makers if (section := make(grid, rng)) is not None]
    assert [section.title for section in sections] == [
        "Execution time", "Difference in time", "Monitors", "Other rules of alarm",
    ]  # fmt: skip
    text = to_markdown(Document("x", [], sections), {})
    assert "60" in text and "11.5" in text and "29.8" in text  # the limit, and the paper's times
    assert "212" in text and "−48" in text  # its true positives, and our difference
    assert (
        execution_section(Grid.of(open_suite("replan"), [record("cabinet-open", "full")]), rng)
        is None
    )


# ---- waste -------------------------------------------------------------------------------------

PLACE = Action("place", ("red_block", "fixture"))


def trace(*events: tuple[float, Event]) -> list[TraceEntry]:
    return [TraceEntry(Stamp(i, at, 0.0), event) for i, (at, event) in enumerate(events)]


def ended(action: Action) -> SkillEnded:
    return SkillEnded(SkillReport(action, Outcome.SUCCEEDED, 1.0))


def test_a_drop_wastes_the_time_until_the_hand_lets_go() -> None:
    found = carries(
        trace(
            (0.0, SkillStarted(Action("pick", ("red_block",)))),
            (1.0, ended(Action("pick", ("red_block",)))),
            (1.0, SkillStarted(PLACE)),
            (1.0, Disturbed(PLACE, "it is put down 1.2 cm off")),
            (1.4, Disturbed(PLACE, "the vacuum fails, and the red_block falls")),
            (2.2, SkillProgress("release", 0.0)),
            (2.6, ended(PLACE)),
            (2.6, SkillStarted(PLACE)),
            (3.8, SkillProgress("release", 0.0)),
            (4.0, ended(PLACE)),
            (4.0, SkillStarted(PLACE)),
            (4.3, ended(PLACE)),
        )
    )
    assert [(round(c.seconds, 6), round(c.wasted, 6)) for c in found] == [(1.2, 0.8), (1.2, 0.0)]


def test_the_figure_shows_measured_points_on_the_curve(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    points = []
    for rate in (0.1, 0.3):
        at = rng.exponential(1 / rate, 400)
        points.append(CarryWaste(rate, tuple((Carry(1.2, max(0.0, 1.2 - s)),) for s in at)))
    for point in points:
        low, high = point.interval(rng)
        assert low < point.expected < high
    drawn = draw({"theorem": lambda: theorem_figure(points, rng)}, tmp_path)
    assert drawn["theorem"].startswith(b"<?xml")
    assert (tmp_path / "theorem.png").exists()
    assert theorem_figure([CarryWaste(0.1, ())], rng) is None


def test_the_suite_has_the_rows_of_the_papers_tables() -> None:
    suite = open_suite("doremi-arm")
    assert len(suite.tasks) == 4 + 16 and suite.episodes == 12
    assert {t.limit_s for t in suite.tasks} == {10.0, 60.0}
    ours = suite.figures["doremi-paper"]
    assert set(ours) == {t.name for t in suite.tasks}
    assert ours["stack-n3-p0.15"].seconds == 29.3 and ours["stack-n3-p0.15"].rate == 0.44
    assert sum(len(row) for row in suite.detections.values()) == 16
    worlds = {t.name: t.task for t in suite.tasks}
    assert worlds["pick-p0"] == "pick-and-place"
    assert worlds["stack-n2-p0.05"] == "stack-in-order:p=0.05,n=2"
    assert manifest_of(suite, 2).like.key.suite == "doremi-arm"
