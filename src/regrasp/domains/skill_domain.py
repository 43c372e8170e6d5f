"""A domain that a robot acts in: its lexicon, its objects, the timing of effects, its problems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action, EffectTiming, Quantity
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.feedback import FailureCode
from regrasp.core.object_description import ObjectDescription
from regrasp.core.refused_action import RefusedAction
from regrasp.core.robot import SkillReport
from regrasp.domains.domain import Domain, Object, Problem
from regrasp.domains.formula import Condition
from regrasp.domains.lexicon import Access, Lexicon
from regrasp.domains.rules import Rules

__all__ = ["SkillCall", "SkillDomain", "problem_of", "read_amount"]

_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,12}(?:\.[0-9]{0,12})?|\.[0-9]{1,12})")


@dataclass(frozen=True, slots=True)
class SkillCall:
    """The robot's skill for an action, and which of the action's arguments it takes.

    A planner may have several actions for one skill: `grasp_from_in(mug, cabinet)` is the skill
    `grasp(mug)`, which is `SkillCall("grasp", (0,))`. None stands for all arguments in order.
    """

    name: str
    arguments: tuple[int, ...] | None = None

    def call(self, action: Action) -> Action:
        """The skill call for `action`."""
        if self.arguments is None:
            return Action(self.name, action.args)
        given = len(action.args)
        return Action(self.name, tuple(action.args[i] for i in self.arguments if i < given))


@dataclass(frozen=True, slots=True)
class SkillDomain:
    """`kinds` gives the type of a robot's object by its kind, `init` the facts true at first.

    `skills` gives the robot's skill for an action where its name differs; `wait_action` is a skill
    during which an agent can look. A skill without `timing` has its effects at its end.
    `initial_predicates` are the predicates that an agent asks the vision model about before its
    first plan: the description of the scene. `denied_by` gives, for a failure code, the predicates
    of the action's preconditions and effects that such a failure shows to be false. For
    `felt_predicates`, the robot's report has priority over the vision model.

    `types` gives the type of a single object by its name, where objects of one kind differ.
    `objects` are objects of every problem that are not the robot's, such as rooms. `phrases` are
    actions in words; `{0}` is the first argument. `suspects` gives, for a failure code, the
    predicates that may explain it: an agent asks about them before it plans again. `cameras` are
    the ones to use; the first two of the robot where none are named. `kept` are the literals that
    no action of the domain can make false (`domains.kept`).

    `quantities` are the numbers that some actions take after their objects: the robot's action has
    them, the planning domain does not. `optional` is the number of last objects that a command may
    leave out, such as the hand of `get`: a checker or the robot chooses them.

    `unrecoverable` gives, for an action, the predicates whose unmet preconditions no repair mends:
    `{"get": ("free",)}` leaves it to the planner what to put down when all hands are full.

    `shown_by` gives, for a failure code, predicates of one object that such a failure shows to be
    true, each with the place of the object among the skill's arguments: a flow that stopped shows
    that what was poured from is empty, `{FailureCode.EMPTY: (("empty", 0),)}`.

    `refused` are actions that the robot cannot do and no plan repeats (`domains.refused_actions`).
    """

    lexicon: Lexicon
    kinds: Mapping[str, str]
    init: State = frozenset()
    timing: Mapping[str, EffectTiming] = field(default_factory=dict)
    skills: Mapping[str, SkillCall] = field(default_factory=dict)
    denied_by: Mapping[FailureCode, tuple[str, ...]] = field(default_factory=dict)
    felt_predicates: frozenset[str] = frozenset()
    wait_action: Action | None = None
    initial_predicates: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    objects: tuple[Object, ...] = ()
    phrases: Mapping[str, str] = field(default_factory=dict)
    suspects: Mapping[FailureCode, tuple[str, ...]] = field(default_factory=dict)
    cameras: tuple[str, ...] = ()
    kept: tuple[Literal, ...] = ()
    quantities: Mapping[str, Quantity] = field(default_factory=dict)
    optional: Mapping[str, int] = field(default_factory=dict)
    unrecoverable: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shown_by: Mapping[FailureCode, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    refused: tuple[RefusedAction, ...] = ()

    @property
    def domain(self) -> Domain:
        """The actions."""
        return self.lexicon.domain

    def rules(self, known: Iterable[ObjectDescription]) -> Rules:
        """The rules of the domain for the objects that a robot knows; other kinds are left out."""
        typed = (
            Object(one.name, self.types.get(one.name, self.kinds[one.kind]))
            for one in known
            if one.kind in self.kinds
        )
        every = (*self.domain.constants, *typed, *self.objects)
        return Rules(self.domain, tuple(dict.fromkeys(every)))

    def with_access(self, access: Access, *predicates: str) -> SkillDomain:
        """The same domain with another access for some predicates; unknown ones are ignored."""
        known = {entry.predicate for entry in self.lexicon.entries}
        mine = [one for one in predicates if one in known]
        return replace(self, lexicon=self.lexicon.with_access(access, *mine)) if mine else self

    def skill(self, action: Action) -> Action:
        """The skill call for an action of a plan, with its quantity if it takes one."""
        symbolic, amount = self.split_quantity(action)
        call = self.skills.get(action.name, SkillCall(action.name)).call(symbolic)
        quantity = self.quantities.get(action.name)
        return call if quantity is None else Action(call.name, (*call.args, quantity.write(amount)))

    def open_skill(self, action: Action) -> Action:
        """The skill call for an action of a plan, its optional objects left to the robot."""
        kept = len(action.args) - self.optional.get(action.name, 0)
        return self.skill(Action(action.name, action.args[:kept]))

    def chosen(self, action: Action, done: Action) -> Action:
        """An action of a plan with the optional objects that the robot's report `done` names."""
        optional = action.name in self.optional and len(done.args) == len(action.args)
        return Action(action.name, done.args) if optional else action

    def split_quantity(self, action: Action) -> tuple[Action, float | None]:
        """The action of the planning domain and its quantity: None if it has none."""
        if action.name not in self.quantities or not action.args:
            return action, None
        amount = read_amount(action.args[-1])
        return (action, None) if amount is None else (Action(action.name, action.args[:-1]), amount)

    def describe(self, action: Action) -> str:
        """The action in words, e.g. `put the mug into the cabinet`.

        The type stands for an object that was left out, the default for a quantity.
        """
        phrase = self.phrases.get(action.name)
        if not phrase:
            return " ".join((action.name, *action.args))
        symbolic, amount = self.split_quantity(action)
        left_out = self.domain.action(action.name).parameters[len(symbolic.args) :]
        quantity = self.quantities.get(action.name)
        number = () if quantity is None else (quantity.write(amount),)
        return phrase.format(*symbolic.args, *(one.types[0] for one in left_out), *number)

    def seen_at_start(self, rules: Rules) -> tuple[Literal, ...]:
        """The literals that an agent asks the vision model about before its first plan."""
        return _literals(self.initial_predicates, rules)

    @property
    def required_skills(self) -> frozenset[str]:
        """The skills that a robot must have."""
        calls = (self.skills.get(one.name, SkillCall(one.name)) for one in self.domain.actions)
        return frozenset(call.name for call in calls)

    def denied_literals(
        self, report: SkillReport, concerned: Iterable[Literal]
    ) -> tuple[Literal, ...]:
        """The preconditions and effects of an action that the robot's report shows to be false.

        A dropped object is not held; an object out of reach is not at its believed place.
        """
        predicates = self.denied_by.get(report.code, ()) if report.code is not None else ()
        shown = self.shown_facts(report)
        return tuple(
            one
            for one in concerned
            if (one.fact.predicate in predicates if one.positive else one.fact in shown)
        )

    def shown_facts(self, report: SkillReport) -> tuple[Fact, ...]:
        """The facts that the robot's report shows to be true, e.g. that a bottle is empty."""
        args = report.action.args
        shown = self.shown_by.get(report.code, ()) if report.code is not None else ()
        return tuple(Fact.of(name, args[place]) for name, place in shown if place < len(args))

    def explains(self, report: SkillReport) -> bool:
        """Whether the domain draws any conclusion from a failure of this code."""
        known = (self.denied_by, self.suspects, self.shown_by)
        return any(report.code in one for one in known)

    def suspected(self, report: SkillReport, rules: Rules) -> tuple[Literal, ...]:
        """Facts that may explain a failure, about an object of the skill's arguments.

        Example: the microwave resisted opening; is the kettle blocking the microwave? A
        precondition over all objects is not a single fact (`Rules.preconditions`), so it is asked
        about here.
        """
        predicates = self.suspects.get(report.code, ()) if report.code is not None else ()
        about = set(report.action.args)
        return tuple(one for one in _literals(predicates, rules) if about & set(one.fact.args))


def _literals(predicates: Iterable[str], rules: Rules) -> tuple[Literal, ...]:
    """The literals of some predicates. No object is paired with itself: nothing is on itself."""
    facts = (fact for predicate in predicates for fact in rules.facts(predicate))
    return tuple(Literal(fact) for fact in facts if len(set(fact.args)) == len(fact.args))


def read_amount(text: str) -> float | None:
    """The finite number that the text is, else None: `40`, not `first_glass`, `nan` or `1_000`."""
    return float(text) if _NUMBER.fullmatch(text) else None


def problem_of(
    skills: SkillDomain, known: Iterable[ObjectDescription], state: State, goal: Condition
) -> Problem:
    """The problem to reach `goal` from `state` with the objects that the robot knows."""
    constants = set(skills.domain.constants)
    objects = tuple(one for one in skills.rules(known).objects if one not in constants)
    return Problem(f"{skills.domain.name}-problem", skills.domain.name, objects, state, goal)
