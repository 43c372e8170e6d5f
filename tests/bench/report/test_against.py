"""Two runs on the same seeds: what one gains or loses against the other."""

from __future__ import annotations

import numpy as np
from made_up import broken, failed, record

from regrasp.bench.record import EpisodeRecord
from regrasp.bench.report.against import AGAINST, against_section
from regrasp.bench.report.document import Table
from regrasp.bench.report.grid import Grid
from regrasp.bench.suite_registry import open_suite

TASKS = ("cabinet-open", "cabinet-closed")


def grid_of(records: list[EpisodeRecord]) -> Grid:
    return Grid.of(open_suite("replan"), records)


def rows(grid: Grid, other: Grid) -> list[list[str]]:
    section = against_section(grid, other, "first", np.random.default_rng(0))
    assert section.title == f"{AGAINST}first"
    (table,) = section.blocks
    assert isinstance(table, Table)
    return [[f"{cell.main} ({cell.small})" for cell in row] for row in table.rows]


def test_pairs_have_the_same_task_method_and_seed() -> None:
    first = [record(task, "full", seed, sim_s=10.0) for task in TASKS for seed in range(4)]
    second = [record(task, "full", seed, sim_s=11.0) for task in TASKS for seed in range(3)]
    second[0] = failed(TASKS[0], "full", 0)
    second[1] = broken(TASKS[0], "full", 1)
    pooled, task1, task2 = rows(grid_of(second), grid_of(first))
    assert pooled[2:4] == ["5 ()", "3 ()"]
    assert pooled[4].startswith("80% (4/5") and pooled[5].startswith("100% (5/5")
    assert pooled[6].startswith("−20") and pooled[8].startswith("+1.0")
    assert [row[2] for row in (task1, task2)] == ["2 ()", "3 ()"]


def test_equal_runs_differ_by_nothing() -> None:
    same = [record(TASKS[0], "full", seed) for seed in range(6)]
    (row,) = rows(grid_of(same), grid_of(same))
    assert row[6].startswith("+0 (") and row[7].startswith("1.000") and row[8].startswith("+0.0")


def test_several_methods_are_also_pooled() -> None:
    first = [record(TASKS[0], method, 0, sim_s=10.0) for method in ("full", "no-replan")]
    second = [record(TASKS[0], method, 0, sim_s=9.98) for method in ("full", "no-replan")]
    pooled, full, without = rows(grid_of(second), grid_of(first))
    assert pooled[0] == "all ()" and pooled[2] == "2 ()"
    assert [row[2] for row in (full, without)] == ["1 ()", "1 ()"]
    assert pooled[8].startswith("+0.0")
