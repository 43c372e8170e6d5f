"""From an instruction to goals: what should be found, opened, put, removed, cleared or used.

The verb says what is wanted, the words between two objects how they should relate ("in", "on top
of", "out of", "away from"). An instruction may hold several goals, and sentences that tell how a
lock opens ("the lock opens when the cube is on the sensor"), which become recipes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from regrasp.models.scripted_rules.claims import ACTUATES
from regrasp.models.scripted_rules.words import Lexicon, Ref
from regrasp.prompts.names import Names
from regrasp.prompts.scene import Can
from regrasp.prompts.steps import Likeness, Step, Verb

__all__ = ["Goal", "Instruction", "Wants", "read_instruction", "use_of"]


class Wants(Enum):
    """What a goal asks for."""

    FIND = auto()
    OPEN = auto()
    CLOSE = auto()
    UNLOCK = auto()
    USE = auto()
    PICK = auto()
    PUT_IN = auto()
    PUT_ON = auto()
    PUT_BY = auto()
    REMOVE = auto()  # out of or off something
    AWAY = auto()  # away from something
    CLEAR = auto()  # nothing on it, or in it
    ROOM = auto()  # nothing in front of it
    LOOK = auto()


@dataclass(frozen=True, slots=True)
class Goal:
    """What is wanted of `thing`, and with respect to which `place`; either may be empty."""

    wants: Wants
    thing: str | Likeness = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Instruction:
    """Goals in order, recipes (a step that unlocks a place, "" for any), and what was not clear."""

    goals: tuple[Goal, ...]
    recipes: tuple[tuple[Step, str], ...] = ()
    unclear: str = ""


_VERBS: tuple[tuple[Wants, str], ...] = (
    (
        Wants.FIND,
        r"find|locate|search(?: around)?(?: for)?|look(?:ing)?(?: around| everywhere)? for|seek|"
        r"hunt(?: down| for)?|where(?:'s| is| are)|spot|discover|track down|show me",
    ),
    (Wants.ROOM, r"make (?:some |more )?(?:room|space)|(?:clear|free) the (?:way|space|area)"),
    (
        Wants.CLEAR,
        r"clear|empty|unload|declutter|free up|tidy up|tidy|unblock|"
        r"(?:take|remove|get|move) (?:everything|anything|all|whatever is)",
    ),
    (Wants.UNLOCK, r"unlock|unlatch"),
    (Wants.LOOK, r"look (?:inside|in|into|at)|inspect|examine|check"),
    (Wants.CLOSE, r"close(?! to)|shut"),
    (Wants.OPEN, r"open(?:ed)?(?: up)?"),
    (Wants.REMOVE, r"remove|take|fetch|retrieve|extract|unpack|get rid of|bring out|withdraw"),
    (Wants.PICK, r"pick(?: up)?|grab|grasp|lift(?: up)?|raise|hold"),
    (Wants.USE, r"pull|press|push|flip|turn|twist|rotate|toggle|activate|operate|switch on"),
    (
        Wants.PUT_IN,
        r"place|put|move|tuck|stow|stash|store|set|drop|lay|stick|slide|insert|bring|get|transfer|"
        r"relocate|deposit|load|pop|leave|belongs?|goes|go|should|must|ends? up|want|need|return|"
        r"stack|hide|shelve|keep|carry|deliver|position|rest",
    ),
)
_VERB = tuple((wants, re.compile(rf"\b(?:{pattern})\b", re.I)) for wants, pattern in _VERBS)
_RELATIONS: tuple[tuple[Wants, str], ...] = (
    (Wants.AWAY, r"away from|clear of|out of the way of|far from"),
    (Wants.ROOM, r"in front of|before"),
    (Wants.REMOVE, r"out of|out from|from|off of|off"),
    (Wants.PUT_BY, r"next to|beside|near|close to|by"),
    (Wants.PUT_ON, r"on top of|on to|onto|on|atop|upon|over"),
    (Wants.PUT_IN, r"in|into|inside|within"),
    (Wants.PUT_BY, r"to"),
)
_RELATION = tuple((wants, re.compile(rf"\b(?:{p})\b", re.I)) for wants, p in _RELATIONS)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|;")
_CLAUSE = re.compile(
    r",?\s+(?:and then|then|and|before|after that)\s+(?=(?:"
    + "|".join(pattern for _, pattern in _VERBS)
    + r")\b)",
    re.I,
)
_LOCKS = re.compile(
    r"\b(?:un)?lock(?:s|ed|ing)?\b|\bopens? (?:only )?(?:when|if|once|while)\b", re.I
)
_SAME = re.compile(r"\b(?:same|match\w*|identical|equal|alike|shares?)\b", re.I)
_ATTRIBUTE = re.compile(r"\b(?:colou?r\w*|size|shape|material)\b", re.I)


def use_of(name: str, words: Lexicon) -> Step | None:
    """The step that works a lever, button or knob."""
    thing = words.scene.owner(name)
    verbs = {Can.PULL: Verb.PULL, Can.PRESS: Verb.PRESS, Can.TURN: Verb.TURN}
    can = [c for c in ACTUATES if thing is not None and c in thing.can]
    return Step(verbs[can[0]], name) if can else None


def read_instruction(text: str, words: Lexicon) -> Instruction:
    """The goals of an instruction over the objects that `words` knows."""
    goals: list[Goal] = []
    recipes: list[tuple[Step, str]] = []
    unclear = ""
    for sentence in filter(None, map(str.strip, _SENTENCE.split(text))):
        recipe = _recipe(sentence, words) if _LOCKS.search(sentence) else None
        if recipe is not None:
            recipes.append(recipe)
        starts = re.match(r"(?:please |now )?(?:unlock|open)\b", sentence, re.I)
        if recipe is not None and not (starts and not goals):
            continue
        for clause in _CLAUSE.split(sentence):
            goal = _goal(clause, words, goals[-1] if goals else None)
            if isinstance(goal, Goal):
                goals += [goal] if goal not in goals else []
            else:
                unclear = unclear or goal
    return Instruction(tuple(goals), tuple(recipes), "" if goals else unclear)


def _recipe(sentence: str, words: Lexicon) -> tuple[Step, str] | None:
    """The step by which a sentence says that something is unlocked."""
    names = [ref.name for ref in words.refs(sentence)]
    things = [words.scene.owner(name) for name in names]
    place = next((o.name for o in things if o is not None and Can.OPEN in o.can), "")
    for name in names:
        if (step := use_of(name, words)) is not None and words.owner(name) != place:
            return step, place
    mover = next((o.name for o in things if o is not None and Can.PICK in o.can), "")
    stand = next((o.name for o in things if o is not None and Can.PUT_ON in o.can), "")
    return (Step(Verb.PUT_ON, mover, stand), place) if mover and stand else None


def _goal(clause: str, words: Lexicon, before: Goal | None) -> Goal | str:
    """The goal of one clause, or what is not clear about it."""
    verbs = [(m.start(), i) for i, (_, v) in enumerate(_VERB) if (m := v.search(clause))]
    if not verbs:
        return f"no verb that I know in '{clause}'"
    at, index = min(verbs)
    wants = _VERB[index][0]
    after = _VERB[index][1].search(clause)
    rest = clause[after.end() if after else at :]
    if wants is Wants.FIND:
        return _find(rest, words, before)
    verb = clause[at : after.end() if after else at]
    refs = _merged(words.refs(clause.replace(verb, "the".ljust(len(verb)), 1)), clause, words)
    alike = _likeness(clause, refs, words)
    if alike is not None:
        return alike
    if not refs and before is not None and re.search(r"\b(?:it|them)\b", clause):
        refs = _pronoun(before, clause)
    elif len(refs) == 1 and before is not None and (it := re.search(r"\bit\b", clause)):
        refs = _with_pronoun(refs[0], before, it, words)
    if not refs:
        return f"I do not know which object '{rest.strip()}' speaks of"
    return _related(wants, clause, refs, words)


def _find(rest: str, words: Lexicon, before: Goal | None) -> Goal | str:
    phrase = re.split(r"\b(?:for me|please|which|that|somewhere|anywhere|and)\b|[,.?!]", rest)[0]
    phrase = re.split(r"\s(?:in|inside|around|near|on)\s", f" {phrase.strip()} ")[0].strip()
    name = words.find(phrase) if phrase else None
    if name is not None:
        return Goal(Wants.FIND, name)
    if Names.normal(phrase) in ("", "it", "them"):
        return before if before is not None else "I do not know what to find"
    if len(words.meaning(phrase)) > 1:
        return f"'{phrase}' may be any of {', '.join(words.meaning(phrase))}"
    return Goal(Wants.FIND, Names.normal(phrase))


def _merged(refs: tuple[Ref, ...], clause: str, words: Lexicon) -> tuple[Ref, ...]:
    """`refs` with a part and the object it belongs to told as one ("the spot inside the chest")."""
    kept: list[Ref] = []
    for ref in refs:
        if kept and words.owner(kept[-1].name) == words.owner(ref.name):
            joined = clause[kept[-1].end : ref.start]
            kept[-1] = Ref(words.owner(ref.name), kept[-1].start, ref.end)
            if _RELATION[5][1].search(joined):  # inside: keep the word for the relation
                kept[-1] = Ref(words.owner(ref.name), ref.start, ref.end)
        else:
            kept.append(ref)
    return tuple(kept)


def _pronoun(before: Goal, clause: str) -> tuple[Ref, ...]:
    name = before.place if before.wants in (Wants.OPEN, Wants.CLOSE) else str(before.thing)
    it = re.search(r"\b(?:it|them)\b", clause)
    return (
        (Ref(name or before.place, it.start(), it.end()),) if it and (name or before.place) else ()
    )


def _with_pronoun(ref: Ref, before: Goal, it: re.Match[str], words: Lexicon) -> tuple[Ref, ...]:
    thing = words.scene.owner(ref.name)
    movable = thing is not None and Can.PICK in thing.can
    name = (before.place or str(before.thing)) if movable else (str(before.thing) or before.place)
    other = Ref(name, it.start(), it.end())
    return tuple(sorted((ref, other), key=lambda r: r.start)) if name != ref.name else (ref,)


def _likeness(clause: str, refs: tuple[Ref, ...], words: Lexicon) -> Goal | None:
    """`the cube with the same colour as the crate on the crate`, however it is put."""
    if not _SAME.search(clause):
        return None
    kinds = {o.kind.lower() for o in words.scene.objects if Can.PICK in o.can}
    said = re.findall(r"[a-z]+", clause.lower())
    kind = next((k for w in said for k in (w, w.removesuffix("s")) if k in kinds), "")
    places = [r for r in refs if not _is_kind(r.name, kind, words)]
    if not kind or not places:
        return None
    found = _ATTRIBUTE.search(clause)
    attribute = found[0].lower() if found and not found[0].lower().startswith("colo") else "colour"
    target = places[-1]
    relation = _relation(clause[: target.start][-24:], last=True)
    wants = _fitting(relation or Wants.PUT_ON, target.name, words)
    like = Likeness(kind, attribute, words.owner(places[0].name))
    return Goal(wants, like, words.owner(target.name))


def _is_kind(name: str, kind: str, words: Lexicon) -> bool:
    thing = words.scene.owner(name)
    return thing is not None and thing.kind.lower() == kind


def _relation(between: str, *, last: bool = False) -> Wants | None:
    """The relation that the words between two objects speak of: the first of them, or the last."""
    found: list[tuple[int, int, Wants]] = []
    for wants, pattern in _RELATION:
        for match in pattern.finditer(between):
            place = -match.end() if last else match.start()
            found.append((place, -len(match[0]), wants))
    return min(found, key=lambda f: f[:2])[2] if found else None


def _fitting(wants: Wants, place: str, words: Lexicon) -> Wants:
    """In or on, whichever the place allows: what is put *in* a stand lies *on* it."""
    thing = words.scene.owner(place)
    can = thing.can if thing is not None else frozenset()
    if wants is Wants.PUT_IN and Can.PUT_IN not in can and Can.PUT_ON in can:
        return Wants.PUT_ON
    if wants is Wants.PUT_ON and Can.PUT_ON not in can and Can.PUT_IN in can:
        return Wants.PUT_IN
    return wants


def _related(wants: Wants, clause: str, refs: tuple[Ref, ...], words: Lexicon) -> Goal | str:
    first, second = refs[0], refs[-1]
    name = first.name
    if wants in (Wants.OPEN, Wants.CLOSE, Wants.UNLOCK, Wants.ROOM, Wants.CLEAR, Wants.LOOK):
        front = re.search(r"\bin front of\b|\bunblock\b|\bway\b", clause, re.I)
        if wants is Wants.CLEAR and (front or not _stands(refs[-1].name, words)):
            wants = Wants.ROOM
        return Goal(wants, place=words.owner(second.name if wants is Wants.ROOM else name))
    if wants is Wants.USE and use_of(name, words) is not None:
        return Goal(Wants.USE, name)
    if len(refs) == 1:
        return _alone(wants, clause, name, words)
    relation = _relation(clause[first.end : second.start])
    if relation is None and clause[: first.start].strip():
        relation = _relation(clause[: first.start])  # "into the chest put the ball"
        first, second = (second, first) if relation is not None else (first, second)
    if relation in (Wants.PUT_IN, Wants.PUT_ON) or (relation is Wants.PUT_BY and _to(clause)):
        relation = _fitting(relation if not _to(clause) else Wants.PUT_IN, second.name, words)
    if relation is None:
        return f"I do not see how {first.name} and {second.name} should relate"
    if relation is Wants.ROOM:
        relation = Wants.AWAY if wants is Wants.REMOVE else Wants.PUT_BY
    place = second.name if relation is Wants.AWAY else words.owner(second.name)
    return Goal(relation, words.owner(first.name), place)


def _to(clause: str) -> bool:
    """Whether the only relation is a plain "to"."""
    rest = re.sub(r"\b(?:next|close) to\b|\bon to\b", " by ", clause, flags=re.I)
    others = (p for wants, p in _RELATION[:6])
    return bool(re.search(r"\bto\b", rest, re.I)) and not any(p.search(rest) for p in others)


def _stands(name: str, words: Lexicon) -> bool:
    thing = words.scene.owner(name)
    return thing is not None and bool(thing.can & {Can.PUT_IN, Can.PUT_ON})


def _alone(wants: Wants, clause: str, name: str, words: Lexicon) -> Goal | str:
    """A goal that speaks of one object only."""
    thing = words.scene.owner(name)
    movable = thing is not None and Can.PICK in thing.can
    if not movable:
        opens = thing is not None and Can.OPEN in thing.can and wants is Wants.USE
        return Goal(Wants.OPEN, place=words.owner(name)) if opens else f"I cannot move {name}"
    if wants is Wants.PICK:
        return Goal(Wants.PICK, name)
    if wants is Wants.REMOVE or re.search(r"\b(?:out of the way|aside|off)\b", clause, re.I):
        return Goal(Wants.REMOVE, name)
    holders = words.scene.that_can(Can.PUT_IN)
    if wants is Wants.PUT_IN and re.search(r"\baway\b|\bstow|\bstash|\bstor", clause, re.I):
        if len(holders) == 1:
            return Goal(Wants.PUT_IN, name, holders[0])
        return f"I do not know where {name} should go: {', '.join(holders) or 'nowhere to put it'}"
    return f"I do not know what to do with {name}"
