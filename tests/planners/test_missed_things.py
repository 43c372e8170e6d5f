"""A model that misses what is here or nobody named, or says nothing, is asked for readings."""

from __future__ import annotations

import pytest

from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Request,
    RequestModel,
)
from regrasp.planners.understanding import Understanding, understand
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription

SCENE = SceneDescription(
    (ObjectDescription("red_cup", affordances=(Affordance.PICK,)), ObjectDescription("tray"))
)
FORMS = (GoalForm("on", (("cup",), ("tray",)), "X is on Y"),)
GOAL = "Goal:\non(red_cup, tray)"


class Declines(RequestModel):
    """Says that something is missing, and writes a goal when it samples."""

    name = "declines"
    capabilities = Capabilities()

    def __init__(self, missing: str, sampled: str = GOAL, first: str = "") -> None:
        self.first, self.sampled = first or f"Cannot: missing: {missing}", sampled
        self.calls = 0

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.calls += 1
        text = self.sampled if request.temperature else self.first
        return Completions((Completion(text, FinishReason.STOP),) * request.n)


def read(model: Declines, say: str) -> Understanding:
    return understand(model, GoalPrompt(say, SCENE, FORMS))


@pytest.mark.parametrize(
    ("missing", "say"),
    [
        ("banana", "put the cup on the tray"),
        ("tray", "put the cup on the tray"),
        ("Tasse", "stell die Tasse auf das Tablett"),
    ],
)
def test_what_is_here_or_was_never_named_is_asked_about(missing: str, say: str) -> None:
    found = read(Declines(missing), say)
    assert found.declined is None and str(found.goal) == "on(red_cup, tray)"
    assert not found.sure and found.readings == (found.goal,)


@pytest.mark.parametrize(
    ("missing", "say"),
    [
        ("banana", "put the banana on the tray"),
        ("zorblax", "put the zorblax on the tray"),
        ("vase", "put the cup and the banana on the tray"),
    ],
)
def test_what_is_truly_missing_is_declined_at_once(missing: str, say: str) -> None:
    model = Declines(missing)
    found = read(model, say)
    assert found.goal is None and found.declined is not None and model.calls == 1


def test_without_a_reading_it_stays_declined() -> None:
    found = read(Declines("banana", sampled="Cannot: unclear"), "put the cup on the tray")
    assert found.goal is None and found.declined is not None


def test_a_goal_that_is_true_of_itself_is_no_reading() -> None:
    vacuous = "Goal:\non(each cup on tray, tray)"
    found = read(Declines("", first=vacuous), "clear the tray of every cup")
    assert not found.sure and list(map(str, found.readings)) == ["on(red_cup, tray)"]
    found = read(Declines("", first=vacuous, sampled=vacuous), "clear the tray of every cup")
    assert found.goal is None and found.declined is not None
