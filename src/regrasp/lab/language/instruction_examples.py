"""Instructions with their goals: each lesson is a random scene and a person who asks for something.

The goal is drawn first and put in words second, so the answer is known by construction. No sentence
about our own worlds is in the data.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.frames import languages
from regrasp.lab.language.instruction_discourse import discourse
from regrasp.lab.language.instruction_nouns import RetryError
from regrasp.lab.language.instruction_procedures import procedure
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, Words
from regrasp.prompts.goal import GoalPrompt

__all__ = ["InstructionExample", "goal", "instruction"]


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A prompt and the right reply.

    `source` is `activity`, `discourse`, `people` (see `human_instructions`), or the language of the
    frames, e.g. `de`.
    """

    prompt: GoalPrompt
    answer: str
    source: str


def goal(drill: ExampleSource) -> LanguageExample:
    """What does a person want?"""
    made = instruction(drill.rng, drill.words)
    return LanguageExample(made.prompt.messages(), made.answer, room=made.source)


def instruction(rng: random.Random, words: Words) -> InstructionExample:
    """An instruction for a random scene.

    With held-out words there are no activities, because their nouns are part of their texts.
    """
    while True:
        draw = rng.random()
        try:
            if draw < 0.13:
                if words is HELD_OUT_WORDS:
                    continue
                source = "activity"
                world, said, answer = procedure(rng, words)
            elif draw < 0.27:
                source = "discourse"
                world, said, answer = discourse(rng, words)
            else:
                source = rng.choice(languages()) if rng.random() < 0.33 else "en"
                world = make_world(rng, words, plain=source != "en")
                said, answer = Speaker(world, rng, words, source).say()
        except RetryError:
            continue
        return InstructionExample(GoalPrompt(said, world.scene, world.forms), answer, source)
