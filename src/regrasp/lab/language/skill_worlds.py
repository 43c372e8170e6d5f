"""Generated robots with named skills: their objects, and each skill's preconditions and effects.

A skill family is a kind of skill set: an arm at a table, an arm with places that open, a robot that
must go to its objects, a walker that carries objects between tables. One family is held out from
training and used in the evaluation only: it needs a combination of what the others need. Every
sentence has the form that a lexicon gives it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from regrasp.core.object_description import Affordance, ObjectDescription, kind_of
from regrasp.lab.language.props import Props
from regrasp.lab.language.skill_names import SkillNames
from regrasp.lab.language.vocabulary import Words
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.skills import SkillLine, bound

__all__ = [
    "AT",
    "EMPTY",
    "HELD",
    "HELD_OUT_CRAFTS",
    "INSIDE",
    "IN_VIEW",
    "NEXT_TO",
    "ON",
    "OTHER_ON",
    "SHUT",
    "TRAINING_CRAFTS",
    "UNSHUT",
    "WAYS",
    "SkillFamily",
    "SkillWorld",
    "make_skill_world",
]  # fmt: skip

HELD, EMPTY = "X is held by the robot", "the hand of the robot is empty"
ON, INSIDE, NEXT_TO = "X is on Y", "X is inside Y", "X is next to Y"
SHUT, UNSHUT = "X is closed", "X is open"
_GRASPING = "anything is held by the robot"
AT, IN_VIEW = "the robot is at X", "X is in view"
OTHER_ON = "anything is on Y"
WAYS = ("the way ahead on the left is clear", "the way ahead on the right is clear")


class SkillFamily(StrEnum):
    """The kind of a robot's skill set."""

    TABLE = "table"
    STORE = "places that open"
    ROAM = "going first"
    WALK = "carrying between tables"
    ROAM_STORE = "going first, places that open"


TRAINING_CRAFTS = (
    SkillFamily.TABLE,
    SkillFamily.TABLE,
    SkillFamily.STORE,
    SkillFamily.ROAM,
    SkillFamily.WALK,
)
HELD_OUT_CRAFTS = (SkillFamily.ROAM_STORE,)


@dataclass(frozen=True, slots=True)
class SkillWorld:
    """A scene, its skills, and the facts known to be true at the start.

    `fallen` is the fact that is true of a dropped X, "" if it is unknown.
    """

    craft: SkillFamily
    scene: SceneDescription
    skills: tuple[SkillLine, ...]
    start: frozenset[str]
    forms: tuple[str, ...]
    fallen: str = ""


def make_skill_world(
    craft: SkillFamily, words: Words, rng: random.Random, held_out: bool
) -> SkillWorld:
    """A world of a skill family, with random names, kinds and wording of its skills."""
    names = SkillNames(rng, words.coined, held_out=held_out)
    return _SkillWorldBuilder(craft, rng, Props(rng, words), names).made()


@dataclass
class _SkillWorldBuilder:
    """Draws the objects first, then the skills over their kinds, then the placements."""

    craft: SkillFamily
    rng: random.Random
    props: Props
    names: SkillNames
    things: list[ObjectDescription] = field(default_factory=list)
    stands: list[ObjectDescription] = field(default_factory=list)
    places: list[ObjectDescription] = field(default_factory=list)
    others: list[ObjectDescription] = field(default_factory=list)
    gates: list[ObjectDescription] = field(default_factory=list)
    lines: list[SkillLine] = field(default_factory=list)

    def __post_init__(self) -> None:
        rng, craft = self.rng, self.craft
        self.roams = craft in (SkillFamily.ROAM, SkillFamily.WALK, SkillFamily.ROAM_STORE)
        self.stores = craft in (SkillFamily.STORE, SkillFamily.ROAM_STORE)
        self.table = craft is SkillFamily.TABLE and rng.random() < 0.75
        self.stacks = craft is SkillFamily.TABLE and rng.random() < 0.7
        self.tells_empty = rng.random() < 0.85  # else a precondition forbids any held object
        self.tells_open = rng.random() < 0.5  # else only "closed" is a fact
        self.single = craft is SkillFamily.TABLE or rng.random() < 0.3  # a stand takes one object
        self.turns = craft is SkillFamily.WALK and rng.random() < 0.5
        seen = rng.random() < 0.5 and craft is not SkillFamily.WALK
        self.at = (IN_VIEW if seen else AT) if self.roams else ""

    def made(self) -> SkillWorld:
        """The world."""
        self._draw()
        self._skills()
        rng = self.rng
        lines = [*self.things, *self.stands, *self.places, *self.others, *self.gates]
        if rng.random() < 0.5:
            rng.shuffle(lines)
        if rng.random() < 0.5:
            rng.shuffle(self.lines)
        fallen = "X is on floor" if self.craft is SkillFamily.WALK else ""
        return SkillWorld(
            self.craft, SceneDescription(tuple(lines)), tuple(self.lines), self._start(),
            self._forms(), fallen,
        )  # fmt: skip

    # ---- things --------------------------------------------------------------------------------

    def _draw(self) -> None:
        rng, make, walks = self.rng, self.props, self.craft is SkillFamily.WALK
        few = rng.choice((1, 1, 2) if walks else (1, 2, 2, 3) if self.roams else (2, 3, 3, 4))
        self._draw_things(few)
        stands = rng.choice((2, 2, 3, 4) if walks else (2, 2, 3) if self.roams else (0, 1, 2))
        for _ in range(stands):
            make.stand()
            self.stands.append(make.objects[-1])
        for _ in range(rng.choice((1, 1, 2)) if self.stores else 0):
            make.place()
            self.places.append(make.objects[-1])
        if self.table:
            name = self._own("table")  # of a kind of its own, since it takes any number of objects
            self.stands.append(ObjectDescription(name, affordances=(Affordance.PUT_ON,), kind=name))
        elif not (self.stands or self.stacks or self.places):
            make.stand()
            self.stands.append(make.objects[-1])
        if walks:
            self.others.append(ObjectDescription(self._own("floor")))
        if self.turns and rng.random() < 0.5:
            noun = rng.choice(make.words.gates)
            self.gates.append(ObjectDescription(make.name((), like=noun)))
        if rng.random() < 0.25:
            make.switch()
            self.others.append(make.objects[-1])

    def _draw_things(self, count: int) -> None:
        """Objects of one noun, of one class, or each of its own noun."""
        rng, make = self.rng, self.props
        like = rng.choice(("noun", "noun", "class", "own"))
        noun = kind_of(make.words.noun(rng, make.words.things)) if like == "noun" else ""
        kind = rng.choice(make.words.classes) if like == "class" else ""
        can = frozenset({Affordance.PICK, Affordance.PUT_ON} if self.stacks else {Affordance.PICK})
        for _ in range(count):
            make.thing(like=noun)
            line = make.objects[-1]
            self.things.append(replace(line, affordances=tuple(can), kind=kind or line.kind))

    def _own(self, name: str) -> str:
        """`name`, or another if it is taken."""
        while name in self.props.taken:
            name = f"main_{name}"
        self.props.taken.add(name)
        return name

    # ---- skills --------------------------------------------------------------------------------

    def _skill(
        self,
        part: str,
        takes: Iterable[Iterable[ObjectDescription]],
        needs: Iterable[str] = (),
        bars: Iterable[str] = (),
        makes: Iterable[str] = (),
        ends: Iterable[str] = (),
    ) -> None:
        """Add the line of a skill; an empty sentence is left out."""
        kinds = tuple(tuple(dict.fromkeys(line.kind for line in one)) for one in takes)
        facts = (tuple(filter(None, said)) for said in (needs, bars, makes, ends))
        self.lines.append(SkillLine(self.names.draw(part), kinds, *facts))

    def _skills(self) -> None:
        rng = self.rng
        empty = EMPTY if self.tells_empty else ""
        grasping = "" if self.tells_empty else _GRASPING
        at_y, things = self.at.replace("X", "Y"), self.things
        beside = self.craft is SkillFamily.TABLE and rng.random() < 0.2
        left = ("X is on anything", "X is next to anything" if beside else "")
        put = ((HELD, at_y), (empty,), (HELD,))
        if self.craft is SkillFamily.WALK:
            on_y = ("X is on Y", at_y, empty)
            self._skill("pick", (things, self.stands), on_y, (grasping,), (HELD,), (empty, ON))
            floor = ("X is on floor", empty)
            strays = self.at.replace("X", "anything") if rng.random() < 0.5 else ""
            self._skill("raise", (things,), floor, (grasping,), (HELD,), (*floor, strays))
        else:
            bars = ("anything is on X" if self.stacks or rng.random() < 0.5 else "", grasping,
                    "X is inside anything" if self.stores else "")  # fmt: skip
            self._skill("pick", (things,), (empty, self.at), bars, (HELD,), (empty, *left))
        grounds = self.stands[-1:] if self.table else []
        spots = [*(things if self.stacks else []), *self.stands[: -1 if self.table else None]]
        if spots:
            taken = OTHER_ON if self.single else ""
            self._skill("place", (things, spots), put[0], (taken,), (ON, *put[1]), put[2])
        if grounds:
            self._skill("aside", (things, grounds), put[0], (), (ON, *put[1]), put[2])
        if beside:
            self._skill("beside", (things, [*things, *self.stands]), put[0], (),
                        (NEXT_TO, *put[1]), put[2])  # fmt: skip
        if self.stores:
            self._storing(put, empty, grasping, at_y)
        if self.roams:
            goes = (
                self.stands
                if self.craft is SkillFamily.WALK
                else things + self.stands + self.places
            )
            self._going(goes)
        if rng.random() < 0.3:
            self._skill("rest", ())
        switches = [
            line
            for line in self.others
            if Affordance.PICK not in line.affordances and line.affordances
        ]
        if switches and rng.random() < 0.5:
            self._skill("switch", (switches,), (self.at,), (), ("X is turned on",))

    def _going(self, goes: list[ObjectDescription]) -> None:
        """Add locomotion skills; one that turns needs a free space ahead."""
        ways, ends = WAYS if self.turns else (), self.at.replace("X", "anything")
        self._skill("go", (goes,), ways, (), (self.at,), (ends,))
        if self.gates or (self.turns and self.rng.random() < 0.3):
            gates = self.gates or [ObjectDescription("gate")]
            self._skill("forward", (gates,), ways, (), (self.at,), (ends,))
        if self.turns:
            self._skill("left", (), (), (WAYS[1],), WAYS)
            self._skill("right", (), (), (WAYS[0],), WAYS)

    def _storing(
        self, put: tuple[tuple[str, ...], ...], empty: str, grasping: str, at_y: str
    ) -> None:
        things, places, handy = self.things, self.places, self.rng.random() < 0.4
        opened, shut_y = UNSHUT if self.tells_open else "", SHUT.replace("X", "Y")
        way = ("Y is open" if self.tells_open else "", "" if self.tells_open else shut_y)
        hand = (empty if handy else "", grasping if handy else "")
        self._skill("open", (places,), (SHUT, self.at, hand[0]), (hand[1],), (opened,), (SHUT,))
        self._skill("close", (places,), (opened, self.at), ("" if opened else SHUT,), (SHUT,),
                    (opened,))  # fmt: skip
        self._skill("insert", (things, places), (*put[0], way[0]), (way[1],),
                    (INSIDE, *put[1]), put[2])  # fmt: skip
        self._skill("remove", (things, places), (INSIDE, empty, at_y, way[0]), (way[1], grasping),
                    (HELD,), (INSIDE, empty))  # fmt: skip

    # ---- facts ---------------------------------------------------------------------------------

    def _start(self) -> frozenset[str]:
        """The facts known at the start: often all, often only that the hand is empty."""
        rng, said = self.rng, set[str]()
        told = self.roams or rng.random() < 0.6
        free = [line.name for line in self.stands]
        held = rng.choice(self.things).name if rng.random() < 0.12 else ""
        for thing in self.things:
            inside = self.places and rng.random() < 0.25
            if thing.name == held:
                said |= set(bound((HELD,), (thing.name,)))
            elif inside:
                said |= set(bound((INSIDE,), (thing.name, rng.choice(self.places).name)))
            elif told and free:
                spot = rng.choice(free)
                said |= set(bound((ON,), (thing.name, spot)))
                if self.single:  # a spot takes one object, the table any number
                    ground = self.stands[-1].name if self.table else ""
                    free = [name for name in free if name != spot or name == ground]
                    free += [thing.name] if self.stacks else []
        if self.tells_empty and not held:
            said.add(EMPTY)
        for place in self.places:
            state = SHUT if rng.random() < 0.7 else UNSHUT if self.tells_open else ""
            said |= set(bound(filter(None, (state,)), (place.name,)))
        said |= {way for way in WAYS if self.turns and rng.random() < 0.85}
        if self.roams and rng.random() < 0.5:
            near = rng.choice(self.stands or self.things).name
            said |= set(bound((self.at,), (near,)))
        return frozenset(said)

    def _forms(self) -> tuple[str, ...]:
        """The sentences that a vision model can check: most, in the order of a lexicon."""
        forms = [HELD, ON]
        forms += [INSIDE, SHUT] if self.stores else []
        forms += [UNSHUT] if self.stores and self.tells_open else []
        forms += [self.at] if self.roams else []
        forms += WAYS if self.turns else []
        forms += [NEXT_TO] if any(NEXT_TO in line.makes for line in self.lines) else []
        forms += [EMPTY] if self.rng.random() < 0.2 else []
        return tuple(form for form in forms if self.rng.random() < 0.85)
