"""Instructions that set one thing against another: this stays and that goes, not this but that.

"The yellow one stays, the other goes on the crate", "the red, no, the blue cube", "the cup instead
of the mug", "neither of them", "if it is open, close it".
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from regrasp.core.goal_description import (
    ANYTHING,
    Clause,
    ClauseMode,
    Filter,
    Quantifier,
    Selection,
    Term,
)
from regrasp.lab.language.instruction_nouns import RetryError
from regrasp.lab.language.instruction_parts import (
    PLACES,
    PUT,
    InstructionMaker,
    SpokenInstruction,
    alike,
    clause_about,
    english_speaker,
    one_of,
    place,
    relation,
    spoken_instruction,
)
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.vocabulary import COLOURS, Words

__all__ = ["changes"]

_SORRY = ("no,", "no wait,", "sorry,", "er,", "I mean", "no, I mean", "wait,", "or rather",
          "make that", "oops,", "ah no,", "not that,")  # fmt: skip


def changes(rng: random.Random, words: Words) -> SpokenInstruction:
    """A scene, an instruction for it and the right reply."""
    return one_of(_MAKERS, rng, words)


def _still(term: Term) -> Clause:
    return Clause("moved", (term,), positive=False, mode=ClauseMode.KEEP)


# ---- this one and the other ----------------------------------------------------------------------


def _coloured(
    rng: random.Random, words: Words, count: int, concept: str, role: str, language: str = "en"
) -> tuple[Speaker, str, list[str]]:
    """A scene with a kind whose objects differ by their colours."""
    needed = (("item", "", count), (role if role != "any" else "surface", "", 1))
    world = make_world(rng, words, True, needed, (concept,), coloured=True)
    speaker = Speaker(world, rng, words, language)
    head, found = alike(speaker, count, count)
    if any(name.split("_")[0] not in COLOURS or len(name.split("_")) != 2 for name in found):
        raise RetryError
    return speaker, head, found


def _stays(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "The yellow one stays. The other goes on the crate"."""
    concept, role, prep = relation(rng)
    count = rng.choice((2, 2, 2, 3))
    speaker, head, found = _coloured(rng, words, count, concept, role)
    where = place(speaker, role, {head, *found})
    noun = speaker.spoken(head)
    colour = found[0].split("_")[0]
    one = f"the {colour} {rng.choice(('one', noun, ''))}".strip()
    rest: Term = found[1]
    others, go, be = rng.choice(("the other", "the other one", f"the other {noun}")), "goes", "is"
    if count > 2:
        rest = Selection(Quantifier.EACH, head, (Filter("except", found[0]),))
        plural = speaker.plural(noun)
        others = rng.choice(("the others", f"the other {plural}", f"the rest of the {plural}"))
        go, be = "go", "are"
    about = rng.choice((f"the {speaker.plural(noun)}: ", "", f"about the {noun}s: ", ""))
    if one.endswith(noun) or noun in others:
        about = ""
    elif not about:
        one = f"the {colour} {noun}"
    text = about + rng.choice(
        (
            f"{one} stays. {others} {go} {prep} {where.words}",
            f"{one} stays, {others} {go} {prep} {where.words}",
            f"{one} stays where it is, {rng.choice(PUT)} {others} {prep} {where.words}",
            f"don't touch {one}. {others} should be {prep} {where.words}",
            f"{one} is fine, but {others} belong{'s' if go == 'goes' else ''} {prep} {where.words}",
            f"leave {one}, move {others} {prep} {where.words}",
            f"{others} {go} {prep} {where.words}, {one} doesn't",
            f"not {one}! {others} {be} to go {prep} {where.words}",
        )
    )
    clauses = [_still(found[0]), clause_about(speaker, concept, rest, where.term)]
    if "doesn't" in text or "not " in text[:4]:
        clauses = clauses[1:]
    return spoken_instruction(speaker, clauses, text)


_STAYS_ABROAD: Mapping[str, tuple[str, ...]] = {
    "de": ("{a} bleibt, {b} kommt auf {y}", "{a} bleibt stehen. {b} soll auf {y}",
           "lass {a} in Ruhe und stell {b} auf {y}", "{b} gehört auf {y}, {a} bleibt, wo es ist"),
    "fr": ("{a} reste, {b} va sur {y}", "ne touche pas à {a}, mets {b} sur {y}",
           "laisse {a} et pose {b} sur {y}", "{b} doit aller sur {y}, {a} ne bouge pas"),
    "es": ("{a} se queda, {b} va sobre {y}", "no toques {a}, pon {b} sobre {y}",
           "deja {a} y coloca {b} encima de {y}", "{b} tiene que ir sobre {y}, {a} no se mueve"),
    "zh": ("{a}别动，{b}放到{y}上", "{a}留着，把{b}放在{y}上面", "不要碰{a}，{b}要放到{y}上",
           "把{b}放到{y}上去，{a}不动"),
}  # fmt: skip
_OTHER_ABROAD = {
    "de": ("der andere", "die andere", "das andere"), "fr": ("l'autre",),
    "es": ("el otro", "la otra"), "zh": ("另一个", "另外一个"),
}  # fmt: skip


def _stays_abroad(rng: random.Random, words: Words) -> SpokenInstruction:
    """The same in another language."""
    language = rng.choice(sorted(_STAYS_ABROAD))
    speaker, head, found = _coloured(rng, words, 2, "on", "surface", language)
    where = speaker.named("surface", taken={head, *found})
    colour, noun = speaker.colour_word(found[0].split("_")[0]), speaker.spoken(head)
    after = language in ("fr", "es")
    called = f"{noun} {colour}" if after else f"{colour}{'' if language == 'zh' else ' '}{noun}"
    a = speaker.definite(called, found[0])
    b = rng.choice(_OTHER_ABROAD[language])
    text = rng.choice(_STAYS_ABROAD[language]).format(a=a, b=b, y=where.words)
    return spoken_instruction(
        speaker, [_still(found[0]), clause_about(speaker, "on", found[1], where.term)], text
    )


def _mid_sentence(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "Put the red, no, the blue cube on the tray"."""
    concept, role, prep = relation(rng)
    speaker, head, found = _coloured(rng, words, rng.choice((2, 2, 3)), concept, role)
    where = place(speaker, role, {head, *found})
    wrong, right = (name.split("_")[0] for name in found[:2])
    noun, sorry, verb = speaker.spoken(head), rng.choice(_SORRY), rng.choice(PUT)
    text = rng.choice(
        (
            f"{verb} the {wrong}, {sorry} the {right} {noun} {prep} {where.words}",
            f"{verb} the {wrong} {noun}, {sorry} the {right} one, {prep} {where.words}",
            f"{verb} the {wrong} - {sorry} {right} {noun} {prep} {where.words}",
            f"the {wrong} {noun}, {sorry} the {right} one should be {prep} {where.words}",
            f"{verb} the {wrong}... {sorry} the {right} {noun} {prep} {where.words}",
            f"{verb} the {noun}, the {wrong} one, {sorry} the {right}, {prep} {where.words}",
        )
    )
    return spoken_instruction(speaker, [clause_about(speaker, concept, found[1], where.term)], text)


def _instead(rng: random.Random, words: Words) -> SpokenInstruction:
    """Not this object or place, but that."""
    concept, role, prep = relation(rng)
    needed = (("item", "", 1), ("item", "", 1), (role if role != "any" else "surface", "", 2))
    world = make_world(rng, words, rng.random() < 0.6, needed, (concept,))
    speaker = english_speaker(world, rng, words)
    item = speaker.named("item")
    other = speaker.named("item", taken={str(item.term)})
    taken = {str(item.term), str(other.term)}
    where = place(speaker, role, taken)
    wrong = speaker.named(role, taken={*taken, str(where.term)})
    x, w, y, z = item.words, other.words, where.words, wrong.words
    verb = rng.choice(PUT)
    text = rng.choice(
        (
            f"{verb} {x} {prep} {y} instead of {z}", f"{verb} {x} {prep} {y}, not {prep} {z}",
            f"{verb} {x} rather than {w} {prep} {y}", f"{verb} {x}, not {w}, {prep} {y}",
            f"instead of {w}, {verb} {x} {prep} {y}", f"{x} should be {prep} {y} and not {prep} "
            f"{z}", f"not {w} but {x} goes {prep} {y}", f"I don't mean {w}: {verb} {x} {prep} {y}",
            f"forget {w}, {verb} {x} {prep} {y}", f"{verb} {x} {prep} {y}. No, I don't want it "
            f"{prep} {z}",
        )
    )  # fmt: skip
    return spoken_instruction(
        speaker, [clause_about(speaker, concept, item.term, where.term)], text
    )


# ---- none, all but one, if -----------------------------------------------------------------------


def _neither(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "Neither the cup nor the plate should be on the tray"."""
    concept = rng.choice(("on", "on", "inside", "under", "beside"))
    role, preps = PLACES[concept]
    prep = rng.choice([p for p in preps if p not in ("onto", "into")])
    needed = (("item", "", 1), ("item", "", 1), (role if role != "any" else "surface", "", 1))
    world = make_world(rng, words, rng.random() < 0.6, needed, (concept,))
    speaker = english_speaker(world, rng, words)
    first = speaker.named("item")
    second = speaker.named("item", taken={str(first.term)})
    where = place(speaker, role, {str(first.term), str(second.term)})
    a, b, y = first.words, second.words, where.words
    text = rng.choice(
        (
            f"neither {a} nor {b} should be {prep} {y}", f"I want neither {a} nor {b} {prep} {y}",
            f"{a} and {b} must not be {prep} {y}",
            f"{a} has no business {prep} {y}, and {b} hasn't either",
            f"don't let {a} or {b} stay {prep} {y}", f"{a} can't stay {prep} {y}, nor can {b}",
            f"get both {a} and {b} away, neither belongs {prep} {y}",
        )
    )  # fmt: skip
    made = [clause_about(speaker, concept, one.term, where.term) for one in (first, second)]
    return spoken_instruction(speaker, [replace(c, positive=not c.positive) for c in made], text)


def _nothing_but(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "Clear the table, but the vase stays on it"; "nothing may be on the table"."""
    concept = rng.choice(("on", "inside"))
    role, word = (("surface", "on"), ("container", "in"))[concept == "inside"]
    needed = (("item", "", 1), (role, "", 1))
    world = make_world(rng, words, rng.random() < 0.5, needed, (concept,))
    speaker = english_speaker(world, rng, words)
    item = speaker.named("item")
    where = place(speaker, role, {str(item.term)})
    x, y = item.words, where.words
    if concept not in world.predicates:
        raise RetryError
    everything = Filter(word, str(where.term))
    if rng.random() < 0.5:
        text = rng.choice(
            (
                f"{y} must be completely empty", f"nothing may be left {word} {y}",
                f"there shouldn't be a single thing {word} {y}", f"nothing belongs {word} {y}",
                f"I don't want to see anything {word} {y}", f"whatever is {word} {y} must go",
                f"no object may remain {word} {y}", f"take away all there is {word} {y}",
                f"{y} has to be bare" if word == "on" else f"leave {y} with nothing inside",
                f"remove everything from {y}", f"all the stuff {word} {y} has to go somewhere else",
            )
        )  # fmt: skip
        each = Selection(Quantifier.EACH, ANYTHING, (everything,))
        clauses = [Clause(world.predicates[concept], (each, where.term), positive=False)]
        return spoken_instruction(speaker, clauses, text)
    text = rng.choice(
        (
            f"take everything but {x} {'off' if word == 'on' else 'out of'} {y}",
            f"remove all that is {word} {y} except {x}",
            f"nothing may stay {word} {y} apart from {x}",
            f"everything {word} {y} has to go, {x} excepted",
            f"empty {y}, only {x} remains" if word == "in" else f"clear {y}, only {x} remains",
            f"with the exception of {x}, remove everything {word} {y}",
        )
    )
    filters = (everything, Filter("except", str(item.term)))
    each = Selection(Quantifier.EACH, ANYTHING, filters)
    clauses = [Clause(world.predicates[concept], (each, where.term), positive=False)]
    if "remains" in text:
        kept = Clause(world.predicates[concept], (item.term, where.term), mode=ClauseMode.KEEP)
        clauses.append(kept)
    return spoken_instruction(speaker, clauses, text)


_UNLESS = {
    "closed": ("openable", ("if {x} is open, close it", "should {x} be open, shut it",
               "in case {x} is still open, please shut it", "close {x} unless it is closed already",
               "{x} may be open. if so, close it")),
    "open": ("openable", ("if {x} is shut, open it", "should {x} be closed, open it",
             "open {x} unless it's open already", "in case {x} is shut, get it open")),
    "turned_on": ("machine", ("if {x} is off, switch it on", "should {x} not be running, start it",
                  "switch {x} on unless it's on already", "if {x} isn't on yet, turn it on")),
    "not turned_on": ("machine", ("if {x} is still on, switch it off", "turn {x} off if it is on",
                      "should {x} be running, stop it", "in case {x} is on: off with it")),
    "clean": ("any", ("if {x} is dirty, clean it", "wash {x} if it needs it",
              "should {x} be dirty, wash it", "clean {x} unless it is clean")),
    "locked": ("openable", ("if {x} isn't locked, lock it", "lock {x} unless it's locked already",
               "should {x} be unlocked, lock it")),
}  # fmt: skip
"""Conditions that say no more than the goal: what is true already needs nothing."""


def _if_needed(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "If the door is open, close it": closed(door)."""
    key = rng.choice(sorted(_UNLESS))
    role, texts = _UNLESS[key]
    concept = key.removeprefix("not ")
    needed = (("machine" if role == "machine" else "openable", "", 1),)
    world = make_world(rng, words, rng.random() < 0.5, needed, (concept,))
    speaker = english_speaker(world, rng, words)
    thing = place(speaker, role, set())
    clause = clause_about(speaker, concept, thing.term)
    if key.startswith("not "):
        clause = replace(clause, positive=not clause.positive)
    return spoken_instruction(speaker, [clause], rng.choice(texts).format(x=thing.words))


_MAKERS: tuple[InstructionMaker, ...] = (
    _stays, _stays, _stays_abroad, _mid_sentence, _mid_sentence, _instead, _neither, _nothing_but,
    _nothing_but, _if_needed,
)  # fmt: skip
