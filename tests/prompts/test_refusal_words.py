"""What a robot says when it does not act."""

from __future__ import annotations

import pytest

from regrasp.core.goal_description import Selection, parse_clause, parse_description, parse_term
from regrasp.prompts.goal import DeclineReason, GoalForm, Unfit
from regrasp.prompts.parsing import Declined
from regrasp.prompts.refusal_words import (
    ClarifyingQuestion,
    ask_which_one,
    ask_which_reading,
    cannot_see_object,
    cannot_see_which,
    explain_decline,
    explain_impossible,
    explain_missing,
    explain_no_plan,
    explain_nothing_fits,
    explain_unknown_answer,
)

KINDS = ("cube", "cup", "crate", "oven")
FORMS = (
    GoalForm("on", (KINDS, KINDS), "X is on Y"),
    GoalForm("stowed", (KINDS, KINDS), "X is inside Y"),
    GoalForm("closed", (KINDS,), "X is closed"),
    GoalForm("touching", (KINDS, KINDS), "X touches Y"),
)


def selection(text: str) -> Selection:
    term = parse_term(text)
    assert isinstance(term, Selection)
    return term


@pytest.mark.parametrize("reason", DeclineReason)
def test_every_reason_has_a_sentence(reason: DeclineReason) -> None:
    words = explain_decline(Declined(reason), "do it")
    assert words.startswith(("I ", "You ")) and words.endswith(".") and ":" not in words


@pytest.mark.parametrize(
    ("why", "instruction", "words"),
    [
        ("missing: banana", "bring me the banana", "I see no banana here."),
        ("missing: the red Banana", "bring the Red banana!", "I see no Red banana here."),
        ("missing: banana", "bring me the apple", "I do not see everything that you name."),
        ("missing: it", "bring it", "I do not see everything that you name."),
        ("missing: one", "bring one", "I do not see everything that you name."),
        ("missing: <b>x", "bring <b>x", "I do not see everything that you name."),
        ("missing: cube_3", "bring cube_3", "I do not see everything that you name."),
        ("missing: " + "na " * 30, "na " * 40, "I do not see everything that you name."),
        ("missing: ana", "bring a banana", "I do not see everything that you name."),
        ("missing: Banane", "bring mir die Banane", "I see no Banane here."),
        ("impossible: on(a, b) is not possible with x", "fly", "I cannot do that."),
        ("zzz: qq", "hm", "I do not understand what you want; please say it in other words."),
        ("", "hm", "I do not understand what you want; please say it in other words."),
    ],
)
def test_a_decline_never_repeats_what_nobody_said(why: str, instruction: str, words: str) -> None:
    assert explain_decline(Declined(why), instruction) == words


def test_a_goal_that_the_kinds_forbid_is_named_in_plain_words() -> None:
    unfit = Unfit("impossible: on(crate, cup) is odd", parse_clause("on(crate, cup)"))
    assert explain_decline(unfit, "do it", FORMS) == "A crate cannot be put on a cup."


def test_a_place_that_cannot_be_seen_is_named() -> None:
    assert cannot_see_which(selection("the cup"), ["cup"]) == "I cannot see where the cup is."


def test_missing_things() -> None:
    assert explain_missing(["banana"]) == "I see no banana here."
    assert explain_missing(["banana", "coffee_machine"]) == (
        "I see no banana and no coffee machine here."
    )
    assert explain_missing(["q7%"]) == "I do not see everything that you name."


@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("the cube not red", "I see no cube that is not red."),
        ("each cube red on crate", "I see no red cube that is on the crate."),
        ("2 cup on oven", "I do not see two cups that are on the oven."),
        ("each thing in drawer", "I see nothing that is in the drawer."),
        ("the thing red", "I see no red thing."),
        ("the cube flibbery", "I see no cube that fits."),
    ],
)
def test_nothing_fits(term: str, words: str) -> None:
    assert explain_nothing_fits(selection(term)) == words


def test_several_fit() -> None:
    assert ask_which_one(selection("the cube on crate"), ("red_cube", "cube_2")) == (
        ClarifyingQuestion("Which cube do you mean?", ("the red cube", "cube 2"))
    )
    assert ask_which_one(selection("the cube red"), ()).text == "Which red cube do you mean?"
    assert ask_which_one(selection("the cube xq"), ()).text == "Which cube do you mean?"


def test_what_cannot_be_seen() -> None:
    assert cannot_see_object("red_cup") == "I cannot see the red cup."
    assert cannot_see_which(selection("the cube red not on crate")) == (
        "I cannot see which cube is red and is not on the crate."
    )
    assert cannot_see_which(selection("the cube leftmost")) == (
        "I cannot see which cube is the leftmost one."
    )
    assert cannot_see_which(selection("the cube xq")) == "I cannot see which cube you mean."


def test_one_reading_is_asked_for() -> None:
    reading = parse_description(["on(cup, crate)"])
    assert ask_which_reading([reading, reading], FORMS) == ClarifyingQuestion(
        "Did you mean this: the cup is on the crate?", ("the cup is on the crate",)
    )
    asked = ask_which_reading([parse_description(["ask closed(oven)"])], FORMS)
    assert asked.text == "Did you want to know whether the oven is closed?"


def test_at_most_three_readings_are_asked_for() -> None:
    readings = [parse_description([f"on(cup, {name})"]) for name in "abcd"]
    question = ask_which_reading(readings, FORMS)
    assert question.text == "Did you mean one of these?"
    assert question.options == tuple(f"the cup is on the {name}" for name in "abc")


def test_garbled_readings_are_left_out() -> None:
    readings = [parse_description(["on(each cup xq, crate)"]), parse_description([])]
    question = ask_which_reading(readings, FORMS)
    assert question == ClarifyingQuestion(
        "I do not understand what you want; please say it in other words."
    )


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ("stowed(crate, red_cube)", "A crate cannot be put into a cube."),
        ("on(each oven, ?cup)", "An oven cannot be put on a cup."),
        ("not on(crate, cup)", "A crate cannot be taken off a cup."),
        ("closed(cup_2)", "A cup cannot be closed."),
        ("not closed(cup)", "A cup cannot be opened."),
        ("touching(cup, oven)", "I cannot make this true: a cup touches an oven."),
        ("tower(each cup)", "I cannot do that."),
        ("ask where(cup)", "I cannot do that."),
    ],
)
def test_impossible_kinds(clause: str, words: str) -> None:
    assert explain_impossible(parse_clause(clause), FORMS) == words


def test_the_kind_of_an_object_may_differ_from_its_name() -> None:
    words = explain_impossible(parse_clause("closed(rex)"), FORMS, {"rex": "dinosaur"})
    assert words == "A dinosaur cannot be closed."


def test_no_plan_and_no_answer() -> None:
    goal = parse_description(["on(cup, crate)", "then closed(oven)"])
    assert explain_no_plan(goal, FORMS) == (
        "I find no way to do this: the cup is on the crate, then the oven is closed."
    )
    garbled = parse_description(["on(each cup xq, crate)"])
    assert explain_no_plan(garbled, FORMS) == "I find no way to do this."
    assert explain_unknown_answer(parse_clause("ask closed(oven)"), FORMS) == (
        "I cannot find out whether the oven is closed."
    )
    assert explain_unknown_answer(parse_clause("ask where(cup)"), FORMS) == (
        "I cannot find out where the cup is."
    )
    assert explain_unknown_answer(parse_clause("ask count(each cup xq)"), FORMS) == (
        "I cannot find that out."
    )
