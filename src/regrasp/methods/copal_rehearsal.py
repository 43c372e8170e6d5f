"""CoPAL's rehearsal: the commands of a plan are checked in the believed state, and mended by rules.

It remembers two things from one plan to the next. What the robot refused is not tried again in the
same situation (`planners.refusal_memory`). An object that could not be put down, and that the next
plan does not name, is put down first: elsewhere, if need be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.event import CommandChecked, EventSink, ReplanLevel, Replanned
from regrasp.core.fact import State
from regrasp.core.feedback import Feedback
from regrasp.core.refused_action import RefusedAction
from regrasp.methods.copal_failed_step import FailedStep, PlanStep
from regrasp.planners.refusal_memory import RefusalMemory
from regrasp.planners.repair import PlanPurpose, PlanRepair, RepairedPlan
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["Rehearsal"]

_MOST_REFUSED = 2
"""How often an object can be refused until it stays in the hand."""


@dataclass(slots=True)
class Rehearsal:
    """Checks plans; without `repair`, an error that could be mended is a failure too.

    Without `logic`, what a command needs is not checked: the robot finds out.
    """

    mending: PlanRepair
    emit: EventSink
    repair: bool = True
    logic: bool = True
    _wanted: tuple[frozenset[str], ...] = field(default=(), init=False)
    _held_before: frozenset[str] = field(default=frozenset(), init=False)
    _still_held: dict[str, tuple[str, Action]] = field(default_factory=dict, init=False)

    @property
    def checker(self) -> LogicalChecker:
        """The checker, which knows what was refused."""
        return self.mending.checker

    def begin(self, state: State) -> None:
        """A request begins in a believed state: what a hand holds now is held on purpose."""
        self._held_before = frozenset(self.checker.held_objects(state))
        self._still_held.clear()

    def plan_for(self, steps: Iterable[str]) -> None:
        """The commands that follow are for these steps."""
        self._wanted = tuple(frozenset(re.findall(r"\w+", step)) for step in steps)

    def failed(self, command: str, action: Action) -> None:
        """The robot could not do a command: the object that it should let go of is still held."""
        moved = self.checker.object_put_down(action)
        self._still_held |= {moved: (command, action)} if moved is not None else {}

    def read(
        self, commands: Iterable[str], state: State, refused: tuple[RefusedAction, ...]
    ) -> list[PlanStep]:
        """The commands, after those that put down what a plan before them could not.

        That is left out where the commands name the object, and where nothing can be done. It is
        tried twice: then the object stays in the hand until that is needed.
        """
        self.mending = self._without(refused)
        parse, held = self.checker.language.parse, self.checker.held_objects(state)
        plan: list[PlanStep] = [(command, parse(command)) for command in commands]
        named = {name for _, one in plan if isinstance(one, Action) for name in one.args}
        self._still_held = {name: one for name, one in self._still_held.items() if name in held}
        for name, (command, action) in self._still_held.items() if self.repair else ():
            times = sum(one.action.args[:1] == (name,) for one in refused)
            if name not in named and times < _MOST_REFUSED:
                mended = self._repaired([action], state)
                plan = [(command, action), *plan] if mended.feedback is None else plan
        return plan

    def rehearse(
        self, left: list[PlanStep], state: State, memory: RefusalMemory
    ) -> list[PlanStep] | FailedStep:
        """The commands that are left, all of which can be done; or the first that cannot.

        Where nothing else can be done, only what was refused in this very state stays excluded.
        """
        self.mending = self._without(memory.failed)
        plan: list[Action] = []
        for command, read in left:
            if isinstance(read, Feedback):
                checked = self.checker.check_plan(plan, state)
                return self._failure(command, read, left[: len(plan)] if checked is None else [])
            plan.append(read)
        fault = self.checker.check_plan(plan, state) if self.logic else None
        if fault is None:
            return left
        failed = self._failure(left[fault.index][0], fault.feedback, left[: fault.index])
        found = self._mended(plan, left, failed, state) if self.repair else failed
        if isinstance(found, FailedStep) and (same := memory.in_state(state)) != memory.failed:
            self.mending = self._without(same)
            if self.checker.check_plan(plan, state) is None:
                return left
            again = self._mended(plan, left, failed, state) if self.repair else failed
            return found if isinstance(again, FailedStep) else again
        return found

    def _without(self, refused: tuple[RefusedAction, ...]) -> PlanRepair:
        same = self.mending.skills.refused == refused
        return self.mending if same else self.mending.without(refused)

    def _repaired(self, plan: list[Action], state: State) -> RepairedPlan:
        loose = frozenset(self.checker.held_objects(state)) - self._held_before
        return self.mending.repair(plan, state, PlanPurpose(self._wanted, loose))

    def _mended(
        self, plan: list[Action], left: list[PlanStep], failed: FailedStep, state: State
    ) -> list[PlanStep] | FailedStep:
        """The plan with the commands that rules insert or replace."""
        mended, write = self._repaired(plan, state), self.checker.language.write
        if mended.feedback is not None:
            number = min(mended.failed or 0, len(left) - 1)
            return FailedStep(left[number][0], mended.feedback, tuple(map(write, mended.actions)))
        for index, group in itertools.groupby(mended.repairs, key=lambda one: one.index):
            used = tuple(group)
            rules = tuple(dict.fromkeys(str(one.rule) for one in used))
            written = tuple(write(one.action) for one in used)
            command = left[min(index, len(left) - 1)][0]
            self.emit(Replanned(ReplanLevel.MID, command, failed.feedback, rules, written))
        return [(write(one), one) for one in mended.actions]

    def _failure(self, command: str, feedback: Feedback, valid: list[PlanStep]) -> FailedStep:
        self.emit(CommandChecked(command, feedback))
        return FailedStep(command, feedback, tuple(command for command, _ in valid))
