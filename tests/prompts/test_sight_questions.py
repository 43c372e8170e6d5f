"""Questions in a fixed spelling, for eyes that answer yes, no or a word."""

from __future__ import annotations

import pytest

from regrasp.core.answer import QuestionKind
from regrasp.prompts.names import Names
from regrasp.prompts.reading import read_sight
from regrasp.prompts.sight import ANYTHING, Condition, Look, Side, Sight, obstacle_questions
from regrasp.prompts.steps import Step, Verb
from regrasp.prompts.table import EXAMPLE_SCENE


@pytest.mark.parametrize("look", [*Look, *Side, *Condition])
def test_a_question_reads_back(look: Look | Side | Condition) -> None:
    sight = Sight(
        look,
        "blue_mug",
        "oak_cupboard" if "{b}" in look else "",
        "colour" if "{p}" in look else "",
    )
    assert read_sight(str(sight)) == sight
    assert read_sight(str(sight).lower().replace("_", " ")) == sight
    assert read_sight(str(sight), Names(("blue_mug", "oak_cupboard"))) == sight
    assert read_sight(str(sight), Names(("tray",))) is None
    assert (sight.kind is QuestionKind.OPEN) == (look is Look.ATTRIBUTE)


@pytest.mark.parametrize(
    ("question", "sight"),
    [
        ("Is there anything on the tray?", Sight(Look.ON, ANYTHING, "tray")),
        ("do you see a broom", Sight(Look.SEEN, "broom")),
        ("What color is the tray?", Sight(Look.ATTRIBUTE, "tray", attribute="colour")),
        ("Is the mug standing on the tray?", Sight(Look.ON, "mug", "tray")),
        ("Is the mug in the oven?", Sight(Look.INSIDE, "mug", "oven")),
        ("Is the mug in front of the oven?", Sight(Look.IN_FRONT, "mug", "oven")),
        ("What is the meaning of this?", None),
        ("", None),
    ],
)
def test_spellings_that_are_understood(question: str, sight: Sight | None) -> None:
    assert read_sight(question) == sight
    if sight is not None and sight.object == ANYTHING:
        assert str(sight) == question


def test_answers_become_statements() -> None:
    assert Sight(Look.BLOCKING, "broom", "oven").statement(True) == "broom is blocking oven"
    assert Sight(Look.ON, "broom", "tray").statement(False) == "broom is not on tray"
    assert Sight(Look.ATTRIBUTE, "tray", attribute="colour").statement("red") == "tray is red"


def test_what_to_ask_when_a_step_failed() -> None:
    def asked(step: Step) -> list[str]:
        return [str(sight) for sight in obstacle_questions(step, EXAMPLE_SCENE)]

    assert asked(Step(Verb.OPEN, "oven")) == [
        "Is the blue_mug blocking the oven?",
        "Is the white_mug blocking the oven?",
        "Is the broom blocking the oven?",
    ]
    assert asked(Step(Verb.PUT_ON, "blue_mug", "tray")) == [
        "Is the white_mug on the tray?",
        "Is the broom on the tray?",
        "Is the white_mug on the blue_mug?",
        "Is the broom on the blue_mug?",
    ]
    assert asked(Step(Verb.PUT_IN, "blue_mug", "oven"))[0] == "Is the oven closed?"
    assert "Is the broom blocking the switch?" in asked(Step(Verb.PULL, "switch"))
    assert asked(Step(Verb.OPEN, "unheard_of")) == []
