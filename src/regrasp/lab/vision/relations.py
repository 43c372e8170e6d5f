"""Questions about objects in front of an arm: spatial relations, and doors.

Only clear answers are used (`clear.py`; a half-open door is neither open nor closed).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from regrasp.lab.vision import clear
from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Need
from regrasp.lab.vision.wording import WORDINGS, Topic
from regrasp.worlds.blocking import joints_of
from regrasp.worlds.judge import CLOSED, OPEN

__all__ = ["candidates", "missing_ones"]


def candidates(room: VisionRoom, shown: set[str], rng: np.random.Generator) -> Iterator[Candidate]:
    """All possible questions, some about absent objects."""
    truth, scene = room.truth, room.world.scene
    things = [n for n in room.spoken if n in scene.things and not scene.things[n].of]
    movable = [n for n in things if scene.things[n].movable]
    opening = [n for n in room.spoken if joints_of(scene, n) and n not in movable]
    opening = [n for n in opening if any(j not in scene.tops for j in joints_of(scene, n))]
    opening = [n for n in opening if scene.things.get(n) is None or not scene.things[n].joint
               or scene.things[n].of]  # fmt: skip
    missing = [room.absent(rng)[0] for _ in range(len(things) + 1)]
    for name in (*things, *missing):
        yield Candidate(Topic.SEEN, name, "", "yes", _all(name), sought=True)
    for name in opening:
        yield from _open_or_closed(room, name)
    yield from missing_ones(missing, things, rng)
    met = clear.sweeps(room)
    driven = [n for n in things if scene.things[n].kind == "lever"]
    for b in (*opening, *driven):
        for a in movable:
            blocks = clear.blocking(room, a, b, met)
            if blocks is not None:
                yield Candidate(Topic.BLOCKING, a, b, _word(blocks), _all(a, _owner(room, b)))
    yield from _furniture(room, things, movable, [*opening, *driven])
    for a in movable:
        held = truth.judge.holds("holding", a)
        yield Candidate(Topic.HELD, a, "", _word(held), _all(a))
        for b in things:
            if a != b:
                yield from _related(room, a, b)
    taken = [a for a in truth.movable if truth.judge.holds("holding", a)]
    yield Candidate(Topic.ANY_HELD, "", "", _word(bool(taken)), _all(*taken))
    for b in things:
        yield from _anything(room, b, shown)
    for name, colour in room.colours.items():
        if name in things and KNOWN.has("colour", room.kind(name)):
            yield Candidate(Topic.COLOUR, name, "", colour, _all(name))
    for _ in range(2):
        a, b = (str(rng.choice([*things, *missing])) for _ in range(2))
        yield Candidate(Topic.NONSENSE, a, b, "unknown", ())


def _furniture(
    room: VisionRoom, things: list[str], movable: list[str], opening: list[str]
) -> Iterator[Candidate]:
    """Questions about furniture: it blocks nothing, and is on nothing but its own place."""
    scene = room.world.scene
    for a in (name for name in things if name not in movable):
        for b in opening:
            if _owner(room, b) != a:
                yield Candidate(Topic.BLOCKING, a, b, "no", _all(a, _owner(room, b)))
        for b in things:
            bears = b in scene.tops or b in movable
            if a != b and bears and scene.things[b].kind not in ("counter", "table"):
                yield Candidate(Topic.ON, a, b, "no", _all(a, b))


def _word(so: bool) -> str:
    return "yes" if so else "no"


def _all(*things: str) -> tuple[Need, ...]:
    """All of these must be in sight."""
    return tuple((thing,) for thing in things)


def _owner(room: VisionRoom, name: str) -> str:
    return room.truth.place(name)


def _open_or_closed(room: VisionRoom, name: str) -> Iterator[Candidate]:
    joints = room.truth.joints(name) or list(joints_of(room.world.scene, name))
    fractions = [room.world.fraction(joint) for joint in joints]
    needs = _all(_owner(room, name))
    is_open, is_closed = max(fractions) >= OPEN, max(fractions) <= CLOSED
    if max(fractions) > OPEN + 0.04 or max(fractions) < OPEN - 0.09:
        yield Candidate(Topic.OPEN, name, "", _word(is_open), needs)
        if is_open or is_closed:
            state = "open" if is_open else "closed"
            yield Candidate(Topic.STATE, name, "", state, needs)
    if max(fractions) < CLOSED - 0.01 or max(fractions) > CLOSED + 0.05:
        yield Candidate(Topic.CLOSED, name, "", _word(is_closed), needs)


def _related(room: VisionRoom, a: str, b: str) -> Iterator[Candidate]:
    """The relations of `a` to `b`."""
    left = clear.left(room, a, b)
    found = {
        Topic.ON: clear.on(room, a, b),
        Topic.INSIDE: clear.inside(room, a, b),
        Topic.NEXT_TO: clear.next_to(room, a, b),
        Topic.IN_FRONT: clear.before(room, a, b),
        Topic.LEFT: left,
        Topic.RIGHT: None if left is None else not left,
    }
    for topic, so in found.items():
        if so is not None:
            yield Candidate(topic, a, b, _word(so), _all(a, b))


def _anything(room: VisionRoom, b: str, shown: set[str]) -> Iterator[Candidate]:
    """Whether any object, named or not, is on `b` or in front of it; visible objects first."""
    others = sorted((a for a in room.truth.movable if a != b), key=lambda a: a not in shown)
    asked = [(Topic.ANY_ON, clear.on)] if b in room.world.scene.tops else []
    if not room.world.scene.things[b].movable:
        asked.append((Topic.ANY_IN_FRONT, clear.before))
    for topic, relation in asked:
        so = {a: relation(room, a, b) for a in others}
        found = [a for a in others if so[a]]
        if found or None not in so.values():
            yield Candidate(topic, "", b, _word(bool(found)), _all(b, *found[:1]))


def missing_ones(
    missing: list[str], things: list[str], rng: np.random.Generator
) -> Iterator[Candidate]:
    """Questions about absent objects; the answer is always unknown."""
    asked = 0
    while asked < min(len(missing), _MISSING):
        name, other = missing[asked], str(rng.choice(things))
        topic = _TOPICS[int(rng.integers(len(_TOPICS)))]
        a, b = (name, other) if topic in _OF_ONE or rng.random() < 0.6 else (other, name)
        if KNOWN.canonical(str(WORDINGS[topic][0]).format(a=a, b=b)):
            asked += 1
            yield Candidate(topic, a, b, "unknown", _all(name) if topic in _OF_ONE else _all(a, b))


_MISSING = 3
_OF_ONE = (Topic.OPEN, Topic.CLOSED, Topic.HELD, Topic.COLOUR)
_TOPICS = (
    Topic.OPEN, Topic.CLOSED, Topic.ON, Topic.INSIDE, Topic.NEXT_TO, Topic.IN_FRONT,
    Topic.BLOCKING, Topic.HELD, Topic.COLOUR, Topic.LEFT, Topic.RIGHT,
)  # fmt: skip
