"""Instructions with their goals: each lesson is a random scene and a person who asks for something.

The goal is drawn first and put in words second, so the answer is known by construction. No sentence
about our own worlds is in the data.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.frames import languages
from regrasp.lab.language.instruction_changes import changes
from regrasp.lab.language.instruction_discourse import discourse
from regrasp.lab.language.instruction_nouns import RetryError
from regrasp.lab.language.instruction_paraphrases import paraphrase
from regrasp.lab.language.instruction_parts import InstructionMaker
from regrasp.lab.language.instruction_procedures import procedure
from regrasp.lab.language.instruction_purposes import purpose
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_stages import stages
from regrasp.lab.language.instruction_stories import story
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, Words
from regrasp.prompts.goal import GoalPrompt

__all__ = ["ABROAD", "TOLD", "InstructionExample", "goal", "instruction", "paraphrased"]


@dataclass(frozen=True, slots=True)
class InstructionExample:
    """A prompt and the right reply.

    `source` is a key of `TOLD`, `people` (see `human_instructions`), `paraphrase`, or the language
    of the frames, e.g. `de`.
    """

    prompt: GoalPrompt
    answer: str
    source: str


def goal(drill: ExampleSource) -> LanguageExample:
    """What does a person want?"""
    made = instruction(drill.rng, drill.words)
    return LanguageExample(made.prompt.messages(), made.answer, room=made.source)


TOLD: Mapping[str, tuple[float, InstructionMaker]] = {
    "activity": (0.08, procedure),
    "discourse": (0.10, discourse),
    "stages": (0.07, stages),
    "changes": (0.08, changes),
    "purpose": (0.07, purpose),
    "story": (0.04, story),
}
"""The share and the maker of every kind of instruction that is not made of frames alone."""
ABROAD = 0.5
"""How often frames are of a language drawn from all five; otherwise they are English."""


def instruction(rng: random.Random, words: Words) -> InstructionExample:
    """An instruction for a random scene.

    With held-out words there are no activities and purposes with their own nouns, because those are
    part of their texts.
    """
    kinds = (*TOLD, "frames")
    shares = [share for share, _ in TOLD.values()]
    while True:
        source = rng.choices(kinds, (*shares, 1 - sum(shares)))[0]
        if source == "activity" and words is HELD_OUT_WORDS:
            continue
        try:
            if source in TOLD:
                world, said, answer = TOLD[source][1](rng, words)
            else:
                source = rng.choice(languages()) if rng.random() < ABROAD else "en"
                world = make_world(rng, words, plain=source != "en")
                said, answer = Speaker(world, rng, words, source).say()
        except RetryError:
            continue
        return InstructionExample(GoalPrompt(said, world.scene, world.forms), answer, source)


def paraphrased(rng: random.Random, words: Words, apart: bool = False) -> InstructionExample:
    """An instruction from the frames of a larger model; `apart` has those that no lesson has."""
    while True:
        try:
            world, said, answer = paraphrase(rng, words, apart)
        except RetryError:
            continue
        return InstructionExample(GoalPrompt(said, world.scene, world.forms), answer, "paraphrase")
