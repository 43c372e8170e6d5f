"""The tables of a report: the paper's shape, counts that can be trusted, nothing hidden."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_up import broken, failed, manifest_of, record, replan_run

from regrasp.bench.answer_scores import Rate
from regrasp.bench.manifest import write_manifest
from regrasp.bench.record import CheckedAnswer, EpisodeRecord
from regrasp.bench.report.blamed import blame_section
from regrasp.bench.report.costs import actions_section, costs_section
from regrasp.bench.report.document import Cell, Episodes, ReportSection, Table, Text
from regrasp.bench.report.execution import execution_section, saved_section
from regrasp.bench.report.failures import failures_section, how_failed
from regrasp.bench.report.grid import Grid, panels, varying
from regrasp.bench.report.judgement import judgement_section
from regrasp.bench.report.numbers import (
    interval,
    mean_cell,
    p_value,
    percent,
    percentage_points,
    rate_cell,
)
from regrasp.bench.report.paired import paired_section
from regrasp.bench.report.provenance import command, episodes_section, lead
from regrasp.bench.report.success import success_section
from regrasp.bench.store import Results, note
from regrasp.bench.suite import Knob, Paper, Suite, SuiteMethod, SuiteTask
from regrasp.bench.suite_registry import open_suite
from regrasp.bench.summary import suite_rows
from regrasp.core.claim import ClaimResult
from regrasp.core.errors import UnknownNameError

SUITE = Suite(
    "made-up",
    "two tasks, two methods",
    (SuiteTask("one", "nowhere"), SuiteTask("two", "nowhere")),
    (SuiteMethod("a", "replan"), SuiteMethod("b", "replan", "B of the paper")),
)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def grid(*records: EpisodeRecord) -> Grid:
    return Grid.of(SUITE, records)


def tables(section: ReportSection | None) -> list[Table]:
    assert section is not None
    return [block for block in section.blocks if isinstance(block, Table)]


def texts(row: tuple[Cell, ...]) -> list[str]:
    return [cell.main for cell in row]


def test_the_papers_table_one_comes_out_as_it_is_printed(tmp_path: Path) -> None:
    suite, results = replan_run(tmp_path, seeds=2)
    (table,) = tables(success_section(Grid.of(suite, results.records)))
    assert table.head[2:5] == (
        "Task 1: cabinet-open",
        "Task 2: cabinet-closed",
        "Task 3: cabinet-barred",
    )
    assert table.head[-1] == "average"
    rows = {(texts(row)[0] or label): row for label, row in _labelled(table)}
    printed = {
        "REPLAN [full]": ["100%", "100%", "60%", "80%", "100%", "90%", "90%", "–", "88.6%"],
        "REPLAN [no Verifier]": ["80%", "80%", "20%", "60%", "100%", "100%", "80%", "–", "74.3%"],
        "REPLAN [no Perceiver]": ["90%", "90%", "30%", "20%", "50%", "20%", "0%", "–", "42.9%"],
        "REPLAN [no Replan]": ["80%", "70%", "0%", "0%", "0%", "80%", "10%", "–", "34.3%"],
        "Language to Rewards": ["90%", "20%", "0%", "0%", "0%", "50%", "10%", "–", "24.3%"],
    }
    for label, figures in printed.items():
        theirs = rows[f"{label}, paper"]
        assert texts(theirs)[2:] == figures
        assert theirs[2].small.startswith(f"{theirs[2].main.removesuffix('0%') or '0'}/10, ")


def _labelled(table: Table) -> list[tuple[str, tuple[Cell, ...]]]:
    method, found = "", []
    for row in table.rows:
        method = row[0].main or method
        found.append((f"{method}, {row[1].main}", row))
    return found


def test_broken_episodes_are_in_no_rate_and_said_first() -> None:
    records = (record(seed=0), failed(seed=1), broken(seed=2, why="a <cup> fell"))
    (table,) = tables(success_section(grid(*records)))
    assert table.rows[0][2] == rate_cell(Rate(1, 2), strong=True)
    opening = lead(grid(*records), manifest_of(SUITE, 3))
    why = next(block for block in opening if isinstance(block, Table))
    assert "1 of 3 episodes broke" in why.caption
    assert "in no rate" in why.caption
    assert texts(why.rows[0]) == ["a", "a <cup> fell", "1"]


def test_a_goal_that_nobody_claims_is_counted_apart_and_is_no_success() -> None:
    records = (record(seed=0), failed(seed=1, done=True, reason="out of time after 60 s"))
    assert [r.succeeded for r in records] == [True, False]
    (table,) = tables(success_section(grid(*records)))
    assert table.rows[0][2].main == "50%"
    assert table.rows[0][2].small.endswith("; 1 reached, not claimed")
    assert how_failed(records[1]) == "reached the goal, did not claim it"
    (row,) = suite_rows(SUITE, records)
    assert (row["succeeded"], row["failed"], row["reached_not_claimed"]) == (1, 1, 1)


def test_without_broken_episodes_that_is_said_too() -> None:
    opening = [b.text for b in lead(grid(record()), manifest_of(SUITE, 1)) if isinstance(b, Text)]
    assert "No episode broke." in opening
    assert "oracle" in opening[0]
    assert "Of 4 episodes that were asked for 1 are here" in opening[-1]


def test_a_cell_without_episodes_is_empty_and_in_no_average() -> None:
    (table,) = tables(success_section(grid(record("one", "a"), record("two", "b"))))
    (ours,) = [row for row in table.rows if row[0].main == "a"]
    assert texts(ours)[2:] == ["100%", "–", "100%"]
    assert ours[-1].small.startswith("1 task, ")


def test_the_average_is_over_the_tasks_that_the_paper_has(tmp_path: Path) -> None:
    """Table 1 has seven tasks and the suite has eight: ours stands beside theirs, not above it."""
    suite, results = replan_run(tmp_path, seeds=2)
    (table,) = tables(success_section(Grid.of(suite, results.records)))
    assert {row[-1].small.split(",")[0] for row in table.rows} == {"7 tasks"}
    assert "over the tasks that the paper has" in table.caption


def test_a_record_of_a_task_that_the_suite_lacks_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="unknown task 'three'"):
        grid(record("three"))


def test_methods_are_compared_on_seeds_that_both_ended() -> None:
    records = [
        *(record("one", "a", seed) for seed in range(8)),
        *(failed("one", "b", seed) for seed in range(6)),
        broken("one", "b", 6),
    ]
    whole, parts, times = tables(paired_section(grid(*records), rng()))
    row = dict(zip(whole.head, whole.rows[0], strict=True))
    assert row["against"].main == "B of the paper"
    assert [row[name].main for name in ("pairs", "both", "only the first", "only the other")] == [
        "6", "0", "6", "0",
    ]  # fmt: skip
    assert row["difference"].main == "+100"
    assert row["p"].main == row["Holm"].main == "0.031"
    assert row["Holm"].strong
    assert [texts(r)[1:3] for r in parts.rows] == [["one", "6"]]
    assert texts(times.rows[0])[1:] == ["all tasks", "0", "0", "–", "1.000", "1.000"]


def test_many_comparisons_are_corrected_together() -> None:
    """In each of two tasks p is 1/32; two such tests make it 1/16."""
    records = [
        made
        for task in ("one", "two")
        for seed in range(6)
        for made in (record(task, "a", seed), failed(task, "b", seed))
    ]
    _, parts, _ = tables(paired_section(grid(*records), rng()))
    assert [(row[-2].main, row[-1].main) for row in parts.rows] == [("0.031", "0.062")] * 2
    assert not parts.rows[0][-1].strong


def test_pairs_of_one_seed_are_one_cluster_and_the_sentence_says_the_adjusted_p() -> None:
    """Six seeds of two tasks know as much as six pairs: p is 1/32, and not 1/2048."""
    records = [
        made
        for task in ("one", "two")
        for seed in range(6)
        for made in (record(task, "a", seed), failed(task, "b", seed))
    ]
    section = paired_section(grid(*records), rng())
    whole = tables(section)[0]
    assert texts(whole.rows[0])[2:4] == ["12", "6"]
    assert whole.rows[0][-1].main == "0.031"
    assert section is not None
    words = [block.text for block in section.blocks if isinstance(block, Text)]
    assert "+100 points (" in words[-1]
    assert "adjusted p = 0.031, 6 seeds." in words[-1]


SHAKEN = Suite(
    "shaken",
    "degrees of a disturbance, as DoReMi's tables have them",
    tuple(
        SuiteTask(f"{task}-p{p}", "nowhere", f"{task}:p={p}", f"p = {p}", limit_s=20.0, table=task)
        for task in ("pick", "stack")
        for p in (0, 0.5)
    ),
    (SuiteMethod("a", "doremi"), SuiteMethod("b", "saycan")),
    figures={"b": {"pick-p0.5": Paper(0.5, 48, 7.5)}},
    knobs=(Knob("p", "chance of a drop", usual=0.0, least=0.0, most=0.9),),
    methods_across=True,
)


def shaken() -> Grid:
    tasks = [task.name for task in SHAKEN.tasks]
    done = [record(task, "a", seed, sim_s=5.0) for task in tasks for seed in range(6)]
    return Grid.of(SHAKEN, [*done, *(failed(task, "b", s) for task in tasks for s in range(6))])


def test_degrees_of_a_disturbance_go_down_and_methods_across() -> None:
    pick, stack = tables(success_section(shaken()))
    assert (pick.caption, stack.caption) == ("pick", "stack")
    assert pick.head == ("", "", "a", "b")
    assert [texts(row) for row in pick.rows] == [
        ["p = 0: pick-p0", "ours", "100%", "0%"],
        ["p = 0.5: pick-p0.5", "ours", "100%", "0%"],
        ["", "paper", "–", "50%"],
    ]
    assert pick.rows[2][3].small.startswith("24/48, ")


def test_times_count_a_failure_as_the_limit_and_are_paired_in_each_table() -> None:
    pick, _ = tables(execution_section(shaken(), rng()))
    (against,) = tables(saved_section(shaken(), rng()))
    assert [texts(row)[2:] for row in pick.rows] == [["5.0", "20"], ["5.0", "20"], ["–", "7.5"]]
    assert [texts(row)[1:5] for row in against.rows[:3]] == [
        ["pick", "12", "6", "−15.0"],
        ["stack", "12", "6", "−15.0"],
        ["p = 0: pick-p0", "6", "6", "−15.0"],
    ]


def test_episodes_are_pooled_over_all_over_each_table_and_over_the_papers_tasks() -> None:
    whole, _, _ = tables(paired_section(shaken(), rng()))
    assert [texts(row)[1:3] for row in whole.rows] == [
        ["all tasks", "24"], ["pick", "12"], ["stack", "12"], ["the paper's tasks", "6"],
    ]  # fmt: skip


def test_what_differs_in_one_knob_is_drawn_against_it() -> None:
    shown = panels(shaken(), SHAKEN.knobs[0])
    assert [(panel.title, list(panel.tasks)) for panel in shown] == [
        ("pick", [0.0, 0.5]),
        ("stack", [0.0, 0.5]),
    ]
    assert varying(shaken()) == SHAKEN.knobs
    assert varying(Grid.of(SHAKEN, [record("pick-p0"), record("stack-p0.5")])) == ()


def test_a_method_alone_is_compared_with_nobody() -> None:
    assert paired_section(grid(record()), rng()) is None


def test_times_are_compared_where_both_succeeded() -> None:
    records = [
        made
        for seed in range(9)
        for made in (record("one", "a", seed, sim_s=20.0 + seed), record("one", "b", seed))
    ]
    times = tables(paired_section(grid(*records), rng()))[-1]
    assert texts(times.rows[0]) == [
        "B of the paper", "all tasks", "9", "9", "+14.0", "0.004", "0.004",
    ]  # fmt: skip


def test_actions_are_counted_as_in_the_papers_figure(tmp_path: Path) -> None:
    by_hand = [record("one", "a", 0, motions=4, looks=1), record("one", "a", 1, motions=6, looks=3)]
    (table,) = tables(actions_section(grid(*by_hand)))
    assert table.rows[0][1] == Cell("5.0 + 2.0", "sd 2.0, 5–9")
    suite, results = replan_run(tmp_path, seeds=3)
    _, sums = tables(actions_section(Grid.of(suite, results.records)))
    assert texts(sums.rows[1]) == ["paper", "70", "401", "101", "5.73", "1.44"]
    full = [
        r
        for r in results.records
        if r.key.method == "full" and r.key.task != "sensor-locked" and r.outcome != "broken"
    ]
    assert texts(sums.rows[0])[1:3] == [str(len(full)), str(sum(r.motions for r in full))]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"claimed": True, "failures": ("dropped",)}, "claimed done, was not"),
        ({"failures": ("dropped", "resisted")}, "gave up on what did not give way"),
        ({"failures": ("resisted", "dropped")}, "gave up after dropping"),
        ({"reason": "out of time after 600 s", "failures": ("dropped",)}, "ran out of time"),
        ({"reason": "BudgetExceededError: 3000 calls"}, "ran out of model calls"),
        ({}, "gave up though no motion failed"),
        ({"failures": ("teleported",)}, "gave up after: teleported"),
    ],
)
def test_every_failure_has_one_kind(changes: dict[str, object], kind: str) -> None:
    assert how_failed(failed(**changes)) == kind


def test_failures_are_counted_once_and_recoveries_beside_them() -> None:
    records = [
        record("one", "a", 0, failures=("dropped",)),
        failed("one", "a", 1, failures=("dropped", "resisted"), reason="no way"),
        failed("two", "a", 0, claimed=True),
        broken("two", "a", 1),
    ]
    kinds, recovered, reasons = tables(failures_section(grid(*records)))
    assert kinds.head[1:] == ("failed", "claimed done, was not", "gave up on what did not give way")
    assert texts(kinds.rows[0])[1:] == ["2", "1", "1"]
    assert recovered.head == ("", "recovered", "dropped", "resisted")
    assert recovered.rows[0][1] == rate_cell(Rate(1, 2))
    assert texts(recovered.rows[0])[2:] == ["2", "1"]
    assert sorted(texts(row)[1:] for row in reasons.rows) == [["(nothing)", "1"], ["no way", "1"]]


def test_where_nothing_failed_that_is_said() -> None:
    section = failures_section(grid(record()))
    assert section.blocks[0] == Text("No episode failed.")


def test_checkers_delays_and_the_say_do_gap() -> None:
    checks = (
        CheckedAnswer("seen", "?", "no", "yes", 1.0),
        CheckedAnswer("seen", "?", "yes", "yes", 3.5),
    )
    records = [record("one", "a", 0, checks=checks), failed("one", "a", 1, claimed=True)]
    answers, delays, claims = tables(judgement_section(grid(*records), rng()))
    assert texts(answers.rows[0])[:6] == ["seen", "2", "1", "0", "0", "1"]
    assert texts(delays.rows[0]) == ["seen", "1", "0", "1", "0", "2.5"]
    claim = dict(zip(claims.head, texts(claims.rows[0]), strict=True))
    assert (claim["TP"], claim["FP"], claim["say–do gap"]) == ("1", "1", "+50")
    assert claim["yes/no asked"] == "1.0"


def test_wrong_claims_have_a_table_of_their_own() -> None:
    seen, not_seen = str(ClaimResult.SEEN), str(ClaimResult.NOT_SEEN)
    records = [
        record("one", "a", 0, claim=seen),
        failed("one", "a", 1, claimed=True, claim=not_seen),
        failed("one", "a", 2, claimed=True),
        failed("one", "b", 0, claim="not done"),
    ]
    *_, wrong = tables(judgement_section(grid(*records), rng()))
    assert wrong.head == ("", "claimed", f"wrong of “{seen}”", f"wrong of “{not_seen}”")
    first, second = wrong.rows
    assert texts(first)[1] == "3"
    assert first[2:] == (rate_cell(Rate(0, 1)), rate_cell(Rate(1, 1)))
    assert texts(second)[1:] == ["0", "–", "–"]
    assert "1 claims of an earlier version" in wrong.caption


def test_a_run_without_checks_says_so() -> None:
    section = judgement_section(grid(record()), rng())
    assert isinstance(section.blocks[0], Text)
    assert len(tables(section)) == 1


def test_blame_is_told_where_it_was_asked(tmp_path: Path) -> None:
    records = tuple(failed("one", "a", seed) for seed in range(3))
    results = Results(tmp_path, manifest_of(SUITE, 3), records)
    assert blame_section(grid(*records), results) is None
    _store(tmp_path / "blame" / "vision", record("one", "a", 0), record("one", "a", 1))
    _store(tmp_path / "blame" / "planner", record("one", "a", 0), broken("one", "a", 1))
    section = blame_section(grid(*records), results)
    (table,) = tables(section)
    assert [texts(row)[:3] for row in table.rows] == [
        ["a", "planner", "scripted"],
        ["a", "vision", "oracle"],
    ]
    planner, vision = table.rows
    assert (planner[3], vision[3]) == (rate_cell(Rate(1, 1)), rate_cell(Rate(2, 2)))
    assert (texts(planner)[4:], texts(vision)[4:]) == (["0", "1"], ["1", "0"])
    assert section is not None
    (text,) = [block.text for block in section.blocks if isinstance(block, Text)]
    assert text.startswith("2 of 3 failed episodes were run again")


def _store(root: Path, *records: EpisodeRecord) -> None:
    """The run of a swap as its cache has it, with traces that nobody opens."""
    manifest = manifest_of(SUITE, 3)
    write_manifest(root, replace(manifest, like=replace(manifest.like, swap=root.name)))
    for made in records:
        (root / made.trace).mkdir(parents=True)
        note(root, made, manifest.job_digest(made.key))


def test_means_have_intervals_and_their_count() -> None:
    records = [record("one", "a", seed, sim_s=10.0 + seed) for seed in range(10)]
    (table,) = tables(costs_section(grid(*records), rng()))
    row = dict(zip(table.head[2:], table.rows[0][2:], strict=True))
    assert row["simulated s"].main == "14"
    assert row["simulated s"].small.endswith("n = 10")
    assert row["wall s"] == Cell("5.0", "n = 10")


def test_every_episode_is_linked_to_its_page_or_else_its_trace(tmp_path: Path) -> None:
    paged = tmp_path / "run" / "episodes" / "one" / "a" / "0" / "report.html"
    paged.parent.mkdir(parents=True)
    paged.write_text("")
    records = (record(seed=0), failed(seed=1, reason="w" * 500))
    section = episodes_section(grid(*records), tmp_path / "run", tmp_path / "out of here")
    (block,) = [b for b in section.blocks if isinstance(b, Episodes)]
    assert [link.target for link in block.links] == [
        "../run/episodes/one/a/0/report.html",
        "../run/episodes/one/a/1/trace.jsonl",
    ]
    assert block.links[1].about.startswith("failed, 10 s: www")
    assert len(block.links[1].about) < 300


def test_the_command_makes_the_run_again() -> None:
    manifest = manifest_of(open_suite("replan"), 10)
    said = command(manifest)
    assert said.startswith("regrasp bench replan --methods full,float-feedback,")
    assert "--episodes 10 --first-seed 0 --llm scripted --vlm oracle --size 320x240" in said
    asked = replace(manifest.asked, seeds=(7, 8))
    other = replace(manifest, suite="/somewhere/my suite.py", asked=asked)
    assert command(other).startswith("regrasp bench 'my suite.py' ")
    assert "--episodes 2 --first-seed 7" in command(other)


def test_how_figures_are_written() -> None:
    assert [percent(x) for x in (0.9, 0.8857, 1.0, 0.0)] == ["90%", "88.6%", "100%", "0%"]
    assert [percentage_points(x) for x in (0.3, -0.25, 0.0)] == ["+30", "−25", "+0"]
    assert interval(-0.4, 0.02, 100) == "−40 to 2.0"
    assert interval(float("-inf"), float("inf")) == ""
    assert rate_cell(Rate(9, 10)) == Cell("90%", "9/10, 60–98%")
    assert rate_cell(Rate(0, 0)) == mean_cell([], rng()) == Cell("–")
    assert mean_cell([3.0], rng()) == Cell("3.0", "n = 1")
    assert [p_value(p) for p in (0.0004, 0.04321, 1.0)] == ["< 0.001", "0.043", "1.000"]
