"""Grounding: a problem without variables, with a bit for every fact and operators on bit sets.

Conditions are rewritten in disjunctive normal form, so that an operator needs some bits to be set
and some to be clear. Operators that are unreachable in the delete relaxation (no true fact is ever
deleted) and facts that never change are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.fact import Fact
from regrasp.domains.deadline import Deadline
from regrasp.domains.domain import ActionSchema, Domain, Problem
from regrasp.domains.formula import (
    And,
    Atom,
    Condition,
    Equal,
    Exists,
    ForAll,
    Imply,
    Not,
    Or,
)
from regrasp.domains.ground_size import (
    StaticBindings,
    TooLargeError,
    check_condition,
    check_effects,
)
from regrasp.domains.rules import Binding, Rules, ground

__all__ = [
    "Change",
    "Conjunction",
    "GroundTask",
    "Operator",
    "TooLargeError",
    "ground_task",
    "relaxed",
]

MAX_OPERATORS = 200_000
"""The largest number of operators."""

MAX_ALTERNATIVES = 1_000
"""The largest number of conjunctions of one condition."""

_MAX_BINDINGS = 2_000_000  # of all actions; most of them may need what is never true


@dataclass(frozen=True, slots=True)
class Conjunction:
    """A conjunction: the bits of `true` are set, those of `false` are not."""

    true: int = 0
    false: int = 0

    def holds(self, state: int) -> bool:
        """Whether a state satisfies it."""
        return state & self.true == self.true and not state & self.false

    def possible(self, true: int, false: int) -> bool:
        """Whether it can hold if the bits of `true` can be set and those of `false` unset."""
        return not (self.true & ~true or self.false & ~false)


@dataclass(frozen=True, slots=True)
class Change:
    """The bits that an operator sets and clears where `when` holds; setting wins over clearing."""

    when: Conjunction
    adds: int
    deletes: int


@dataclass(frozen=True, slots=True)
class Operator:
    """An action with given objects: its precondition and its changes."""

    action: Action
    precondition: Conjunction
    changes: tuple[Change, ...]

    def successor(self, state: int) -> int:
        """The state after it."""
        adds = deletes = 0
        for change in self.changes:
            if change.when.holds(state):
                adds |= change.adds
                deletes |= change.deletes
        return state & ~deletes | adds


@dataclass(frozen=True, slots=True)
class GroundTask:
    """Bit i of a state is whether `facts[i]` is true; any conjunction of `goal` is enough.

    `fluent_mask` has the bits that differ between reachable states.
    """

    facts: tuple[Fact, ...]
    init: int
    goal: tuple[Conjunction, ...]
    operators: tuple[Operator, ...]
    fluent_mask: int

    def is_goal(self, state: int) -> bool:
        """Whether the state satisfies the goal."""
        return any(conjunction.holds(state) for conjunction in self.goal)


def ground_task(domain: Domain, problem: Problem, deadline: Deadline | None = None) -> GroundTask:
    """The ground form of a problem; TooLargeError if it would be too large: that is counted first.

    Its `goal` is empty if the goal is unreachable even when nothing is ever deleted. OutOfTimeError
    if the deadline passes before it is made.
    """
    deadline = deadline or Deadline(math.inf)
    grounder = _Grounder(Rules.of(domain, problem), problem, deadline)
    grounder.check_size()
    operators = [o for schema in domain.actions for o in grounder.operators(schema)]
    goal = grounder.disjuncts(problem.goal, {}, True)
    facts = tuple(grounder.bits)
    init = sum(1 << bit for fact, bit in grounder.bits.items() if fact in problem.init)
    for true, false in relaxed(operators, init, (1 << len(facts)) - 1 & ~init):  # noqa: B007
        deadline.check()
    kept = [
        _without_constants(o, true, false)
        for o in operators
        if o.precondition.possible(true, false)
    ]
    goal = [_restricted(c, true & false) for c in goal if c.possible(true, false)]
    changing = tuple(operator for operator in kept if operator.changes)
    return GroundTask(facts, init, tuple(dict.fromkeys(goal)), changing, true & false)


def relaxed(operators: Iterable[Operator], true: int, false: int) -> Iterator[tuple[int, int]]:
    """The bits that can be set and unset after 0, 1, 2, … rounds in which nothing is deleted.

    In a round, every applicable operator is applied. The first pair is the input; the last is a
    fixed point. A goal that is met in no round before n is at least n actions away.
    """
    waiting = list(operators)
    while True:
        yield true, false
        adds = deletes = 0
        later = []
        for operator in waiting:
            if not operator.precondition.possible(true, false):
                later.append(operator)
                continue
            open_changes = False
            for change in operator.changes:
                if change.when.possible(true, false):
                    adds |= change.adds
                    deletes |= change.deletes
                else:
                    open_changes = True
            if open_changes:
                later.append(operator)
        if not adds & ~true and not deletes & ~false:
            return
        true, false, waiting = true | adds, false | deletes, later


@dataclass(slots=True)
class _Grounder:
    """Makes operators; facts get their bits in the order of their first use."""

    rules: Rules
    problem: Problem
    deadline: Deadline
    bits: dict[Fact, int] = field(default_factory=dict)
    operator_count: int = 0
    _fluent: frozenset[str] = field(init=False)
    _static: StaticBindings = field(init=False)

    def __post_init__(self) -> None:
        actions = self.rules.domain.actions
        self._fluent = frozenset(e.atom.predicate for a in actions for e in a.effects)
        self._static = StaticBindings(self.rules, self.problem.init, self._fluent, self.deadline)

    def check_size(self) -> None:
        """Raise TooLargeError if there would be far too many operators or facts."""
        check_condition(self.rules, self.problem.goal, f"the goal of {self.problem.name}")
        count = 0
        for schema in self.rules.domain.actions:
            check_condition(self.rules, schema.precondition, schema.name)
            check_effects(self.rules, schema.effects, schema.name)
            count += self._static.at_least(schema, _MAX_BINDINGS)
            if count > _MAX_BINDINGS:
                raise self._too_many()

    def operators(self, schema: ActionSchema) -> Iterator[Operator]:
        """The operators of an action, for all objects for which its static conditions hold."""
        for binding in self._static.of(schema):
            action = Action(schema.name, tuple(binding[p.name] for p in schema.parameters))
            for needs in self.disjuncts(schema.precondition, binding, True):
                self.operator_count += 1
                if self.operator_count > MAX_OPERATORS:
                    raise self._too_many()
                yield Operator(action, needs, self._changes(schema, binding, needs))

    def _too_many(self) -> TooLargeError:
        return TooLargeError(
            f"{self.problem.name} has more than {MAX_OPERATORS} ground actions. "
            "Use fewer objects, narrower types or actions with fewer parameters."
        )

    def _changes(
        self, schema: ActionSchema, binding: Binding, needs: Conjunction
    ) -> tuple[Change, ...]:
        """The changes of an operator: first the unconditional one, then the conditional ones."""
        found: list[Change] = []
        for effect in schema.effects:
            for more in self.rules.bindings(effect.variables):
                bound = {**binding, **more}
                bit = 1 << self._bit(ground(effect.atom, bound))
                for when in self.disjuncts(effect.condition, bound, True):
                    if when.true & needs.false or when.false & needs.true:
                        continue
                    left = Conjunction(when.true & ~needs.true, when.false & ~needs.false)
                    found.append(Change(left, bit * effect.positive, bit * (not effect.positive)))
        return _merged(found)

    def disjuncts(
        self, condition: Condition, binding: Binding, positive: bool
    ) -> list[Conjunction]:
        """The condition, or its negation if not `positive`, as a disjunction; [] if never true."""
        self.deadline.step()
        match condition:
            case Atom():
                fact = ground(condition, binding)
                if fact.predicate not in self._fluent:
                    return [Conjunction()] if (fact in self.problem.init) is positive else []
                bit = 1 << self._bit(fact)
                return [Conjunction(bit, 0) if positive else Conjunction(0, bit)]
            case Equal():
                return (
                    [Conjunction()]
                    if self.rules.holds(condition, frozenset(), binding) is positive
                    else []
                )
            case Not(part):
                return self.disjuncts(part, binding, not positive)
            case And(parts) | Or(parts):
                made = [self.disjuncts(part, binding, positive) for part in parts]
                every = isinstance(condition, And) is positive
            case Imply(premise, conclusion):
                made = [self.disjuncts(premise, binding, not positive)]
                every = not positive
                if made[0] == ([] if every else [Conjunction()]):  # the conclusion does not matter
                    return made[0]
                made.append(self.disjuncts(conclusion, binding, positive))
            case ForAll(variables, part) | Exists(variables, part):
                wider = ({**binding, **more} for more in self.rules.bindings(variables))
                made = [self.disjuncts(part, one, positive) for one in wider]
                every = isinstance(condition, ForAll) is positive
        return self._all(made) if every else self._any(made)

    def _all(self, parts: list[list[Conjunction]]) -> list[Conjunction]:
        found = [Conjunction()]
        for part in parts:
            self.deadline.step()
            both = [Conjunction(a.true | b.true, a.false | b.false) for a in found for b in part]
            found = self._any([[c for c in both if not c.true & c.false]])
        return found

    def _any(self, parts: list[list[Conjunction]]) -> list[Conjunction]:
        """The conjunctions of all parts, without those that imply another one."""
        listed = list(dict.fromkeys(conjunction for part in parts for conjunction in part))
        if len(listed) == 1:
            return listed
        self.deadline.check()
        if len(listed) > MAX_ALTERNATIVES:
            raise TooLargeError(
                f"a condition of {self.problem.name} expands to more than {MAX_ALTERNATIVES} "
                "conjunctions. Split the action, or define a predicate for the part they share."
            )
        return [
            c for c in listed if not any(d != c and d.possible(c.true, c.false) for d in listed)
        ]

    def _bit(self, fact: Fact) -> int:
        return self.bits.setdefault(fact, len(self.bits))


def _merged(changes: list[Change]) -> tuple[Change, ...]:
    """Merge changes with the same condition; a bit that is always set is never cleared."""
    together: dict[Conjunction, tuple[int, int]] = {Conjunction(): (0, 0)}
    for change in changes:
        adds, deletes = together.get(change.when, (0, 0))
        together[change.when] = (adds | change.adds, deletes | change.deletes)
    certain = together[Conjunction()][0]
    found = (Change(w, a, d & ~a & ~certain) for w, (a, d) in together.items())
    return tuple(change for change in found if change.adds or change.deletes)


def _without_constants(operator: Operator, true: int, false: int) -> Operator:
    """The operator without the bits that are always or never set."""
    both = true & false
    possible = (c for c in operator.changes if c.when.possible(true, false))
    changes = [Change(_restricted(c.when, both), c.adds & both, c.deletes & both) for c in possible]
    return Operator(operator.action, _restricted(operator.precondition, both), _merged(changes))


def _restricted(conjunction: Conjunction, bits: int) -> Conjunction:
    """The conjunction without the bits that are not in `bits`."""
    return Conjunction(conjunction.true & bits, conjunction.false & bits)
