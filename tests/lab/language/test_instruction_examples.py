"""Generated instructions: every reply is one that the prompt accepts."""

from __future__ import annotations

import random

from regrasp.core.goal_description import GoalDescription
from regrasp.lab.language.instruction_examples import instruction
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.prompts.parsing import Declined


def test_replies_are_goals_or_refusals() -> None:
    rng = random.Random("test")
    for _ in range(150):
        made = instruction(rng, TRAINING_WORDS)
        assert isinstance(made.prompt.read(made.answer), GoalDescription | Declined), made


def test_what_is_missing_is_named_in_the_instruction() -> None:
    rng = random.Random("missing")
    for _ in range(150):
        made = instruction(rng, TRAINING_WORDS)
        if made.answer.startswith("Cannot: missing: "):
            words = made.answer.removeprefix("Cannot: missing: ").lower().split()
            said = made.prompt.instruction.lower()
            slips = [word for word in words if word not in said]
            assert len(slips) <= 1, made  # one word may be misspelt
