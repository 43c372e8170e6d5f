"""Instructions that say what something is for, and special work that most robots cannot do.

"I'd like to sit down on the sofa" means that nothing is on it; "weigh the egg" puts it on the scale
(`frames/en_purposes_1.json`). "Peel the apple" is a goal where the scene has a form for it, and
impossible where it has none, so the forms must be read.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from regrasp.core.goal_description import Clause, Quantifier, Selection, Term, parse_clause
from regrasp.core.object_description import is_of_kind
from regrasp.lab.language.instruction_nouns import Noun, RetryError
from regrasp.lab.language.instruction_parts import (
    SpokenInstruction,
    clause_about,
    english_speaker,
    group_of,
    place,
    spoken_instruction,
)
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import VERBS, InstructionWorld, make_world
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, Words
from regrasp.prompts.goal import DeclineReason

__all__ = ["Purpose", "purpose", "purposes"]

_FILE = Path(__file__).parent / "frames" / "en_purposes_1.json"
_SLOT = re.compile(r"{(\w)}")
_WORK = (
    "{v} {x}", "please {v} {x}", "could you {v} {x}?", "{x} has to be {d}", "I want {x} {d}",
    "get {x} {d}", "{v} {x} for me", "{x} should be {d} when I'm back", "I need you to {v} {x}",
    "make sure {x} gets {d}", "can you {v} {x} now?", "have {x} {d}", "{x}: {v}, please",
    "go and {v} {x}", "would you mind getting {x} {d}?", "it's time to {v} {x}",
)  # fmt: skip
_WORK_AND = (
    "{v} {x} and put it {p}", "put {x} {p} and {v} it", "{v} {x}, then put it {p}",
    "put {x} {p}. {V} it too", "{x} should be {d} and {p}", "I want {x} {d} and {p}",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Purpose:
    """Things by slot (a role and its nouns), the goal, and what people say."""

    name: str
    things: dict[str, tuple[str, tuple[str, ...]]]
    goal: tuple[str, ...]
    say: tuple[str, ...]


@cache
def purposes() -> tuple[Purpose, ...]:
    """Every purpose of the file."""
    found = []
    for entry in json.loads(_FILE.read_text("utf-8")):
        things = {}
        for slot, text in entry["things"].items():
            role, *nouns = text.split()
            things[slot] = (role, tuple(nouns))
        found.append(Purpose(entry["id"], things, tuple(entry["goal"]), tuple(entry["say"])))
    return tuple(found)


def purpose(rng: random.Random, words: Words) -> SpokenInstruction:
    """A scene, an instruction for it and the right reply."""
    if words is HELD_OUT_WORDS or rng.random() < 0.4:
        return _work(rng, words)
    return _served(rng, words)


def _served(rng: random.Random, words: Words) -> SpokenInstruction:
    """What must be true for a purpose; impossible where the thing for it is not there."""
    chosen = rng.choice(purposes())
    text = rng.choice(chosen.say)
    nouns = {slot: rng.choice(listed) for slot, (_, listed) in chosen.things.items()}
    if len(set(nouns.values())) < len(nouns):
        raise RetryError
    implied = sorted(set(nouns) - set(_SLOT.findall(text)))
    lacking = rng.choice(implied) if implied and rng.random() < 0.15 else ""
    needed = [(chosen.things[s][0], noun, 1) for s, noun in nouns.items() if s != lacking]
    needed += [("item", "", 1)] if any("each thing" in line for line in chosen.goal) else []
    concepts = tuple(
        dict.fromkeys(parse_clause(_SLOT.sub(r"\1__", line)).predicate for line in chosen.goal)
    )
    world = make_world(rng, words, rng.random() < 0.6, needed, concepts)
    speaker = english_speaker(world, rng, words)
    names = {
        s: _only(world, chosen.things[s][1], noun) for s, noun in nouns.items() if s != lacking
    }
    bound = {
        slot: Noun(name, speaker.definite(speaker.called(name), name))
        for slot, name in names.items()
    }
    if any("liquid" in world.roles[name] and name != nouns[slot] for slot, name in names.items()):
        raise RetryError  # "white gin"
    words_for = {
        slot: nouns[slot] if "liquid" in world.roles[names[slot]] else noun.words
        for slot, noun in bound.items()
    }
    if lacking:
        listed = chosen.things[lacking][1]
        if any(is_of_kind(o.name, o.kind, n) for o in world.objects for n in listed):
            raise RetryError
        role = chosen.things[lacking][0]
        if role in ("surface", "container") and chosen.name not in ("weigh", "rubbish"):
            raise RetryError
        speaker.refusal = f"Cannot: {DeclineReason.IMPOSSIBLE}"
        return spoken_instruction(speaker, [], speaker.filled(text, words_for))
    clauses = [speaker.bound(line, bound) for line in chosen.goal]
    if speaker.refusal:
        raise RetryError  # the scene has nothing that could be on it
    return spoken_instruction(speaker, clauses, speaker.filled(text, words_for))


def _only(world: InstructionWorld, nouns: tuple[str, ...], noun: str) -> str:
    """The object of a noun; no other may serve the same purpose."""
    like = [o.name for o in world.objects if any(is_of_kind(o.name, o.kind, n) for n in nouns)]
    if len(like) != 1 or noun not in like[0]:
        raise RetryError
    return like[0]


# ---- special work --------------------------------------------------------------------------------


def _work(rng: random.Random, words: Words) -> SpokenInstruction:
    """A verb that only some scenes have a form for."""
    name = rng.choice(sorted(VERBS))
    verb, done = VERBS[name]
    able = rng.random() < 0.45
    needed = (("item", "", rng.choice((1, 1, 2, 3))), ("surface", "", 1))
    concepts = (name, "on") if able else ("on",)
    world = make_world(rng, words, rng.random() < 0.5, needed, concepts)
    if not able and (name in world.predicates or name == "weighed"):
        raise RetryError
    speaker = english_speaker(world, rng, words)
    thing = _worked_on(speaker)
    slots = {"v": verb, "d": done, "x": thing.words, "V": verb[:1].upper() + verb[1:]}
    if not able:
        speaker.refusal = speaker.refusal or f"Cannot: {DeclineReason.IMPOSSIBLE}"
    facts = [clause_about(speaker, name, thing.term)] if able else []
    single = isinstance(thing.term, str)
    if single and rng.random() < 0.25:
        where = place(speaker, "surface", {str(thing.term)})
        text = rng.choice(_WORK_AND)
        put = clause_about(speaker, "on", thing.term, where.term)
        facts = _in_order(text, facts, put)
        return spoken_instruction(speaker, facts, text.format(**slots, p=f"on {where.words}"))
    return spoken_instruction(speaker, facts, rng.choice(_WORK).format(**slots))


def _in_order(text: str, facts: list[Clause], put: Clause) -> list[Clause]:
    """The clauses in the order of the text, the second one later where it says so."""
    if ", then " in text:
        return [*facts, replace(put, later=True)]
    return [put, *facts] if text.startswith("put") else [*facts, put]


def _worked_on(speaker: Speaker) -> Noun:
    """One object, or all of a kind; sometimes one that is not there."""
    rng = speaker.rng
    if rng.random() < 0.2:
        kind, found = group_of(speaker, "item", 2, set())
        plural = speaker.plural(speaker.spoken(kind))
        both = "both" if len(found) == 2 else "all"
        term: Term = Selection(Quantifier.EACH, kind)
        return Noun(
            term, rng.choice((f"all the {plural}", f"{both} {plural}", f"{both} the {plural}"))
        )
    return place(speaker, "item", set())
