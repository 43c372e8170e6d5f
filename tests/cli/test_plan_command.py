"""`regrasp plan`: a plan on stdout, an exit code, one document with --json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import regrasp.domains
from regrasp.cli.main import app

HERE = Path(regrasp.domains.__file__).parent
DOMAIN = str(HERE / "household.pddl")
EGG = str(HERE / "household_tasks" / "halve-egg.pddl")


def test_it_prints_a_plan() -> None:
    ended = CliRunner().invoke(app, ["plan", DOMAIN, EGG, "--engine", "search"])
    assert ended.exit_code == 0
    assert ended.stdout.splitlines() == [
        "  1  find(carving_knife)",
        "  2  grasp_from_on(carving_knife, countertop)",
        "  3  find(hard_boiled_egg)",
        "  4  cut(hard_boiled_egg, carving_knife)",
    ]
    assert "solved by search in " in ended.stderr


def test_it_prints_one_document() -> None:
    ended = CliRunner().invoke(app, ["plan", DOMAIN, EGG, "--engine", "search", "--json"])
    document = json.loads(ended.stdout)
    assert (document["outcome"], document["engine"]) == ("solved", "search")
    assert document["rows"][3] == {
        "step": 4,
        "action": "cut",
        "args": ["hard_boiled_egg", "carving_knife"],
    }


def test_without_a_plan_it_says_why_and_fails(tmp_path: Path) -> None:
    problem = tmp_path / "no-knife.pddl"
    text = Path(EGG).read_text(encoding="utf-8").replace("(ontop carving_knife countertop)", "")
    problem.write_text(text, encoding="utf-8")
    ended = CliRunner().invoke(app, ["plan", DOMAIN, str(problem), "--engine", "search"])
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr.startswith("unsolvable by search")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([EGG, EGG], "halve-egg.pddl, line 2, column 9: expected (domain NAME)"),
        ([DOMAIN, "nowhere.pddl"], "cannot read nowhere.pddl"),
        ([DOMAIN, EGG, "--engine", "serch"], "Did you mean 'search'?"),
    ],
)
def test_what_is_wrong_is_one_line(arguments: list[str], message: str) -> None:
    ended = CliRunner().invoke(app, ["plan", *arguments])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert len(ended.stderr.splitlines()) == 1 and message in ended.stderr
