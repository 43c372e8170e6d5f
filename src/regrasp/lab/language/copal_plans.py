"""The right commands for the steps of a request, by construction, in a world of the lessons.

A plan is written as a careful person would do it: what is poured from is taken, opened, poured and
put back where it stood; a door that had to be opened is closed again; what stands on an object is
set aside first. Every command is checked when it is written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.feedback import Feedback
from regrasp.domains.partial_state import PartialState
from regrasp.lab.language.copal_worlds import CopalWorld
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = [
    "CommandGoal",
    "CopalStep",
    "MakeTrue",
    "PlanWriter",
    "Pour",
    "UnplannableError",
    "lasting",
    "unmet",
]

_BAKING_S = "60"
_PLACED = ("on", "inside")


class UnplannableError(RegraspError):
    """The steps cannot be carried out from this state."""


@dataclass(frozen=True, slots=True)
class Pour:
    """Pour some ml of a substance from one vessel into another."""

    substance: str
    source: str
    target: str
    ml: float


@dataclass(frozen=True, slots=True)
class MakeTrue:
    """Make a fact true, or false."""

    literal: Literal


CopalStep: TypeAlias = Pour | MakeTrue


@dataclass(slots=True)
class PlanWriter:
    """Writes commands from `state` on; `hand_for` is the hand that must take an object.

    With `prepares`, the command that this robot needs before another one is known.
    """

    world: CopalWorld
    state: State
    hand_for: Mapping[str, str] = field(default_factory=dict)
    prepares: bool = True
    written: list[Action] = field(default_factory=list)
    came_from: dict[str, str] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)

    def do_all(self, steps: tuple[CopalStep, ...]) -> tuple[Action, ...]:
        """The commands of all steps."""
        wanted = {one.literal for one in steps if isinstance(one, MakeTrue)}
        for step in steps:
            if isinstance(step, Pour):
                self._pour(step)
            else:
                self._make_true(step.literal)
            self._close_doors(wanted)
        return tuple(self.written)

    # ---- one command ---------------------------------------------------------------------------

    def _do(self, role: str, *args: str) -> None:
        action = Action(self.world.commands[role], args)
        if role == self.world.prepared and self.prepares:
            thing = args[1] if role == "put" else args[0]
            if Fact.of("prepared", thing) not in self.state and self._preparable(role, thing):
                self._do("prepare", thing)
        named_wrong = self.world.checker.language.check(action) is not None
        following = None if named_wrong else self.world.after(action, self.state)
        if following is None:
            raise UnplannableError(f"{action} cannot be done")
        self.written.append(action)
        self.state = following

    def _preparable(self, role: str, thing: str) -> bool:
        """Whether the object is of the type that is prepared: a block as a place is not."""
        return role != "put" or thing not in self.world.roles["items"]

    # ---- parts of a step -----------------------------------------------------------------------

    def _is_true(self, *fact: str) -> bool:
        return Fact.of(*fact) in self.state

    def _has_free_hand(self) -> bool:
        return any(one.predicate in ("free", "hand_empty") for one in self.state)

    def _free_a_hand(self, keep: str = "") -> None:
        """Put something down if no hand is free."""
        if self._has_free_hand():
            return
        held = [one for one in self.world.held(self.state) if one != keep]
        if not held:
            raise UnplannableError(f"the only hand holds {keep}")
        self._put_back(held[0])

    def _open(self, place: str) -> None:
        """Open a place that has a door, if it is closed."""
        if place in self.world.roles["containers"] and not self._is_true("open", place):
            self._free_a_hand()
            self._do("open_door", place)
            self.opened.append(place)

    def _close_doors(self, wanted: set[Literal]) -> None:
        """Close what was opened on the way."""
        for place in self.opened:
            stays = Literal(Fact.of("open", place)) in wanted
            if self._is_true("open", place) and not stays and self._has_free_hand():
                self._do("close_door", place)
        self.opened.clear()

    def _clear(self, thing: str, but: str = "") -> None:
        """Set aside what stands on an object."""
        above = sorted(f.args[0] for f in self.state if f.predicate == "on" and f.args[1] == thing)
        for one in above:
            if one != but:
                aside = next(p for p in self.world.roles["surfaces"])
                self._carry(one, aside)

    def _fetch(self, thing: str) -> None:
        """Take an object into a hand."""
        if thing in self.world.held(self.state):
            return
        self._clear(thing)
        place = self.world.place_of(thing, self.state)
        if not place:
            raise UnplannableError(f"nobody knows where {thing} is")
        self._open(place)
        self._free_a_hand()
        hand = self.hand_for.get(thing, "")
        if hand and not self._is_true("free", hand):
            held = next(
                f.args[1] for f in self.state if f.predicate == "holding" and f.args[0] == hand
            )
            self._put_back(held)
        required = bool(self.world.hands) and not self.world.skills.optional
        if required and not hand:
            hand = next(h for h in self.world.hands if self._is_true("free", h))
        self._do("get", thing, place, *filter(None, (hand,)))
        self.came_from[thing] = place

    def _put_back(self, thing: str) -> None:
        """Put a held object where it stood, else on the first surface."""
        place = self.came_from.get(thing, self.world.roles["surfaces"][0])
        self._do("put", thing, place)

    def _carry(self, thing: str, place: str) -> None:
        where = self.world.place_of(thing, self.state)
        if where == place:
            return
        if place in self.world.roles["items"]:
            self._clear(place, but=thing)
        self._clear(thing)
        self._open(place)
        self._fetch(thing)
        self._do("put", thing, place)

    def _uncap(self, bottle: str) -> None:
        if self._is_true("capped", bottle):
            if len(self.world.hands) == 2:
                self._fetch(bottle)
                self._free_a_hand(keep=bottle)
            elif bottle in self.world.held(self.state):
                self._put_back(bottle)
            self._do("unscrew", bottle)

    def _pour(self, step: Pour) -> None:
        inside = self.world.place_of(step.target, self.state)
        if inside in self.world.roles["containers"]:
            self._carry(step.target, self.world.roles["surfaces"][0])
        if len(self.world.hands) != 2:
            self._open(self.world.place_of(step.source, self.state))
            self._free_a_hand()
        self._uncap(step.source)
        self._fetch(step.source)
        self._do("pour", step.source, step.target, f"{step.ml:g}")
        self._put_back(step.source)

    def _make_true(self, literal: Literal) -> None:
        fact, positive = literal.fact, literal.positive
        if (fact in self.state) is positive:
            return
        match fact.predicate, positive:
            case (("on" | "inside"), True):
                self._carry(*fact.args)
            case "open", True:
                self._free_a_hand()
                self._do("open_door", *fact.args)
            case "open", False:
                self._free_a_hand()
                self._do("close_door", *fact.args)
            case "switched_on", _:
                self._free_a_hand()
                self._do("push", *fact.args)
            case "capped", False:
                self._uncap(*fact.args)
                if fact.args[0] in self.world.held(self.state):
                    self._put_back(*fact.args)
            case "capped", True:
                if len(self.world.hands) == 2:
                    self._fetch(*fact.args)
                    self._free_a_hand(keep=fact.args[0])
                self._do("screw", *fact.args)
                if fact.args[0] in self.world.held(self.state):
                    self._put_back(*fact.args)
            case "baked", True:
                self._bake(fact.args[0])
            case _:
                raise UnplannableError(f"nothing makes {literal} true")

    def _bake(self, dough: str) -> None:
        oven = self.world.roles["containers"][0]
        self._carry(dough, oven)
        if self._is_true("open", oven):
            self._do("close_door", oven)
        if not self._is_true("switched_on", oven):
            self._do("push", oven)
        self._do("wait", _BAKING_S)


def unmet(steps: tuple[CopalStep, ...], state: State) -> Iterator[CopalStep]:
    """The steps of which the end is not reached in a state."""
    for step in steps:
        if (
            isinstance(step, Pour) and Fact.of("contains", step.target, step.substance) not in state
        ) or (
            isinstance(step, MakeTrue) and (step.literal.fact in state) is not step.literal.positive
        ):
            yield step


def lasting(steps: tuple[CopalStep, ...]) -> tuple[CopalStep, ...]:
    """The steps that hold in the end: not those whose object a later step moves on."""
    return tuple(one for i, one in enumerate(steps) if not _moved_on(one, steps[i + 1 :]))


def _moved_on(step: CopalStep, later: tuple[CopalStep, ...]) -> bool:
    if not isinstance(step, MakeTrue) or step.literal.fact.predicate not in _PLACED:
        return False
    facts = [one.literal.fact for one in later if isinstance(one, MakeTrue)]
    return any(f.predicate in _PLACED and f.args[0] == step.literal.fact.args[0] for f in facts)


@dataclass(frozen=True, slots=True)
class CommandGoal:
    """What commands must reach from a state, by the logical checker."""

    checker: LogicalChecker
    state: State
    steps: tuple[CopalStep, ...]

    def is_reached_by(self, commands: tuple[str, ...]) -> bool:
        """Whether every command can be read and done in its turn, and all steps are made."""
        state, poured = PartialState(self.state), list[tuple[str, ...]]()
        for command in commands:
            action = self.checker.language.parse(command)
            if isinstance(action, Feedback):
                return False
            complete = self.checker.complete(action, state)
            if not self.checker.is_possible(complete, state):
                return False
            state = state.after(self.checker.rules, complete)
            _, amount = self.checker.skills.split_quantity(action)
            poured += [(*action.args[:2], f"{amount:g}")] if amount is not None else []
        pours = [one for one in self.steps if isinstance(one, Pour)]
        if not all((one.source, one.target, f"{one.ml:g}") in poured for one in pours):
            return False
        return not any(unmet(lasting(self.steps), state.true))
