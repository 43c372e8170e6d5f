"""Variations: an extra precondition of a skill, which another skill achieves.

Robots in training have them, so that a model uses the lines of the skills and not the skill
families that it knows. The evaluation has none.
"""

from __future__ import annotations

import random
from collections.abc import Set
from dataclasses import replace

from regrasp.lab.language.skill_worlds import AT, EMPTY, HELD, IN_VIEW, INSIDE, ON, SHUT, SkillWorld
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.skills import VARIABLES, SkillLine, bound

__all__ = ["with_variations"]

_STATES = (
    "ready", "warm", "marked", "dusted", "scanned", "tagged", "oiled", "rinsed", "tied", "lit",
    "charged", "awake", "labelled", "weighed", "level", "counted", "logged",
)  # fmt: skip

_USEFUL = (HELD, HELD, ON, ON, INSIDE, AT, IN_VIEW, SHUT)
"""Effects of the skills in plans; an effect that is listed more often is drawn more often."""


def with_variations(world: SkillWorld, words: Words, rng: random.Random) -> SkillWorld:
    """`world` with up to three more conditions, and lines with reordered sentences."""
    useful = [
        line for said in _USEFUL for line in world.skills if said in (*line.makes, *line.ends)
    ]
    wanting = {line.name for line in rng.choices(useful, k=rng.choice((1, 1, 2, 3, 8, 12)))}
    for _ in range(rng.choice((1, 1, 2, 3))):
        world, seer = _with_condition(world, wanting, words, rng)
        wanting = {seer.name}  # the next condition belongs to the skill that achieves the last one
        if rng.random() < 0.4:
            wanting.add(rng.choice(useful).name)
    if rng.random() < 0.5:
        world = replace(world, skills=tuple(_mixed(line, rng) for line in world.skills))
    return world


def _mixed(line: SkillLine, rng: random.Random) -> SkillLine:
    """A line with its sentences in another order within each group."""
    groups = (line.needs, line.bars, line.makes, line.ends)
    return SkillLine(line.name, line.takes, *(tuple(rng.sample(g, len(g))) for g in groups))


def _with_condition(
    world: SkillWorld, wanting: Set[str], words: Words, rng: random.Random
) -> tuple[SkillWorld, SkillLine]:
    """Add a condition to the skills `wanting`, true or false, and the skill that achieves it.

    The condition is about an argument or the robot itself; a fleeting one holds for one object at
    a time.
    """
    taken = {thing.name for thing in world.scene.objects} | {one.name for one in world.skills}
    state, name = (_fresh(words, rng, taken) for _ in range(2))
    state = rng.choice(_STATES) if rng.random() < 0.5 else state
    lines = [line for line in world.skills if line.name in wanting]
    of_robot = rng.random() < 0.25 or not all(line.takes for line in lines)
    about = {line.name: _about(line, of_robot, rng) for line in lines}
    kinds = tuple(dict.fromkeys(kind for _, found in about.values() for kind in found))
    own = f"X is {state}" if kinds else f"the robot is {state}"  # as in the achieving skill's line
    barred = rng.random() < 0.35
    fleeting = (f"anything is {state}",) if kinds and rng.random() < 0.5 else ()
    skills = [
        _wanting(line, f"{about[line.name][0]} is {state}", barred, rng) if line in lines else line
        for line in world.skills
    ]
    needs = _first(world, kinds, rng)
    if barred and rng.random() < 0.5:
        needs = (*needs, own)
    made, ended = ((), (own,)) if barred else ((own,), fleeting)
    seer = SkillLine(name, (kinds,) if kinds else (), needs, (), made, ended)
    skills.insert(rng.randrange(len(skills) + 1), seer)
    things = [thing.name for thing in world.scene.objects if thing.kind in kinds]
    so = [one for thing in things for one in bound((own,), (thing,))] if kinds else [own]
    start = {one for one in so if rng.random() < (0.85 if barred else 0.1)}
    forms = (*world.forms, own) if rng.random() < 0.85 else world.forms
    more = replace(world, skills=tuple(skills), start=world.start | start, forms=forms)
    return more, seer


def _about(line: SkillLine, of_robot: bool, rng: random.Random) -> tuple[str, tuple[str, ...]]:
    """The subject of a skill's condition, and its kinds."""
    if of_robot:
        return "the robot", ()
    return rng.choice(list(zip(VARIABLES, line.takes, strict=False)))


def _wanting(line: SkillLine, wanted: str, barred: bool, rng: random.Random) -> SkillLine:
    """The line with the condition; some skills delete the condition that they needed."""
    if barred:
        return replace(line, bars=(*line.bars, wanted))
    ends = (*line.ends, wanted) if rng.random() < 0.25 else line.ends
    return replace(line, needs=(*line.needs, wanted), ends=ends)


def _fresh(words: Words, rng: random.Random, taken: set[str]) -> str:
    while (word := words.coined(rng)) in taken:
        pass
    return word


def _first(world: SkillWorld, kinds: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """The preconditions of the achieving skill: to be there, an empty hand, or nothing."""
    there = [
        one.makes[0]
        for one in world.skills
        if one.makes and one.makes[0] in (AT, IN_VIEW) and set(kinds) <= set(one.takes[0])
    ]
    free = [EMPTY] if any(EMPTY in one.needs for one in world.skills) else []
    found = [said for said in (*(there[:1] if kinds else []), *free) if rng.random() < 0.6]
    return tuple(found)
