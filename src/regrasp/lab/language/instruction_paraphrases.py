"""Instructions from frames that a larger language model wrote (`frames/paraphrases/`).

Slots are those of the other frames, and some more: {p} and {q} are two objects of the kind {k} that
differ by their colours {pw} and {qw}; {m} of a refusal is something that is not there. The goal is
drawn first, as everywhere here. The scene is made for it, so that rare goals are not rare. A share
of the texts is held out: no lesson has them, and an adapter can be measured on them.
"""

from __future__ import annotations

import random
import re
import zlib
from collections import Counter
from dataclasses import replace
from functools import cache

from regrasp.core.goal_description import parse_clause
from regrasp.core.kinds_of_things import COLOURS
from regrasp.core.object_description import kind_endings
from regrasp.lab.language.frames import PARAPHRASES, Clauses, Frames, frames_of, languages
from regrasp.lab.language.instruction_nouns import Noun, RetryError
from regrasp.lab.language.instruction_parts import SpokenInstruction
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_terms import slot_roles
from regrasp.lab.language.instruction_worlds import CONCEPTS, InstructionWorld, make_world
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import LONGEST_GOAL

__all__ = ["is_kept_apart", "make_speaker", "paraphrase", "paraphrased_frames"]

_ENGLISH = 0.76
_DECLINED, _LINKED = 0.13, 0.1
_PER_CENT_APART = 15


def is_kept_apart(text: str) -> bool:
    """Whether a text is held out of the lessons."""
    return zlib.crc32(text.encode()) % 100 < _PER_CENT_APART


@cache
def paraphrased_frames(language: str, apart: bool = False) -> Frames:
    """The frames of a language with the texts that are held out, or with all others.

    Noun phrases, links and polite forms of other frames are among them.
    """

    def chosen(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(text for text in texts if is_kept_apart(text) == apart)

    made, other = frames_of(language, PARAPHRASES), frames_of(language)
    clauses = (replace(e, do=chosen(e.do), state=chosen(e.state)) for e in made.clauses)
    refusals = (replace(e, say=chosen(e.say)) for e in made.refusals)
    phrases = (replace(e, say=chosen(e.say)) for e in made.phrases)
    links = (replace(e, say=chosen(e.say)) for e in made.links)
    return Frames(
        tuple(e for e in clauses if e.do or e.state),
        (*(e for e in phrases if e.say), *other.phrases),
        tuple(e for e in links if e.say) or other.links,
        (*chosen(made.wraps), *other.wraps[::4]),
        tuple(e for e in refusals if e.say),
    )


def paraphrase(rng: random.Random, words: Words, apart: bool = False) -> SpokenInstruction:
    """A scene, an instruction for it and the right reply."""
    abroad = [one for one in languages() if one != "en"]
    language = "en" if rng.random() < _ENGLISH else rng.choice(abroad)
    frames = paraphrased_frames(language, apart)
    draw = rng.random()
    if draw < _DECLINED:
        return _declined(rng, words, language, frames)
    if draw < _DECLINED + _LINKED:
        speaker = _speaker(make_world(rng, words, language != "en"), rng, words, language, frames)
        part = speaker.whole()
    else:
        weights = [len((*e.do, *e.state)) ** 0.5 for e in frames.clauses]
        entry = rng.choices(frames.clauses, weights)[0]
        only = replace(frames, clauses=(entry,))
        speaker = make_speaker(entry, rng, words, language, only)
        part = speaker.wrapped(speaker.clause())
    if len(part.clauses) > LONGEST_GOAL:
        raise RetryError
    lines = "\n".join(map(str, part.clauses))
    return speaker.world, speaker.finished(part.words), speaker.refusal or f"Goal:\n{lines}"


def make_speaker(
    entry: Clauses, rng: random.Random, words: Words, language: str, frames: Frames
) -> Speaker:
    """A person in a scene that is made for one clause frame."""
    speaker = _speaker(_world_for(entry, rng, words, language), rng, words, language, frames)
    if {"p", "q"} & set(slot_roles(entry)):
        speaker.known = _pair(speaker)
    return speaker


def _speaker(
    world: InstructionWorld, rng: random.Random, words: Words, language: str, frames: Frames
) -> Speaker:
    """A person who uses these frames."""
    speaker = Speaker(world, rng, words, language)
    speaker.frames = frames
    speaker.weights = [len((*e.do, *e.state)) ** 0.5 for e in frames.clauses]
    return speaker


def _declined(rng: random.Random, words: Words, language: str, frames: Frames) -> SpokenInstruction:
    """A sentence that no goal stands for; {m} is something that is not there."""
    texts = [(entry.reason, text) for entry in frames.refusals for text in entry.say]
    if not texts:
        raise RetryError  # none of this language is held out
    reason, text = rng.choice(texts)
    speaker = Speaker(make_world(rng, words, language != "en"), rng, words, language)
    slots = {}
    taken: set[str] = set()
    if "{m}" in text:
        slots["m"] = speaker.missing(("any",)).words
        reason = speaker.refusal.removeprefix("Cannot: ")
    for slot in "xyz":
        if f"{{{slot}}}" in text:
            noun = speaker.named("any", taken=taken)
            taken.add(str(noun.term))
            slots[slot] = noun.words
    return speaker.world, speaker.finished(speaker.filled(text, slots)), f"Cannot: {reason}"


def _world_for(entry: Clauses, rng: random.Random, words: Words, language: str) -> InstructionWorld:
    """A scene with the objects and the forms that a frame needs, if they can be had together."""
    roles = slot_roles(entry)
    pair = "p" in roles or "q" in roles
    needed = [
        ("item" if found[0] == "any" else found[0], "", rng.choice((2, 2, 3)) if s == "k" else 1)
        for s, found in roles.items()
        if s not in ("p", "q")
    ]
    if pair:
        one = roles.get("q", roles.get("p", ("item",)))[0]
        needed.insert(0, ("item" if one == "any" else one, "", 2))
    concepts = []
    for line in entry.goal:
        name = parse_clause(re.sub(r"{(\w+)}", r"\1__", line)).predicate
        name = "on" if name in ("tower", "row") else name
        if name in CONCEPTS:
            other = CONCEPTS[name].opposite
            concepts.append(other if other and rng.random() < 0.3 else name)
    plain = language != "en" or pair or rng.random() < 0.3
    return make_world(rng, words, plain, needed, tuple(concepts), coloured=pair)


def _pair(speaker: Speaker) -> dict[str, Noun]:
    """Two objects of one kind that differ by their colours, in the slots p and q."""
    rng = speaker.rng
    kinds = Counter(kind_endings(name)[0] for name in speaker.world.having("any"))
    fit = []
    for kind, count in kinds.items():
        found = speaker.of_kind(kind)
        parts = [name.split("_") for name in found]
        if count == len(found) == 2 and all(len(p) == 2 and p[0] in COLOURS for p in parts):
            fit.append((kind, found))
    if not fit:
        raise RetryError
    kind, found = rng.choice(fit)
    rng.shuffle(found)
    spoken = speaker.spoken(kind)
    nouns = {"k": Noun(kind, spoken), "ks": Noun(kind, speaker.plural(spoken))}
    for slot, name in zip("pq", found, strict=True):
        colour = name.split("_")[0]
        nouns |= {slot: Noun(name, f"the {colour} {spoken}"), f"{slot}w": Noun(colour, colour)}
    return nouns
