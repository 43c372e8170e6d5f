"""A vision model held against the truth: what is noted is right; the agent cannot tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from regrasp.core.answer import QuestionKind
from regrasp.core.claim import Claim
from regrasp.core.event import AnswerChecked, Event, Judged, ModelCalled, RunEnded
from regrasp.core.outcome import Outcome
from regrasp.core.trace import digest, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.checked_vision import CheckedVision
from regrasp.episodes.oracle_vision import VisionErrors
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory, world_setting
from regrasp.methods.method import Assignment
from regrasp.models.budget import Budget
from regrasp.models.errors import BudgetExceededError
from regrasp.models.images import ImageData
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion
from regrasp.worlds.registry import WORLDS, open_world
from world_oracle import open_oracle_vision

QUESTIONS = ("Do you see the red_cube?", "Is the red_cube on the crate?", "Do you see the moon?")


def ask(assignment: Assignment) -> Claim:
    """An agent that asks its vision model a few things and gives up."""
    picture = ImageData.from_array(assignment.robot.look("front").rgb)
    for question in QUESTIONS:
        assignment.vision.answer([picture], question)
    assignment.vision.answer([picture], "What colour is the crate?", kind=QuestionKind.OPEN)
    return Claim(False, "enough")


def record(
    out: Path, errors: VisionErrors | None = None, budget: Budget | None = None
) -> tuple[Event, ...]:
    spec = EpisodeSpec(
        WorldTask("cubes", "match", 0),
        ask,
        "ask",
        ScriptedModel(),
        oracle_factory(errors),
        recording=Recording(video=False, size=(32, 24)),
        budget=budget,
    )
    run_episode(spec, out)
    return read_trace(out).events


def test_each_yes_or_no_is_noted_beside_the_truth(tmp_path: Path) -> None:
    events = record(tmp_path, VisionErrors(true_positive=0.0, false_positive=1.0))
    checks = [e for e in events if isinstance(e, AnswerChecked)]
    assert [(c.predicate, c.said, c.truth) for c in checks] == [
        ("visible", "no", "yes"),
        ("on", "yes", "no"),
        ("visible", "yes", "no"),  # the domain has no moon
    ]
    assert [c.question for c in checks] == list(QUESTIONS)
    assert all(c.asked_s == 0.0 for c in checks)


def test_they_are_written_when_the_agent_is_through(tmp_path: Path) -> None:
    events = record(tmp_path)
    last_call = max(i for i, e in enumerate(events) if isinstance(e, ModelCalled))
    first = min(i for i, e in enumerate(events) if isinstance(e, AnswerChecked))
    assert last_call < first
    assert isinstance(events[first + 3], Judged)


def test_the_run_goes_the_same_way_as_without_it(tmp_path: Path) -> None:
    """The same answers as the bare model's, drawn from the same dice, and the same digest twice."""
    errors = VisionErrors(0.5, 0.5)
    picture = ImageData.from_array(np.zeros((4, 4, 3), np.uint8))
    with world_setting(open_world("cubes", "match", 0)) as setting:
        bare = oracle_factory(errors)(setting)
        said = [str(bare.answer([picture], question).verdict) for question in QUESTIONS]
    events = record(tmp_path / "a", errors)
    assert [e.verdict for e in events if isinstance(e, ModelCalled)][:3] == said
    record(tmp_path / "b", errors)
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_the_agent_gets_no_way_to_the_truth() -> None:
    with world_setting(open_world("cubes", "match", 0)) as setting:
        checked = CheckedVision(oracle_factory()(setting), setting, print)
    assert [name for name in dir(checked) if not name.startswith("_")] == [
        "answer",
        "name",
        "respond",
    ]


def test_a_run_whose_budget_is_spent_is_judged_all_the_same(tmp_path: Path) -> None:
    with pytest.raises(BudgetExceededError):
        record(tmp_path, budget=Budget(calls=2))
    events = read_trace(tmp_path).events
    assert [e.kind for e in events[-4:]] == ["checked", "checked", "judged", "run_ended"]
    ended = events[-1]
    assert isinstance(ended, RunEnded) and ended.outcome is Outcome.ABORTED


@pytest.mark.parametrize("name", WORLDS)
def test_no_question_in_our_spelling_is_too_odd_for_the_truth(name: str) -> None:
    world = open_world(name)
    perfect = open_oracle_vision(world)
    names = [*world.scene.things, *world.scene.joints]
    names = names[:: 1 + len(names) // 20]  # a bar has 60 of them, and pairs are asked about
    verdicts = {
        perfect.answer((), str(VisualQuestion(look, a, b))).verdict
        for look in ObjectQuestion
        if look is not ObjectQuestion.ATTRIBUTE
        for a in names
        for b in (names if "{b}" in look.value else [""])
    }
    assert {str(v) for v in verdicts} == {"yes", "no", "unknown"}
