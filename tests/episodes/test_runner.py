"""A method on real physics, recorded: the kitchen from an instruction to a verdict."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.core.claim import Claim
from regrasp.core.event import (
    Asked,
    FeedbackGiven,
    Judged,
    Looked,
    ModelCalled,
    Planned,
    RunEnded,
    RunStarted,
    SkillEnded,
)
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot
from regrasp.core.trace import Entry, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import MethodRun, oracle, run_method
from regrasp.methods.method import Method
from regrasp.methods.registry import open_method


def record(out: Path, world: str, task: str | None, method: Method, **options: object) -> MethodRun:
    return run_method(
        world,
        task,
        0,
        None,
        method,
        out,
        name="replan",
        language=ScriptedModel(),
        seeing=oracle(),
        size=(96, 72),
        **options,  # type: ignore[arg-type]
    )


def test_the_apple_is_found_behind_the_kettle(tmp_path: Path) -> None:
    ended = record(tmp_path / "run", "kitchen", None, open_method("replan"), fps=2.0)
    assert ended.claim.done and ended.done
    assert ended.spent.calls > 20 and ended.sim_s < 60
    events = read_trace(tmp_path / "run").events
    started, *_, judged, last = events
    assert isinstance(started, RunStarted) and started.instruction == "find the green_apple"
    assert started.versions["vision model"] == "oracle"
    assert isinstance(judged, Judged) and judged.done
    assert isinstance(last, RunEnded) and last.outcome is Outcome.SUCCEEDED
    plans = [e for e in events if isinstance(e, Planned)]
    why = [e for e in events if isinstance(e, FeedbackGiven)]
    assert why and why[0].causes == ("kettle is blocking microwave",)
    assert "Move the kettle away from the microwave" in plans[1].steps
    assert any(isinstance(e, Asked) and "green_apple" in e.question for e in events)
    shown = {e.image for e in events if isinstance(e, Looked)}
    calls = [e for e in events if isinstance(e, ModelCalled)]
    assert {name for call in calls for said in call.messages for name in said.images} <= shown
    assert {"plan", "rewards", "look"} <= {call.purpose for call in calls}


def test_a_run_that_is_stopped_leaves_a_whole_trace(tmp_path: Path) -> None:
    seen: list[Entry] = []

    def stop() -> str:
        return "enough" if seen and seen[-1].stamp.sim_s > 0.3 else ""

    with pytest.raises(KeyboardInterrupt):
        record(tmp_path, "cubes", "match", open_method("replan"), cancel=stop, watch=seen.append)
    *_, ended, last = read_trace(tmp_path).events
    assert isinstance(ended, SkillEnded) and ended.report.outcome is Outcome.ABORTED
    assert isinstance(last, RunEnded) and last.outcome is Outcome.ABORTED


def test_the_judge_has_the_last_word(tmp_path: Path) -> None:
    def boast(goal: str, robot: Robot, *rest: object) -> Claim:
        return Claim(True, "I am great")

    ended = record(tmp_path, "cubes", "match", boast, video=False)
    assert ended.claim.done and not ended.done


def test_a_bug_in_a_method_is_called_broken(tmp_path: Path) -> None:
    def crash(*_: object) -> Claim:
        raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError):
        record(tmp_path, "cubes", "match", crash, video=False)
    last = read_trace(tmp_path).events[-1]
    assert isinstance(last, RunEnded) and last.outcome is Outcome.BROKEN
