"""The order of a tower, a row or of stages, as an instruction lists it."""

from __future__ import annotations

import pytest

from regrasp.core.goal_description import parse_description
from regrasp.core.object_description import ObjectDescription
from regrasp.planners.unreflected import unreflected_words
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.scene import SceneDescription

NAMES = ("red_block", "green_block", "blue_block", "box", "cabinet")
SCENE = SceneDescription(tuple(map(ObjectDescription, NAMES)))
KINDS = ("block", "box", "cabinet")
FORMS = (
    GoalForm("on", (KINDS, KINDS), "X is on Y"),
    GoalForm("closed", (KINDS,), "X is closed"),
)


def left_over(text: str, *clauses: str) -> tuple[str, ...]:
    return unreflected_words(GoalPrompt(text, SCENE, FORMS), parse_description(clauses))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("stack them in the order red, green, blue", ["tower(red_block, green_block, blue_block)"]),
        ("stack them on the box in the order red_block, blue_block",
         ["tower(box, red_block, blue_block)"]),
        ("stack red, green and blue, in that order", ["tower(red_block, green_block, blue_block)"]),
        ("stack them in the order red, green, blue from the top",
         ["tower(blue_block, green_block, red_block)"]),
        ("stack them in the order red, green, blue",
         ["on(green_block, red_block)", "on(blue_block, green_block)"]),
        ("close the box and the cabinet in that order", ["closed(box)", "then closed(cabinet)"]),
        ("stapel die Blöcke in der Reihenfolge red_block, green_block",
         ["tower(red_block, green_block)"]),
    ],
)  # fmt: skip
def test_a_goal_in_the_order_of_the_list(text: str, clauses: list[str]) -> None:
    assert left_over(text, *clauses) == ()


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("stack them in the order red, green, blue", ["tower(blue_block, green_block, red_block)"]),
        ("stack red, green and blue, in that order", ["tower(green_block, red_block, blue_block)"]),
        ("stack them in the order red, green, blue from the top",
         ["tower(green_block, blue_block, red_block)"]),
        ("close the box and the cabinet in that order", ["closed(cabinet)", "then closed(box)"]),
    ],
)  # fmt: skip
def test_a_goal_in_another_order(text: str, clauses: list[str]) -> None:
    assert any("order" in word for word in left_over(text, *clauses))
