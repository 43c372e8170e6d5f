"""Questions about a recipe are answered from the book, which is looked up and not remembered."""

from __future__ import annotations

import pytest

from regrasp.embedded.scripted import ScriptedModel
from regrasp.planners.interpreter import Conversation, Interpreter
from regrasp.planners.recipe_book import RecipeBook
from regrasp.prompts.interpret import InterpretPrompt, ReplyKind
from regrasp.prompts.recipe import Ingredient, Recipe

SHANDY = Recipe(
    "shandy",
    "glass",
    (
        Ingredient("beer", 150.0),
        Ingredient("lemonade", 150.0),
        Ingredient("lemon_slice", 10.0, True),
    ),
    also=("radler",),
)
BOOK = RecipeBook((SHANDY, Recipe("ginger shandy", "glass", (Ingredient("ginger_beer", 150.0),))))


def interpreted(says: str) -> tuple[ReplyKind, str]:
    found = Interpreter(ScriptedModel(), recipes=("shandy",), book=BOOK).interpret(
        says, Conversation()
    )
    return found.kind, found.text


@pytest.mark.parametrize(
    "says",
    (
        "what is in a shandy?",
        "What's in the Radler?",
        "what goes into a shandy",
        "how do you make a shandy?",
        "which ingredients does a shandy have?",
    ),
)
def test_a_question_about_a_recipe_is_answered_from_the_book(says: str) -> None:
    kind, text = interpreted(says)
    assert kind is ReplyKind.ANSWER
    assert (
        "150 ml beer and 150 ml lemonade" in text and "If you like, also 10 ml lemon slice" in text
    )


def test_the_longest_name_is_meant() -> None:
    assert "150 ml ginger beer" in interpreted("what is in a ginger shandy?")[1]


@pytest.mark.parametrize("says", ("can I have a shandy?", "a shandy, please", "make me a radler"))
def test_an_order_is_passed_on(says: str) -> None:
    assert interpreted(says) == (ReplyKind.REQUEST, says)


def test_a_question_about_a_place_is_no_question_about_a_recipe() -> None:
    assert interpreted("what is in the cabinet?")[0] is ReplyKind.REQUEST


def test_a_prompt_without_a_recipe_has_no_section_for_one() -> None:
    assert "Recipe:" not in InterpretPrompt("hello").render()
    asked = InterpretPrompt("what is in a shandy?", recipe=SHANDY).render()
    assert "Recipe:\n- of shandy\n- into glass\n- 150 ml beer" in asked
