"""Goals for a robot with skills: placements, towers, several goals, impossible goals.

A goal has one plain sentence, which the scripted reasoner always reads correctly, the sentences
that are true once it is reached, and a phrasing with the same meaning. A goal is an effect of some
skill.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from regrasp.core.object_description import Affordance, kind_of
from regrasp.embedded.rules.call_plans import ringed
from regrasp.embedded.rules.ground_skills import goal_sentences
from regrasp.embedded.rules.instructions import read_instruction
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.lab.language.aim_phrasings import (
    CARRIES,
    DESTINATIONS,
    FRAMED_TOWERS,
    HELD_OUT_CARRIES,
    HELD_OUT_DESTINATIONS,
    HELD_OUT_TOWERS,
    TOWERS,
)
from regrasp.lab.language.held_out_phrasings import HELD_OUT_UNCLEAR
from regrasp.lab.language.phrasings import UNCLEAR, phrased
from regrasp.lab.language.props import called
from regrasp.lab.language.skill_worlds import (
    AT,
    HELD,
    INSIDE,
    NEXT_TO,
    ON,
    OTHER_ON,
    SHUT,
    UNSHUT,
    WAYS,
    SkillWorld,
)
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, TRAINING_WORDS
from regrasp.lab.language.wants import RoomGoal, RoomGoalKind
from regrasp.prompts.skills import SkillLine

__all__ = ["SkillGoal", "draw_aim", "draw_impossible"]

_ON_BASE = " on the {b}"
_LINKS = (" and ", ", then ", "; ", ". ", ", and then ")
_KINDS = {
    ON: RoomGoalKind.PUT_ON,
    INSIDE: RoomGoalKind.STORE,
    NEXT_TO: RoomGoalKind.PUT_BY,
    HELD: RoomGoalKind.PICK,
    UNSHUT: RoomGoalKind.OPEN,
    SHUT: RoomGoalKind.CLOSE,
}


@dataclass(frozen=True, slots=True)
class SkillGoal:
    """`goals` is empty if nothing can be reached."""

    plain: str
    phrasing: str
    goals: tuple[str, ...] = ()


def draw_aim(world: SkillWorld, rng: random.Random, held_out: bool) -> SkillGoal | None:
    """A goal that the skills can reach; None if this draw makes no sense."""
    tower = _tower(world, rng, held_out) if rng.random() < 0.5 else None
    walk = _walk(world, rng, held_out) if rng.random() < 0.4 else None
    return tower or walk or _placements(world, rng, held_out)


def draw_impossible(world: SkillWorld, rng: random.Random, held_out: bool) -> SkillGoal:
    """A goal that no call can reach: unknown objects, reversed arguments, or a contradiction."""
    names = [line.name for line in world.scene.objects]
    things, fixed = world.scene.that_can(Affordance.PICK), [n for n in names if _fixed(world, n)]
    draw = rng.random()
    below = [s for s in world.skills if ON in s.makes and set(s.takes[0]) <= set(s.takes[1])]
    if draw < 0.2 and below and len(things) > 1:
        a, b = rng.sample(things, 2)
        both = [RoomGoal(RoomGoalKind.PUT_ON, x=a, s=b), RoomGoal(RoomGoalKind.PUT_ON, x=b, s=a)]
        calls = called(sorted((a, b)), names, rng)
        told = [phrased(want, calls, rng, held_out).rstrip(".?!") for want in both]
        return SkillGoal(" and ".join(want.plain() for want in both), rng.choice(_LINKS).join(told))
    if draw < 0.4 or not fixed:
        said = rng.choice(HELD_OUT_UNCLEAR if held_out else UNCLEAR).format(x=rng.choice(names))
        return SkillGoal(said, said)
    if draw < 0.7:
        want = RoomGoal(RoomGoalKind.PUT_ON, x=rng.choice(fixed), s=rng.choice(things))
    else:
        gone = (HELD_OUT_WORDS if held_out else TRAINING_WORDS).gone
        want = RoomGoal(RoomGoalKind.PUT_ON, x=rng.choice(gone), s=rng.choice(fixed))
    return SkillGoal(
        want.plain(), phrased(want, called((want.x, want.s), names, rng), rng, held_out)
    )


def _fixed(world: SkillWorld, name: str) -> bool:
    """Whether no skill picks it up."""
    kind = next(line.kind for line in world.scene.objects if line.name == name)
    return not any(HELD in skill.makes and kind in skill.takes[0] for skill in world.skills)


def _meant(plain: str, world: SkillWorld) -> tuple[str, ...]:
    """The goals of a plain sentence, as the rules parse it."""
    return goal_sentences(read_instruction(plain, SceneLexicon(world.scene)).goals)


# ---- placements --------------------------------------------------------------------------------


def _wants(skill: SkillLine, world: SkillWorld) -> Iterator[RoomGoal]:
    """The goals that a skill can reach."""
    choices = skill.choices(world.scene)
    for made in skill.makes:
        if made not in _KINDS or not all(choices):
            continue
        kind = _KINDS[made]
        for x in choices[0]:
            if kind is RoomGoalKind.PICK:
                yield RoomGoal(kind, x=x)
            elif kind in (RoomGoalKind.OPEN, RoomGoalKind.CLOSE):
                yield RoomGoal(kind, y=x)
            else:
                others = (name for name in choices[1] if name != x)
                yield from (RoomGoal(kind, x=x, y=name, s=name, z=name) for name in others)


def _placements(world: SkillWorld, rng: random.Random, held_out: bool) -> SkillGoal | None:
    """One goal, or two or three goals about different objects."""
    every = [want for skill in world.skills for want in _wants(skill, world)]
    placed = [
        w for w in every if w.kind not in (RoomGoalKind.PICK, RoomGoalKind.OPEN, RoomGoalKind.CLOSE)
    ]
    count = rng.choice((1, 1, 1, 2, 2, 3))
    chosen: list[RoomGoal] = []
    for _ in range(count):
        wants = every if count == 1 and rng.random() < 0.4 else placed
        used = {want.x for want in chosen}
        if fresh := [want for want in wants if want.x not in used]:
            chosen.append(rng.choice(fresh))
    if not chosen or not _sensible(chosen, world):
        return None
    shut = [w.y for w in chosen if w.kind is RoomGoalKind.STORE]
    if len(chosen) == 1 and shut and rng.random() < 0.2:
        chosen = [RoomGoal(RoomGoalKind.STORE_SHUT, x=chosen[0].x, y=shut[0])]
    plain = " and ".join(want.plain() for want in chosen)
    goals = _meant(plain, world)
    if len(goals) != len(chosen) + (chosen[0].kind is RoomGoalKind.STORE_SHUT):
        return None
    names = [line.name for line in world.scene.objects]
    told = sorted({n for w in chosen for n in (w.x, w.y, w.s, w.z) if n})
    calls = called(told, names, rng)
    said = [_phrase(want, calls, world, rng, held_out).rstrip(".?!") for want in chosen]
    return SkillGoal(plain, rng.choice(_LINKS).join(said), goals)


def _sensible(chosen: Sequence[RoomGoal], world: SkillWorld) -> bool:
    """Whether goals are compatible: no cycle of objects, one object on a place for one."""
    below = {want.x: want.s for want in chosen if want.kind is RoomGoalKind.PUT_ON}
    single = {
        name
        for skill in world.skills
        if ON in skill.makes and OTHER_ON in skill.bars
        for name in skill.choices(world.scene)[1]
    }
    taken = [name for name in below.values() if name in single]
    return len(taken) == len(set(taken)) and not ringed(below)


def _phrase(
    want: RoomGoal, calls: Mapping[str, str], world: SkillWorld, rng: random.Random, held_out: bool
) -> str:
    """A goal in words; the carried object may be described by its place."""
    on = f"{want.x} is on "
    lies = next((s.removeprefix(on) for s in sorted(world.start) if s.startswith(on)), "")
    carried = want.kind is RoomGoalKind.PUT_ON and lies not in ("", want.s)
    if carried and rng.random() < 0.3:
        form = rng.choice(HELD_OUT_CARRIES if held_out else CARRIES)
        return form.format(x=calls[want.x], s=calls[want.s], f=lies)
    return phrased(want, calls, rng, held_out)


def _walk(world: SkillWorld, rng: random.Random, held_out: bool) -> SkillGoal | None:
    """A destination, for a robot that must watch its path."""
    walks = [s for s in world.skills if AT in s.makes and set(WAYS) <= set(s.needs)]
    ends = [name for skill in walks for name in skill.choices(world.scene)[0]]
    if not ends:
        return None
    end = rng.choice((ends[-1], rng.choice(ends)))
    plain = f"go to the {end}"
    goals = _meant(plain, world)
    if goals != (AT.replace("X", end),):
        return None
    calls = called([end], [line.name for line in world.scene.objects], rng)
    return SkillGoal(
        plain,
        rng.choice(HELD_OUT_DESTINATIONS if held_out else DESTINATIONS).format(y=calls[end]),
        goals,
    )


# ---- towers ------------------------------------------------------------------------------------


def _tower(world: SkillWorld, rng: random.Random, held_out: bool) -> SkillGoal | None:
    """A stack of two to four objects, on a named base or without a base."""
    skill = next((s for s in world.skills if ON in s.makes and set(s.takes[0]) <= set(s.takes[1])),
                 None)  # fmt: skip
    if skill is None:
        return None
    movers, spots = skill.choices(world.scene)
    tower = rng.sample(movers, min(len(movers), rng.choice((2, 3, 3, 3, 4))))
    bases = [name for name in spots if name not in movers]
    if len(tower) < 2:
        return None
    base = rng.choice(bases) if bases and rng.random() < 0.8 else ""
    on = f" on the {base}" if base else ""
    plain = f"stack {', '.join(tower)}{on} in this order"
    goals = _meant(plain, world)
    foot = base or (bases[0] if len(bases) == 1 else "")  # if not named, the only base
    pairs = zip([foot, *tower] if foot else tower, tower if foot else tower[1:], strict=False)
    if {f"{above} is on {below}" for below, above in pairs} != set(goals):
        return None
    return SkillGoal(plain, _tower_said(tower, base, world, rng, held_out), goals)


def _tower_said(
    tower: Sequence[str], base: str, world: SkillWorld, rng: random.Random, held_out: bool
) -> str:
    names = [line.name for line in world.scene.objects]
    calls = called(sorted({*tower, base} - {""}), names, rng)
    said = [calls[name] for name in tower]
    slots = {"up": _listed(said, rng), "down": _listed(said[::-1], rng)}
    nouns, firsts = {kind_of(name) for name in tower}, [n.rpartition("_")[0] for n in tower]
    apart = len(set(firsts) - nouns) == len(tower) and all(f.isalpha() for f in firsts)
    if len(nouns) == 1 and apart:
        slots |= {
            "n": nouns.pop(),
            "short": _listed(firsts, rng),
            "short_down": _listed(firsts[::-1], rng),
        }
    forms = HELD_OUT_TOWERS if held_out else rng.choice((TOWERS, FRAMED_TOWERS))
    if base:
        slots["b"] = calls[base]
    else:
        forms = tuple(form.replace(_ON_BASE, "") for form in forms)
    fitting = [form for form in forms if _slots(form) <= slots.keys()]
    return rng.choice(fitting).format(**slots)


def _slots(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name}


def _listed(names: Sequence[str], rng: random.Random) -> str:
    """Names in a list, as people write it."""
    *most, last = names
    link = rng.choice((", ", " and ", ", and ", ", then "))
    return f"{', '.join(most)}{link}{last}"
