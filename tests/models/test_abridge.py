"""What the embedded model is asked: the question, without what it was taught."""

from __future__ import annotations

import pytest
from prompt_table import EXAMPLE_SCENE, PROMPTS, PromptFamily

from regrasp.models.abridge import shorten_messages
from regrasp.models.language import Message, Role
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.plan import PlanPrompt

REPORT = "[physical/resisted] Could not pull. It did not follow. (peak_force = 62.5 N)"


def shown(prompt: PlanPrompt) -> str:
    return shorten_messages(prompt.messages())[1].content


@pytest.mark.parametrize("family", PROMPTS, ids=lambda family: family.name)
def test_the_head_shrinks_to_the_name_of_the_question(family: PromptFamily) -> None:
    system, user = shorten_messages(family.example.messages())
    assert system.content == f"Task: {family.example.purpose}"
    assert user.content


def test_a_plan_is_told_neither_joints_nor_spots_nor_evidence() -> None:
    tried = FailedAttempt((), "Open the oven", ("broom is blocking oven_handle",), REPORT)
    text = shown(PlanPrompt("find the ripe pear", EXAMPLE_SCENE, attempts=(tried,)))
    assert "joint" not in text and "spot" not in text and "peak_force" not in text
    assert '- robot: "resisted"' in text
    assert "- oak_cupboard: cupboard; can open, put in; now closed" in text
    assert '- why: "broom is blocking oven_handle"' in text


def test_a_bare_number_says_nothing() -> None:
    tried = FailedAttempt((), "Open the oven", (), "0.83")
    assert "robot" not in shown(PlanPrompt("open the oven", EXAMPLE_SCENE, attempts=(tried,)))


def test_a_motion_plan_keeps_its_joints() -> None:
    motion = next(family for family in PROMPTS if family.name == "motion_plan").example
    assert shorten_messages(motion.messages())[1].content == motion.render()


def test_what_is_seen_is_never_cut() -> None:
    sign = "x; joint a by b; spot c"
    tried = FailedAttempt((), "Open the oven", (sign,))
    assert sign in shown(PlanPrompt("open the oven", EXAMPLE_SCENE, attempts=(tried,)))


def test_a_plan_over_skills_is_told_skills_and_what_is_known_not_what_happened() -> None:
    asked = next(family for family in PROMPTS if family.name == "skill_plan").example
    text = shorten_messages(asked.messages())[1].content
    assert "- oak_cupboard: cupboard; now closed\n" in text and "- blue_mug: mug\n" in text
    whole = asked.render().partition("Skills:")[2]
    assert "\nHappened:\n" in whole
    assert text.partition("Skills:")[2] == whole.partition("\nHappened:\n")[0]


def test_a_goal_is_asked_with_names_and_forms_alone() -> None:
    asked = next(family for family in PROMPTS if family.name == "goal").example
    text = shorten_messages(asked.messages())[1].content
    assert ", blue_mug, white_mug, " in text and "can pick" not in text
    assert "- on(X, Y): X is on Y\n" in text
    said = asked.render().partition("Instruction:")[2]
    assert text.partition("Instruction:")[2] == said and "; Y " not in text


def test_constraints_are_asked_without_the_names_that_the_call_has() -> None:
    asked = next(family for family in PROMPTS if family.name == "constraints").example
    text = shorten_messages(asked.messages())[1].content
    kept = [line for line in asked.render().split("\n") if not line.startswith("Names: ")]
    assert text == "\n".join(kept) and "Names" in asked.render()


def test_other_conversations_are_left_alone() -> None:
    for messages in (
        (Message(Role.USER, "Task: plan"),),
        (Message(Role.SYSTEM, "You are kind."), Message(Role.USER, "Objects:\n- a: b; spot c")),
        (),
    ):
        assert shorten_messages(messages) == messages


def test_a_place_whose_state_nobody_saw_is_told_as_closed() -> None:
    text = shown(PlanPrompt("open the oven", EXAMPLE_SCENE))
    assert "- oven: oven; can open, put in; now closed" in text
    assert "- ripe_pear: pear; can pick; not in sight" in text
    assert text.count("now closed") == 2
