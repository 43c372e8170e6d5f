"""Questions about a state of a room, with their true answers and what must be in sight for them.

An answer is told only where it is clear: a door half open is neither open nor closed, a thing at
the edge of a door's way neither blocks it nor leaves it free. Answers are balanced: for each topic
and kinds of thing, yes and no come up as often as each other, so that a guess without a picture is
worth nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regrasp.prompts.sight import Look, Sight
from regrasp.worlds.blocking import joints_of, obstructing
from regrasp.worlds.gallery.rooms import Room
from regrasp.worlds.gallery.wording import Topic, ask
from regrasp.worlds.judge import CLOSED, OPEN
from regrasp.worlds.sight_truth import BEFORE, BESIDE, NEAR

__all__ = ["Asking", "Questioner"]

_SHIFTS = ((0.0, 0.0), (0.015, 0.0), (-0.015, 0.0), (0.0, 0.015), (0.0, -0.015))
_ASIDE = 0.06  # m to the left or right that is clearly so
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

    def ask(self, room: Room, shown: set[str], count: int, *, held_out: bool) -> list[Asking]:
        """Up to `count` questions about the room as it is now; `shown` is what is in sight."""
        found = list(_candidates(room, self._rng))
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


def _candidates(room: Room, rng: np.random.Generator) -> Iterator[_Candidate]:
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
    met = _sweeps(room)
    for b in opening:
        yield from _in_the_way(room, movable, b, met)
    yield from _furniture(room, things, movable, opening)
    for a in movable:
        held = truth.judge.holds("holding", a)
        yield _Candidate(Topic.HELD, a, "", _word(held), (a,))
        for b in things:
            if a != b:
                yield from _related(room, a, b)
    taken = [a for a in movable if truth.judge.holds("holding", a)]
    yield _Candidate(Topic.ANY_HELD, "", "", _word(bool(taken)), tuple(taken))
    for b in things:
        yield from _anything(room, movable, b)
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


def _sweeps(room: Room) -> dict[str, npt.NDArray[np.bool_]]:
    """For each joint that is not open, which bodies are in its way: (shifts, bodies)."""
    world = room.world
    shut = [j for j in world.scene.joints if j not in world.scene.tops and world.fraction(j) < OPEN]
    return {j: np.stack([obstructing(world, j, shift) for shift in _SHIFTS]) for j in shut}


def _in_the_way(
    room: Room, movable: list[str], b: str, met: dict[str, npt.NDArray[np.bool_]]
) -> Iterator[_Candidate]:
    """What clearly blocks the joints of `b` that are not open, and what clearly does not."""
    sweeps = [met[joint] for joint in joints_of(room.world.scene, b) if joint in met]
    for a in movable:
        body = room.world.planning.body(a).id
        votes = (
            np.any([sweep[:, body] for sweep in sweeps], axis=0) if sweeps else np.array([False])
        )
        if votes.all() or not votes.any():
            yield _Candidate(Topic.BLOCKING, a, b, _word(bool(votes[0])), (a, _owner(room, b)))


def _related(room: Room, a: str, b: str) -> Iterator[_Candidate]:
    truth, scene, needs = room.truth, room.world.scene, (a, b)
    on = truth.fact(Sight(Look.ON, a, b))
    if b in scene.tops or scene.things[b].movable:
        yield _Candidate(Topic.ON, a, b, _word(on), needs)
    if b in scene.insides:
        inside = truth.fact(Sight(Look.INSIDE, a, b))
        yield _Candidate(Topic.INSIDE, a, b, _word(inside), needs)
    ahead, aside, off = truth.offset(a, b)
    if abs(off - NEAR) > 0.04:
        near = truth.fact(Sight(Look.NEXT_TO, a, b))
        yield _Candidate(Topic.NEXT_TO, a, b, _word(near), needs)
    before = truth.fact(Sight(Look.IN_FRONT, a, b))
    clear = (
        0.05 < ahead < BEFORE - 0.04 and aside < BESIDE - 0.04
        if before
        else on or ahead < -0.02 or ahead > BEFORE + 0.04 or aside > BESIDE + 0.04
    )
    if clear:
        yield _Candidate(Topic.IN_FRONT, a, b, _word(before), needs)
    left = _left(room, a, b)
    if abs(left) > _ASIDE:
        yield _Candidate(Topic.LEFT, a, b, _word(left > 0), needs)
        yield _Candidate(Topic.RIGHT, a, b, _word(left < 0), needs)


def _left(room: Room, a: str, b: str) -> float:
    """How far `a` is to the left of `b` as the robot faces (m)."""
    sites = [room.world.scene.things[name].site for name in (a, b)]
    at, to = (float(room.world.data.site(site).xpos[1]) for site in sites)
    return at - to


def _anything(room: Room, movable: list[str], b: str) -> Iterator[_Candidate]:
    truth, scene = room.truth, room.world.scene
    others = [a for a in movable if a != b]
    if b in scene.tops:
        on = [a for a in others if truth.fact(Sight(Look.ON, a, b))]
        yield _Candidate(Topic.ANY_ON, "", b, _word(bool(on)), (b, *on[:1]))
    if not scene.things[b].movable:
        before = [a for a in others if truth.fact(Sight(Look.IN_FRONT, a, b))]
        offsets = [truth.offset(a, b) for a in others]
        clear = any(
            0.05 < ahead < BEFORE - 0.04 and aside < BESIDE - 0.04 for ahead, aside, _ in offsets
        )
        free = all(
            ahead < -0.02 or ahead > BEFORE + 0.04 or aside > BESIDE + 0.04
            for ahead, aside, _ in offsets
        )
        if (before and clear) or (free and not before):
            yield _Candidate(Topic.ANY_IN_FRONT, "", b, _word(bool(before)), (b, *before[:1]))


def _missing_ones(
    missing: list[str], things: list[str], rng: np.random.Generator
) -> Iterator[_Candidate]:
    """Questions about what is not there: unknown, whatever is asked of it."""
    for name in missing[:3]:
        other = str(rng.choice(things))
        topic = _TOPICS[int(rng.integers(len(_TOPICS)))]
        a, b = (name, other) if rng.random() < 0.6 else (other, name)
        needs = (name,) if topic in (Topic.HELD, Topic.COLOUR) else (a, b)
        if topic in (Topic.OPEN, Topic.CLOSED, Topic.HELD, Topic.COLOUR):
            a, needs = name, (name,)
        yield _Candidate(topic, a, b, "unknown", needs)


_TOPICS = (
    Topic.OPEN, Topic.CLOSED, Topic.ON, Topic.INSIDE, Topic.NEXT_TO, Topic.IN_FRONT,
    Topic.BLOCKING, Topic.HELD, Topic.COLOUR, Topic.LEFT, Topic.RIGHT,
)  # fmt: skip
