"""What a robot with skills is asked to reach: placements, towers, several goals, the impossible.

An aim has one plain sentence, which the scripted reasoner reads without fail, the sentences that
are true once it is reached, and a phrasing that means the same. What can be asked for is what some
skill makes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from regrasp.embedded.rules.call_plans import ringed
from regrasp.embedded.rules.calling import goal_sentences
from regrasp.embedded.rules.instructions import read_instruction
from regrasp.embedded.rules.words import Lexicon
from regrasp.lab.language.aim_phrasings import (
    CARRIES,
    EXAM_CARRIES,
    EXAM_TOWERS,
    EXAM_WAYS_TO,
    FRAMED_TOWERS,
    TOWERS,
    WAYS_TO,
)
from regrasp.lab.language.exam_phrasings import EXAM_UNCLEAR
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
from regrasp.lab.language.vocabulary import EXAM_WORDS, LESSON_WORDS
from regrasp.lab.language.wants import Want, WantKind
from regrasp.prompts.scene import Can, kind_of
from regrasp.prompts.skills import SkillLine

__all__ = ["Aim", "draw_aim", "draw_impossible"]

_ON_BASE = " on the {b}"
_LINKS = (" and ", ", then ", "; ", ". ", ", and then ")
_KINDS = {
    ON: WantKind.PUT_ON,
    INSIDE: WantKind.STORE,
    NEXT_TO: WantKind.PUT_BY,
    HELD: WantKind.PICK,
    UNSHUT: WantKind.OPEN,
    SHUT: WantKind.CLOSE,
}


@dataclass(frozen=True, slots=True)
class Aim:
    """`goals` are none where nothing can be reached."""

    plain: str
    said: str
    goals: tuple[str, ...] = ()


def draw_aim(world: SkillWorld, rng: random.Random, exam: bool) -> Aim | None:
    """Something that the skills are about; None where this draw makes no sense."""
    tower = _tower(world, rng, exam) if rng.random() < 0.5 else None
    walk = _walk(world, rng, exam) if rng.random() < 0.4 else None
    return tower or walk or _placements(world, rng, exam)


def draw_impossible(world: SkillWorld, rng: random.Random, exam: bool) -> Aim:
    """Something that no call can reach: out of this world, the wrong way round, or both ways."""
    names = [line.name for line in world.scene.objects]
    things, fixed = world.scene.that_can(Can.PICK), [n for n in names if _fixed(world, n)]
    draw = rng.random()
    below = [s for s in world.skills if ON in s.makes and set(s.takes[0]) <= set(s.takes[1])]
    if draw < 0.2 and below and len(things) > 1:
        a, b = rng.sample(things, 2)
        both = [Want(WantKind.PUT_ON, x=a, s=b), Want(WantKind.PUT_ON, x=b, s=a)]
        calls = called(sorted((a, b)), names, rng)
        told = [phrased(want, calls, rng, exam).rstrip(".?!") for want in both]
        return Aim(" and ".join(want.plain() for want in both), rng.choice(_LINKS).join(told))
    if draw < 0.4 or not fixed:
        said = rng.choice(EXAM_UNCLEAR if exam else UNCLEAR).format(x=rng.choice(names))
        return Aim(said, said)
    if draw < 0.7:
        want = Want(WantKind.PUT_ON, x=rng.choice(fixed), s=rng.choice(things))
    else:
        gone = (EXAM_WORDS if exam else LESSON_WORDS).gone
        want = Want(WantKind.PUT_ON, x=rng.choice(gone), s=rng.choice(fixed))
    return Aim(want.plain(), phrased(want, called((want.x, want.s), names, rng), rng, exam))


def _fixed(world: SkillWorld, name: str) -> bool:
    """Whether no skill takes it up."""
    kind = next(line.kind for line in world.scene.objects if line.name == name)
    return not any(HELD in skill.makes and kind in skill.takes[0] for skill in world.skills)


def _meant(plain: str, world: SkillWorld) -> tuple[str, ...]:
    """The goals of a plain sentence, as the rules read it."""
    return goal_sentences(read_instruction(plain, Lexicon(world.scene)).goals)


# ---- placements --------------------------------------------------------------------------------


def _wants(skill: SkillLine, world: SkillWorld) -> Iterator[Want]:
    """What a skill can be wanted for."""
    choices = skill.choices(world.scene)
    for made in skill.makes:
        if made not in _KINDS or not all(choices):
            continue
        kind = _KINDS[made]
        for x in choices[0]:
            if kind is WantKind.PICK:
                yield Want(kind, x=x)
            elif kind in (WantKind.OPEN, WantKind.CLOSE):
                yield Want(kind, y=x)
            else:
                others = (name for name in choices[1] if name != x)
                yield from (Want(kind, x=x, y=name, s=name, z=name) for name in others)


def _placements(world: SkillWorld, rng: random.Random, exam: bool) -> Aim | None:
    """One want, or two or three of different things."""
    every = [want for skill in world.skills for want in _wants(skill, world)]
    placed = [w for w in every if w.kind not in (WantKind.PICK, WantKind.OPEN, WantKind.CLOSE)]
    count = rng.choice((1, 1, 1, 2, 2, 3))
    chosen: list[Want] = []
    for _ in range(count):
        wants = every if count == 1 and rng.random() < 0.4 else placed
        used = {want.x for want in chosen}
        if fresh := [want for want in wants if want.x not in used]:
            chosen.append(rng.choice(fresh))
    if not chosen or not _sensible(chosen, world):
        return None
    shut = [w.y for w in chosen if w.kind is WantKind.STORE]
    if len(chosen) == 1 and shut and rng.random() < 0.2:
        chosen = [Want(WantKind.STORE_SHUT, x=chosen[0].x, y=shut[0])]
    plain = " and ".join(want.plain() for want in chosen)
    goals = _meant(plain, world)
    if len(goals) != len(chosen) + (chosen[0].kind is WantKind.STORE_SHUT):
        return None
    names = [line.name for line in world.scene.objects]
    told = sorted({n for w in chosen for n in (w.x, w.y, w.s, w.z) if n})
    calls = called(told, names, rng)
    said = [_said(want, calls, world, rng, exam).rstrip(".?!") for want in chosen]
    return Aim(plain, rng.choice(_LINKS).join(said), goals)


def _sensible(chosen: Sequence[Want], world: SkillWorld) -> bool:
    """Whether wants can go together: no ring of things, one thing on what takes only one."""
    below = {want.x: want.s for want in chosen if want.kind is WantKind.PUT_ON}
    single = {
        name
        for skill in world.skills
        if ON in skill.makes and OTHER_ON in skill.bars
        for name in skill.choices(world.scene)[1]
    }
    taken = [name for name in below.values() if name in single]
    return len(taken) == len(set(taken)) and not ringed(below)


def _said(
    want: Want, calls: Mapping[str, str], world: SkillWorld, rng: random.Random, exam: bool
) -> str:
    """A want in words; what is carried may be told with where it lies."""
    on = f"{want.x} is on "
    lies = next((s.removeprefix(on) for s in sorted(world.start) if s.startswith(on)), "")
    carried = want.kind is WantKind.PUT_ON and lies not in ("", want.s)
    if carried and rng.random() < 0.3:
        form = rng.choice(EXAM_CARRIES if exam else CARRIES)
        return form.format(x=calls[want.x], s=calls[want.s], f=lies)
    return phrased(want, calls, rng, exam)


def _walk(world: SkillWorld, rng: random.Random, exam: bool) -> Aim | None:
    """To be somewhere, for a robot that must look where it goes."""
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
    return Aim(plain, rng.choice(EXAM_WAYS_TO if exam else WAYS_TO).format(y=calls[end]), goals)


# ---- towers ------------------------------------------------------------------------------------


def _tower(world: SkillWorld, rng: random.Random, exam: bool) -> Aim | None:
    """Two to four things on one another, on a base that is named or not."""
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
    foot = base or (bases[0] if len(bases) == 1 else "")  # unsaid, it is the only one there is
    pairs = zip([foot, *tower] if foot else tower, tower if foot else tower[1:], strict=False)
    if {f"{above} is on {below}" for below, above in pairs} != set(goals):
        return None
    return Aim(plain, _tower_said(tower, base, world, rng, exam), goals)


def _tower_said(
    tower: Sequence[str], base: str, world: SkillWorld, rng: random.Random, exam: bool
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
    forms = EXAM_TOWERS if exam else rng.choice((TOWERS, FRAMED_TOWERS))
    if base:
        slots["b"] = calls[base]
    else:
        forms = tuple(form.replace(_ON_BASE, "") for form in forms)
    fitting = [form for form in forms if _slots(form) <= slots.keys()]
    return rng.choice(fitting).format(**slots)


def _slots(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name}


def _listed(names: Sequence[str], rng: random.Random) -> str:
    """Names in a row, as people list them."""
    *most, last = names
    link = rng.choice((", ", " and ", ", and ", ", then "))
    return f"{', '.join(most)}{link}{last}"
