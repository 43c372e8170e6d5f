"""Nouns that the scene or the goal does not explain."""

from __future__ import annotations

import pytest

from regrasp.core.goal_description import parse_description
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.planners.unexplained import UnexplainedNouns, unexplained_nouns
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription

SCENE = SceneDescription(
    (
        ObjectDescription("red_cube", affordances=(Affordance.PICK,)),
        ObjectDescription("blue_cube", affordances=(Affordance.PICK,)),
        ObjectDescription("cup", affordances=(Affordance.PICK,)),
        ObjectDescription("apple", affordances=(Affordance.PICK,)),
        ObjectDescription("water"),
        *map(ObjectDescription, ("tray", "bowl", "shelf", "table", "sink", "kitchen", "box")),
        ObjectDescription(
            "wooden_cabinet",
            affordances=(Affordance.OPEN, Affordance.PUT_IN),
            joints=(JointDescription("wooden_cabinet_flap", "wooden_cabinet_knob"),),
        ),
    )
)
KINDS = tuple(dict.fromkeys(one.kind for one in SCENE.objects))
FORMS = (
    GoalForm("on", (KINDS, KINDS), "X is on Y"),
    GoalForm("inside", (KINDS, KINDS), "X is inside Y"),
    GoalForm("closed", (KINDS,), "X is closed"),
    GoalForm("holding", (KINDS,), "X is held by the robot"),
    GoalForm("filled", (KINDS,), "X is filled"),
    GoalForm("handed", (KINDS,), "X has been given to the guest"),
)


def found(text: str, *clauses: str) -> UnexplainedNouns:
    goal = parse_description(clauses) if clauses else None
    return unexplained_nouns(GoalPrompt(text, SCENE, FORMS), goal)


@pytest.mark.parametrize(
    ("text", "clauses", "ignored"),
    [
        ("put the red cube on the tray next to the bowl", ["on(red_cube, tray)"], ["bowl"]),
        ("put the cup in the sink and close the cabinet", ["inside(cup, sink)"], ["cabinet"]),
        ("put the cup in the sink, not touching the box", ["inside(cup, sink)"], ["box"]),
        ("put the cup in the bowl, I mean the sink, by the box", ["inside(cup, sink)"], ["box"]),
        ("is the cup on the table?", ["ask where(cup)"], ["table"]),
        ("put the red cube and the blue cube on the tray", ["on(red_cube, tray)"], ["cube"]),
        ("leave the bowl alone and take the cup", ["holding(cup)"], ["bowl"]),
        ("take the cube from the shelf", ["holding(?cube)"], ["shelf"]),
        ("put everything on the tray by the bowl", ["on(each thing, tray)"], ["bowl"]),
        ("stell die Tasse auf das Tablett neben der Schüssel", ["on(cup, tray)"], ["bowl"]),
        ("mets la tasse sur le plateau à côté du bol", ["on(cup, tray)"], ["bowl"]),
        ("pon la taza en la bandeja junto al cuenco", ["on(cup, tray)"], ["bowl"]),
        ("把杯子放到碗旁边的托盘上", ["on(cup, tray)"], ["bowl"]),
    ],
)
def test_a_place_that_the_goal_ignores(text: str, clauses: list[str], ignored: list[str]) -> None:
    assert found(text, *clauses) == UnexplainedNouns((), tuple(ignored))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("put the red cube on the tray next to the bowl", ["on(red_cube, the tray on bowl)"]),
        ("take the cup from the shelf", ["holding(cup)"]),
        ("pick up the cup on the table", ["holding(cup)"]),
        ("get the red cube out of the box", ["holding(red_cube)"]),
        ("put the cup on the table into the sink", ["inside(cup, sink)"]),
        ("put the cup on the table in the kitchen", ["on(cup, table)"]),
        ("open the door of the cabinet", ["not closed(wooden_cabinet)"]),
        ("pull the flap up", ["not closed(wooden_cabinet)"]),
        ("fill the bowl with water", ["filled(bowl)"]),
        ("put the fruit on the tray", ["on(each fruit, tray)"]),
        ("put the fruit on the tray", ["on(apple, tray)"]),
        ("put the blocks on the tray", ["on(each thing, tray)"]),
        ("put a cube on the tray", ["on(?cube, tray)"]),
        ("put the cubes that are not in the box on the tray", ["on(each cube not in box, tray)"]),
        ("put the cup in the sink, not in the box", ["inside(cup, sink)"]),
        ("put the cup in the bowl, no wait, in the sink", ["inside(cup, sink)"]),
        ("take the red cube, I mean the blue one", ["holding(blue_cube)"]),
        ("put the red cube on the tray, no wait, the blue one", ["on(blue_cube, tray)"]),
        ("the tray could use a red cube on it", ["on(?red_cube, tray)"]),
        ("把桌子上的杯子放到水槽里", ["inside(cup, sink)"]),
        ("give the apple to the guest", ["handed(apple)"]),
    ],
)
def test_a_goal_that_uses_every_thing(text: str, clauses: list[str]) -> None:
    assert not found(text, *clauses)


def test_a_goal_with_another_thing_does_not_explain_a_noun() -> None:
    assert found("close the cupboard", "closed(box)").not_in_goal == ("cupboard",)


def test_a_thing_that_is_not_there_is_not_also_ignored() -> None:
    assert found("put the banana on the tray", "on(apple, tray)") == UnexplainedNouns(("banana",))


def test_an_adjective_of_a_name_explains_no_other_thing() -> None:
    assert found("bring the red banana").not_in_scene == ("banana",)


def test_a_thing_of_an_unknown_kind_may_have_parts_and_be_of_a_group() -> None:
    strange = SceneDescription((ObjectDescription("blicket"),))
    ask = GoalPrompt("open the lid, and put the toy and the banana away", strange, FORMS)
    assert unexplained_nouns(ask).not_in_scene == ("banana",)


def test_without_a_goal_nothing_is_ignored() -> None:
    assert found("put the cup on the tray") == UnexplainedNouns()


STRANGE = SceneDescription(
    tuple(map(ObjectDescription, ("red_cube", "blicket", "gripping_dax", "dax_left")))
)


@pytest.mark.parametrize(
    ("text", "clauses", "ignored"),
    [
        ("put the red cube on the blicket", ["on(red_cube, blicket)"], ()),
        ("put the red cube on the blicket", ["on(red_cube, dax_left)"], ("blicket",)),
        ("put the red cube on the blicket next to the dax", ["on(red_cube, blicket)"], ("dax",)),
        ("take the red cube from the blicket", ["holding(red_cube)"], ()),
        ("move the cube to the left", ["on(red_cube, blicket)"], ()),
    ],
)
def test_what_things_are_called_here_are_nouns_too(
    text: str, clauses: list[str], ignored: tuple[str, ...]
) -> None:
    ask = GoalPrompt(text, STRANGE, FORMS)
    assert unexplained_nouns(ask, parse_description(clauses)) == UnexplainedNouns((), ignored)
