"""Random worlds for the lessons of CoPAL's prompts: a domain with commands, a scene, its inventory.

The domain has the pattern of our own two-handed worlds (`copal_domain.pddl`), with two hands, one,
or none that is an object. Commands and sentences have other words from lesson to lesson. Some
robots need a command of their own before another one, which no line of a prompt tells: only the
feedback on a failure does. Every world has a logical checker, so a plan can be checked.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from string import Template

from regrasp.core.action import Action, Quantity
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.domain import Domain, Object
from regrasp.domains.lexicon import Access, Lexicon, PredicateWords
from regrasp.domains.pddl_read import read_domain
from regrasp.domains.skill_domain import SkillDomain
from regrasp.lab.language.copal_words import (
    COMMAND_NAMES,
    COMMAND_PHRASES,
    HELD_OUT_THEMES,
    PREPARATIONS,
    STATEMENTS,
    THEMES,
    Theme,
)
from regrasp.lab.language.quick_domain import QuickDomain
from regrasp.lab.language.vocabulary import Words
from regrasp.planners.commander import command_lines, listed_kinds
from regrasp.prompts.command_line import CommandLine
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["CopalWorld", "make_copal_world"]

_OWN_WORDS = 0.5
"""How often a command or a sentence has the form of our own worlds."""

_COINED = 0.12
"""How often a name is coined."""

_HANDS = (("left_hand", "right_hand"),) * 6 + (
    ("left_arm", "right_arm"),
    ("left_gripper", "right_gripper"),
    ("arm_a", "arm_b"),
)
_ONE_HAND = ("gripper", "robot_hand", "right_hand", "arm")
_WITHOUT_HANDS = ("held", "hand_empty")
_ML, _SECONDS = Quantity("ml", 40, 1, 1000), Quantity("s", 5, 0.1, 600)
_DIFFERENT_ROBOTS = 2000
_NOT_NAMES = frozenset(("not", "and", "none", "done", "the", "with", "from"))
_PREPARED = {"get": ("portable", "x"), "pour": ("vessel", "x"), "put": ("place", "y")}


@dataclass(frozen=True)
class CopalWorld:
    """A domain with its checker, and the objects of the scene by the role that they play.

    `commands` gives the name of a command by its role, which is its name in `quick`. `prepared` is
    the role of the command that needs another one before it, "" if none does. What a prompt lists
    is made once for each world.
    """

    theme: str
    recipe_word: str
    skills: SkillDomain
    checker: LogicalChecker
    quick: QuickDomain
    commands: Mapping[str, str]
    hands: tuple[str, ...]
    prepared: str = ""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def known(self) -> tuple[ObjectDescription, ...]:
        """The objects."""
        return self.checker.known

    @cached_property
    def listed_objects(self) -> tuple[tuple[str, str], ...]:
        """Every object that a command may name, with its kind."""
        return listed_kinds(self.skills, self.known)

    @cached_property
    def command_lines(self) -> tuple[CommandLine, ...]:
        """The commands as lines of a prompt."""
        return command_lines(self.skills, self.known, self.listed_objects)

    def after(self, action: Action, state: State) -> State | None:
        """The state after a command; None if it cannot be done. Its names must be right."""
        rules, role = self.checker.rules, self._role_of[action.name]
        for complete in self.checker.completions(action):
            if self.quick.is_possible(role, complete.args, state, rules):
                return self.quick.successor(role, complete.args, state, rules)
        return None

    @cached_property
    def _role_of(self) -> Mapping[str, str]:
        return {name: role for role, name in self.commands.items()}

    def kind(self, name: str) -> str:
        """The kind of an object."""
        return next(one.kind for one in self.known if one.name == name)

    def say(self, predicate: str, *args: str, positive: bool = True) -> str:
        """The sentence of a fact."""
        return self.skills.lexicon.statement(Literal(Fact.of(predicate, *args), positive))

    def sentences(self, state: State) -> tuple[str, ...]:
        """The facts of a state as the prompts list them."""
        return tuple(self.skills.lexicon.statement(Literal(one)) for one in sorted(state))

    def place_of(self, thing: str, state: State) -> str:
        """Where an object stands; "" if it is held."""
        found = [f for f in state if f.predicate in ("on", "inside") and f.args[0] == thing]
        return min(found).args[1] if found else ""

    def held(self, state: State) -> tuple[str, ...]:
        """What the hands hold."""
        found = [one for one in state if one.predicate in ("holding", "held")]
        return tuple(one.args[-1] for one in sorted(found))

    def sources(self, substance: str, state: State) -> tuple[str, ...]:
        """The vessels that have this substance alone, in the order of the objects."""
        content: dict[str, set[str]] = {}
        for one in state:
            if one.predicate == "contains":
                content.setdefault(one.args[0], set()).add(one.args[1])
        return tuple(
            name
            for name in (*self.roles["sealed"], *self.roles["loose"])
            if content.get(name) == {substance}
        )


def make_copal_world(words: Words, rng: random.Random, held_out: bool = False) -> CopalWorld:
    """A world of a random theme."""
    themes = HELD_OUT_THEMES if held_out and rng.random() < 0.5 else THEMES
    name = (
        rng.choice(("bar", "kitchen", *themes)) if themes is THEMES else rng.choice(tuple(themes))
    )
    return _Builder(name, themes.get(name, THEMES["bar"]), words, rng).made()


@cache
def _pattern() -> str:
    return (Path(__file__).parent / "copal_domain.pddl").read_text(encoding="utf-8")


@dataclass
class _Builder:
    """Draws the objects, then the commands, then what is true."""

    theme_name: str
    theme: Theme
    words: Words
    rng: random.Random
    known: list[ObjectDescription] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    substances: list[str] = field(default_factory=list)
    facts: set[Fact] = field(default_factory=set)
    roles: dict[str, list[str]] = field(default_factory=dict)

    def made(self) -> CopalWorld:
        """The world."""
        rng, robot = self.rng, _robot(self.rng.randrange(_DIFFERENT_ROBOTS), self.words)
        self._objects()
        self._contents()
        self._hold(robot.hands)
        names = robot.names
        skills = SkillDomain(
            robot.lexicon,
            kinds=dict(self.types),
            init=frozenset(self.facts),
            objects=tuple(Object(name, "substance") for name in self.substances),
            phrases=robot.phrases,
            quantities={names["pour"]: _ML, names["wait"]: _SECONDS},
            optional=robot.optional,
        )
        known = [*self.known]
        if rng.random() < 0.3:
            rng.shuffle(known)
        order = {one.name: i for i, one in enumerate(known)}
        roles = {r: tuple(sorted(found, key=order.__getitem__)) for r, found in self.roles.items()}
        checker = LogicalChecker(skills, tuple(known))
        return CopalWorld(
            self.theme_name,
            self.theme.recipe,
            skills,
            checker,
            robot.quick,
            names,
            robot.hands,
            robot.prepared,
            roles,
        )

    # ---- objects -------------------------------------------------------------------------------

    def _add(self, role: str, type_name: str, name: str, kind: str) -> str:
        """Add an object unless its name or kind is taken for something else; "" then."""
        taken = name in self.substances or any(one.name == name for one in self.known)
        if taken or self.types.setdefault(kind, type_name) != type_name:
            return ""
        self.known.append(ObjectDescription(name, kind=kind))
        self.roles[role].append(name)
        return name

    def _named(self, noun: str, among: int) -> str:
        """A name for one of several objects of a noun."""
        rng = self.rng
        if rng.random() < _COINED:
            return f"{self.words.coined(rng)}_{noun}"
        if among == 1 and rng.random() < 0.8:
            return noun
        return rng.choice(
            (
                self.words.name(rng, noun),
                f"{noun}_{rng.randint(1, 9)}",
                f"{rng.choice(('first', 'second', 'third', 'fourth', 'fifth'))}_{noun}",
            )
        )

    def _objects(self) -> None:
        rng, theme = self.rng, self.theme
        self.roles = {
            r: []
            for r in (
                "sealed",
                "loose",
                "targets",
                "surfaces",
                "containers",
                "machines",
                "items",
            )
        }
        large = rng.random() < 0.12
        liquids = rng.sample(
            theme.liquids, min(len(theme.liquids), rng.randint(2, 18 if large else 6))
        )
        solids = rng.sample(
            theme.solids, min(len(theme.solids), rng.randint(1, 14 if large else 5))
        )
        liquids = [self.words.coined(rng) if rng.random() < _COINED else one for one in liquids]
        self.substances = [*dict.fromkeys((*liquids, *solids))]
        one_noun = rng.choice(theme.sealed), rng.choice(theme.loose)
        for role, type_name, substances, noun in (
            ("sealed", "bottle", liquids, one_noun[0]),
            ("loose", "bowl", solids, one_noun[1]),
        ):
            for substance in substances:
                named = f"{substance}_{noun}" if rng.random() < 0.85 else self._named(noun, 9)
                if self._add(role, type_name, named, noun):
                    self.facts.add(Fact.of("contains", named, substance))
                if rng.random() < 0.12:
                    spare = f"{rng.choice(('spare', 'second', 'old'))}_{substance}_{noun}"
                    if self._add(role, type_name, spare, noun):
                        self.facts.add(Fact.of("contains", spare, substance))
        target, count = rng.choice(theme.targets), rng.choice((1, 1, 2, 3, 5))
        count = 1 if theme.bakes and rng.random() < 0.7 else count
        for _ in range(count):
            self._add(
                "targets", "dough" if theme.bakes else "glass", self._named(target, count), target
            )
        if not self.roles["targets"]:
            self._add("targets", "dough" if theme.bakes else "glass", f"main_{target}", target)
        for role, type_name, nouns, most in (
            ("surfaces", "surface", theme.surfaces, 4),
            ("containers", "container", theme.containers, 2),
            ("machines", "machine", theme.machines, 1),
            ("items", "block", theme.items, 4),
        ):
            least = 2 if role == "surfaces" else 1 if theme.bakes and role == "containers" else 0
            for noun in rng.sample(nouns, rng.randint(least, min(most, len(set(nouns))))):
                made = "oven" if noun == "oven" else type_name
                self._add(role, made, self._named(noun, 1), noun)
        if rng.random() < 0.25:
            noun = rng.choice(("block", "cube", "brick", "crate", "disc"))
            for _ in range(rng.randint(2, 5)):
                self._add("items", "block", self.words.name(rng, noun), noun)
        while len(self.roles["surfaces"]) < 2:
            self._add("surfaces", "surface", f"{self.words.coined(rng)}_stand", "stand")

    def _contents(self) -> None:
        """Where everything is, and in which state."""
        rng, facts = self.rng, self.facts
        surfaces, containers = self.roles["surfaces"], self.roles["containers"]
        ovens = [n for n in containers if self.types[self._kind(n)] == "oven"]
        stores = [name for name in containers if name not in ovens]
        home = {role: rng.choice(surfaces) for role in self.roles}
        for role in ("sealed", "loose", "targets", "items"):
            for name in self.roles[role]:
                if stores and role != "targets" and rng.random() < 0.22:
                    facts.add(Fact.of("inside", name, rng.choice(stores)))
                else:
                    place = home[role] if rng.random() < 0.8 else rng.choice(surfaces)
                    facts.add(Fact.of("on", name, place))
        facts |= {Fact.of("capped", name) for name in self.roles["sealed"] if rng.random() < 0.8}
        facts |= {Fact.of("open", name) for name in stores if rng.random() < 0.15}
        facts |= {Fact.of("empty", name) for name in self.roles["targets"] if rng.random() < 0.9}
        blocks = self.roles["items"]
        if len(blocks) > 1 and rng.random() < 0.4:  # some stand on each other
            lower, *others = rng.sample(blocks, rng.randint(2, min(3, len(blocks))))
            for upper in others:
                facts -= {
                    f for f in facts if f.predicate in ("on", "inside") and f.args[0] == upper
                }
                facts.add(Fact.of("on", upper, lower))
                lower = upper

    def _kind(self, name: str) -> str:
        return next(one.kind for one in self.known if one.name == name)

    def _hold(self, hands: tuple[str, ...]) -> None:
        """The hands are free; seldom one holds something."""
        facts, rng = self.facts, self.rng
        facts |= {Fact.of("free", hand) for hand in hands} or {Fact.of("hand_empty")}
        below = {f.args[1] for f in facts if f.predicate == "on"}
        movable = (*self.roles["sealed"], *self.roles["loose"], *self.roles["items"])
        carried = [name for name in movable if name not in below]
        if not carried or rng.random() > 0.08:
            return
        thing = rng.choice(carried)
        facts -= {f for f in facts if f.predicate in ("on", "inside") and f.args[0] == thing}
        if hands:
            hand = rng.choice(hands)
            facts.discard(Fact.of("free", hand))
            facts.add(Fact.of("holding", hand, thing))
        else:
            facts.discard(Fact.of("hand_empty"))
            facts.add(Fact.of("held", thing))


@dataclass(frozen=True, slots=True)
class _Robot:
    """The words of a robot: its hands, commands, sentences, and what it needs before a command."""

    hands: tuple[str, ...]
    prepared: str
    names: Mapping[str, str]
    phrases: Mapping[str, str]
    lexicon: Lexicon
    quick: QuickDomain
    optional: Mapping[str, int]


_ROBOTS: dict[tuple[int, tuple[str, ...], int], _Robot] = {}


def _robot(number: int, words: Words) -> _Robot:
    """The robot of a number; kept, because to read its domain takes longer than a lesson."""
    key = number, words.classes, len(words.pool)
    if key not in _ROBOTS:
        _ROBOTS[key] = _draw_robot(random.Random(f"robot {number}"), words)
    return _ROBOTS[key]


def _draw_robot(rng: random.Random, words: Words) -> _Robot:
    draw = rng.random()
    hands = rng.choice(_HANDS) if draw < 0.7 else (rng.choice(_ONE_HAND),) * (draw < 0.85)
    prepared = rng.choice(tuple(_PREPARED)) if rng.random() < 0.15 else ""
    names, said = _names(rng, words), _statements(rng, hands)
    phrases = {
        names[role]: _own_or(rng, forms).replace("{hand}", " with the {2}" if hands else "")
        for role, forms in COMMAND_PHRASES.items()
    }
    if prepared:
        command, word = rng.choice(PREPARATIONS)
        names["prepare"] = command if command not in names.values() else f"{command}_it"
        phrases[names["prepare"]] = f"{command} the {{0}}"
        said["prepared"] = f"{{a}} is {{not}}{word}"
    entries = tuple(
        PredicateWords(predicate, Access.ASSUMED, form, (f"{form.replace('{not}', '')}?",))
        for predicate, form in said.items()
    )
    lexicon = Lexicon(_domain(hands, prepared, names), entries)
    optional = {names["get"]: 1} if hands and rng.random() < 0.9 else {}
    quick = _quick_domain(hands, prepared)
    return _Robot(hands, prepared, names, phrases, lexicon, quick, optional)


def _own_or(rng: random.Random, choices: Iterable[str]) -> str:
    every = tuple(choices)
    return every[0] if rng.random() < _OWN_WORDS else rng.choice(every)


def _names(rng: random.Random, words: Words) -> dict[str, str]:
    """A name for each command; a robot has our own ones, or none of them has to be."""
    names = dict[str, str]()
    if rng.random() < _OWN_WORDS:
        return {role: choices[0] for role, choices in COMMAND_NAMES.items()}
    for role, choices in COMMAND_NAMES.items():
        name = words.coined(rng) if rng.random() < _COINED else rng.choice(choices)
        while name in names.values() or name in _NOT_NAMES:
            name = words.coined(rng)
        names[role] = name
    return names


def _statements(rng: random.Random, hands: tuple[str, ...]) -> dict[str, str]:
    hidden = _WITHOUT_HANDS if hands else ("holding", "free")
    own = rng.random() < _OWN_WORDS
    return {
        predicate: forms[0] if own else _own_or(rng, forms)
        for predicate, forms in STATEMENTS.items()
        if predicate not in hidden
    }


def _domain(hands: tuple[str, ...], prepared: str, names: Mapping[str, str]) -> Domain:
    """The domain with its hands and the names of its commands."""
    pattern = _domain_of_roles(hands, prepared)
    return replace(pattern, actions=tuple(replace(a, name=names[a.name]) for a in pattern.actions))


@cache
def _domain_of_roles(hands: tuple[str, ...], prepared: str) -> Domain:
    """The domain in which a command has the name of its role; to read it takes long."""
    return read_domain(_pddl(hands, prepared, {role: role for role in (*COMMAND_NAMES, "prepare")}))


@cache
def _quick_domain(hands: tuple[str, ...], prepared: str) -> QuickDomain:
    return QuickDomain(_domain_of_roles(hands, prepared))


def _pddl(hands: tuple[str, ...], prepared: str, names: Mapping[str, str]) -> str:
    """The text of the domain."""
    pattern = _pattern()
    if not prepared:
        pattern = pattern.partition("\n\n  (:action $prepare")[0] + ")"
        pattern = pattern.replace("\n    (prepared ?x - thing)", "")
    type_name, variable = _PREPARED.get(prepared, ("", ""))
    needs = {
        f"{role}_prepared": f"(prepared ?{variable})" if role == prepared else ""
        for role in _PREPARED
    }

    def holding(name: str) -> str:
        each = " ".join(f"(holding {hand} ?{name})" for hand in hands)
        return f"(or {each})" if hands else f"(held ?{name})"

    free = " ".join(f"(free {hand})" for hand in hands)
    two = len(hands) == 2
    return Template(pattern).substitute(
        names,
        **needs,
        prepare_type=type_name,
        constants=f"(:constants {' '.join(hands)} - hand)" if hands else "",
        held_predicates="(holding ?h - hand ?x - portable) (free ?h - hand)"
        if hands
        else "(held ?x - portable) (hand_empty)",
        hand_parameter="?h - hand" if hands else "",
        this_hand_free="(free ?h)" if hands else "(hand_empty)",
        take="(holding ?h ?x) (not (free ?h))" if hands else "(held ?x) (not (hand_empty))",
        held_x=holding("x"),
        y_not_held=f"(not {holding('y')})",
        let_go="(forall (?h - hand) (when (holding ?h ?x) (and (free ?h) (not (holding ?h ?x)))))"
        if hands
        else "(hand_empty) (not (held ?x))",
        some_hand_free=f"(or {free})" if hands else "(hand_empty)",
        cap_needs=holding("b") if two else f"(not {holding('b')})",
    )
