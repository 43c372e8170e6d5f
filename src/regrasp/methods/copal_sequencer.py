"""CoPAL's mid level: a plan is rehearsed, mended by rules, and run command by command.

The logical checker knows what a command needs, and `planners.repair` mends what it can. What it
cannot mend, and what the robot reports, goes up to the planner. The commands that are left are
rehearsed in the believed state before the first of them runs, and again whenever the world is not
as expected: a plan with a logical error moves nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.event import CommandChecked, EventSink, ReplanLevel, Replanned
from regrasp.core.fact import State
from regrasp.core.feedback import FailureCode, Feedback
from regrasp.methods.copal_execution import CommandExecution
from regrasp.planners.repair import PlanRepair
from regrasp.prompts.interpret import Interpretation

__all__ = ["FailedStep", "Sequencer"]

Step: TypeAlias = tuple[str, Action | Feedback]
"""A command as it was written, and as it was read."""


@dataclass(frozen=True, slots=True)
class FailedStep:
    """A command of the plan, and why it could not be done.

    If that was found before anything moved, `valid` are the commands that can be done before it.
    """

    command: str
    feedback: Feedback
    valid: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.command}: {self.feedback.error} {self.feedback.reason}".strip()

    @property
    def stopped(self) -> bool:
        """Whether it was cancelled from outside: then no other plan is wanted."""
        return self.feedback.code is FailureCode.CANCELLED


@dataclass(slots=True)
class Sequencer:
    """Runs commands; without `repair`, an error that could be mended goes up too.

    Without `logic`, what a command needs is not checked: the robot finds out.
    """

    execution: CommandExecution
    mending: PlanRepair
    emit: EventSink
    repair: bool = True
    logic: bool = True
    done: list[str] = field(default_factory=list, init=False)

    @property
    def state(self) -> State:
        """The believed state."""
        return self.execution.state

    def begin(self, done: Iterable[str] = ()) -> None:
        """Look at the scene; `done` are commands of the same request that were done before."""
        self.done = list(done)
        self.execution.look_around()

    def run(
        self, commands: Iterable[str], interjected: Callable[[], Interpretation | None]
    ) -> FailedStep | Interpretation | None:
        """Run commands up to the first failure, or until the person wants something else.

        `interjected` is asked for that after every command.
        """
        language, rehearsed = self.mending.checker.language, False
        left: list[Step] = [(command, language.parse(command)) for command in commands]
        while left:
            ready = left if rehearsed else self._rehearsed(left)
            if isinstance(ready, FailedStep):
                return ready
            (command, action), *left = ready
            assert isinstance(action, Action)  # what cannot be read fails in the rehearsal
            action = self._with_hand(action)
            self.emit(CommandChecked(command))
            expected = self.mending.checker.after(action, self.state)
            result = self.execution.run(action)
            part = " (in part)" if result.in_part else ""
            self.done += [f"{command}{part}"] if result.moved else []
            if result.feedback is not None:
                return FailedStep(command, result.feedback)
            rehearsed = self.state == expected
            if (wish := interjected()) is not None:
                return wish
        return None

    def expected(self, commands: Iterable[str]) -> State:
        """The believed state after commands that can be done."""
        checker, state = self.mending.checker, self.state
        for command in commands:
            action = checker.language.parse(command)
            state = checker.after(action, state) if isinstance(action, Action) else state
        return state

    def _rehearsed(self, left: list[Step]) -> list[Step] | FailedStep:
        """The commands that are left, all of which can be done; or the first that cannot."""
        if self.mending.skills.refused != self.execution.memory.failed:
            self.mending = self.mending.without(self.execution.memory.failed)
        plan: list[Action] = []
        for command, read in left:
            if isinstance(read, Feedback):
                checked = self.mending.checker.check_plan(plan, self.state)
                return self._failed(command, read, left[: len(plan)] if checked is None else [])
            plan.append(read)
        fault = self.mending.checker.check_plan(plan, self.state) if self.logic else None
        if fault is None:
            return left
        failed = self._failed(left[fault.index][0], fault.feedback, left[: fault.index])
        return self._mended(plan, left, failed) if self.repair else failed

    def _with_hand(self, action: Action) -> Action:
        """The command, with a hand that has not failed at it if one has."""
        checker, failed = self.mending.checker, {one.action for one in self.execution.memory.failed}
        bound = failed.intersection(checker.completions(action))
        return checker.complete(action, self.state) if bound else action

    def _mended(
        self, plan: list[Action], left: list[Step], failed: FailedStep
    ) -> list[Step] | FailedStep:
        """The plan with the commands that rules insert or replace."""
        mended, write = self.mending.repair(plan, self.state), self.mending.checker.language.write
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

    def _failed(self, command: str, feedback: Feedback, valid: list[Step]) -> FailedStep:
        self.emit(CommandChecked(command, feedback))
        return FailedStep(command, feedback, tuple(command for command, _ in valid))
