"""Instructions with an order in time, and about doors that are locked, closed or both.

"Put it on the desk first and later in the drawer" has two stages, and its end alone is not the
goal. "Closed", "not locked" and "unlocked" are three facts, which people keep apart.
"""

from __future__ import annotations

import random
from dataclasses import replace

from regrasp.core.goal_description import Clause, ClauseMode
from regrasp.lab.language.instruction_nouns import Noun, RetryError
from regrasp.lab.language.instruction_parts import (
    PLACES,
    PUT,
    InstructionMaker,
    SpokenInstruction,
    clause_about,
    english_speaker,
    one_of,
    place,
    spoken_instruction,
)
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import DeclineReason

__all__ = ["stages"]

_SWITCHED = {
    "turned_on": (("switch on {x}", "turn {x} on", "power up {x}", "start {x}"),
                  ("switch {x} off", "turn off {x}", "power down {x}", "stop {x}")),
    "open": (("open {x}", "open up {x}", "get {x} open"),
             ("close {x}", "shut {x}", "push {x} shut")),
}  # fmt: skip
"""Texts that make a concept true, and that make it false."""

_LOCK_TEXTS = {
    "locked": ("lock {x}", "{x} has to be locked", "make sure {x} is locked", "bolt {x}",
               "put {x} under lock and key", "{x} should be locked, please",
               "I want {x} locked", "{x} must not stay unlocked", "secure {x} with the lock"),
    "unlocked": ("unlock {x}", "{x} should be unlocked", "release the lock of {x}",
                 "{x} must not be locked", "make sure that {x} isn't locked",
                 "take the lock off {x}", "undo the bolt of {x}", "{x} has to be unlocked",
                 "{x} shouldn't be locked any more", "free the lock on {x}"),
    "closed": ("shut {x}", "close {x}", "{x} should be shut", "{x} must not stand open",
               "pull {x} to", "{x} mustn't be left open", "make sure that {x} isn't open",
               "{x} is to be closed", "see to it that {x} is not open"),
    "open": ("open {x}", "{x} should stand open", "{x} must not be shut", "open {x} up",
             "make sure {x} isn't closed", "pull {x} open", "{x} is not supposed to be closed",
             "swing {x} open"),
}  # fmt: skip
_LOCK_PAIRS = {
    ("closed", "locked"): ("close and lock {x}", "shut {x} and lock it", "lock {x} up tight, shut "
                           "and bolted", "{x} should be both shut and locked"),
    ("closed", "unlocked"): ("close {x} but don't lock it", "{x} should be shut, not locked",
                             "shut {x}, but leave the lock undone", "closed but unlocked, that's "
                             "how I want {x}"),
    ("unlocked", "open"): ("unlock {x} and open it", "{x} has to be unlocked and opened",
                           "undo the lock of {x} and pull it open"),
}  # fmt: skip


def stages(rng: random.Random, words: Words) -> SpokenInstruction:
    """A scene, an instruction for it and the right reply."""
    return one_of(_MAKERS, rng, words)


def _twice(rng: random.Random, words: Words) -> SpokenInstruction:
    """The same object in two places, one after the other."""
    concepts = [rng.choice(("on", "inside", "on", "inside", "beside")) for _ in range(2)]
    roles = [PLACES[concept][0] for concept in concepts]
    needed = [("item", "", 1), *((r if r != "any" else "surface", "", 1) for r in roles)]
    world = make_world(rng, words, rng.random() < 0.5, needed, tuple(concepts))
    speaker = english_speaker(world, rng, words)
    item = speaker.named("item")
    taken = {str(item.term)}
    ends: list[Noun] = []
    for role in roles:
        ends.append(place(speaker, role, taken))
        taken.add(str(ends[-1].term))
    a, b = (f"{rng.choice(PLACES[c][1])} {e.words}" for c, e in zip(concepts, ends, strict=True))
    verb = rng.choice(PUT)
    text = rng.choice(
        (
            f"{verb} {item.words} {a}, then {b}",
            f"{verb} {item.words} {a} and after that {b}",
            f"first {verb} {item.words} {a}, later {b}",
            f"{item.words} goes {a} first and {b} afterwards",
            f"{verb} {item.words} {a}. When it is there, move it {b}.",
            f"start by putting {item.words} {a}; finish with it {b}",
            f"before {item.words} ends up {b}, it has to be {a} once",
            f"{item.words}: to begin with {a}, and then {b}",
            f"1. {item.words} {a} 2. the same thing {b}",
        )
    )
    clauses = [
        clause_about(speaker, concept, item.term, end.term, later=later)
        for concept, end, later in zip(concepts, ends, (False, True), strict=True)
    ]
    return spoken_instruction(speaker, clauses, text)


def _there_and_back(rng: random.Random, words: Words) -> SpokenInstruction:
    """Switched on and off again, opened and closed again, or the other way round."""
    concept = rng.choice(sorted(_SWITCHED))
    role = {"turned_on": "machine", "open": "openable"}[concept]
    world = make_world(rng, words, rng.random() < 0.5, ((role, "", 1),), (concept,))
    speaker = english_speaker(world, rng, words)
    thing = speaker.named(role)
    made, undone = _SWITCHED[concept]
    clause = clause_about(speaker, concept, thing.term)
    first, second = rng.choice(made), rng.choice(undone).format(x="it")
    off = replace(clause, positive=not clause.positive)
    clauses = [clause, replace(off, later=True)]
    if rng.random() < 0.4:
        first, second = rng.choice(undone), rng.choice(made).format(x="it")
        clauses = [off, replace(clause, later=True)]
    first = first.format(x=thing.words)
    text = rng.choice(
        (
            f"{first} and then {second} again",
            f"{first}, then {second} again",
            f"{first} for a moment, afterwards {second}",
            f"first {first}, then {second}",
            f"{first}. A minute later, {second} again",
            f"{first} and {second} again after that",
        )
    )
    return spoken_instruction(speaker, clauses, text)


def _two_orders(rng: random.Random, words: Words) -> SpokenInstruction:
    """Two orders of which the one that is said last may come first."""
    world = make_world(rng, words, rng.random() < 0.4)
    speaker = english_speaker(world, rng, words)
    first = speaker.imperative()
    names = {word for c in first.clauses for arg in c.args for word in str(arg).split()}
    speaker.avoided = names
    second = speaker.imperative()
    if set(first.clauses) & set(second.clauses):
        raise RetryError
    a, b = first.words, second.words
    text = rng.choice(
        (
            f"{a}, then {b}", f"{a} and then {b}", f"first {a}, then {b}", f"{b}, but first {a}",
            f"{a} before you {b}", f"before you {b}, {a}", f"{b} once you have done this: {a}",
            f"{a}. That comes first. Then {b}", f"step one: {a}. step two: {b}",
            f"{b} - but not before you {a}", f"don't {b} until you {a}",
            f"{a}; as soon as that's finished, {b}", f"to start with, {a}. to finish, {b}",
            f"1) {a} 2) {b}", f"{b} last, {a} first", f"{a}, wait a moment, and {b}",
            f"{b} afterwards, but now {a}", f"begin with this: {a}. continue with this: {b}",
        )
    )  # fmt: skip
    later = (replace(second.clauses[0], later=True), *second.clauses[1:])
    return spoken_instruction(speaker, [*first.clauses, *later], text)


def _locks(rng: random.Random, words: Words) -> SpokenInstruction:
    """Locked, unlocked, closed and open, in scenes where all or some of them are forms."""
    forms = [rng.choice(("closed", "open"))] if rng.random() < 0.85 else []
    forms += [rng.choice(("locked", "unlocked"))] if rng.random() < 0.75 or not forms else []
    world = make_world(
        rng, words, rng.random() < 0.5, (("openable", "", rng.choice((1, 1, 2))),), tuple(forms)
    )
    speaker = english_speaker(world, rng, words)
    thing = place(speaker, "openable", set())
    concepts: tuple[str, ...] = (rng.choice(sorted(_LOCK_TEXTS)),)
    texts = _LOCK_TEXTS[concepts[0]]
    if rng.random() < 0.35:
        concepts, texts = rng.choice(sorted(_LOCK_PAIRS.items()))
    clauses = _facts(speaker, concepts, thing)
    text = rng.choice(texts).format(x=thing.words)
    if rng.random() < 0.15 and len(concepts) == 1 and clauses:
        stay = {"locked": "locked", "unlocked": "unlocked", "closed": "shut", "open": "open"}
        text = rng.choice(
            ("keep {x} {s} the whole time", "{x} stays {s}", "leave {x} {s}, whatever you do")
        ).format(x=thing.words, s=stay[concepts[0]])
        clauses = [replace(clause, mode=ClauseMode.KEEP) for clause in clauses]
    return spoken_instruction(speaker, clauses, text)


def _facts(speaker: Speaker, concepts: tuple[str, ...], thing: Noun) -> list[Clause]:
    """One clause for each concept; without a form for one of them the order is impossible."""
    found = []
    for concept in concepts:
        said = speaker.world.express(concept, True)
        if said is None:
            speaker.refusal = speaker.refusal or f"Cannot: {DeclineReason.IMPOSSIBLE}"
        else:
            found.append(Clause(said[0], (thing.term,), positive=said[1]))
    return found


_MAKERS: tuple[InstructionMaker, ...] = (
    _twice, _there_and_back, _two_orders, _two_orders, _two_orders, _locks, _locks,
)  # fmt: skip
