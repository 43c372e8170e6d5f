"""A run notes the modules that it used; a table is out of date when one of these changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regrasp.bench.protocol import read_protocol
from regrasp.bench.published import PublishedReport
from regrasp.bench.readme_results import readme_block
from regrasp.bench.used_code import changed_modules, note_used_code, read_code, used_code, what_runs
from regrasp.core.errors import RegraspError


def test_a_run_notes_the_modules_that_are_loaded_and_only_once(tmp_path: Path) -> None:
    note_used_code(tmp_path)
    note_used_code(tmp_path)
    (file,) = (tmp_path / "code").iterdir()
    code = used_code(tmp_path)
    assert code == read_code(file)
    assert {"regrasp.bench.protocol", "regrasp.core.errors"} <= set(code)
    assert not [name for name in code if name.startswith(("regrasp.cli", "regrasp.lab"))]
    assert changed_modules(code) == []
    assert changed_modules({"regrasp.cli.main": "0" * 16}) == []  # no episode depends on it


def test_a_module_that_changed_during_a_run_equals_no_version(tmp_path: Path) -> None:
    note_used_code(tmp_path)
    name = "regrasp.core.errors"
    (tmp_path / "code" / "other.json").write_text(json.dumps({name: "0" * 16}))
    assert changed_modules(used_code(tmp_path)) == [name]


def test_a_table_names_the_modules_of_its_run_that_changed() -> None:
    table = read_protocol().table("replan-task4")

    def below(code: dict[str, str]) -> str:
        return readme_block(table, PublishedReport(Path("report.md"), "abc1234", {}, {}, code))

    gone = {f"regrasp.gone_{number}": "1" * 16 for number in range(5)}
    text = below(gone)
    assert "changed since: regrasp.gone_0, regrasp.gone_1, regrasp.gone_2 and 2 more mod" in text


SOURCE = '''"""A module."""

PROMPT = """Task: plan
# a heading"""  # in our own words


class Plan:
    """What is
    planned."""

    steps: int = 3
    """How many."""
'''


def test_remarks_do_not_count_as_code() -> None:
    code = what_runs(SOURCE)
    assert code == 'PROMPT = """Task: plan\n# a heading"""\nclass Plan:\n    steps: int = 3'
    assert (
        what_runs(SOURCE.replace("What is", "All that is").replace("  # in our", "  # in")) == code
    )
    assert what_runs(SOURCE.replace("a heading", "a title")) != code


def test_a_file_that_holds_no_digests_is_refused(tmp_path: Path) -> None:
    (tmp_path / "code.json").write_text('{"regrasp": 3}')
    with pytest.raises(RegraspError, match="no digests of modules"):
        read_code(tmp_path / "code.json")
