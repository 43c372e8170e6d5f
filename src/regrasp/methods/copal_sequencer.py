"""CoPAL's mid level: one command after the other is checked, mended by rules, and run.

The logical checker knows what a command needs, and `planners.repair` mends what it can. What it
cannot mend, and what the robot reports, goes up to the planner.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
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
    """A command of the plan, and why it could not be done."""

    command: str
    feedback: Feedback

    def __str__(self) -> str:
        return f"{self.command}: {self.feedback.error} {self.feedback.reason}".strip()

    @property
    def stopped(self) -> bool:
        """Whether it was cancelled from outside: then no other plan is wanted."""
        return self.feedback.code is FailureCode.CANCELLED


@dataclass(slots=True)
class Sequencer:
    """Runs commands; without `repair`, an error that could be mended goes up too."""

    execution: CommandExecution
    mending: PlanRepair
    emit: EventSink
    repair: bool = True
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
        language = self.mending.checker.language
        left: list[Step] = [(command, language.parse(command)) for command in commands]
        while left:
            (command, read), *others = left
            wrong = self._problem(command, read)
            if isinstance(read, Action) and wrong is None:
                result = self.execution.run(read)
                part = " (in part)" if result.in_part else ""
                self.done += [f"{command}{part}"] if result.moved else []
                if result.feedback is not None:
                    return FailedStep(command, result.feedback)
                left = others
            elif wrong is not None:
                mended = self._mended(left, wrong) if self.repair else wrong
                if isinstance(mended, Feedback):
                    return FailedStep(command, mended)
                left = mended
            if (wish := interjected()) is not None:
                return wish
        return None

    def _problem(self, command: str, read: Action | Feedback) -> Feedback | None:
        """What is wrong with a command in the believed state; None if nothing is."""
        wrong = read if isinstance(read, Feedback) else None
        if isinstance(read, Action):
            wrong = self.mending.checker.check(read, self.state)
        self.emit(CommandChecked(command, wrong))
        return wrong

    def _mended(self, left: list[Step], wrong: Feedback) -> list[Step] | Feedback:
        """The commands that are left, mended; feedback if the first cannot be."""
        language, plan = self.mending.checker.language, tuple[Action, ...]()
        for _, read in left:
            if isinstance(read, Feedback):
                break
            plan = (*plan, read)
        if not plan:
            return wrong
        mended = self.mending.repair(plan, self.state)
        if mended.feedback is not None and (not mended.actions or mended.failed == len(plan)):
            return mended.feedback
        for index, group in itertools.groupby(mended.repairs, key=lambda one: one.index):
            repairs = tuple(group)
            rules = tuple(dict.fromkeys(str(one.rule) for one in repairs))
            written = tuple(language.write(one.action) for one in repairs)
            why = wrong if index == 0 else replace(wrong, error="", reason="", suggestion="")
            self.emit(Replanned(ReplanLevel.MID, left[index][0], why, rules, written))
        cut = len(plan) if mended.failed is None else mended.failed
        return [*((language.write(one), one) for one in mended.actions), *left[cut:]]
