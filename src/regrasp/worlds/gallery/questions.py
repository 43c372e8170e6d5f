"""Questions about a state of a room, with their true answers and what must be in sight for them.

An answer is told only where it is clear (`clear.py`; and a door half open is neither open nor
closed). Answers are balanced: for each topic and kinds of thing, yes and no come up as often as
each other, so that a guess without a picture is worth nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from regrasp.worlds.blocking import joints_of
from regrasp.worlds.gallery import clear
from regrasp.worlds.gallery.rooms import KNOWN, Room
from regrasp.worlds.gallery.wording import WORDINGS, Topic, ask
from regrasp.worlds.judge import CLOSED, OPEN

__all__ = ["Asking", "Questioner"]

_WEIGHTS = {
    Topic.SEEN: 1.5, Topic.OPEN: 1.5, Topic.CLOSED: 1.5, Topic.BLOCKING: 1.5, Topic.ON: 3.0,
    Topic.INSIDE: 3.0, Topic.HELD: 3.0, Topic.COLOUR: 1.5, Topic.STATE: 0.5, Topic.LEFT: 0.4,
    Topic.RIGHT: 0.4,
}  # fmt: skip
"""How much sooner a topic is asked about: what agents ask most first, what is rarely yes too."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, the answer where it can be seen, and the things that must be in sight for it.

    A name in `needs` that is no thing of the room is never in sight. `SEEN` itself is answered by
    whether its need is in sight; whatever else is not in sight is unknown. `unseen` says that the
    colour of a thing in it, or its wording, is held out from training.
    """

    topic: Topic
    text: str
    answer: str
    needs: tuple[str, ...]
    unseen: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    topic: Topic
    a: str
    b: str
    answer: str
    needs: tuple[str, ...]


class Questioner:
    """Asks about states of rooms, keeping yes and no in balance over all it has asked."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._lead: Counter[tuple[str, ...]] = Counter()

    def ask(
        self, room: Room, shown: set[str], doubtful: set[str], count: int, *, held_out: bool
    ) -> list[Asking]:
        """Up to `count` questions about the room as it is now.

        `shown` is what is in sight; nothing is asked of what is `doubtful`, hardly in sight.
        """
        every = _candidates(room, shown, self._rng)
        found = [one for one in every if not doubtful.intersection(one.needs)]
        haste = [self._rng.exponential() / _WEIGHTS.get(one.topic, 1.0) for one in found]
        haste = [h / 3 if one.answer == "yes" else h for h, one in zip(haste, found, strict=True)]
        found = [found[i] for i in np.argsort(haste)]
        unknown_left = max(1, count // 7)
        asked: list[Asking] = []
        for one in found:
            if len(asked) >= count:
                break
            said = _said(one, shown)
            if said == "unknown":
                if unknown_left <= 0:
                    continue
                unknown_left -= 1
            elif said in ("yes", "no") and not self._balanced(room, one, said):
                continue
            asked.append(self._worded(room, one, held_out))
        return asked

    def _balanced(self, room: Room, one: _Candidate, said: str) -> bool:
        """Whether another such answer keeps the balance; if so it is counted."""
        key = (one.topic, _kind(room, one.a), _kind(room, one.b))
        step, lead = 1 if said == "yes" else -1, self._lead[key]
        # What is rarely so would leave a no too many behind with every kind of thing.
        if abs(lead + step) > 1 or (lead == 0 and step < 0 and self._rng.random() < 0.5):
            return False
        self._lead[key] += step
        return True

    def _worded(self, room: Room, one: _Candidate, held_out: bool) -> Asking:
        a, b = (self._name(room, x) for x in (one.a, one.b))
        kept = held_out and bool(self._rng.random() < 0.5)
        text = ask(one.topic, a, b, self._rng, held_out=kept)
        unseen = kept or any(map(room.held_out, (one.a, one.b)))
        return Asking(one.topic, text, one.answer, one.needs, unseen)

    def _name(self, room: Room, thing: str) -> str:
        names = room.spoken.get(thing, (thing,))
        usual = self._rng.random() < 0.6
        return names[0] if usual else str(self._rng.choice(names))


def _said(one: _Candidate, shown: set[str]) -> str:
    seen = all(name in shown for name in one.needs)
    if one.topic is Topic.SEEN:
        return "yes" if seen else "no"
    return one.answer if seen else "unknown"


def _kind(room: Room, name: str) -> str:
    """What a name stands for: a kind of thing, a door, or nothing in this room."""
    thing = room.world.scene.things.get(name)
    if thing is not None:
        return thing.kind
    return "door" if name in room.world.scene.joints else " ".join(name.split()[-1:])


def _candidates(room: Room, shown: set[str], rng: np.random.Generator) -> Iterator[_Candidate]:
    """Everything that can be asked, some of it about things that are not there."""
    truth, scene = room.truth, room.world.scene
    things = [n for n in room.spoken if n in scene.things and not scene.things[n].of]
    movable = [n for n in things if scene.things[n].movable]
    opening = [n for n in room.spoken if joints_of(scene, n) and n not in movable]
    opening = [n for n in opening if any(j not in scene.tops for j in joints_of(scene, n))]
    opening = [n for n in opening if scene.things.get(n) is None or not scene.things[n].joint
               or scene.things[n].of]  # fmt: skip
    missing = [room.absent(rng)[0] for _ in range(len(things) + 1)]
    for name in (*things, *missing):
        yield _Candidate(Topic.SEEN, name, "", "yes", (name,))
    for name in opening:
        yield from _open_or_closed(room, name)
    yield from _missing_ones(missing, things, rng)
    met = clear.sweeps(room)
    driven = [n for n in things if scene.things[n].kind in KNOWN.driven]
    for b in (*opening, *driven):
        for a in movable:
            blocks = clear.blocking(room, a, b, met)
            if blocks is not None:
                yield _Candidate(Topic.BLOCKING, a, b, _word(blocks), (a, _owner(room, b)))
    yield from _furniture(room, things, movable, [*opening, *driven])
    for a in movable:
        held = truth.judge.holds("holding", a)
        yield _Candidate(Topic.HELD, a, "", _word(held), (a,))
        for b in things:
            if a != b:
                yield from _related(room, a, b)
    taken = [a for a in truth.movable if truth.judge.holds("holding", a)]
    yield _Candidate(Topic.ANY_HELD, "", "", _word(bool(taken)), tuple(taken))
    for b in things:
        yield from _anything(room, b, shown)
    for name, colour in room.colours.items():
        if name in things and scene.things[name].kind not in ("counter", "microwave"):
            yield _Candidate(Topic.COLOUR, name, "", colour, (name,))
    for _ in range(2):
        a, b = (str(rng.choice([*things, *missing])) for _ in range(2))
        yield _Candidate(Topic.NONSENSE, a, b, "unknown", ())


def _furniture(
    room: Room, things: list[str], movable: list[str], opening: list[str]
) -> Iterator[_Candidate]:
    """What nobody can move is in nobody's way, and on nothing but where it was built."""
    scene = room.world.scene
    for a in (name for name in things if name not in movable):
        for b in opening:
            if _owner(room, b) != a:
                yield _Candidate(Topic.BLOCKING, a, b, "no", (a, _owner(room, b)))
        for b in things:
            bears = b in scene.tops or b in movable
            if a != b and bears and scene.things[b].kind != "counter":
                yield _Candidate(Topic.ON, a, b, "no", (a, b))


def _word(so: bool) -> str:
    return "yes" if so else "no"


def _owner(room: Room, name: str) -> str:
    return room.truth.place(name)


def _open_or_closed(room: Room, name: str) -> Iterator[_Candidate]:
    joints = room.truth.joints(name) or list(joints_of(room.world.scene, name))
    fractions = [room.world.fraction(joint) for joint in joints]
    needs = (_owner(room, name),)
    is_open, is_closed = max(fractions) >= OPEN, max(fractions) <= CLOSED
    if max(fractions) > OPEN + 0.04 or max(fractions) < OPEN - 0.09:
        yield _Candidate(Topic.OPEN, name, "", _word(is_open), needs)
        if is_open or is_closed:
            state = "open" if is_open else "closed"
            yield _Candidate(Topic.STATE, name, "", state, needs)
    if max(fractions) < CLOSED - 0.01 or max(fractions) > CLOSED + 0.05:
        yield _Candidate(Topic.CLOSED, name, "", _word(is_closed), needs)


def _related(room: Room, a: str, b: str) -> Iterator[_Candidate]:
    """What `a` is to `b`."""
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
            yield _Candidate(topic, a, b, _word(so), (a, b))


def _anything(room: Room, b: str, shown: set[str]) -> Iterator[_Candidate]:
    """Whether something, named or not, is on `b`, or in front of it; what is in sight first."""
    others = sorted((a for a in room.truth.movable if a != b), key=lambda a: a not in shown)
    asked = [(Topic.ANY_ON, clear.on)] if b in room.world.scene.tops else []
    if not room.world.scene.things[b].movable:
        asked.append((Topic.ANY_IN_FRONT, clear.before))
    for topic, relation in asked:
        so = {a: relation(room, a, b) for a in others}
        found = [a for a in others if so[a]]
        if found or None not in so.values():
            yield _Candidate(topic, "", b, _word(bool(found)), (b, *found[:1]))


def _missing_ones(
    missing: list[str], things: list[str], rng: np.random.Generator
) -> Iterator[_Candidate]:
    """Questions about what is not there: unknown, whatever is asked of it."""
    asked = 0
    while asked < min(len(missing), _MISSING):
        name, other = missing[asked], str(rng.choice(things))
        topic = _TOPICS[int(rng.integers(len(_TOPICS)))]
        a, b = (name, other) if topic in _OF_ONE or rng.random() < 0.6 else (other, name)
        if KNOWN.canonical(str(WORDINGS[topic][0]).format(a=a, b=b)):
            asked += 1
            yield _Candidate(topic, a, b, "unknown", (name,) if topic in _OF_ONE else (a, b))


_MISSING = 3
_OF_ONE = (Topic.OPEN, Topic.CLOSED, Topic.HELD, Topic.COLOUR)
_TOPICS = (
    Topic.OPEN, Topic.CLOSED, Topic.ON, Topic.INSIDE, Topic.NEXT_TO, Topic.IN_FRONT,
    Topic.BLOCKING, Topic.HELD, Topic.COLOUR, Topic.LEFT, Topic.RIGHT,
)  # fmt: skip
