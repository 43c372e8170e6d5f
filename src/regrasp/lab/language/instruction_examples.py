"""Instructions with their goals: each lesson is a random scene and a person who asks for something.

The answer is known by construction, and no sentence about our own worlds is in the data.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from regrasp.lab.language.frames import frames_of, languages
from regrasp.lab.language.instruction_discourse import discourse
from regrasp.lab.language.instruction_procedures import procedure
from regrasp.lab.language.instruction_speaker import RetryError, Speaker
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import GoalPrompt

__all__ = ["Instruction", "instruction"]


@dataclass(frozen=True, slots=True)
class Instruction:
    """A prompt and the right reply."""

    prompt: GoalPrompt
    answer: str


def instruction(rng: random.Random, words: Words) -> Instruction:
    """An instruction for a random scene."""
    while True:
        draw = rng.random()
        try:
            if draw < 0.13:
                world, said, answer = procedure(rng, words)
            elif draw < 0.27:
                world, said, answer = discourse(rng, words)
            else:
                spoken = rng.choice(languages()) if rng.random() < 0.33 else "en"
                world = make_world(rng, words, plain=spoken != "en")
                said, answer = Speaker(world, rng, words, frames_of(spoken), spoken).say()
        except RetryError:
            continue
        return Instruction(GoalPrompt(said, world.scene, world.forms), answer)
