"""Random scenes with random names, and the forms that a goal may take there.

Forms differ between scenes as they do between robots: the predicates, their names, the kinds of
their arguments, and whether "open" is a fact of its own or the opposite of "closed".
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from regrasp.core.fact import Fact, Literal
from regrasp.core.object_description import Affordance, ObjectDescription, kind_of
from regrasp.lab.language.goal_phrasings import (
    CONDITIONS,
    EXAM_LIQUIDS,
    EXAM_OUTDOOR_ROOMS,
    EXAM_PREDICATES,
    EXAM_ROOMS,
    LIQUIDS,
    OUTDOOR_ROOMS,
    PREDICATES,
    ROOMS,
    SAME,
)
from regrasp.lab.language.props import Props
from regrasp.lab.language.skill_worlds import EMPTY, SkillWorld
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.goal import GoalForm
from regrasp.prompts.scene import SceneDescription

__all__ = ["GoalWorld", "forms_of_scene", "forms_of_skills", "make_goal_world"]

_COINED = 0.3
"""How often a predicate has a meaningless name."""

_WORDS = tuple(sorted({word for ways in CONDITIONS for word, _ in ways.wanted}))


@dataclass(frozen=True, slots=True)
class GoalWorld:
    """A scene and the forms of its goals; `rooms` are those indoors, then those outdoors."""

    scene: SceneDescription
    forms: tuple[GoalForm, ...]
    rooms: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

    def literal(self, sentence: str, args: Sequence[str], positive: bool = True) -> Literal | None:
        """The literal of the form with this sentence that takes these objects, or None."""
        for form in self.forms:
            if form.sentence == sentence and len(form.takes) == len(args) == len(set(args)):
                choices = form.choices(self.scene)
                if all(arg in choice for arg, choice in zip(args, choices, strict=True)):
                    return Literal(Fact(form.predicate, tuple(args)), positive)
        return None

    def spoken(self, sentence: str) -> Literal | None:
        """The literal of a sentence about objects, e.g. `red_mug is on tray`."""
        names = {line.name for line in self.scene.objects}
        args = [word for word in sentence.split() if word in names]
        for variable, name in zip(("X", "Y"), args, strict=False):
            sentence = re.sub(rf"\b{re.escape(name)}\b", variable, sentence, count=1)
        return self.literal(sentence, args)


@dataclass
class _Names:
    """Draws unique names for predicates."""

    rng: random.Random
    words: Words
    exam: bool
    taken: set[str] = field(default_factory=set)

    def draw(self, sentence: str) -> str:
        listed = EXAM_PREDICATES.get(sentence, ()) if self.exam else ()
        names = listed or PREDICATES.get(sentence) or (_last_words(sentence),)
        while True:
            coined = self.rng.random() < _COINED or set(names) <= self.taken
            name = self.words.coined(self.rng) if coined else self.rng.choice(names)
            if name not in self.taken:
                self.taken.add(name)
                return name


def _last_words(sentence: str) -> str:
    """`X is turned on` is called `turned_on`."""
    said = sentence.replace("X has the ", "").replace(" as Y", "").removeprefix("X is ")
    return re.sub(r"[^a-z]+", "_", said.lower()).strip("_")


def _kinds(lines: Iterable[ObjectDescription]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.kind for line in lines))


def _forms(
    drawn: Iterable[tuple[str, tuple[tuple[str, ...], ...]]], names: _Names
) -> tuple[GoalForm, ...]:
    """Forms of sentences and their arguments; forms without fitting objects are left out."""
    made = [GoalForm(names.draw(said), takes, said) for said, takes in drawn if all(takes)]
    if names.rng.random() < 0.5:
        names.rng.shuffle(made)
    return tuple(made)


# ---- scenes made for goals ---------------------------------------------------------------------


def make_goal_world(words: Words, rng: random.Random, held_out: bool) -> GoalWorld:
    """Objects, some of the same kind, stands, places that open, machines, rooms, liquids."""
    return _Maker(rng, Props(rng, words), words, held_out).made()


@dataclass
class _Maker:
    rng: random.Random
    props: Props
    words: Words
    exam: bool
    things: list[ObjectDescription] = field(default_factory=list)
    stands: list[ObjectDescription] = field(default_factory=list)
    places: list[ObjectDescription] = field(default_factory=list)
    holders: list[ObjectDescription] = field(default_factory=list)
    machines: list[ObjectDescription] = field(default_factory=list)
    others: list[ObjectDescription] = field(default_factory=list)
    rooms: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))

    def made(self) -> GoalWorld:
        self._draw()
        rng = self.rng
        lines = [*self.things, *self.holders, *self.stands, *self.places, *self.machines]
        if rng.random() < 0.5:
            rng.shuffle(lines)
        lines += self.others
        forms = _forms(self._drawn(), _Names(rng, self.words, self.exam))
        return GoalWorld(
            SceneDescription(tuple(lines)), forms, (tuple(self.rooms[0]), tuple(self.rooms[1]))
        )

    # ---- objects -------------------------------------------------------------------------------

    def _draw(self) -> None:
        rng = self.rng
        shared = rng.choice(self.words.classes) if rng.random() < 0.15 else ""
        for count in rng.choice(((1, 1), (2,), (2, 1), (3,), (2, 2), (1, 1, 1), (3, 1))):
            self.things += self._alike(self.words.things, count, {Affordance.PICK}, shared)
        for count in rng.choice(((), (1,), (1,), (1, 1), (2,), (1, 1, 1))):
            self.stands += self._alike(self.words.stands, count, {Affordance.PUT_ON})
        for count in rng.choice(((), (1,), (1,), (1, 1), (2,))):
            self.places += self._alike(
                self.words.places, count, {Affordance.OPEN, Affordance.PUT_IN}
            )
        if rng.random() < 0.35:
            count = rng.choice((1, 2, 2, 3))
            self.holders += self._alike(
                self.words.things, count, {Affordance.PICK, Affordance.PUT_IN}
            )
        if rng.random() < 0.35:
            self.machines += self._alike(
                self.words.switches, rng.choice((1, 1, 2)), {Affordance.TURN}
            )
        if rng.random() < 0.3:
            self._draw_rooms()
        if rng.random() < 0.2:
            liquid = rng.choice(EXAM_LIQUIDS if self.exam else LIQUIDS)
            self._other(liquid, "liquid")

    def _draw_rooms(self) -> None:
        rng = self.rng
        inside = rng.sample(EXAM_ROOMS if self.exam else ROOMS, rng.choice((1, 1, 2)))
        outside = rng.sample(
            EXAM_OUTDOOR_ROOMS if self.exam else OUTDOOR_ROOMS, rng.choice((0, 1, 1))
        )
        self.rooms[0].extend(name for name in inside if self._other(name, "room"))
        self.rooms[1].extend(name for name in outside if self._other(name, "room"))

    def _other(self, name: str, kind: str) -> bool:
        if name in self.props.taken:
            return False
        self.props.taken.add(name)
        self.others.append(ObjectDescription(name, kind=kind))
        return True

    def _alike(
        self, among: tuple[str, ...], count: int, can: set[Affordance], kind: str = ""
    ) -> list[ObjectDescription]:
        """`count` objects of one noun that no other object has."""
        noun = kind_of(self.words.noun(self.rng, among))
        while noun in self.props.taken:
            noun = kind_of(self.words.noun(self.rng, among))
        names = [self.props.name((), like=noun) for _ in range(count)]
        return [
            ObjectDescription(name, affordances=tuple(can), kind=kind or noun) for name in names
        ]

    # ---- forms ---------------------------------------------------------------------------------

    def _drawn(self) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
        rng, likely = self.rng, self._likely
        moved = _kinds((*self.things, *self.holders))
        stands, places = _kinds(self.stands), _kinds((*self.places, *self.holders))
        shut, every = _kinds(self.places), (*moved, *stands, *_kinds(self.places))
        drawn: list[tuple[str, tuple[tuple[str, ...], ...]]] = []
        if len(stands) > 1 and likely(0.25):  # two predicates with the same sentence
            drawn += [("X is on Y", (moved, stands[:1])), ("X is on Y", (moved, stands[1:]))]
        else:
            under = (*_kinds(self.things), *stands) if likely(0.25) else stands
            drawn.append(("X is on Y", (moved, under)))
        drawn.append(("X is inside Y", (_kinds(self.things), places)))
        if likely(0.2):
            drawn.append(("X is next to Y", (moved, every)))
        if likely(0.7):
            drawn.append(("X is held by the robot", (moved,)))
        opened = rng.choice((("X is closed",), ("X is closed",), ("X is open",),
                             ("X is open", "X is closed")))  # fmt: skip
        drawn += [(said, (shut,)) for said in opened]
        if likely(0.5):
            drawn.append((rng.choice(("X is in view", "X is in sight")), (every,)))
        if likely(0.25):
            drawn.append(("the robot is at X", ((*stands, *shut),)))
        if likely(0.3):
            drawn.append(("the hand of the robot is empty", ()))
        drawn.append(("X is turned on", (_kinds((*self.machines, *self.places[:1])),)))
        drawn += self._conditions()
        if self.others and any(line.kind == "room" for line in self.others):
            drawn.append(("X is in the room Y", (moved, ("room",))))
        if likely(0.5):
            several = tuple(k for k in moved if sum(o.kind == k for o in self.things) > 1)
            attribute = rng.choice(("colour", "colour", *SAME))
            drawn.append((f"X has the same {attribute} as Y", (several, every)))
        return drawn

    def _likely(self, share: float) -> bool:
        return self.rng.random() < share

    def _conditions(self) -> list[tuple[str, tuple[tuple[str, ...], ...]]]:
        rng = self.rng
        liquid = tuple(line.kind for line in self.others if line.kind == "liquid")
        kinds = _kinds(self.things)
        drawn: list[tuple[str, tuple[tuple[str, ...], ...]]] = []
        words = [word for word in _WORDS if word != "turned on"]
        for word in rng.sample(words, rng.choice((0, 1, 1, 2, 2, 3))):
            some = tuple(kind for kind in kinds if rng.random() < 0.8)
            heated = liquid if word in ("cooked", "hot", "cold") and rng.random() < 0.7 else ()
            drawn.append((f"X is {word}", ((*some, *heated),)))
        return drawn


# ---- forms of other made-up scenes -------------------------------------------------------------


def forms_of_skills(
    world: SkillWorld, words: Words, rng: random.Random, held_out: bool
) -> GoalWorld:
    """The effects of a robot's skills, as forms."""
    takes: dict[str, list[dict[str, None]]] = {}
    for skill in world.skills:
        for sentence in (*skill.makes, *skill.ends):
            used = [v for v in ("X", "Y") if re.search(rf"\b{v}\b", sentence)]
            if "anything" in sentence or not used:
                continue
            places = [ord(variable) - ord("X") for variable in used]
            form = re.sub(r"\bY\b", "X", sentence) if used == ["Y"] else sentence
            kinds = takes.setdefault(form, [{} for _ in used])
            for slot, place in zip(kinds, places, strict=True):
                slot.update(dict.fromkeys(skill.takes[place]))
    drawn: list[tuple[str, tuple[tuple[str, ...], ...]]] = [
        (said, tuple(tuple(slot) for slot in kinds))
        for said, kinds in takes.items()
        if " floor" not in said  # a constant of the robot, which no form names
    ]
    if any(EMPTY in skill.makes for skill in world.skills):
        drawn.append((EMPTY, ()))
    return GoalWorld(world.scene, _forms(drawn, _Names(rng, words, held_out)))


def forms_of_scene(
    scene: SceneDescription, words: Words, rng: random.Random, held_out: bool
) -> GoalWorld:
    """The affordances of objects, as forms: a robot with rewards has no other domain."""

    def that_can(*uses: Affordance) -> tuple[str, ...]:
        return _kinds(line for line in scene.objects if line.allows(*uses))

    moved, opened = that_can(Affordance.PICK), that_can(Affordance.OPEN)
    every = _kinds(scene.objects)
    drawn = [
        ("X is on Y", (moved, that_can(Affordance.PUT_ON))),
        ("X is inside Y", (moved, that_can(Affordance.PUT_IN))),
        (rng.choice(("X is in sight", "X is in view")), (every,)),
        ("X is held by the robot", (moved,)),
        (rng.choice(("X is open", "X is closed")), (opened,)),
    ]
    drawn += [("X is next to Y", (moved, every))] if rng.random() < 0.6 else []
    drawn += [("X is blocking Y", (moved, opened))] if rng.random() < 0.6 else []
    drawn += [("X is locked", (opened,))] if rng.random() < 0.6 else []
    drawn += [("X is turned on", (that_can(Affordance.PULL, Affordance.PRESS, Affordance.TURN),))]
    for attribute in rng.sample(list(SAME), rng.choice((0, 1, 1, 2))):
        drawn.append((f"X has the same {attribute} as Y", (moved, every)))
    plain = SceneDescription(tuple(replace(line, state="") for line in scene.objects))
    return GoalWorld(plain, _forms(drawn, _Names(rng, words, held_out)))
