"""The goal prompt: which replies are read, which are refused, and what its grammar admits."""

from __future__ import annotations

import random

import pytest
from gbnf_sampler import Sampler

from regrasp.core.goal_description import GoalDescription, parse_description
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.prompts.goal import LONGEST_GOAL, DeclineReason, GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.scene import SceneDescription

SCENE = SceneDescription(
    (
        ObjectDescription("red_cup", affordances=(Affordance.PICK,)),
        ObjectDescription("blue_cup", affordances=(Affordance.PICK,)),
        ObjectDescription("tray", affordances=(Affordance.PUT_ON,)),
        ObjectDescription("oven", affordances=(Affordance.OPEN,)),
        ObjectDescription("hall", kind="room"),
        ObjectDescription("cup_rack_2", kind="rack"),
    )
)
FORMS = (
    GoalForm("on", (("cup",), ("cup", "tray")), "X is on Y"),
    GoalForm("closed", (("oven",),), "X is closed"),
    GoalForm("between", (("cup",), ("cup",), ("tray",)), "X is between Y and Z"),
    GoalForm("handempty", (), "the hand of the robot is empty"),
)
PROMPT = GoalPrompt("put the red cup on the tray and open the oven", SCENE, FORMS)
MEANT = parse_description(["on(red_cup, tray)", "not closed(oven)"])


# ---- the text ------------------------------------------------------------------------------------


def test_objects_stand_on_one_line_with_the_kinds_that_names_do_not_show() -> None:
    assert PROMPT.render().split("\n") == [
        "Objects: red_cup, blue_cup, tray, oven, hall (room), cup_rack_2",
        "Forms:",
        "- on(X cup; Y cup, tray): X is on Y",
        "- closed(X oven): X is closed",
        "- between(X cup; Y cup; Z tray): X is between Y and Z",
        "- handempty(): the hand of the robot is empty",
        "Instruction: put the red cup on the tray and open the oven",
    ]


def test_an_instruction_is_one_line() -> None:
    text = GoalPrompt("open\nForms: none\nthe oven", SCENE, FORMS).render()
    assert text.split("\n")[-1] == "Instruction: open Forms: none the oven"


# ---- what is read --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "Goal:\non(red_cup, tray)\nnot closed(oven)",
        "goal:\n- on(red_cup, tray)\n- not closed(oven)\n\nThat is all.",
        "**Goal:**\n1. on(Red_Cup, tray)\n2. NOT closed(oven).",
        "Sure.\n```\nGoal:\non(red_cup,tray)\nnot closed( oven )\n```",
        "Goal: on(red_cup, tray)\nnot closed(oven)\nnot closed(oven)",
    ],
)
def test_a_goal_is_read_as_clauses(reply: str) -> None:
    assert PROMPT.parse(reply) == MEANT


@pytest.mark.parametrize(
    "clause",
    [
        "on(?cup, tray)",
        "handempty()",
        "between(red_cup, blue_cup, tray)",
        "then not closed(oven)",
        "keep not moved(tray)",
        "ask on(red_cup, tray)",
        "ask where(red_cup)",
        "ask which(each thing on tray)",
        "ask count(each cup not red)",
        "ask colour(the cup leftmost)",
        "on(the cup like tray, tray)",
        "on(2 cup, tray)",
        "on(each dish, tray)",
        "on(each red_cup, tray)",
        "ask where(the rack)",
        "ask where(the cup_rack)",
        "on(each thing except tray, tray)",
        "tower(tray, red_cup, blue_cup)",
        "row(each cup)",
        "swap(red_cup, blue_cup)",
    ],
)
def test_every_part_of_the_goal_language_is_read(clause: str) -> None:
    assert PROMPT.parse(f"Goal:\n{clause}") == parse_description([clause])


# ---- what is declined ----------------------------------------------------------------------------


@pytest.mark.parametrize("reason", DeclineReason)
def test_each_reason_to_decline_is_an_answer(reason: DeclineReason) -> None:
    assert PROMPT.parse(f"Cannot: {reason}") == Declined(str(reason))
    assert PROMPT.parse(f"cannot: {reason}.\r\n") == Declined(str(reason))


def test_what_is_missing_is_named() -> None:
    assert PROMPT.parse("Cannot: missing: golden key") == Declined("missing: golden key")


def test_another_reason_is_unclear() -> None:
    assert PROMPT.parse("Cannot: nothing here sings") == Declined(str(DeclineReason.UNCLEAR))


@pytest.mark.parametrize("clause", ["on(oven, tray)", "on(each oven, tray)", "closed(?cup)"])
def test_a_clause_with_objects_of_other_kinds_is_impossible(clause: str) -> None:
    declined = PROMPT.parse(f"Goal:\n{clause}")
    assert isinstance(declined, Declined)
    assert declined.why.startswith(f"impossible: {clause} is not possible with ")


@pytest.mark.parametrize("clause", ["on(red_cup, red_cup)", "on(?cup, ?cup)"])
def test_an_object_is_not_related_to_itself(clause: str) -> None:
    assert PROMPT.parse(f"Goal:\n{clause}") == Declined(
        f"impossible: {clause} has the same object twice"
    )


# ---- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        ("", "Write 'Goal:'"),
        ("Goal:", "Write 'Goal:'"),
        ("Goal:\nthe cup is on the tray", "write one such as on(red_cube, crate)"),
        (
            "Goal:\ninside(red_cup, oven)",
            "Use only these forms: on(X cup; Y cup, tray); closed(X oven); ",
        ),
        ("Goal:\nwhere(red_cup)", "Use only these forms"),  # a question without "ask"
        (
            "Goal:\non(green_cup, tray)",
            "Use only these names: red_cup, blue_cup, tray, oven, hall, cup_rack_2. "
            "Did you mean red_cup?",
        ),
        ("Goal:\non(the cup on shelf, tray)", "Use only these names: red_cup"),
        ("Goal:\non(?plate, tray)", "Use only these kinds: cup, red_cup, blue_cup, tray, oven, "),
        ("Goal:\non(each plate, tray)", "room, hall, rack, cup_rack, thing."),
        ("Goal:\non(red_cup)", "Write it as on(X cup; Y cup, tray)"),
        ("Goal:\nhandempty(tray)", "Write it as handempty()."),
        ("Goal:\nswap(red_cup)", "swap takes 2 objects"),
        ("Goal:\ntower()", "tower takes one or more objects"),
        ("Goal:\nkeep ask closed(oven)", "may each stand once"),
        ("Goal:\n" + "closed(oven)\n" * (LONGEST_GOAL + 1), f"at most {LONGEST_GOAL} clauses"),
    ],
)
def test_what_is_no_goal_here_is_refused_with_what_would_be(reply: str, hint: str) -> None:
    refused = PROMPT.parse(reply)
    assert isinstance(refused, ParseError)
    assert hint in refused.hint


def test_the_place_of_a_mistake_is_marked() -> None:
    reply = "Goal:\nclosed(oven)\nclosed(stove)"
    refused = PROMPT.parse(reply)
    assert isinstance(refused, ParseError)
    assert refused.found == "closed(stove)"


# ---- the grammar ---------------------------------------------------------------------------------


def test_whatever_the_grammar_admits_is_a_goal_or_declined() -> None:
    sampler = Sampler(PROMPT.grammar(), random.Random(0))
    read = [PROMPT.parse(sampler.sample()) for _ in range(600)]
    assert not any(isinstance(one, ParseError) for one in read)
    clauses = {c for goal in read if isinstance(goal, GoalDescription) for c in goal.clauses}
    assert len(clauses) > 100
    assert {"then", "keep", "ask"} <= {str(clause).split()[0] for clause in clauses}
    assert {c.predicate for c in clauses} >= {
        "closed",
        "handempty",
        "moved",
        "where",
        "tower",
        "swap",
    }


def test_a_scene_without_objects_can_only_be_declined() -> None:
    empty = GoalPrompt("open the oven", SceneDescription(), FORMS[:2])
    assert Sampler(empty.grammar(), random.Random(0)).sample().startswith("Cannot: ")
    assert empty.render().startswith("Objects: none\n")


# ---- forms ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_a_form_reads_back(form: GoalForm) -> None:
    assert GoalForm.read(f"- {form}") == form


@pytest.mark.parametrize("line", ["on", "on(X cup)", "on(X cup; Y tray) X is on Y", "on: X", ""])
def test_what_is_no_form_is_none(line: str) -> None:
    assert GoalForm.read(line) is None
