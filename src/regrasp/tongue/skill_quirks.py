"""Conditions that no craft has: a skill wants something done first, and another skill does it.

Robots of lessons have them, so that a model goes by what the lines of skills say and not by the
crafts that it knows. The exam has none.
"""

from __future__ import annotations

import random
from dataclasses import replace

from regrasp.prompts.skills import VARIABLES, SkillLine, bound
from regrasp.tongue.skill_worlds import AT, EMPTY, HELD, IN_VIEW, INSIDE, ON, SHUT, SkillWorld
from regrasp.tongue.vocabulary import Words

__all__ = ["quirky"]

_STATES = (
    "ready", "warm", "marked", "dusted", "scanned", "tagged", "oiled", "rinsed", "tied", "lit",
    "charged", "awake", "labelled", "weighed", "level", "counted", "logged",
)  # fmt: skip

_USEFUL = (HELD, HELD, ON, ON, INSIDE, AT, IN_VIEW, SHUT)
"""What the skills that plans are made of make or end; the more often here, the more often so."""


def quirky(world: SkillWorld, words: Words, rng: random.Random) -> SkillWorld:
    """`world` with one condition more, or two, and lines that may tell theirs in another order."""
    useful = [one for said in _USEFUL for one in world.skills if said in (*one.makes, *one.ends)]
    wanting = rng.choice(useful)
    for _ in range(rng.choice((1, 1, 2))):
        world, seer = _with_condition(world, wanting, words, rng)
        wanting = seer  # a second condition is one of the skill that sees to the first
    if rng.random() < 0.5:
        world = replace(world, skills=tuple(_mixed(line, rng) for line in world.skills))
    return world


def _mixed(line: SkillLine, rng: random.Random) -> SkillLine:
    """A line with its sentences in another order, each under its own mark."""
    groups = (line.needs, line.bars, line.makes, line.ends)
    return SkillLine(line.name, line.takes, *(tuple(rng.sample(g, len(g))) for g in groups))


def _with_condition(
    world: SkillWorld, line: SkillLine, words: Words, rng: random.Random
) -> tuple[SkillWorld, SkillLine]:
    """The skill of `line` wants that something is so, or not so; also the skill that sees to it.

    It is so of an argument or of the robot itself.
    """
    about, kinds = rng.choice([*zip(VARIABLES, line.takes, strict=False), ("the robot", ())])
    taken = {thing.name for thing in world.scene.objects} | {one.name for one in world.skills}
    state, name = (_fresh(words, rng, taken) for _ in range(2))
    state = rng.choice(_STATES) if rng.random() < 0.5 else state
    wanted = f"{about} is {state}"
    own = f"X is {state}" if kinds else wanted  # as the line of the skill that sees to it says it
    barred = rng.random() < 0.35
    if barred:
        changed = replace(line, bars=(*line.bars, wanted))
    else:
        ends = (*line.ends, wanted) if rng.random() < 0.25 else line.ends
        changed = replace(line, needs=(*line.needs, wanted), ends=ends)
    needs = _first(world, kinds, rng)
    if barred and rng.random() < 0.5:
        needs = (*needs, own)
    made, ended = ((), (own,)) if barred else ((own,), ())
    seer = SkillLine(name, (kinds,) if kinds else (), needs, (), made, ended)
    skills = [changed if one is line else one for one in world.skills]
    skills.insert(rng.randrange(len(skills) + 1), seer)
    things = [thing.name for thing in world.scene.objects if thing.kind in kinds]
    so = [one for thing in things for one in bound((own,), (thing,))] if kinds else [own]
    start = {one for one in so if rng.random() < (0.85 if barred else 0.1)}
    forms = (*world.forms, own) if rng.random() < 0.85 else world.forms
    more = replace(world, skills=tuple(skills), start=world.start | start, forms=forms)
    return more, seer


def _fresh(words: Words, rng: random.Random, taken: set[str]) -> str:
    while (word := words.coined(rng)) in taken:
        pass
    return word


def _first(world: SkillWorld, kinds: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """What the skill that sees to it needs: to be there, an empty hand, or nothing."""
    there = [
        one.makes[0]
        for one in world.skills
        if one.makes and one.makes[0] in (AT, IN_VIEW) and set(kinds) <= set(one.takes[0])
    ]
    free = [EMPTY] if any(EMPTY in one.needs for one in world.skills) else []
    found = [said for said in (*(there[:1] if kinds else []), *free) if rng.random() < 0.4]
    return tuple(found)
