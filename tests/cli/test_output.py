"""What commands print: a table for people, or exactly one JSON document."""

from __future__ import annotations

import json
import math

import pytest

from regrasp.cli.output import print_error, print_note, print_rows, progress

ROWS = [
    {"task": "door", "rate": 0.98765432, "done": True, "note": "[red]not markup[/red]"},
    {"task": "bar", "rate": math.nan, "done": False, "extra": (1, 2)},
]


def test_json_is_one_document_with_every_value_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, ["task"], True, "Motions", {"suite": "motions"})
    assert json.loads(capsys.readouterr().out) == {
        "suite": "motions",
        "rows": [
            {"task": "door", "rate": 0.98765432, "done": True, "note": "[red]not markup[/red]"},
            {"task": "bar", "rate": None, "done": False, "extra": [1, 2]},
        ],
    }


def test_a_table_shows_the_columns_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows(ROWS, ["task", "rate", "done", "note"], False, "Motions")
    out = capsys.readouterr().out
    for shown in ("Motions", "door", "0.9877", "yes", "no", "[red]not markup[/red]"):
        assert shown in out
    assert "extra" not in out


def test_a_wide_table_is_not_cut_when_piped(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([{"a": "x" * 150}], ["a"], False, "wide")
    assert "x" * 150 in capsys.readouterr().out


def test_no_rows_is_still_a_document_and_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_rows([], ["task"], True, "none")
    assert json.loads(capsys.readouterr().out) == {"rows": []}
    print_rows([], ["task"], False, "none")
    assert "task" in capsys.readouterr().out


def test_progress_and_remarks_never_touch_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as bar:
        bar.update(bar.add_task("working", total=2), advance=1)
    print_note("a remark")
    print_error("a complaint\nin one line")
    out, err = capsys.readouterr()
    assert out == ""
    assert "a remark\na complaint in one line\n" in err
