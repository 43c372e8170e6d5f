"""Questions about the goal of an instruction: the literals are drawn first and put in words second.

A goal has up to three parts over a scene with random forms. An argument is one object, any object
of a kind, all objects of a kind, or a list. The answer is therefore known by construction, for any
phrasing. Some questions come from generated robots with skills and from the rooms of the arm, whose
goals are known as well.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from regrasp.core.fact import Literal
from regrasp.core.goal import VARIABLE_MARK, is_variable, variable_kind
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.lab.language.aim_phrasings import DESTINATIONS, HELD_OUT_DESTINATIONS
from regrasp.lab.language.aims import draw_aim
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.goal_phrasings import (
    CHAINS,
    CONDITIONS,
    EXAM_CHAINS,
    EXAM_INDOORS,
    EXAM_IT_IN,
    EXAM_IT_ON,
    EXAM_TO_ROOM,
    INDOORS,
    IT_IN,
    IT_ON,
    SAME,
    TO_ROOM,
)
from regrasp.lab.language.goal_worlds import (
    GoalWorld,
    forms_of_scene,
    forms_of_skills,
    make_goal_world,
)
from regrasp.lab.language.held_out_phrasings import HELD_OUT_UNCLEAR
from regrasp.lab.language.phrasings import UNCLEAR, phrased
from regrasp.lab.language.props import called
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.skill_worlds import make_skill_world
from regrasp.lab.language.wants import RoomGoal, RoomGoalKind
from regrasp.prompts.goal import LONGEST_GOAL, GoalPrompt

__all__ = ["goal"]

_OF_SKILLS, _OF_ROOMS = 0.2, 0.4
"""The share of questions over robots with skills; the cumulative share with rooms of the arm."""

_DECLINED = 0.14
_ALSO_OPEN = re.compile(r"\bopen the\b.*\bin it\b", re.IGNORECASE)
"""A phrasing of storing that also asks to open; as a goal it would be two facts."""

_NO_FORM, _NO_OBJECT = "no form can express this", "there is no {} here"
_LINKS = (" and ", ", then ", "; ", ". ", ", and then ", " and also ")
_ARTICLE = re.compile(r"\bthe (?=(?:the|an?|any|some|one|all|every|each|both)\s)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A noun phrase of a request: its arguments, and its words."""

    args: tuple[str, ...]
    call: str

    @property
    def single(self) -> bool:
        """Whether it is one object by name."""
        return len(self.args) == 1 and not self.args[0].startswith(VARIABLE_MARK)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a goal, the request for it, and the arguments that it moves."""

    literals: tuple[Literal, ...]
    said: str
    moved: tuple[str, ...] = ()


def goal(drill: ExampleSource) -> LanguageExample:
    """Which facts must be true when the instruction is done?"""
    rng = drill.rng
    while True:
        draw = rng.random()
        if draw < _OF_SKILLS:
            made = _of_skills(drill)
        elif draw < _OF_ROOMS:
            made = _of_room(drill)
        else:
            world = make_goal_world(drill.words, rng, drill.held_out)
            made = _Asker(world, rng, drill.held_out).question(drill.words.gone)
        if made is not None:
            return made


def _asked(
    world: GoalWorld, said: str, literals: Iterable[Literal], room: str
) -> LanguageExample | None:
    found = tuple(dict.fromkeys(literals))
    if not 0 < len(found) <= LONGEST_GOAL:
        return None
    answer = "\n".join(["Goal:", *map(str, found)])
    return LanguageExample(GoalPrompt(said, world.scene, world.forms).messages(), answer, room=room)


def _declined(world: GoalWorld, said: str, why: str, room: str) -> LanguageExample:
    prompt = GoalPrompt(said, world.scene, world.forms)
    return LanguageExample(prompt.messages(), f"Cannot: {why}", room=room)


# ---- robots with skills, rooms of the arm ------------------------------------------------------


def _of_skills(drill: ExampleSource) -> LanguageExample | None:
    rng = drill.rng
    craft = rng.choice(drill.crafts)
    robot = make_skill_world(craft, drill.words, rng, drill.held_out)
    aim = draw_aim(robot, rng, drill.held_out)
    if aim is None or _ALSO_OPEN.search(aim.phrasing):
        return None
    world = forms_of_skills(robot, drill.words, rng, drill.held_out)
    found = [world.spoken(sentence) for sentence in aim.goals]
    literals = [literal for literal in found if literal is not None]
    return (
        _asked(world, aim.phrasing, literals, str(craft)) if len(literals) == len(found) else None
    )


def _of_room(drill: ExampleSource) -> LanguageExample | None:
    rng = drill.rng
    room = drill.room()
    world = forms_of_scene(room.world.scan(), drill.words, rng, drill.held_out)
    said = phrased(room.want, room.calls, rng, drill.held_out)
    if _ALSO_OPEN.search(said):
        return None
    literals = _of_want(room.want, world)
    if literals is None:
        known = {line.name for line in world.scene.objects}
        named = {room.want.x, room.want.y, room.want.s, room.want.z, room.want.k} - {""}
        if named - known or rng.random() < 0.8:
            return None
        return _declined(world, said, _NO_FORM, str(room.type))
    return _asked(world, said, literals, str(room.type))


def _of_want(want: RoomGoal, world: GoalWorld) -> list[Literal] | None:
    """The literals that satisfy a goal, or None if no form can express it."""
    x, y, s, z = want.x, want.y, want.s, want.z
    shut = (("X is closed", True), ("X is open", False))
    opened = (("X is open", True), ("X is closed", False))
    visible = (("X is in view", True), ("X is in sight", True))
    alike = VARIABLE_MARK + want.noun
    wanted: dict[RoomGoalKind, list[tuple[tuple[tuple[str, bool], ...], tuple[str, ...]]]] = {
        RoomGoalKind.STORE: [((("X is inside Y", True),), (x, y))],
        RoomGoalKind.STORE_SHUT: [((("X is inside Y", True),), (x, y)), (shut, (y,))],
        RoomGoalKind.PUT_ON: [((("X is on Y", True),), (x, s))],
        RoomGoalKind.PUT_BY: [((("X is next to Y", True),), (x, z))],
        RoomGoalKind.FIND: [(visible, (x,))],
        RoomGoalKind.OPEN: [(opened, (y,))],
        RoomGoalKind.OPEN_BY_WEIGHT: [(opened, (y,))],
        RoomGoalKind.CLOSE: [(shut, (y,))],
        RoomGoalKind.TAKE_OUT: [((("X is inside Y", False),), (x, y))],
        RoomGoalKind.AWAY: [((("X is blocking Y", False),), (x, y))],
        RoomGoalKind.USE: [((("X is turned on", True),), (want.k,))],
        RoomGoalKind.UNLOCK: [((("X is locked", False),), (y,))],
        RoomGoalKind.PICK: [((("X is held by the robot", True),), (x,))],
        RoomGoalKind.ALIKE: [
            ((("X is on Y", True),), (alike, s)),
            (((f"X has the same {want.likeness} as Y", True),), (alike, s)),
        ],
        RoomGoalKind.TWO: [
            ((("X is inside Y", True),), (x, y)),
            ((("X is on Y", True),), (z, s)),
        ],
    }
    if want.kind not in wanted:
        return None
    return _all_of(_first(world, options, args) for options, args in wanted[want.kind])


def _first(
    world: GoalWorld, options: Sequence[tuple[str, bool]], args: Sequence[str]
) -> Literal | None:
    found = (world.literal(sentence, args, positive) for sentence, positive in options)
    return next((literal for literal in found if literal is not None), None)


def _all_of(literals: Iterable[Literal | None]) -> list[Literal] | None:
    found = list(literals)
    kept = [literal for literal in found if literal is not None]
    return kept if kept and len(kept) == len(found) else None


# ---- goals of several parts --------------------------------------------------------------------


@dataclass
class _Asker:
    """Draws the parts of a goal over one scene."""

    world: GoalWorld
    rng: random.Random
    exam: bool

    def question(self, gone: Sequence[str]) -> LanguageExample | None:
        """A question; None if this draw makes no sense."""
        if self.rng.random() < _DECLINED:
            return self._impossible(gone)
        parts: list[Part] = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 2, 3))):
            part = self.rng.choice(self._ways())()
            if part is not None and self._together([*parts, part]):
                parts.append(part)
        if not parts:
            return None
        told = [part.said.rstrip(".?!") for part in parts]
        said = parts[0].said if len(parts) == 1 else self.rng.choice(_LINKS).join(told)
        literals = (literal for part in parts for literal in part.literals)
        return _asked(self.world, said, literals, "goal world")

    def _together(self, parts: Sequence[Part]) -> bool:
        """Whether parts are compatible: no object is moved twice, or onto a moved object.

        A variable belongs to one part, and no other part moves an object of its kind: two requests
        for "a mug" may mean two mugs.
        """
        if len(parts) < 2:
            return True
        facts = [literal.fact for part in parts for literal in part.literals]
        kinds = {line.name: line.kind for line in self.world.scene.objects}
        told = [{arg for one in part.literals for arg in one.fact.args} for part in parts]
        named = [{kinds.get(arg, variable_kind(arg)) for arg in args} for args in told]
        for number, args in enumerate(told):
            others = set().union(*(kind for i, kind in enumerate(named) if i != number))
            if others & {variable_kind(arg) for arg in args if is_variable(arg)}:
                return False
        moved = [arg for part in parts for arg in part.moved]
        targets = {fact.args[1] for fact in facts if len(fact.args) > 1}
        twice = len(facts) > len(set(facts)) or len(moved) > len(set(moved))
        return not twice and targets.isdisjoint(moved)

    def _ways(self) -> tuple[Callable[[], Part | None], ...]:
        many = (self._on, self._inside, self._condition) * 3
        return (
            *many, self._chain, self._chain, self._open, self._open, self._room, self._room,
            self._beside, self._pick, self._find, self._out, self._alike, self._alike, self._go,
            self._it, self._it,
        )  # fmt: skip

    # ---- noun phrases --------------------------------------------------------------------------

    def _lines(self, *uses: Affordance) -> list[ObjectDescription]:
        return [line for line in self.world.scene.objects if line.allows(*uses)]

    def _term(self, lines: Sequence[ObjectDescription], *, several: bool = True) -> Term | None:
        """One of `lines`, any or all of its kind, or a list of some of them."""
        rng, scene = self.rng, self.world.scene.objects
        if not lines:
            return None
        line, draw = rng.choice(lines), rng.random()
        kin = [one.name for one in scene if one.kind == line.kind]
        if draw < 0.22 and len(kin) > 1:
            kind = line.kind
            article = "an" if kind[0] in "aeiou" else "a"
            call = rng.choice((f"{article} {kind}", f"{article} {kind}", f"any {kind}",
                               f"one of the {_plural(kind)}", f"one {kind}"))  # fmt: skip
            return Term((VARIABLE_MARK + kind,), call)
        if several and 0.22 <= draw < 0.45 and 1 < len(kin) < 5:
            nouns = _plural(line.kind)
            calls = [f"the {nouns}", f"the {nouns}", f"all {nouns}", f"all the {nouns}",
                     f"every {line.kind}", f"each {line.kind}"]  # fmt: skip
            calls += [f"both {nouns}"] if len(kin) == 2 else []
            return Term(tuple(kin), rng.choice(calls))
        if several and 0.45 <= draw < 0.6 and len(lines) > 1:
            count = min(len(lines), rng.choice((2, 2, 3)))
            some = [one.name for one in rng.sample(list(lines), count)]
            calls = list(self._called(some))
            link = rng.choice((" and the ", " and ", " as well as the "))
            return Term(tuple(some), ", the ".join(calls[:-1]) + link + calls[-1])
        return Term((line.name,), next(iter(self._called([line.name]))))

    def _called(self, names: Sequence[str]) -> Iterable[str]:
        every = [line.name for line in self.world.scene.objects]
        return called(names, every, self.rng).values()

    def _say(self, kind: RoomGoalKind, **slots: str) -> str:
        """A phrasing with `slots` filled by calls, which may have an article of their own."""
        want = RoomGoal(kind, **slots)
        while True:
            said = phrased(want, {}, self.rng, self.exam)
            if not _ALSO_OPEN.search(said):
                return _with_articles(said)

    def _frame(self, taught: Sequence[str], kept: Sequence[str], **slots: str) -> str:
        return _with_articles(self.rng.choice(kept if self.exam else taught).format(**slots))

    def _part(
        self, said: str, literals: Iterable[Literal | None], moved: Iterable[str] = ()
    ) -> Part | None:
        found = _all_of(literals)
        return Part(tuple(found), said, tuple(moved)) if found else None

    # ---- requests ------------------------------------------------------------------------------

    def _pair(self, sentence: str, x: Term, y: Term, positive: bool = True) -> list[Literal | None]:
        return [self.world.literal(sentence, (a, b), positive) for a in x.args for b in y.args]

    def _two(self, kind: RoomGoalKind, sentence: str, slot: str, lines: list[ObjectDescription],
             positive: bool = True) -> Part | None:  # fmt: skip
        x, y = self._term(self._lines(Affordance.PICK)), self._term(lines, several=False)
        if x is None or y is None:
            return None
        said = self._say(kind, x=x.call, **{slot: y.call})
        return self._part(said, self._pair(sentence, x, y, positive), x.args)

    def _on(self) -> Part | None:
        return self._two(RoomGoalKind.PUT_ON, "X is on Y", "s", self._lines(Affordance.PUT_ON))

    def _inside(self) -> Part | None:
        places = self._lines(Affordance.PUT_IN)
        part = self._two(RoomGoalKind.STORE, "X is inside Y", "y", places)
        shut = self._lines(Affordance.OPEN)
        if part is None or self.rng.random() > 0.2 or not shut:
            return part
        x, y = self._term(self._lines(Affordance.PICK)), self._term(shut, several=False)
        if x is None or y is None:
            return None
        said = self._say(RoomGoalKind.STORE_SHUT, x=x.call, y=y.call)
        closed = _first(self.world, (("X is closed", True), ("X is open", False)), y.args)
        return self._part(said, [*self._pair("X is inside Y", x, y), closed], x.args)

    def _out(self) -> Part | None:
        places = self._lines(Affordance.PUT_IN)
        return self._two(RoomGoalKind.TAKE_OUT, "X is inside Y", "y", places, positive=False)

    def _beside(self) -> Part | None:
        every = list(self.world.scene.objects)
        return self._two(RoomGoalKind.PUT_BY, "X is next to Y", "z", every)

    def _pick(self) -> Part | None:
        x = self._term(self._lines(Affordance.PICK), several=False)
        if x is None:
            return None
        held = [self.world.literal("X is held by the robot", x.args)]
        return self._part(self._say(RoomGoalKind.PICK, x=x.call), held, x.args)

    def _find(self) -> Part | None:
        x = self._term(self._lines(*Affordance))
        if x is None:
            return None
        options = (("X is in view", True), ("X is in sight", True))
        found = [_first(self.world, options, (arg,)) for arg in x.args]
        return self._part(self._say(RoomGoalKind.FIND, x=x.call), found)

    def _open(self) -> Part | None:
        y = self._term(self._lines(Affordance.OPEN))
        if y is None:
            return None
        opens = self.rng.random() < 0.5
        kind = RoomGoalKind.OPEN if opens else RoomGoalKind.CLOSE
        options = (("X is open", opens), ("X is closed", not opens))
        ordered = options if opens else options[::-1]
        found = [_first(self.world, ordered, (arg,)) for arg in y.args]
        return self._part(self._say(kind, y=y.call), found)

    def _go(self) -> Part | None:
        y = self._term(self._lines(Affordance.PUT_ON, Affordance.OPEN), several=False)
        if y is None or not y.single:
            return None
        said = self._frame(DESTINATIONS, HELD_OUT_DESTINATIONS, y=y.call)
        return self._part(said, [self.world.literal("the robot is at X", y.args)])

    def _condition(self) -> Part | None:
        x = self._term([*self._lines(*Affordance), *self._liquids()])
        tools = [line for line in self.world.scene.objects if x and line.name not in x.args]
        if x is None or not tools:
            return None
        ways = self.rng.sample(CONDITIONS, len(CONDITIONS))
        tool = next(iter(self._called([self.rng.choice(tools).name])))
        for way in ways:
            found = _all_of(_first(self.world, _conditions(way.wanted), (arg,)) for arg in x.args)
            if found:
                said = self._frame(way.taught, way.examined, x=x.call, y=tool)
                return Part(tuple(found), said)
        return None

    def _liquids(self) -> list[ObjectDescription]:
        return [line for line in self.world.scene.objects if line.kind == "liquid"]

    def _room(self) -> Part | None:
        inside, outside = self.world.rooms
        x = self._term(self._lines(Affordance.PICK))
        if x is None or not (inside or outside):
            return None
        if len(inside) == 1 and self.rng.random() < 0.45:
            room, said = inside[0], self._frame(INDOORS, EXAM_INDOORS, x=x.call)
        else:
            room = self.rng.choice((*inside, *outside))
            said = self._frame(TO_ROOM, EXAM_TO_ROOM, x=x.call, q=room)
        return self._part(said, self._pair("X is in the room Y", x, Term((room,), room)), x.args)

    def _chain(self) -> Part | None:
        holders = [
            line for line in self._lines(Affordance.PUT_IN) if Affordance.PICK in line.affordances
        ]
        things = [line for line in self._lines(Affordance.PICK) if line not in holders]
        x, c = self._term(things), self._term(holders, several=False)
        s = self._term(self._lines(Affordance.PUT_ON), several=False)
        if x is None or c is None or s is None:
            return None
        call = c.call if not c.single else f"the {c.call}"
        said = self._frame(CHAINS, EXAM_CHAINS, x=x.call, c=call, s=s.call)
        literals = [*self._pair("X is inside Y", x, c), *self._pair("X is on Y", c, s)]
        return self._part(said, literals, (*x.args, *c.args))

    def _it(self) -> Part | None:
        """A condition of one object, which is then put somewhere."""
        first = self._condition()
        spots = [*self._lines(Affordance.PUT_ON), *self._lines(Affordance.PUT_IN)]
        if first is None or len(first.literals) > 1 or not spots:
            return None
        x, y = first.literals[0].fact.args[0], self._term(spots, several=False)
        if y is None or y.args == (x,):
            return None
        placed = (("X is on Y", IT_ON, EXAM_IT_ON), ("X is inside Y", IT_IN, EXAM_IT_IN))
        for sentence, taught, kept in placed:
            literal = self.world.literal(sentence, (x, *y.args))
            if literal is not None:
                then = self._frame(taught, kept, y=y.call)
                said = f"{first.said.rstrip('.?!')}{self.rng.choice(_LINKS)}{then}"
                return Part((*first.literals, literal), said, (x,))
        return None

    def _alike(self) -> Part | None:
        stands = self._lines(Affordance.PUT_ON)
        forms = [form for form in self.world.forms if " the same " in form.sentence]
        if not forms or not stands:
            return None
        kind, sentence = self.rng.choice(forms[0].takes[0]), forms[0].sentence
        attribute = next(word for word in SAME if f" {word} " in sentence)
        s = self.rng.choice(stands).name
        call = next(iter(self._called([s])))
        said = self._say(RoomGoalKind.ALIKE, s=call, noun=kind, likeness=attribute)
        args = (VARIABLE_MARK + kind, s)
        on, same = self.world.literal("X is on Y", args), self.world.literal(sentence, args)
        return self._part(said, [on, same], args[:1])

    # ---- requests that cannot be expressed -----------------------------------------------------

    def _impossible(self, gone: Sequence[str]) -> LanguageExample | None:
        rng, objects = self.rng, self.world.scene.objects
        draw = rng.random()
        if draw < 0.35:
            said = rng.choice(HELD_OUT_UNCLEAR if self.exam else UNCLEAR)
            told = said.format(x=rng.choice(objects).name)
            return _declined(self.world, told, _NO_FORM, "goal world")
        x, y = rng.choice(objects), rng.choice(objects)
        if draw < 0.65:
            missing = rng.choice(gone)
            said = self._say(RoomGoalKind.PUT_ON, x=missing.replace("_", " "), s=y.name)
            return _declined(self.world, said, _NO_OBJECT.format(missing), "goal world")
        way = rng.choice(CONDITIONS)
        if _first(self.world, _conditions(way.wanted), (x.name,)) is not None or x == y:
            return None
        call = next(iter(self._called([x.name])))
        said = self._frame(way.taught, way.examined, x=call, y=y.name)
        return _declined(self.world, said, _NO_FORM, "goal world")


def _conditions(wanted: Iterable[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
    return tuple((f"X is {word}", positive) for word, positive in wanted)


def _plural(noun: str) -> str:
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def _with_articles(said: str) -> str:
    """ "put the a mug on the all stands" without the extra articles."""
    before = ""
    while before != said:
        before, said = said, _ARTICLE.sub("", said)
    return said
