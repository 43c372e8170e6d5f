"""Words that change what an instruction asks for must show in its goal."""

from __future__ import annotations

import time

import pytest

from regrasp.core.goal_description import parse_description
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.planners.unexplained import unexplained_nouns
from regrasp.planners.unreflected import unreflected_words
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription

PICK = (Affordance.PICK,)
SCENE = SceneDescription(
    (
        ObjectDescription("red_cube", affordances=PICK),
        ObjectDescription("blue_cube", affordances=PICK),
        ObjectDescription("cup", affordances=PICK),
        ObjectDescription("second_glass", affordances=PICK),
        *map(ObjectDescription, ("tray", "table", "microwave")),
        ObjectDescription("cabinet", affordances=(Affordance.OPEN,)),
    )
)
KINDS = tuple(dict.fromkeys(one.kind for one in SCENE.objects))
FORMS = (
    GoalForm("on", (KINDS, KINDS), "X is on Y"),
    GoalForm("inside", (KINDS, KINDS), "X is inside Y"),
    GoalForm("closed", (KINDS,), "X is closed"),
    GoalForm("holding", (KINDS,), "X is held by the robot"),
    GoalForm("filled", (KINDS,), "X is filled"),
    GoalForm("hot", (KINDS,), "X is hot"),
)


def left_over(text: str, *clauses: str) -> tuple[str, ...]:
    return unreflected_words(GoalPrompt(text, SCENE, FORMS), parse_description(clauses))


@pytest.mark.parametrize(
    ("text", "clauses", "words"),
    [
        ("open the cabinet halfway", ["not closed(cabinet)"], ["halfway"]),
        ("put the cup under the table", ["on(cup, table)"], ["under"]),
        ("put the cup behind the cabinet", ["on(cup, table)"], ["behind"]),
        ("put both cubes on the tray", ["on(red_cube, tray)"], ["both"]),
        ("put three cubes on the tray", ["on(2 cube, tray)"], ["three"]),
        ("the cup must not be on the tray", ["on(cup, tray)"], ["not"]),
        ("open the cabinet without moving the cup", ["not closed(cabinet)"], ["without"]),
        ("heat the cup in the cabinet, not in the microwave", ["hot(cup)"], ["not"]),
        ("put either the cup or the cube on it", ["on(cup, tray)", "on(red_cube, tray)"],
         ["either", "or"]),
        ("fill the cup and put it in the microwave", ["inside(cup, microwave)"], ["fill"]),
        ("take the cup off the tray if it is dry", ["not on(cup, tray)"], ["if"]),
        ("if the cup is on the table, would you put it on the tray", ["on(cup, tray)"], ["if"]),
        ("I'd like the cup on the tray if it is hot", ["on(cup, tray)"], ["if"]),
        ("eat the cup", ["holding(cup)"], ["eat"]),
        ("use the microwave with the cup in it", ["holding(cup)"], ["hold"]),
        ("open only the left door of the cabinet", ["not closed(cabinet)"], ["left"]),
        ("put the cube on the tray, then close the cabinet",
         ["on(red_cube, tray)", "closed(cabinet)"], ["then"]),
        ("pile up the cubes with the red one at the bottom", ["tower(each cube)"], ["red"]),
        ("stell die Tasse hinter den Schrank", ["on(cup, table)"], ["hinter"]),
        ("mets la tasse sur la table sans ouvrir le placard", ["on(cup, table)"], ["sans"]),
        ("no abras el armario", ["not closed(cabinet)"], ["no"]),
        ("把杯子放在桌子下面", ["on(cup, table)"], ["下面"]),
        ("put the blue cube, not the red cube, on the tray", ["on(red_cube, tray)"], ["not"]),
        ("take the cube that isn't red", ["holding(red_cube)"], ["that isn't"]),
        ("open the cabinet but not fully", ["not closed(cabinet)"], ["not"]),
        ("leg den roten Würfel nicht auf den Tisch, sondern auf das Tablett",
         ["on(red_cube, table)"], ["nicht"]),
    ],
)  # fmt: skip
def test_a_word_that_the_goal_does_not_reflect(
    text: str, clauses: list[str], words: list[str]
) -> None:
    assert set(words) <= set(left_over(text, *clauses))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("open the cabinet", ["not closed(cabinet)"]),
        ("make sure the cabinet is not open", ["closed(cabinet)"]),
        ("open the cabinet without moving the cup", ["not closed(cabinet)", "keep not moved(cup)"]),
        ("put the cup on the tray, not on the table", ["on(cup, tray)"]),
        ("put the blue cube, not the red cube, on the tray", ["on(blue_cube, tray)"]),
        ("take the cube that isn't red", ["holding(blue_cube)"]),
        ("take the cube, not the red one, the other", ["holding(blue_cube)"]),
        ("the cup should be hot and not cold", ["hot(cup)"]),
        ("leg den roten Würfel nicht auf den Tisch, sondern auf das Tablett",
         ["on(red_cube, tray)"]),
        ("take the cup off the tray if it is there", ["not on(cup, tray)"]),
        ("if the cabinet is shut, then open it", ["not closed(cabinet)"]),
        ("I'd be glad if you could close the cabinet", ["closed(cabinet)"]),
        ("take the cup and the tray apart, they shouldn't touch", ["not on(cup, tray)"]),
        ("heat the cup until it steams", ["hot(cup)"]),
        ("put both cubes on the tray", ["on(each cube, tray)"]),
        ("put two cubes on the tray", ["on(red_cube, tray)", "on(blue_cube, tray)"]),
        ("every cube but the red one goes on the tray", ["on(each cube except red_cube, tray)"]),
        ("put the cube on the tray, then close the cabinet",
         ["on(red_cube, tray)", "then closed(cabinet)"]),
        ("take the cup and then put it on the tray", ["on(cup, tray)"]),
        ("could you put the cup on the tray before lunch, if you don't mind", ["on(cup, tray)"]),
        ("don't forget to close the cabinet", ["closed(cabinet)"]),
        ("if the cabinet is open, close it", ["closed(cabinet)"]),
        ("either cube may go on the tray", ["on(?cube, tray)"]),
        ("put the cup in the second glass", ["inside(cup, second_glass)"]),
        ("put the red cube, no, the blue one on the tray", ["on(blue_cube, tray)"]),
        ("why is the cup not on the tray yet?", ["on(cup, tray)"]),
        ("how many cubes are not on the tray?", ["ask count(each cube not on tray)"]),
        ("get the cup. I have been here for three hours.", ["holding(cup)"]),
        ("stell die Tasse auf das Tablett und mach danach den Schrank zu",
         ["on(cup, tray)", "then closed(cabinet)"]),
        ("不要打开柜子", ["keep closed(cabinet)"]),
    ],
)  # fmt: skip
def test_a_goal_that_reflects_every_word(text: str, clauses: list[str]) -> None:
    assert left_over(text, *clauses) == ()


@pytest.mark.parametrize("words", ["not the cup ", "no, the cup ", "instead of the cup "])
def test_a_long_instruction_is_read_soon(words: str) -> None:
    prompt, goal = GoalPrompt(words * 3000, SCENE, FORMS), parse_description(["on(cup, tray)"])
    began = time.process_time()
    unreflected_words(prompt, goal)
    unexplained_nouns(prompt, goal)
    assert time.process_time() - began < 6
