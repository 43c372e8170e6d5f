"""Instructions that hang together over several phrases: shares, rests, corrections, tools.

"A candle in each basket", "the red one on the tray and the rest in the box", "put it on the desk,
no, on the shelf", "scrub the pan with the sponge and leave that by the sink".
"""

from __future__ import annotations

import random

from regrasp.core.goal_description import (
    Clause,
    ClauseMode,
    Filter,
    Quantifier,
    Selection,
    Term,
)
from regrasp.core.object_description import kind_endings
from regrasp.lab.language.instruction_nouns import Noun, RetryError
from regrasp.lab.language.instruction_parts import (
    PLACES,
    PUT,
    InstructionMaker,
    SpokenInstruction,
    alike,
    clause_about,
    english_speaker,
    group_of,
    one_of,
    place,
    relation,
    spoken_instruction,
)  # fmt: skip
from regrasp.lab.language.instruction_worlds import make_world
from regrasp.lab.language.vocabulary import Words

__all__ = ["discourse"]

_CLEAN = ("clean", "wash", "wipe down", "scrub", "wipe", "polish", "wash off", "tidy up and clean",
          "get rid of the dirt on", "rub clean", "give a good clean to", "freshen up")  # fmt: skip
_DONE = ("when you're done,", "when you are finished,", "afterwards", "after that,", "then",
         "once that is done,", "at the end,", "finally", "and when it's clean,")  # fmt: skip


def discourse(rng: random.Random, words: Words) -> SpokenInstruction:
    """A scene, an instruction for it and the right reply."""
    return one_of(_MAKERS, rng, words)


# ---- shares --------------------------------------------------------------------------------------


def _one_for_each(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "Two plates on each shelf": on(2 plate, each shelf)."""
    concept, role, prep = relation(rng)
    number, places = rng.choice((1, 1, 1, 2, 2, 3)), rng.choice((2, 2, 3))
    role = "surface" if role == "any" else role
    world = make_world(
        rng, words,
        needed=(("item", "", number * places + rng.choice((0, 0, 1, 2))), (role, "", places)),
        concepts=(concept,),
    )  # fmt: skip
    speaker = english_speaker(world, rng, words)
    place, found = group_of(speaker, role, 2, set())
    kind, _ = group_of(speaker, "item", number * len(found), {place})
    k, ks = speaker.spoken(kind), speaker.plural(speaker.spoken(kind))
    j, js = speaker.spoken(place), speaker.plural(speaker.spoken(place))
    some = {
        1: ("a", "one", "a single", "exactly one"),
        2: ("two", "2", "a pair of"),
        3: ("three", "3"),
    }
    many = rng.choice(some[number])
    thing = k if number == 1 else ks
    every = rng.choice((f"each {j}", f"every {j}", f"each of the {js}", f"each one of the {js}"))
    text = rng.choice(
        (
            f"{rng.choice(PUT)} {many} {thing} {prep} {every}",
            f"{prep} {every} there should be {many} {thing}",
            f"I want {many} {thing} {prep} {every}",
            f"{many} {thing} {prep} {every}, please",
            f"{every} should have {many} {thing} {prep} it",
            f"share out the {ks} so that {many} {'is' if number == 1 else 'are'} {prep} {every}",
            f"distribute the {ks}: {many} {prep} {every}",
            f"make sure that {every} ends up with {many} {thing} {prep} it",
        )
    )
    if prep in ("into", "onto"):
        text = f"put {many} {thing} {prep} {every}"
    amount = Selection(Quantifier.SOME, kind, count=number)
    whole = Selection(Quantifier.EACH, place)
    return spoken_instruction(speaker, [clause_about(speaker, concept, amount, whole)], text)


def _each_somewhere(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "Put all the toys into boxes": inside(each toy, some box)."""
    concept, role = rng.choice(
        (("inside", "container"), ("inside", "container"), ("on", "surface"))
    )
    prep = rng.choice(PLACES[concept][1])
    world = make_world(
        rng, words, needed=(("item", "", rng.randint(2, 5)), (role, "", rng.choice((2, 2, 3, 4)))),
        concepts=(concept,),
    )  # fmt: skip
    speaker = english_speaker(world, rng, words)
    place, _ = group_of(speaker, role, 2, set())
    kind, _ = group_of(speaker, "item", 2, {place})
    k, ks = speaker.spoken(kind), speaker.plural(speaker.spoken(kind))
    j, js = speaker.spoken(place), speaker.plural(speaker.spoken(place))
    text = rng.choice(
        (
            f"put all {ks} {prep} {js}", f"put all the {ks} {prep} the {js}",
            f"every {k} goes {prep} a {j}", f"put each {k} {prep} a {j}",
            f"all {ks} should be {prep} {js}", f"pack every {k} {prep} one of the {js}",
            f"the {ks} belong {prep} the {js}, all of them", f"put each {k} {prep} some {j}",
            f"put the {ks} away {prep} the {js}", f"each {k} {prep} a {j} please",
        )
    )  # fmt: skip
    clause = clause_about(
        speaker, concept, Selection(Quantifier.EACH, kind), Selection(Quantifier.SOME, place)
    )
    return spoken_instruction(speaker, [clause], text)


def _sorted(rng: random.Random, words: Words) -> SpokenInstruction:
    """Two to four kinds, each to its place."""
    pairs = rng.choice((2, 2, 3, 4))
    needed = [("item", "", rng.choice((1, 2, 2, 3))) for _ in range(pairs)]
    places = [rng.choice(("surface", "container")) for _ in range(pairs)]
    world = make_world(
        rng, words, needed=(*needed, *((role, "", 1) for role in places)),
        concepts=("on", "inside", "beside"),
    )  # fmt: skip
    speaker = english_speaker(world, rng, words)
    clauses, parts, taken = [], [], set[str]()
    for role in places:
        kind, found = group_of(speaker, "item", 1, taken)
        taken |= {kind, *found}
        concept = rng.choice(("on", "on", "beside")) if role == "surface" else "inside"
        where = place(speaker, role, taken)
        taken |= {str(where.term), kind_endings(str(where.term))[0]}
        prep = rng.choice(PLACES[concept][1])
        if len(found) == 1:
            what: Term = found[0]
            words_for = speaker.definite(speaker.called(found[0]), found[0])
        else:
            what = Selection(Quantifier.EACH, kind)
            plural = speaker.plural(speaker.spoken(kind))
            words_for = rng.choice((f"the {plural}", f"all {plural}", f"all the {plural}", plural,
                                    f"every {speaker.spoken(kind)}"))  # fmt: skip
        clauses.append(clause_about(speaker, concept, what, where.term))
        parts.append((words_for, f"{prep} {where.words}"))
    if rng.random() < 0.5:
        said = [f"{a} {b}" for a, b in parts]
        text = (
            f"{rng.choice(PUT)} "
            + ", ".join(said[:-1])
            + rng.choice((" and ", ", and "))
            + said[-1]
        )
    elif rng.random() < 0.5:
        said = [f"{rng.choice(PUT)} {a} {b}" for a, b in parts]
        text = ", ".join(said[:-1]) + rng.choice((" and ", ", and ", ", and finally ")) + said[-1]
    else:
        verb = rng.choice(("should go", "must go", "have to go"))
        text = rng.choice((". ", "; ", ", ")).join(f"{a} {verb} {b}" for a, b in parts)
    return spoken_instruction(speaker, clauses, text)


# ---- the other one, the rest, corrections --------------------------------------------------------


def _other(rng: random.Random, words: Words) -> SpokenInstruction:
    """ "The red one on the tray, the other one in the box"."""
    count = rng.choice((2, 2, 3, 4))
    world = make_world(
        rng, words, plain=rng.random() < 0.6,
        needed=(("item", "", count), ("surface", "", 1), ("container", "", 1)),
        concepts=("on", "inside"),
    )  # fmt: skip
    speaker = english_speaker(world, rng, words)
    head, found = alike(speaker, 2, 4)
    first = found[0]
    called = f"the {speaker.short_words(first)}"
    concepts = [rng.choice(("on", "inside", "beside")) for _ in range(2)]
    if "beside" in concepts and world.express("beside", True) is None:
        raise RetryError
    taken = {head, *found}
    places = []
    for concept in concepts:
        where = place(speaker, PLACES[concept][0], taken)
        taken.add(str(where.term))
        places.append(where)
    preps = [rng.choice(PLACES[c][1]) for c in concepts]
    if len(found) == 2:
        rest: Term = found[1]
        others = rng.choice(("the other", "the other one", f"the other {speaker.spoken(head)}",
                             "the remaining one"))  # fmt: skip
    else:
        rest = Selection(Quantifier.EACH, head, (Filter("except", first),))
        plural = speaker.plural(speaker.spoken(head))
        others = rng.choice(("the others", "the rest", f"the other {plural}", "all the others",
                             f"the rest of the {plural}", f"the remaining {plural}",
                             "the other ones"))  # fmt: skip
    a = f"{called} {preps[0]} {places[0].words}"
    b = f"{others} {preps[1]} {places[1].words}"
    clauses = [
        clause_about(speaker, concepts[0], first, places[0].term),
        clause_about(speaker, concepts[1], rest, places[1].term),
    ]
    singular = len(found) == 2
    if rng.random() < 0.3:
        clauses[1:] = []
        clauses.append(Clause("moved", (rest,), positive=False, mode=ClauseMode.KEEP))
        stay = "stays" if singular else "stay"
        text = rng.choice(
            (
                f"put {a}, {others} {stay} where {'it is' if singular else 'they are'}",
                f"{called} goes {preps[0]} {places[0].words}. leave {others} alone",
                f"put {a} but don't touch {others}", f"only {called} should go {preps[0]} "
                f"{places[0].words}, {others} {stay} put",
            )
        )  # fmt: skip
        if speaker.world.express(concepts[0], True) is None:
            raise RetryError
        return spoken_instruction(speaker, clauses, text)
    text = rng.choice(
        (
            f"put {a} and {b}", f"put {a}. {others} {'goes' if singular else 'go'} {preps[1]} "
            f"{places[1].words}", f"{a}, {b}", f"place {a} and then put {b}",
            f"{called} goes {preps[0]} {places[0].words}, {b}", f"put {a}, and put {b}",
        )
    )  # fmt: skip
    if "and then" in text:
        clauses[1] = clause_about(speaker, concepts[1], rest, places[1].term, later=True)
    return spoken_instruction(speaker, clauses, text)


def _corrected(rng: random.Random, words: Words) -> SpokenInstruction:
    """The person changes their mind; the last word counts."""
    concept, role, prep = relation(rng)
    world = make_world(
        rng, words, plain=rng.random() < 0.5,
        needed=(("item", "", rng.choice((1, 2, 2))), (role if role != "any" else "surface", "", 2)),
        concepts=(concept,),
    )  # fmt: skip
    speaker = english_speaker(world, rng, words)
    sorry = rng.choice(("no,", "no wait,", "sorry,", "oh no, I mean", "no, I mean", "wait,",
                        "hm, rather", "actually", "or no,", "correction:", "scratch that,",
                        "I meant"))  # fmt: skip
    if rng.random() < 0.5:
        head, found = alike(speaker, 2, 3)
        where = place(speaker, role, {head, *found})
        adjective = speaker.short_words(found[1])
        one = adjective.removesuffix(speaker.spoken(head)) + rng.choice(("one", head))
        text = f"put the {speaker.short_words(found[0])} {prep} {where.words}, {sorry} the {one}"
        return spoken_instruction(
            speaker, [clause_about(speaker, concept, found[1], where.term)], text
        )
    item = speaker.named("item")
    wrong = speaker.named(role, taken={str(item.term)})
    right = speaker.named(role, taken={str(item.term), str(wrong.term)})
    text = rng.choice(
        (
            f"put {item.words} {prep} {wrong.words}, {sorry} {prep} {right.words}",
            f"put {item.words} {prep} {wrong.words}... {sorry} {right.words}",
            f"{item.words} {prep} {wrong.words}, {sorry} {prep} {right.words}",
            f"not {prep} {wrong.words} - {item.words} goes {prep} {right.words}",
        )
    )
    return spoken_instruction(
        speaker, [clause_about(speaker, concept, item.term, right.term)], text
    )


# ---- tools ---------------------------------------------------------------------------------------


def _tools(rng: random.Random, words: Words) -> SpokenInstruction:
    """Something is cleaned with tools, which are then put away."""
    needed = [("tool", "", rng.choice((1, 1, 2)))] + [("tool", "", 1)] * rng.choice((0, 1, 1))
    needed += [("item", "", rng.choice((1, 1, 2, 3))), ("surface", "", 1), ("container", "", 1)]
    dirt = rng.choice((("clean",), ("stained",), ("dusty", "stained"), ("dusty",)))
    wet = rng.random() < 0.35
    concepts = ("on", "inside", "beside", *dirt, *(("soaked",) if wet else ()))
    world = make_world(rng, words, needed=needed, concepts=concepts)
    speaker = english_speaker(world, rng, words)
    tools = [t for t in world.having("tool") if len(speaker.of_kind(kind_endings(t)[0])) == 1]
    if not tools:
        raise RetryError
    used = rng.sample(tools, min(len(tools), rng.choice((1, 1, 2))))
    taken = {*used, *(kind_endings(t)[0] for t in used)}
    clauses: list[Clause] = []
    what = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        if rng.random() < 0.35:
            kind, _ = group_of(speaker, "any", 2, taken)
            noun = Noun(
                Selection(Quantifier.EACH, kind), f"all the {speaker.plural(speaker.spoken(kind))}"
            )
            taken.add(kind)
        elif rng.random() < 0.05 and not speaker.refusal:
            noun = speaker.missing(("any",))
        else:
            noun = speaker.named("any", taken=taken)
            if kind_endings(str(noun.term))[0] in taken:
                raise RetryError
            taken |= {str(noun.term), kind_endings(str(noun.term))[0]}
        what.append(noun)
        found = [c for c in ("clean",) if c in world.predicates]
        dirty = found or [c for c in ("dusty", "stained") if c in world.predicates]
        clauses += [Clause(world.predicates[c], (noun.term,), positive=c == "clean") for c in dirty]
    names = [n.words for n in what]
    objects = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]
    with_tools = " and ".join(f"{'wet ' if wet else ''}{speaker.short_words(t)}" for t in used)
    if wet:
        found_soaked = world.express("soaked", True)
        if found_soaked is None:
            raise RetryError
        clauses = [Clause(found_soaked[0], (t,), positive=found_soaked[1]) for t in used] + clauses
    article = rng.choice(("the ", "the ", "a " if wet or len(used) == 1 else "the "))
    verb = rng.choice(_CLEAN)
    text = rng.choice(
        (
            f"use {article}{with_tools} to {verb} {objects}",
            f"{verb} {objects} with {article}{with_tools}",
            f"{verb} {objects} using {article}{with_tools}",
            f"take {article}{with_tools} and {verb} {objects}",
            f"with {article}{with_tools}, {verb} {objects}",
        )
    )
    if rng.random() < 0.5:
        concept = rng.choice(("on", "inside", "beside"))
        where = place(speaker, PLACES[concept][0], taken)
        them = "it" if len(used) == 1 else rng.choice(("them", "both"))
        tools_again = speaker.short_words(used[0]) if len(used) == 1 else them
        said = f"the {tools_again}" if len(used) == 1 and rng.random() < 0.6 else them
        if said == "it":
            said = f"the {tools_again}"
        prep = rng.choice(PLACES[concept][1])
        text += (
            rng.choice((", ", ". "))
            + f"{rng.choice(_DONE)} {rng.choice(('leave', 'put', 'place'))} {said} "
            + f"{prep} {where.words}"
        )
        clauses += [clause_about(speaker, concept, t, where.term, later=t == used[0]) for t in used]
    return spoken_instruction(speaker, clauses, text)


_MAKERS: tuple[InstructionMaker, ...] = (
    _one_for_each, _each_somewhere, _sorted, _sorted, _other, _corrected, _tools, _tools,
)  # fmt: skip
