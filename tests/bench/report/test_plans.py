"""The report on plans: CoPAL's measures with our figures beside the paper's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from made_up import broken, failed, manifest_of, record

from regrasp.bench.record import EpisodeRecord, NamedObstacle
from regrasp.bench.report.document import Cell, ReportSection, Table
from regrasp.bench.report.grid import Grid
from regrasp.bench.report.plans import distance, plans_section
from regrasp.bench.report.pools import pools_section
from regrasp.bench.report.write import write_report
from regrasp.bench.store import Results
from regrasp.bench.suite import PaperPlans, PaperPool, Suite, SuiteMethod, SuiteTask
from regrasp.bench.suite_registry import open_suite
from regrasp.core.errors import UnknownNameError

SUITE = Suite(
    "made-up",
    "two tasks, two methods",
    (SuiteTask("one", "nowhere"), SuiteTask("two", "nowhere")),
    (SuiteMethod("a", "replan"), SuiteMethod("b", "replan")),
    plans=PaperPlans({"a": 0.058}, 0.87, {0.2: 0.05}, compared=(("a", "b"),), order=(("a", "b"),)),
    pools=(PaperPool("both", ("one", "two"), {"b": 0.5}), PaperPool("none", ())),
)


def rows(section: ReportSection | None, starts: str) -> dict[str, list[str]]:
    assert section is not None
    found = [b for b in section.blocks if isinstance(b, Table) and b.caption.startswith(starts)]
    (table,) = found
    return {row[0].main: [_text(cell) for cell in row[1:]] for row in table.rows}


def _text(cell: Cell) -> str:
    return f"{cell.main} ({cell.small})" if cell.small else cell.main


def section(*records: EpisodeRecord) -> ReportSection | None:
    return plans_section(Grid.of(SUITE, records), np.random.default_rng(0))


def drink(method: str, seed: int, **changes: object) -> EpisodeRecord:
    return record("one", method, seed, plans=1, ordered="mojito", **changes)


def test_an_order_that_does_not_hold_is_explained_by_what_ended_the_plans() -> None:
    lower = [
        drink("a", 0),
        failed("one", "a", 1, plans=1, ignored_failures=1),
        failed("one", "a", 2, plans=1),
        failed("one", "a", 3),
    ]
    good = [drink("b", seed) for seed in range(4)]
    found = rows(section(*lower, *good), "The paper's order")
    assert found["a < b"][2:] == ["yes", "1", "1", "1", "0", "0"]
    equal = rows(section(*(drink(m, s) for m in "ab" for s in range(2))), "The paper's order")
    assert equal["a < b"][2] == "no: every plan of the lower was carried out"


WRONG = {"done": False, "outcome": failed().outcome, "claimed": True}


def test_executable_and_correct_are_two_things() -> None:
    found = rows(
        section(
            drink("a", 0),
            drink("a", 1, **WRONG, missing=("rum",), superfluous=("gin",)),
            failed("one", "a", 2, plans=6, high_replans=5, ordered="mojito"),
            broken("one", "a", 3),
        ),
        "Over all tasks",
    )
    assert found["a"][0].startswith("66.7% (2/3,") and found["a"][1].startswith("50% (1/2,")
    assert found["a"][2].startswith("0.6 (")  # the mean of 0 and 1.2
    assert found["paper"][0] == "5.8%" and found["paper, all"][1] == "87%"


def test_a_missing_ingredient_weighs_five_superfluous_ones() -> None:
    assert distance(drink("a", 0, missing=("rum",))) == 1.0
    assert distance(drink("a", 0, superfluous=tuple("abcde"))) == pytest.approx(1.0)


def test_faults_are_counted_by_their_distance() -> None:
    found = rows(
        section(
            drink("a", 0),
            drink("a", 1, **WRONG, superfluous=("gin",)),
            drink("a", 2, **WRONG),  # two glasses
            drink("a", 3, **WRONG, missing=("gin", "rum", "ice")),
        ),
        "Results of executable plans",
    )
    quarter, none = "25% (1/4)", "0% (0/4)"
    assert found["a"] == [quarter, quarter, quarter, none, none, none, none, quarter]


def test_differences_are_paired_and_clustered_by_seed() -> None:
    records = [
        record(task, method, seed, plans=1, high_replans=high, sim_s=10.0)
        for seed in range(6)
        for task in ("one", "two")
        for method, high in (("a", seed % 2), ("b", 2 + seed % 2))
    ]
    (row,) = rows(section(*records), "Differences").values()
    assert row[:2] == ["12", "6"]
    assert row[3] == "−2.00 (−2.0 to −2.0, p 0.188)"  # 2 / 2**6, six cells
    assert row[-1].startswith("+0.00")  # the robot's seconds


def test_obstacles_are_told_where_there_are_some() -> None:
    false = NamedObstacle("get(ham_bowl)", "tray", False)
    true = NamedObstacle("get(ham_bowl)", "salt_bottle", True)
    found = rows(
        section(record(obstacles=(true,)), record(seed=1, obstacles=(false,))), "Things in the way"
    )
    assert found["a"][0].startswith("50% (1/2,") and found["a"][1] == "get(ham_bowl): tray"


def test_pools_take_their_tasks_together() -> None:
    grid = Grid.of(SUITE, [record("one", "b"), failed("two", "b"), failed("two", "b", 1)])
    (table,) = (block for block in pools_section(grid).blocks if isinstance(block, Table))  # type: ignore[union-attr]
    assert table.head == ("", "", "both")
    ours, theirs = table.rows
    assert ours[2].main == "33.3%" and theirs[2].main == "50%"


def test_other_suites_have_neither() -> None:
    grid = Grid.of(open_suite("replan"), [record("cubes-match", "full")])
    assert pools_section(grid) is None
    assert plans_section(grid, np.random.default_rng(0)) is None


def test_what_is_compared_and_pooled_must_exist() -> None:
    parts = ("bad", "", SUITE.tasks, SUITE.methods)
    with pytest.raises(UnknownNameError, match="unknown method 'c'"):
        Suite(*parts, plans=PaperPlans(compared=(("a", "c"),)))
    with pytest.raises(UnknownNameError, match="unknown task 'three'"):
        Suite(*parts, pools=(PaperPool("all", ("three",)),))


def test_the_report_of_a_suite_of_copal_is_written_with_its_figures(tmp_path: Path) -> None:
    suite = open_suite("copal-barman")
    records = [
        record("mojito", method.name, seed, plans=1, ordered="mojito", mid_replans=seed)
        for method in suite.methods
        for seed in range(2)
    ]
    results = Results(tmp_path, manifest_of(suite, 2), tuple(records))
    report = write_report(results, suite, tmp_path / "report")
    names = {file.stem for file in report.figures}
    assert {"replans", "executability"} <= names
    text = report.markdown.read_text()
    assert "## Plans" in text and "5.7%" in text
