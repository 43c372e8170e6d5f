"""`regrasp chat`: a conversation with prepared lines, recorded in one trace."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from regrasp.cli.main import app
from regrasp.core.event import LayerMessage, RunEnded
from regrasp.core.trace import read_trace

TABLETOP = ("--world", "tabletop", "--llm", "scripted", "--vlm", "oracle", "--no-video")


def chat(*arguments: str) -> tuple[int, str]:
    ran = CliRunner().invoke(app, ["chat", *arguments])
    return ran.exit_code, ran.output


def say(*lines: str) -> list[str]:
    return [word for line in lines for word in ("--say", line)]


def test_a_robot_is_asked_stopped_and_asked_again(tmp_path: Path) -> None:
    place = "place the red_block on the fixture"
    lines = say("what can you do?", place, "@1 stop", "what did you do?", "go on")
    code, output = chat(*TABLETOP, "--size", "32x24", "--out", str(tmp_path / "run"), *lines)
    assert code == 0
    said = [line for line in output.splitlines() if line.startswith("robot: ")]
    assert said[0].startswith("robot: I can pick X")
    assert said[1] == "robot: I stopped, as you said"
    assert said[2].startswith("robot: Pick red_block (at 1 s, aborted")
    assert said[3] == f"robot: Done: {place}"
    events = read_trace(tmp_path / "run").events
    assert isinstance(events[-1], RunEnded) and "4 turns" in events[-1].reason
    assert [e.text for e in events if isinstance(e, LayerMessage) and e.sender == "person"] == [
        "what can you do?", place, "what did you do?", "go on",
    ]  # fmt: skip


def test_what_is_wrong_is_told_before_the_robot_starts(tmp_path: Path) -> None:
    code, output = chat(*TABLETOP, "--method", "doremi", *say("hello"))
    assert code == 2 and "a chat needs copal, copal-bl" in output
    bad = tmp_path / "bad.yaml"
    bad.write_text("recipes: 1", encoding="utf-8")
    code, output = chat(
        *TABLETOP, "--recipes", str(bad), "--out", str(tmp_path / "run"), *say("hi")
    )
    assert code == 2 and "a mapping must stand here" in output
