"""`regrasp understand`: what a robot would do with an instruction, and an exit code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from goal_writer import HERE
from typer.testing import CliRunner, Result

from regrasp.cli.main import app

ASKED = {
    "stages": "put the red cube on the crate, then off it, and leave the yellow cube",
    "some_cube": "put the cube on the crate",
    "missing": "put the blue cube on the crate",
    "question": "which colour is the red cube?",
    "dark_question": "where is the crate?",
}


def understand(model: str, *words: str) -> Result:
    asked = ASKED.get(model, "put the red cube on the crate")
    command = ["understand", asked, "--world", "cubes", "--llm", f"{HERE}:{model}"]
    return CliRunner().invoke(app, [*command, "--vlm", "oracle", *words])


def row(result: Result) -> dict[str, Any]:
    (found,) = json.loads(result.stdout)["rows"]
    assert isinstance(found, dict)
    return found


def test_it_shows_goal_objects_and_plan() -> None:
    ended = understand("red")
    assert ended.exit_code == 0, ended.output
    lines = [line.split(maxsplit=1) for line in ended.stdout.splitlines()]
    shown = {words[0]: words[1].strip() for words in lines if len(words) == 2}
    assert shown["instruction"] == "put the red cube on the crate"
    assert shown["goal"] == shown["objects"] == "on(red_cube, crate)"
    assert shown["confidence"].endswith("%")
    assert shown["plan"] == "1  pick up the red_cube"
    assert "declined" not in shown and "asks" not in shown


def test_stages_and_what_is_kept_are_shown_and_planned_one_after_the_other() -> None:
    ended = understand("stages", "--json")
    found = row(ended)
    assert ended.exit_code == 0 and found["acts"]
    assert found["stages"] == [["on(red_cube, crate)"], ["not on(red_cube, crate)"]]
    assert found["keep"] == ["not moved(yellow_cube)"]
    assert found["goal"][2] == "keep not moved(yellow_cube)"
    first, second = found["plans"]
    assert first["steps"] == ["pick up the red_cube", "put the red_cube on the crate"]
    assert second["outcome"] == "solved" and second["steps"]


@pytest.mark.parametrize("model", ["some_cube", "unsure"])
def test_what_is_not_clear_is_shown_as_a_question(model: str) -> None:
    ended = understand(model, "--json")
    found = row(ended)
    assert ended.exit_code == 1 and not found["acts"] and found["declined"]
    (asked,) = found["asked"]
    assert len(asked["options"]) == 2 and asked["chosen"] == ""
    assert found["stages"] == [] and found["plans"] == []
    shown = understand(model).stdout
    assert f"asks back    {asked['question']}" in shown
    assert f"             2  {asked['options'][1]}" in shown


@pytest.mark.parametrize("model", ["some_cube", "unsure"])
def test_a_question_can_be_answered_beforehand(model: str) -> None:
    ended = understand(model, "--answer", "2")
    assert ended.exit_code == 0, ended.output
    assert "(the answer)" in ended.stdout
    assert "objects      on(yellow_cube, crate)" in ended.stdout
    assert "put the yellow_cube on the crate" in ended.stdout


def test_a_low_confidence_says_what_it_leads_to() -> None:
    assert "too low to act without asking (85%)" in understand("unsure").stdout
    assert "too low" not in understand("red").stdout


def test_an_instruction_that_is_declined_gives_the_reason() -> None:
    ended = understand("missing")
    assert ended.exit_code == 1
    assert "declined     I see no blue cube here." in ended.stdout
    assert "confidence" not in ended.stdout and "plan" not in ended.stdout


def test_a_goal_without_a_plan_says_so() -> None:
    ended = understand("impossible")
    assert ended.exit_code == 1
    assert "no plan: the robot has no actions that reach it from what is seen" in ended.stdout


def test_a_question_is_answered() -> None:
    ended = understand("question")
    assert ended.exit_code == 0
    assert "answer       The red cube is red." in ended.stdout
    assert row(understand("question", "--json"))["answer"] == "The red cube is red."


def test_a_question_that_cannot_be_answered_exits_with_1() -> None:
    assert understand("dark_question").exit_code == 1


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ([" ", "--world", "cubes"], "the instruction is empty"),
        (["go", "--world", "cubs"], "Did you mean 'cubes'"),
        (["go"], "give either --world"),
        (["go", "--world", "cubes", "--task", "mach"], "Did you mean 'match'"),
        (["go", "--world", "cubes", "--llm", "script"], "Did you mean 'scripted'"),
        (["go", "--robot", "nowhere.py:robot"], "there is no file nowhere.py"),
        (
            ["go", "--world", "cubes", "--llm", "http://127.0.0.1:9/v1#m"],
            "nothing listens at http://127.0.0.1:9",
        ),
    ],
)
def test_what_is_wrong_is_one_line(words: list[str], hint: str) -> None:
    ended = CliRunner().invoke(app, ["understand", *words, "--vlm", "oracle"])
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert hint in ended.stderr
