"""The protocol: what is measured is written down before, and its seeds are nobody else's."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_up import manifest_of, record

from regrasp.bench.protocol import TableState, is_reserved, read_protocol
from regrasp.bench.report.document import Text
from regrasp.bench.report.grid import Grid
from regrasp.bench.report.provenance import lead
from regrasp.bench.suite_registry import MEASURES, SUITES, open_suite
from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates

TABLES = read_protocol().tables


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_every_table_can_be_run_as_it_is_written(table) -> None:  # type: ignore[no-untyped-def]
    if table.suite in MEASURES:
        return
    assert table.suite.partition(":")[0] in SUITES
    suite = open_suite(table.suite)
    methods = {m.name for run in table.runs for m in suite.chosen_methods(run.methods or None)}
    assert all({a, b} <= methods for a, b in table.compare)
    assert all(suite.chosen_tasks(run.tasks or None) for run in table.runs)
    first, *more = table.commands("runs/x")
    assert "--resume" not in first
    assert all("--resume" in words for words in more)


def test_seeds_of_a_table_to_come_were_used_by_none_before() -> None:
    used = {seed for t in TABLES if t.state is TableState.OLDER for seed in t.seeds}
    for table in TABLES:
        assert all(map(is_reserved, table.seeds))
        assert table.state is TableState.OLDER or not table.seeds & used, table.name


def test_a_run_says_whether_its_seeds_are_the_protocols() -> None:
    describe = read_protocol().describe_run
    table = read_protocol().table("replan-task4")
    said = describe("replan", table.seeds, "embedded", "embedded")
    assert said.startswith("Seeds as reserved: the table replan-task4")
    assert "full against no-replan" in said
    assert "other models" in describe("replan", table.seeds, "scripted", "oracle")
    assert describe("replan", range(3), "scripted", "oracle").startswith("Not the protocol's seeds")
    assert "looked at" in describe("replan", range(7000, 7020), "embedded", "embedded")


def test_a_run_is_a_table_only_with_its_seeds_and_models() -> None:
    protocol, how = read_protocol(), Estimates.PRIVILEGED
    table = protocol.table("copal-blocks-all")  # two runs: no grid of methods and tasks
    given = ("copal-blocks", table.seeds)
    assert protocol.table_of(*given, "scripted", "oracle", how) is table
    assert protocol.table_of(*given, "embedded", "oracle", how) is None
    assert protocol.table_of("copal-blocks", range(3), "scripted", "oracle", how) is None


def test_privileged_and_sensed_tables_share_seeds_and_are_told_apart() -> None:
    protocol = read_protocol()
    for where in ("table", "arm", "walker", "bar", "blocks", "pizza"):
        pair = [protocol.table(f"estimates-{where}-{how}") for how in Estimates]
        assert pair[0].seeds == pair[1].seeds and pair[0].suite == pair[1].suite
        for table, how in zip(pair, Estimates, strict=True):
            said = protocol.describe_run(table.suite, table.seeds, "scripted", "oracle", how)
            assert f"the table {table.name} of the protocol" in said


def test_the_report_opens_with_it() -> None:
    suite = open_suite("replan")
    records = [record("kitchen-apple", "full", seed) for seed in range(2)]
    opening = lead(Grid.of(suite, records), manifest_of(suite, 2))
    said = [block.text for block in opening if isinstance(block, Text)]
    assert any(text.startswith("Not the protocol's seeds") for text in said)


def test_a_protocol_with_a_wrong_field_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "protocol.toml"
    file.write_text("reserved_first = 1\nreserved_last = 2\ntabels = []\n")
    with pytest.raises(RegraspError, match="Did you mean 'tables'"):
        read_protocol(file)


def test_a_table_is_only_compared_with_one_that_has_the_same_runs(tmp_path: Path) -> None:
    file = tmp_path / "protocol.toml"
    head = "reserved_first = 1\nreserved_last = 9\n"
    run = "{{ methods = [], tasks = [], first_seed = 1, episodes = {} }}"
    one = '[[tables]]\nname = "{}"\nsuite = "replan"\nasks = "?"\ncompare = []\nstate = "planned"\n'
    first = one.format("a") + f"runs = [{run.format(3)}]\n"
    second = one.format("b") + f'against = "a"\nruns = [{run.format(3)}]\n'
    file.write_text(head + first + second)
    assert read_protocol(file).table("b").against == "a"
    other = tmp_path / "other.toml"
    other.write_text(head + first + second.replace("episodes = 3", "episodes = 4"))
    with pytest.raises(RegraspError, match="b has other runs than a"):
        read_protocol(other)
