"""Activities told as people tell them: a title and steps, of which only the end state is the goal.

"Laundry day. I go to the cellar, put the shirt into the washer and start it." What an activity
leaves behind is data (`frames/en_activities_1.json`): `goal` is its usual end, and a step may add
to it.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from regrasp.core.goal_description import Clause, parse_clause
from regrasp.core.object_description import is_of_kind
from regrasp.lab.language.instruction_nouns import RetryError, spoken_noun
from regrasp.lab.language.instruction_speaker import Speaker
from regrasp.lab.language.instruction_worlds import CONCEPTS, InstructionWorld, make_world
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import DeclineReason

__all__ = ["Activity", "activities", "procedure"]

_FILE = Path(__file__).parent / "frames" / "en_activities_1.json"
_SLOT = re.compile(r"{(\w)}")
_WANT = (
    "I want to {0}",
    "I'd like to {0}",
    "time to {0}",
    "let me {0}",
    "I am going to {0}",
    "{0}",
)


@dataclass(frozen=True, slots=True)
class Activity:
    """Things by slot (a role and its nouns), the goal, titles, and steps with what they add."""

    name: str
    things: dict[str, tuple[str, tuple[str, ...]]]
    goal: tuple[str, ...]
    titles: tuple[str, ...]
    steps: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]


@cache
def activities() -> tuple[Activity, ...]:
    """Every activity of the file."""
    found = []
    for entry in json.loads(_FILE.read_text("utf-8")):
        things = {}
        for slot, text in entry["things"].items():
            role, *nouns = text.split()
            things[slot] = (role, tuple(nouns))
        steps = tuple((tuple(s["say"]), tuple(s.get("goal", ()))) for s in entry["steps"])
        found.append(
            Activity(entry["id"], things, tuple(entry["goal"]), tuple(entry["title"]), steps)
        )
    return tuple(found)


def procedure(rng: random.Random, words: Words) -> tuple[InstructionWorld, str, str]:
    """A scene, an activity told in it, and its goal."""
    activity = rng.choice(activities())
    title = rng.choice(activity.titles)
    steps = [(rng.choice(say), goal) for say, goal in activity.steps if rng.random() < 0.8]
    goal = [*activity.goal, *(line for _, added in steps for line in added)]
    if rng.random() < 0.15:
        steps, goal = [], list(activity.goal)
    slots = set(_SLOT.findall(" ".join((title, *goal))))
    steps = [
        (say, added)
        for say, added in steps
        if set(_SLOT.findall(say)) - {"r"} <= slots or added or rng.random() < 0.6
    ]
    slots |= {slot for say, _ in steps for slot in _SLOT.findall(say)}
    chosen = {slot: rng.choice(activity.things[slot][1]) for slot in sorted(slots - {"r"})}
    if len(set(chosen.values())) < len(chosen):
        raise RetryError
    needed = [(activity.things[slot][0], noun, 1) for slot, noun in chosen.items()]
    needed += [("room", "", 1)] if "r" in slots else []
    concepts = tuple(
        dict.fromkeys(parse_clause(_SLOT.sub(r"\1__", line)).predicate for line in goal)
    )
    kept = tuple(c for c in concepts if rng.random() < 0.9) or concepts[:1]
    person = any(CONCEPTS[c].of_person for c in concepts) or rng.random() < 0.4
    world = make_world(rng, words, rng.random() < 0.5, needed, (*kept, *_more(rng, person)), person)
    speaker = Speaker(world, rng, words, "en")
    names = {slot: _object(world, noun, activity, slot) for slot, noun in chosen.items()}
    if "r" in slots:
        names["r"] = rng.choice(world.having("room"))
    clauses = [_clause(world, line, names) for line in goal]
    lines = "\n".join(dict.fromkeys(str(clause) for clause in clauses if clause is not None))
    if not lines:
        raise RetryError
    said = {slot: speaker.definite(speaker.called(name), name) for slot, name in names.items()}
    told = [speaker.filled(say, said) for say, _ in steps]
    text = _told(rng, speaker.filled(title, said), told)
    named = set(_SLOT.findall(" ".join((title, *(say for say, _ in steps)))))
    lacking = sorted(named & set(_SLOT.findall(" ".join(goal))))
    if lacking and rng.random() < 0.06:
        slot = rng.choice(lacking)
        gone = spoken_noun(names[slot]).replace("_", " ")
        if gone not in said[slot] or "_" in said[slot]:
            raise RetryError
        kept_objects = tuple(o for o in world.objects if o.name != names[slot])
        kept_roles = {n: r for n, r in world.roles.items() if n != names[slot]}
        smaller = replace(world, objects=kept_objects, roles=kept_roles)
        return smaller, text, f"Cannot: {DeclineReason.MISSING}: {gone}"
    return world, speaker.finished(text), f"Goal:\n{lines}"


def _more(rng: random.Random, person: bool) -> tuple[str, ...]:
    """Further forms about the person, which the activity does not need."""
    every = [name for name, concept in CONCEPTS.items() if concept.of_person]
    return tuple(c for c in every if person and rng.random() < 0.6)


def _object(world: InstructionWorld, noun: str, activity: Activity, slot: str) -> str:
    """The object of a noun; no other may be meant by the activity."""
    nouns = activity.things[slot][1]
    like = [o.name for o in world.objects if any(is_of_kind(o.name, o.kind, n) for n in nouns)]
    found = [name for name in like if noun in name]
    if len(like) != 1 or not found:
        raise RetryError
    return found[0]


def _clause(world: InstructionWorld, line: str, names: dict[str, str]) -> Clause | None:
    """The clause of a goal line over objects, or None where the scene has no form for it."""
    plain = parse_clause(_SLOT.sub(r"\1__", line))
    found = world.express(plain.predicate, plain.positive)
    if found is None:
        return None
    args = tuple(names[str(arg).removesuffix("__")] for arg in plain.args)
    of_person = CONCEPTS[plain.predicate].of_person and found[0] != world.predicates.get("holding")
    args = (world.person, *args) if of_person and world.person else args
    return Clause(found[0], args, positive=found[1])


def _told(rng: random.Random, title: str, steps: list[str]) -> str:
    """Title and steps in one of the ways in which people write them.

    No text says "then", because the steps are no stages of the goal.
    """
    if not steps:
        return rng.choice(_WANT).format(title)
    style = rng.choice(("sentences", "sentences", "commas", "I", "I", "I commas", "telegram"))
    capital = [step[:1].upper() + step[1:] for step in steps]
    if style == "sentences":
        body = ". ".join(capital) + "."
    elif style == "commas":
        body = ", ".join(steps)
    elif style == "I":
        body = ". ".join(f"I {step}" for step in steps) + "."
    elif style == "I commas":
        body = "I " + ", ".join(steps[:-1]) + (" and " if len(steps) > 1 else "") + steps[-1]
    else:
        short = [re.sub(r"\b(?:the|that|this|my) ", "", step) for step in steps]
        body = rng.choice((", ", " ,", ". ", "; ", " ")).join(short)
    title = title[:1].upper() + title[1:] if rng.random() < 0.7 else title
    if rng.random() < 0.2:
        return f"{rng.choice(_WANT[:5]).format(title[:1].lower() + title[1:])}. {body}"
    return f"{title}{rng.choice(('. ', '. ', '. ', ': ', ' - ', ', '))}{body}"
