"""Goals in plain English: for a person, and as an instruction for a planner."""

from __future__ import annotations

import pytest

from regrasp.core.goal import parse_goal
from regrasp.core.goal_description import parse_clause, parse_description
from regrasp.prompts.goal import GoalForm
from regrasp.prompts.goal_words import as_instruction, clause_words, goal_words
from regrasp.prompts.term_words import name_words, plural_words, term_words

KINDS = ("cube", "cup", "crate", "oven", "cabinet", "drawer")
FORMS = (
    GoalForm("on", (KINDS, KINDS), "X is on Y"),
    GoalForm("stowed", (KINDS, KINDS), "X is inside Y"),
    GoalForm("closed", (KINDS,), "X is closed"),
    GoalForm("touching", (KINDS, KINDS), "X touches Y"),
    GoalForm("holding", (KINDS,), "the robot holds X"),
    GoalForm("handempty", (), "the hand of the robot is empty"),
    GoalForm("pressed", (KINDS,), "X has been pressed"),
    GoalForm("between", (KINDS, KINDS, KINDS), "X is between Y and Z"),
    GoalForm("inroom", (KINDS, KINDS), "X is in the room Y"),
    GoalForm("blocking", (KINDS, KINDS), "X is blocking Y"),
    GoalForm("same_colour", (KINDS, KINDS), "X has the same colour as Y"),
)


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ("on(red_cube, crate)", "the red cube is on the crate"),
        ("not closed(oven)", "the oven is not closed"),
        ("on(?apple, crate)", "an apple is on the crate"),
        ("on(each cube not red, crate)", "every cube that is not red is on the crate"),
        ("on(each cube red, crate)", "every red cube is on the crate"),
        ("on(the cube leftmost, crate)", "the leftmost cube is on the crate"),
        ("on(the cube not middle, crate)", "the cube that is not the middle one is on the crate"),
        ("on(some cube in drawer, crate)", "a cube that is in the drawer is on the crate"),
        ("on(2 cube on oven, crate)", "two cubes that are on the oven are on the crate"),
        ("on(12 cube, crate)", "12 cubes are on the crate"),
        ("not on(each cube red, crate)", "no red cube is on the crate"),
        ("not on(each thing, crate)", "nothing is on the crate"),
        ("not on(each thing on crate, crate)", "nothing is on the crate"),
        ("not on(cup, each crate)", "the cup is not on any crate"),
        ("not holding(each cup)", "the robot does not hold any cup"),
        ("not touching(each cup, oven)", "no cup touches the oven"),
        ("keep not on(each cube, crate)", "no cube is ever on the crate"),
        ("keep not touching(each cup, oven)", "no cup ever touches the oven"),
        ("not on(2 cube, crate)", "two cubes are not on the crate"),
        (
            "on(each cube not on oven except red_cube, crate)",
            "every cube that is not on the oven except the red cube is on the crate",
        ),
        (
            "on(each thing like cup_2, crate)",
            "everything that has the same colour as cup 2 is on the crate",
        ),
        (
            "on(2 cube not like oven, crate)",
            "two cubes that do not have the same colour as the oven are on the crate",
        ),
        (
            "on(the cube red not in drawer not on oven, crate)",
            "the red cube that is not in the drawer and is not on the oven is on the crate",
        ),
        (
            "on(each cube not except red_cube, crate)",
            "every cube that is the red cube is on the crate",
        ),
        ("on(some thing, crate)", "something is on the crate"),
        ("on(the thing on oven, crate)", "the thing that is on the oven is on the crate"),
        ("on(each thing red, crate)", "every red thing is on the crate"),
        ("on(each cutlery, crate)", "every piece of cutlery is on the crate"),
        ("touching(cup, oven)", "the cup touches the oven"),
        ("not touching(cup, oven)", "the cup does not touch the oven"),
        ("not touching(2 cup, oven)", "two cups do not touch the oven"),
        ("touching(2 cup, oven)", "two cups touch the oven"),
        ("not holding(cup)", "the robot does not hold the cup"),
        ("holding(2 cup)", "the robot holds two cups"),
        ("handempty()", "the hand of the robot is empty"),
        ("not handempty()", "the hand of the robot is not empty"),
        ("not pressed(cup)", "the cup has not been pressed"),
        ("between(cup, oven, crate)", "the cup is between the oven and the crate"),
        ("inroom(cup, kitchen)", "the cup is in the kitchen"),
        ("shiny(cup)", "the cup is shiny"),
        ("moved(cup)", "the cup is moved to another place"),
        ("not moved(cup)", "the cup stays where it is"),
        ("keep not moved(bottle)", "the bottle stays where it is all the time"),
        ("keep not moved(2 cup)", "two cups stay where they are all the time"),
        ("keep closed(oven)", "the oven is closed all the time"),
        ("keep not on(cup, oven)", "the cup is never on the oven"),
        ("keep not touching(cup, oven)", "the cup never touches the oven"),
        (
            "tower(a_cube, b_cube)",
            "the a cube and the b cube form a tower with the a cube at the bottom",
        ),
        ("tower(each cube)", "all cubes form a tower"),
        ("row(each cube not red)", "all cubes that are not red form a row"),
        ("row(cup, each cube)", "the cup and all cubes form a row"),
        ("swap(cup, oven)", "the cup and the oven change places"),
        ("ask closed(drawer)", "whether the drawer is closed"),
        ("ask not closed(drawer)", "whether the drawer is not closed"),
        ("ask moved(cup)", "whether the cup has moved"),
        ("ask where(cup)", "where the cup is"),
        ("ask where(2 cup)", "where two cups are"),
        ("ask which(each thing in drawer)", "which things are in the drawer"),
        ("ask which(each cup red not on oven)", "which red cups are not on the oven"),
        ("ask count(each cup)", "how many cups there are"),
        ("ask count(each knife)", "how many knives there are"),
        ("ask count(each box on oven)", "how many boxes are on the oven"),
        ("ask count(cup)", "how many objects like the cup there are"),
        ("ask colour(cup)", "which colour the cup has"),
        ("ask colour(2 cup)", "which colour two cups have"),
    ],
)
def test_a_clause_in_words(clause: str, words: str) -> None:
    assert clause_words(parse_clause(clause), FORMS) == words


def test_a_goal_in_words() -> None:
    goal = parse_description(
        ["on(each cube not red, crate)", "then closed(wooden_cabinet)", "keep not moved(bottle)"]
    )
    assert goal_words(goal, FORMS) == (
        "every cube that is not red is on the crate, then the wooden cabinet is closed; "
        "the bottle stays where it is all the time"
    )


def test_clauses_of_one_stage_are_joined_and_a_variable_stays_the_same() -> None:
    goal = parse_description(["on(?cup, crate)", "closed(oven)", "touching(?cup, oven)"])
    assert goal_words(goal, FORMS) == (
        "a cup is on the crate, the oven is closed and the same cup touches the oven"
    )


def test_questions_alone_are_a_goal() -> None:
    assert goal_words(parse_description(["ask where(cup)", "ask count(each cup)"]), FORMS) == (
        "where the cup is; how many cups there are"
    )
    assert goal_words(parse_description([]), FORMS) == ""


@pytest.mark.parametrize(
    ("literals", "words"),
    [
        (
            ["on(red_cube, crate)", "closed(wooden_cabinet)"],
            "put the red_cube on the crate and close the wooden_cabinet",
        ),
        (["not on(red_cube, crate)"], "take the red_cube off the crate"),
        (["stowed(red_cube, drawer)"], "put the red_cube into the drawer"),
        (["not closed(oven)"], "open the oven"),
        (["holding(cup)"], "pick up the cup"),
        (["not holding(cup)"], "put down the cup"),
        (["turned_on(lamp)"], "turn on the lamp"),
        (["not turned_on(lamp)"], "turn off the lamp"),
        (["pressed(button)"], "press the button"),
        (["not blocking(bar, oven)"], "move the bar out of the way of the oven"),
        (["blocking(bar, ?oven)"], "block an oven with the bar"),
        (["handempty()"], "make sure that the hand of the robot is empty"),
        (["not touching(cup, oven)"], "make sure that the cup does not touch the oven"),
        (["on(?cup, tray)", "filled(?cup)"], "put a cup on the tray and fill that cup"),
        (
            ["on(?cube, crate)", "same_colour(?cube, crate)"],
            "put a cube on the crate and make sure that that cube has the same colour as the crate",
        ),
        (["between(a, b, c)"], "make sure that the a is between the b and the c"),
        (["not cooked(egg)"], "make sure that the egg is not cooked"),
        (["open(a)", "open(b)", "open(c)"], "open the a, open the b and open the c"),
        ([], ""),
    ],
)
def test_a_goal_as_an_instruction(literals: list[str], words: str) -> None:
    goal = parse_goal(literals)
    assert as_instruction(goal, FORMS) == words
    assert as_instruction(goal.literals, FORMS) == words


def test_the_sentence_of_a_form_decides_before_its_name() -> None:
    forms = (GoalForm("on", (("lamp",),), "X is turned on"),)
    assert as_instruction(parse_goal(["on(lamp)"]), forms) == "turn on the lamp"
    forms = (GoalForm("at", (("cup",), ("tray",)), "X lies at Y"),)
    assert as_instruction(parse_goal(["at(cup, tray)"]), forms) == (
        "make sure that the cup lies at the tray"
    )


def test_some_of_a_named_thing_has_one_article() -> None:
    forms = (GoalForm("contains", (("dough",), ("ham",)), "there is some Y in X"),)
    goal = parse_goal(["contains(dough, ham)"])
    assert as_instruction(goal, forms) == "make sure that there is some ham in the dough"


def test_names_and_terms_in_words() -> None:
    assert name_words("red_cube") == "the red cube"
    assert name_words("cup_2") == "cup 2"
    assert term_words("?apple") == "an apple"
    assert plural_words("cup") == "the cup"
