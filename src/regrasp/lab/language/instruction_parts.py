"""Parts of instructions that are told in several phrases: places, groups, clauses, the reply."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

from regrasp.core.goal_description import Clause, Term
from regrasp.core.object_description import kind_endings
from regrasp.lab.language.instruction_nouns import Noun, RetryError
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import InstructionWorld
from regrasp.lab.language.vocabulary import Words

__all__ = [
    "PLACES", "PUT", "InstructionMaker", "SpokenInstruction", "alike", "clause_about",
    "english_speaker", "group_of", "one_of", "place", "relation", "spoken_instruction",
]  # fmt: skip

SpokenInstruction: TypeAlias = tuple[InstructionWorld, str, str]
"""A scene, an instruction for it and the right reply."""

InstructionMaker: TypeAlias = Callable[[random.Random, Words], SpokenInstruction]
"""Draws one of these, or raises `RetryError`."""

PLACES = {
    "on": ("surface", ("on", "on", "onto", "on top of")),
    "inside": ("container", ("in", "in", "into", "inside")),
    "beside": ("any", ("next to", "beside", "near", "by")),
    "under": ("surface", ("under", "underneath", "below")),
}
PUT = ("put", "place", "set", "lay", "move", "bring", "get", "stick", "leave", "drop")


def one_of(
    makers: Sequence[InstructionMaker], rng: random.Random, words: Words
) -> SpokenInstruction:
    """What a random maker makes; it has several tries, so that no maker is rare."""
    make = rng.choice(makers)
    for _ in range(30):
        try:
            return make(rng, words)
        except RetryError:
            continue
    raise RetryError


def english_speaker(world: InstructionWorld, rng: random.Random, words: Words) -> Speaker:
    """A person who speaks English about this scene."""
    return Speaker(world, rng, words, "en")


def spoken_instruction(speaker: Speaker, clauses: list[Clause], text: str) -> SpokenInstruction:
    """The scene, the text with politeness and slips, and the clauses as a reply."""
    rng = speaker.rng
    wraps = speaker.frames.wraps
    if text[:4] in ("put ", "plac", "clea") and rng.random() < 0.2 and "." not in text:
        text = speaker.filled(rng.choice(wraps), {"A": text})
    text = re.sub(r"\b(be|belong|is|are|goes|go) (in|on)to\b", r"\1 \2", speaker.filled(text, {}))
    lines = "\n".join(map(str, dict.fromkeys(clauses)))
    return speaker.world, speaker.finished(text), speaker.refusal or f"Goal:\n{lines}"


def clause_about(speaker: Speaker, concept: str, *args: Term, later: bool = False) -> Clause:
    """A clause of this concept; raises `RetryError` where the scene has no form for it."""
    if concept == "on" and str(args[1]) in speaker.world.having("ground"):
        concept = "on_floor" if "on_floor" in speaker.world.predicates else concept
    found = speaker.world.express(concept, True)
    if found is None:
        raise RetryError
    return Clause(found[0], tuple(args), positive=found[1], later=later)


def relation(rng: random.Random) -> tuple[str, str, str]:
    """A relation, the role of its place, and its preposition."""
    concept = rng.choice(("on", "on", "inside", "inside", "inside", "beside", "under"))
    role, preps = PLACES[concept]
    return concept, role, rng.choice(preps)


def group_of(speaker: Speaker, role: str, least: int, taken: set[str]) -> tuple[str, list[str]]:
    """A kind of which there are at least so many, all in this role, and its objects."""
    heads = Counter(kind_endings(n)[0] for n in speaker.world.having(role))
    fit = [
        head
        for head, count in heads.items()
        if count >= least and count == len(speaker.of_kind(head)) and head not in taken
    ]
    if not fit:
        raise RetryError
    head = speaker.rng.choice(fit)
    return head, speaker.of_kind(head)


def place(speaker: Speaker, role: str, taken: set[str]) -> Noun:
    """A place by name; sometimes one that is not there."""
    if not speaker.refusal and speaker.rng.random() < 0.08:
        return speaker.missing((role,))
    return speaker.named(role, taken=taken)


def alike(speaker: Speaker, least: int, most: int) -> tuple[str, list[str]]:
    """Objects of one kind that a word tells apart."""
    heads = Counter(kind_endings(n)[0] for n in speaker.world.having("item"))
    fit = [
        h for h, n in heads.items()
        if least <= n <= most and n == len(speaker.of_kind(h)) and h not in speaker.of_kind(h)
        and not any(len(name.split("_")) == 2 and name[-1].isdigit() for name in speaker.of_kind(h))
    ]  # fmt: skip
    if not fit:
        raise RetryError
    head = speaker.rng.choice(fit)
    found = speaker.of_kind(head)
    speaker.rng.shuffle(found)
    return head, found
