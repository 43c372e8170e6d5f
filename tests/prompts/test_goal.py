"""The goal prompt: which replies are read, which are refused, and what its grammar admits."""

from __future__ import annotations

import random

import pytest
from gbnf_sampler import Sampler

from regrasp.core.goal import Goal, parse_goal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.scene import SceneDescription

SCENE = SceneDescription(
    (
        ObjectDescription("red_cup", affordances=(Affordance.PICK,)),
        ObjectDescription("blue_cup", affordances=(Affordance.PICK,)),
        ObjectDescription("tray", affordances=(Affordance.PUT_ON,)),
        ObjectDescription("oven", affordances=(Affordance.OPEN,)),
    )
)
FORMS = (
    GoalForm("on", (("cup",), ("cup", "tray")), "X is on Y"),
    GoalForm("closed", (("oven",),), "X is closed"),
    GoalForm("handempty", (), "the hand of the robot is empty"),
)
PROMPT = GoalPrompt("put the red cup on the tray and open the oven", SCENE, FORMS)
MEANT = parse_goal(["on(red_cup, tray)", "not closed(oven)"])


@pytest.mark.parametrize(
    "reply",
    [
        "Goal:\non(red_cup, tray)\nnot closed(oven)",
        "goal:\n- on(red_cup, tray)\n- not closed(oven)\n\nThat is all.",
        "**Goal:**\n1. on(the red cup, tray)\n2. NOT closed(oven).",
        "Sure.\n```\nGoal:\non(red_cup,tray)\nnot closed( oven )\n```",
        "Goal: on(red_cup, tray)\nnot closed(oven)\nnot closed(oven)",
    ],
)
def test_a_goal_is_read_as_literals(reply: str) -> None:
    assert PROMPT.parse(reply) == MEANT


def test_a_variable_and_a_fact_without_objects_are_read() -> None:
    found = PROMPT.parse("Goal:\non(?cup, tray)\nhandempty()")
    assert found == parse_goal(["on(?cup, tray)", "handempty()"])


def test_declining_is_an_answer() -> None:
    assert PROMPT.parse("Cannot: nothing here sings") == Declined("nothing here sings")


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("", "Write 'Goal:'"),
        ("Goal:", "Write 'Goal:'"),
        ("Goal:\nthe cup is on the tray", "one literal per line"),
        (
            "Goal:\ninside(red_cup, oven)",
            "Use only these forms: on(X cup, Y cup or tray); closed",
        ),
        (
            "Goal:\non(green_cup, tray)",
            "Use only these names: red_cup, blue_cup, tray, oven",
        ),
        ("Goal:\non(?plate, tray)", "Use only these names"),
        ("Goal:\non(oven, tray)", "X is one of red_cup, blue_cup, ?cup"),
        ("Goal:\non(red_cup)", "Write it as on(X cup, Y cup or tray)"),
        ("Goal:\non(red_cup, red_cup)", "Write it as on(X cup, Y cup or tray)"),
        ("Goal:\nhandempty(tray)", "Write it as handempty()."),
        ("Goal:\n" + "closed(oven)\n" * 20, "at most 12 literals"),
    ],
)
def test_what_is_no_goal_here_is_refused_with_what_would_be(reply: str, hint: str) -> None:
    refused = PROMPT.parse(reply)
    assert isinstance(refused, ParseError)
    assert hint in refused.hint


def test_the_grammar_admits_only_well_typed_literals() -> None:
    sampler = Sampler(PROMPT.grammar(), random.Random(0))
    drawn = {sampler.sample() for _ in range(300)}
    goals = [PROMPT.parse(text) for text in drawn if text.startswith("Goal:")]
    assert len(goals) > 50 and all(isinstance(goal, Goal) for goal in goals)
    said = {str(one) for goal in goals if isinstance(goal, Goal) for one in goal.literals}
    assert {"on(red_cup, tray)", "not on(?cup, tray)", "not closed(oven)", "handempty()"} <= said


def test_a_scene_without_objects_can_only_be_declined() -> None:
    empty = GoalPrompt("open the oven", SceneDescription(), FORMS[:2])
    assert Sampler(empty.grammar(), random.Random(0)).sample().startswith("Cannot: ")


@pytest.mark.parametrize("form", FORMS)
def test_a_form_reads_back(form: GoalForm) -> None:
    assert GoalForm.read(f"- {form}") == form


@pytest.mark.parametrize("line", ["on", "on(X cup)", "on(Y cup): X is on Y", "on(X): X is on", ""])
def test_what_is_no_form_is_none(line: str) -> None:
    assert GoalForm.read(line) is None
