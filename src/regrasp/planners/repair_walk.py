"""One pass of a repair through a plan: the believed state, what was put down, what was opened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.core.feedback import Feedback, FeedbackLevel
from regrasp.domains.hands_and_doors import Door, doors_of
from regrasp.domains.partial_state import PartialState
from regrasp.planners.means_ends import Insertion, MeansEnds
from regrasp.planners.precondition_search import PreconditionSearch
from regrasp.planners.repair_rule import Repair, RepairRule
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["MEANS_ENDS", "RepairWalk"]

MEANS_ENDS = "means-ends"
"""The engine that finds insertions without grounding the domain."""

_SUBSTITUTION = 0.5
"""What a substituted object costs, in inserted actions."""

_NEEDED_NOW, _NEEDED_LATER = 2.0, 0.4
"""What it costs to put down an object that the command, or a later command, is about."""

_IN_THE_WAY = 0.3
"""What it costs to put an object where the command does something."""


_FURTHEST_BACK = 4
"""How many commands back a need is made true."""


@dataclass(frozen=True, slots=True)
class _Saved:
    """A copy of what changes during a pass."""

    state: PartialState
    done: tuple[Action, ...]
    repairs: tuple[Repair, ...]
    inserted: frozenset[int]
    opened: Mapping[str, Door]
    put_down: Mapping[str, Fact]
    taken: frozenset[str]
    earlier: frozenset[Action]
    origins: Mapping[str, str]


@dataclass(slots=True)
class RepairWalk:
    """Simulates the commands of `plan` and mends those that cannot be done."""

    checker: LogicalChecker
    plan: tuple[Action, ...]
    state: PartialState
    max_insertions: int
    restore: bool
    engine: str
    done: list[Action] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    inserted: set[int] = field(default_factory=set)
    _doors: tuple[Door, ...] = field(init=False)
    _opened: dict[str, Door] = field(default_factory=dict)
    _put_down: dict[str, Fact] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _earlier: set[Action] = field(default_factory=set)
    _origins: dict[str, str] = field(default_factory=dict)
    _crowd: Counter[str] = field(default_factory=Counter)
    _uses: dict[str, int] = field(default_factory=dict)
    _before: dict[int, _Saved] = field(default_factory=dict)
    _index: int = 0

    def __post_init__(self) -> None:
        self._doors = doors_of(self.checker.skills)

    def step(self, index: int) -> Feedback | None:
        """Do the next command, mended if need be; the feedback if it cannot be mended."""
        self._before[index] = self._saved()
        feedback = self._step(index)
        if feedback is not None and feedback.level is FeedbackLevel.LOGICAL:
            after = self._saved()
            if self._mend_earlier(index):
                return None
            self._restore(after)
        return feedback

    def _step(self, index: int) -> Feedback | None:
        self._index, command = index, self.plan[index]
        wrong = self.checker.language.check(command)
        if wrong is not None:
            return wrong
        self._close_again()
        choices = self.checker.completions(command)
        if self._was_moved(choices):
            self.repairs.append(Repair(RepairRule.LEAVE_OUT, index, command))
            return None
        possible = (one for one in choices if self.checker.is_possible(one, self.state))
        action = next(possible, None)
        if action is None:
            if any(self.checker.is_achieved(one, self.state) for one in choices):
                self.repairs.append(Repair(RepairRule.LEAVE_OUT, index, command))
                return None
            found = self._mend(choices)
            if found is None:
                return self.checker.check(command, self.state)
            for one in found.inserted:
                self._insert(one)
            self._earlier.update(found.inserted)
            action = found.target
            if action not in choices:
                command = self._substituted(command, action)
                self.repairs.append(Repair(RepairRule.SUBSTITUTE, index, command))
        self.done.append(command)
        self._advance(action)
        for name in command.args:  # from here on, the plan decides where it goes
            self._put_down.pop(name, None)
        return None

    def finish(self) -> None:
        """Close what the repair opened, and take up what it put down, where that can be done."""
        self._index = len(self.plan)
        self._close_again()
        if not self.restore:
            return
        for name, fact in reversed(tuple(self._put_down.items())):
            for wanted in self._in_a_hand(name, fact):
                actions = self.checker.achievers.actions(Literal(wanted), self.state)
                taking = (one for one in actions if self.checker.is_possible(one, self.state))
                if (action := next(taking, None)) is not None:
                    self._insert(action)
                    break

    def _was_moved(self, choices: tuple[Action, ...]) -> bool:
        """Whether the repair has already inserted the command: the plan had it too late.

        It stays if a later command is about its object.
        """
        moved = next((one for one in choices if one in self._earlier), None)
        if moved is None:
            return False
        self._earlier.remove(moved)
        rest = self.plan[self._index + 1 :]
        return bool(moved.args) and not any(moved.args[0] in one.args for one in rest)

    # ---- going back -----------------------------------------------------------------------------

    def _mend_earlier(self, index: int) -> bool:
        """Make true what a command needs before one of the commands before it.

        A robot with one hand that holds the cup cannot open the cabinet for it any more; it can
        open the cabinet before it takes the cup.
        """
        first = self.checker.completions(self.plan[index])[0]
        if not self._is_recoverable(first):
            return False
        needs = self.checker.unmet(first, self.state)
        for earlier in range(index - 1, max(index - _FURTHEST_BACK, 0) - 1, -1):
            for need in needs:
                self._restore(self._before[earlier])
                for action in self.checker.achievers.actions(need, self.state):
                    self._restore(self._before[earlier])
                    self._index = earlier
                    if self._do_first(action) and not any(
                        map(self._step, range(earlier, index + 1))
                    ):
                        return True
        return False

    def _do_first(self, action: Action) -> bool:
        """Insert an action and what it needs; whether that is possible."""
        if action.name in self.checker.skills.quantities:
            return False
        found = self._search().find([(action, 0.0)], self.state)
        for one in (*found.inserted, action) if found is not None else ():
            self._insert(one)
        return found is not None

    def _saved(self) -> _Saved:
        return _Saved(
            self.state, tuple(self.done), tuple(self.repairs), frozenset(self.inserted),
            dict(self._opened), dict(self._put_down), frozenset(self._taken),
            frozenset(self._earlier), dict(self._origins),
        )  # fmt: skip

    def _restore(self, saved: _Saved) -> None:
        self.state, self.done, self.repairs = saved.state, list(saved.done), list(saved.repairs)
        self.inserted, self._opened = set(saved.inserted), dict(saved.opened)
        self._put_down, self._taken = dict(saved.put_down), set(saved.taken)
        self._earlier, self._origins = set(saved.earlier), dict(saved.origins)

    # ---- mending one command --------------------------------------------------------------------

    def _mend(self, choices: tuple[Action, ...]) -> Insertion | None:
        others = dict.fromkeys(
            other for one in choices for other in self.checker.substitutes(one, self.state)
        )
        other = next((one for one in others if self.checker.is_possible(one, self.state)), None)
        if other is not None:
            return Insertion((), other)
        targets = [
            *((one, 0.0) for one in choices),
            *((one, _SUBSTITUTION) for one in others if one not in choices),
        ]
        recoverable = [(one, price) for one, price in targets if self._is_recoverable(one)]
        return self._search().find(recoverable, self.state) if recoverable else None

    def _search(self) -> MeansEnds | PreconditionSearch:
        self._crowd = Counter(fact.args[1] for fact in self.state.true if len(fact.args) == 2)
        rest = tuple(enumerate(self.plan[self._index :]))  # 0 is the present command
        self._uses = {name: i for i, one in reversed(rest) for name in one.args}
        if self.engine == MEANS_ENDS:
            return MeansEnds(self.checker, self._prefer, self._cost, self.max_insertions)
        return PreconditionSearch(self.checker, self.engine, max_insertions=self.max_insertions)

    def _is_recoverable(self, action: Action) -> bool:
        planners = self.checker.skills.unrecoverable.get(action.name, ())
        unmet = self.checker.unmet(action, self.state)
        return not any(one.fact.predicate in planners for one in unmet)

    def _substituted(self, command: Action, action: Action) -> Action:
        """The command with the objects of another action, as complete as it was."""
        symbolic, amount = self.checker.skills.split_quantity(command)
        named = len(symbolic.args) if action.name == command.name else len(action.args)
        quantity = () if amount is None else (command.args[-1],)
        return Action(action.name, (*action.args[:named], *quantity))

    def _prefer(self, binding: Mapping[str, str], name: str) -> tuple[float, ...]:
        """Objects go back to where they came from, else to where most objects are.

        An empty place that the rest of the plan uses is the last choice: it may take one object.
        """
        there = self._crowd[name]
        reserved = there == 0 and name in self._uses
        back = any(self._origins.get(moved) == name for moved in binding.values())
        return (reserved, not back, -there, name in self._uses)

    def _cost(self, action: Action) -> float:
        """What it costs to put down an object that is needed soon, or where the command acts."""
        moved = self._moved_down(action)
        if moved is None:
            return 0.0
        places = set(action.args) - {moved}
        blocking = _IN_THE_WAY if places.intersection(self.plan[self._index].args) else 0.0
        use = self._uses.get(moved)
        needed = 0.0 if use is None else _NEEDED_LATER / use if use else _NEEDED_NOW
        return needed + blocking

    def _moved_down(self, action: Action) -> str | None:
        """The object that an action takes out of a hand."""
        hands = self.checker.hands
        if hands is None:
            return None
        schema, binding = self.checker.rules.bind(action)
        for effect in schema.effects:
            if effect.atom.predicate == hands.held and not effect.positive:
                return binding.get(effect.atom.terms[hands.object])
        return None

    # ---- the state ------------------------------------------------------------------------------

    def _insert(self, action: Action, rule: RepairRule | None = None) -> None:
        self.repairs.append(Repair(rule or self._rule(action), self._index, action))
        self.inserted.add(len(self.done))
        self.done.append(action)
        before = self.state
        self._advance(action)
        for door in self._doors:
            if action.name == door.opening:
                self._opened[action.args[0]] = door
        was, is_held = self._held(before), self._held(self.state)
        for name in was.keys() - is_held.keys() - self._taken:
            self._put_down[name] = was[name]
        self._taken |= is_held.keys() - was.keys()  # these need not be taken back

    def _rule(self, action: Action) -> RepairRule:
        if any(action.name == door.opening for door in self._doors):
            return RepairRule.OPEN
        if self._moved_down(action) is not None:
            return RepairRule.FREE_HAND
        taken = any(name in self._put_down for name in action.args)
        return RepairRule.TAKE_BACK if taken else RepairRule.MAKE_TRUE

    def _advance(self, action: Action) -> None:
        before = self.state
        self.state = before.after(self.checker.rules, action)
        held = self._held(self.state)
        for fact in before.true - self.state.true:
            if len(fact.args) == 2 and fact.args[0] in held:
                self._origins[fact.args[0]] = fact.args[1]
        for name in held:
            self._put_down.pop(name, None)
        for name, door in tuple(self._opened.items()):
            if (Fact.of(door.predicate, name) in self.state.true) is not door.passable:
                del self._opened[name]

    def _held(self, state: PartialState) -> dict[str, Fact]:
        hands = self.checker.hands
        facts = () if hands is None else (f for f in state.true if f.predicate == hands.held)
        return {hands.held_object(fact) or "": fact for fact in facts} if hands else {}

    def _in_a_hand(self, name: str, fact: Fact) -> Iterator[Fact]:
        """The fact that the object is in the hand that held it, then in any other."""
        yield fact
        hands = self.checker.hands
        if hands is not None and hands.hand is not None:
            types = self.checker.rules.domain.predicate(hands.held).parameters[hands.hand].types
            for hand in self.checker.rules.objects_of(types):
                args = (hand, name) if hands.hand == 0 else (name, hand)
                yield Fact(hands.held, args)

    def _close_again(self) -> None:
        """Close what the repair opened and what the rest of the plan does not use."""
        for name, door in tuple(self._opened.items()) if self.restore else ():
            closing = Action(door.closing, (name,))
            used = any(self._is_used(one, name, door) for one in self.plan[self._index :])
            if not used and self.checker.is_possible(closing, self.state):
                self._insert(closing, RepairRule.CLOSE_AGAIN)

    def _is_used(self, command: Action, name: str, door: Door) -> bool:
        """Whether a command names the object, or one that is inside it."""
        return name in command.args or any(
            Fact.of(inside, arg, name) in self.state.true
            for arg in command.args
            for inside in door.inside
        )
