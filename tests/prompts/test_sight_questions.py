"""Questions in a fixed spelling, for eyes that answer yes, no or a word."""

from __future__ import annotations

import pytest
from prompt_table import EXAMPLE_SCENE

from regrasp.core.answer import QuestionKind
from regrasp.prompts.names import Names
from regrasp.prompts.steps import Step, Verb
from regrasp.prompts.visual_question import (
    ANYTHING,
    ConditionQuestion,
    ObjectQuestion,
    SideQuestion,
    VisualQuestion,
    obstacle_questions,
)
from regrasp.prompts.visual_question_parser import parse_visual_question


@pytest.mark.parametrize("look", [*ObjectQuestion, *SideQuestion, *ConditionQuestion])
def test_a_question_reads_back(look: ObjectQuestion | SideQuestion | ConditionQuestion) -> None:
    sight = VisualQuestion(
        look,
        "blue_mug",
        "oak_cupboard" if "{b}" in look else "",
        "colour" if "{p}" in look else "",
    )
    assert parse_visual_question(str(sight)) == sight
    assert parse_visual_question(str(sight).lower().replace("_", " ")) == sight
    assert parse_visual_question(str(sight), Names(("blue_mug", "oak_cupboard"))) == sight
    assert parse_visual_question(str(sight), Names(("tray",))) is None
    assert (sight.kind is QuestionKind.OPEN) == (look is ObjectQuestion.ATTRIBUTE)


@pytest.mark.parametrize(
    ("question", "sight"),
    [
        ("Is there anything on the tray?", VisualQuestion(ObjectQuestion.ON, ANYTHING, "tray")),
        ("do you see a broom", VisualQuestion(ObjectQuestion.SEEN, "broom")),
        (
            "What color is the tray?",
            VisualQuestion(ObjectQuestion.ATTRIBUTE, "tray", attribute="colour"),
        ),
        ("Is the mug standing on the tray?", VisualQuestion(ObjectQuestion.ON, "mug", "tray")),
        ("Is the mug in the oven?", VisualQuestion(ObjectQuestion.INSIDE, "mug", "oven")),
        (
            "Is the mug in front of the oven?",
            VisualQuestion(ObjectQuestion.IN_FRONT, "mug", "oven"),
        ),
        ("What is the meaning of this?", None),
        ("", None),
    ],
)
def test_spellings_that_are_understood(question: str, sight: VisualQuestion | None) -> None:
    assert parse_visual_question(question) == sight
    if sight is not None and sight.object == ANYTHING:
        assert str(sight) == question


def test_answers_become_statements() -> None:
    assert (
        VisualQuestion(ObjectQuestion.BLOCKING, "broom", "oven").statement(True)
        == "broom is blocking oven"
    )
    assert (
        VisualQuestion(ObjectQuestion.ON, "broom", "tray").statement(False)
        == "broom is not on tray"
    )
    assert (
        VisualQuestion(ObjectQuestion.ATTRIBUTE, "tray", attribute="colour").statement("red")
        == "tray is red"
    )


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
