"""One pass of a repair through a plan, command by command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.fact import Literal
from regrasp.core.feedback import Feedback, FeedbackLevel
from regrasp.domains.refused_actions import refusal_reasons
from regrasp.planners.means_ends import Insertion, MeansEnds
from regrasp.planners.precondition_search import PreconditionSearch
from regrasp.planners.repair_rule import PlanPurpose, Repair, RepairRule
from regrasp.planners.repair_state import RepairState
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["MEANS_ENDS", "RepairWalk"]

MEANS_ENDS = "means-ends"
"""The engine that finds insertions without grounding the domain."""

_SUBSTITUTION = 0.5
"""What a substituted command costs, in inserted actions."""

_NEEDED_NOW, _NEEDED_LATER = 2.0, 0.4
"""What it costs to put down an object that the command, or a later command, is about.

The first also for any other object, if there are some that no one wants in a hand.
"""

_IN_THE_WAY = 0.3
"""What it costs to put an object where the command does something."""

_FURTHEST_BACK = 4
"""How many commands back a need is made true."""


@dataclass(slots=True)
class RepairWalk:
    """Simulates the commands of `plan` and mends those that cannot be done."""

    checker: LogicalChecker
    plan: tuple[Action, ...]
    now: RepairState
    max_insertions: int
    restore: bool
    engine: str
    purpose: PlanPurpose = field(default_factory=PlanPurpose)
    _before: dict[int, RepairState] = field(default_factory=dict)
    _crowd: Counter[str] = field(default_factory=Counter)
    _types: Counter[str] = field(default_factory=Counter)
    _uses: dict[str, int] = field(default_factory=dict)
    _index: int = 0

    def step(self, index: int) -> Feedback | None:
        """Do the next command, mended if need be; the feedback if it cannot be mended."""
        self._before[index] = self.now.copy()
        feedback = self._step(index)
        if feedback is not None and feedback.level is FeedbackLevel.LOGICAL:
            reached = self.now
            if self._mend_earlier(index):
                return None
            self.now = reached
        return feedback

    def finish(self) -> None:
        """Close what the repair opened, and take up what it put down, where that can be done."""
        self._index = len(self.plan)
        self._close_again()
        for name, fact in reversed(tuple(self.now.put_down.items())) if self.restore else ():
            if name in self.purpose.loose:
                continue
            for wanted in self.now.in_a_hand(name, fact):
                actions = self.checker.achievers.actions(Literal(wanted), self.now.state)
                taking = next((one for one in actions if self._is_possible(one)), None)
                if taking is not None:
                    self.now.insert(self._index, taking)
                    break

    def _step(self, index: int) -> Feedback | None:
        self._index, command = index, self.plan[index]
        wrong = self.checker.language.check(command)
        if wrong is not None:
            return wrong
        self._close_again()
        choices = self.checker.completions(command)
        action = next((one for one in choices if self._is_possible(one)), None)
        achieved = action is None and any(
            self.checker.is_achieved(one, self.now.state) for one in choices
        )
        if achieved or self._was_done_earlier(choices):
            self.now.repairs.append(Repair(RepairRule.LEAVE_OUT, index, command))
            return None
        if action is None:
            found = self._mend(choices)
            if found is None:
                return self.checker.check(command, self.now.state)
            for one in found.inserted:
                self.now.insert(index, one)
            self.now.earlier.update(found.inserted)
            action = found.target
            if action not in choices:
                command = self._substituted(command, action)
                self.now.repairs.append(Repair(RepairRule.SUBSTITUTE, index, command))
        self.now.run(command, action)
        return None

    def _is_possible(self, action: Action) -> bool:
        return self.checker.is_possible(action, self.now.state)

    def _was_done_earlier(self, choices: tuple[Action, ...]) -> bool:
        """Whether the repair has already inserted the command: the plan had it too late.

        It stays if a later command is about its object.
        """
        moved = next((one for one in choices if one in self.now.earlier), None)
        if moved is None:
            return False
        self.now.earlier.remove(moved)
        rest = self.plan[self._index + 1 :]
        return bool(moved.args) and not any(moved.args[0] in one.args for one in rest)

    def _close_again(self) -> None:
        """Close what the repair opened and what the rest of the plan does not use."""
        rest = self.plan[self._index :]
        for name, door in tuple(self.now.opened.items()) if self.restore else ():
            closing = Action(door.closing, (name,))
            used = any(self.now.uses(one, name, door) for one in rest)
            if not used and self._is_possible(closing):
                self.now.insert(self._index, closing, RepairRule.CLOSE_AGAIN)

    # ---- mending one command --------------------------------------------------------------------

    def _mend(self, choices: tuple[Action, ...]) -> Insertion | None:
        elsewhere = self._elsewhere(choices)
        if elsewhere is not None:
            return Insertion((), elsewhere)
        others = dict.fromkeys(
            other for one in choices for other in self.checker.substitutes(one, self.now.state)
        )
        other = next((one for one in others if self._is_possible(one)), None)
        if other is not None:
            return Insertion((), other)
        targets = [
            *((one, 0.0) for one in choices),
            *((one, _SUBSTITUTION) for one in others if one not in choices),
        ]
        recoverable = [(one, price) for one, price in targets if self._is_recoverable(one)]
        return self._search().find(recoverable, self.now.state) if recoverable else None

    def _elsewhere(self, choices: tuple[Action, ...]) -> Action | None:
        """Another place for an object that the robot could not put where the plan has it.

        Only if it does not matter where (`PlanPurpose`).
        """
        first, state = choices[0], self.now.state
        moved = self.checker.object_put_down(first)
        refused = refusal_reasons(self.checker.skills, first, state.true)
        if moved not in self.now.held() or not refused or self.purpose.decides(first):
            return None
        self._count()
        let_go = Literal(self.now.held()[moved], False)
        others = self.checker.achievers.actions(let_go, state, self._prefer)
        return next((one for one in others if one != first and self._is_possible(one)), None)

    def _mend_earlier(self, index: int) -> bool:
        """Make true what a command needs before one of the commands before it.

        A robot with one hand that holds the cup cannot open the cabinet for it any more; it can
        open the cabinet before it takes the cup.
        """
        first = self.checker.completions(self.plan[index])[0]
        if not self._is_recoverable(first):
            return False
        needs = self.checker.unmet(first, self.now.state)
        for earlier in range(index - 1, max(index - _FURTHEST_BACK, 0) - 1, -1):
            before = self._before[earlier]
            for need in needs:
                for action in self.checker.achievers.actions(need, before.state):
                    self.now, self._index = before.copy(), earlier
                    if self._do_first(action) and not any(
                        map(self._step, range(earlier, index + 1))
                    ):
                        return True
        return False

    def _do_first(self, action: Action) -> bool:
        """Insert an action and what it needs; whether that is possible."""
        if action.name in self.checker.skills.quantities:
            return False
        found = self._search().find([(action, 0.0)], self.now.state)
        for one in (*found.inserted, action) if found is not None else ():
            self.now.insert(self._index, one)
        return found is not None

    def _is_recoverable(self, action: Action) -> bool:
        """Whether no unmet need is the planner's to decide.

        What to put down is its decision, unless a hand holds an object that is not wanted there.
        """
        planners, hands = self.checker.skills.unrecoverable.get(action.name, ()), self.checker.hands
        unmet = self.checker.unmet(action, self.now.state)
        decisions = {one.fact.predicate for one in unmet if one.fact.predicate in planners}
        if hands is not None and decisions == {hands.free}:
            named = {name for one in self.plan[self._index :] for name in one.args}
            return bool((self.purpose.loose - named) & self.now.held().keys())
        return not decisions

    def _substituted(self, command: Action, action: Action) -> Action:
        """The command with the objects of another action, as complete as it was."""
        symbolic, amount = self.checker.skills.split_quantity(command)
        named = len(symbolic.args) if action.name == command.name else len(action.args)
        quantity = () if amount is None else (command.args[-1],)
        return Action(action.name, (*action.args[:named], *quantity))

    # ---- what is better -------------------------------------------------------------------------

    def _count(self) -> None:
        """Count how many objects are at each place, and find when the plan uses an object next."""
        facts = [fact for fact in self.now.state.true if len(fact.args) == 2]
        types = {one.name: one.type for one in self.checker.rules.objects}
        self._crowd = Counter(fact.args[1] for fact in facts)
        self._types = Counter(
            place for _, place in {(types.get(f.args[0]), f.args[1]) for f in facts}
        )
        rest = tuple(enumerate(self.plan[self._index :]))  # 0 is the present command
        self._uses = {name: i for i, one in reversed(rest) for name in one.args}

    def _search(self) -> MeansEnds | PreconditionSearch:
        self._count()
        if self.engine == MEANS_ENDS:
            return MeansEnds(self.checker, self._prefer, self._cost, self.max_insertions)
        return PreconditionSearch(self.checker, self.engine, max_insertions=self.max_insertions)

    def _prefer(self, binding: Mapping[str, str], name: str) -> tuple[float, ...]:
        """Objects go back to where they came from, else to where most types of object are.

        A place where the robot could not put something comes after the others. An empty place that
        the rest of the plan uses is the last choice: it may take one object.
        """
        there = self._crowd[name]
        reserved = there == 0 and name in self._uses
        back = any(self.now.origins.get(moved) == name for moved in binding.values())
        refused = any(name in one.action.args[1:] for one in self.checker.skills.refused)
        return (reserved, not back, refused, -self._types[name], -there, name in self._uses)

    def _cost(self, action: Action) -> float:
        """What it costs to put down an object that is needed soon, or where the command acts."""
        moved = self.checker.object_put_down(action)
        if moved is None:
            return 0.0
        places = set(action.args) - {moved}
        blocking = _IN_THE_WAY if places.intersection(self.plan[self._index].args) else 0.0
        use = self._uses.get(moved)
        needed = 0.0 if use is None else _NEEDED_LATER / use if use else _NEEDED_NOW
        wanted = self.purpose.loose and moved not in self.purpose.loose
        return needed + blocking + (_NEEDED_NOW if wanted else 0.0)
