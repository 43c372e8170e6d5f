"""CoPAL's mid level: a plan is rehearsed, mended by rules, and run command by command.

The logical checker knows what a command needs, and `planners.repair` mends what it can. What it
cannot mend, and what the robot reports, goes up to the planner. The commands that are left are
rehearsed in the believed state before the first of them runs, and again whenever the world is not
as expected: a plan with a logical error moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.event import CommandChecked
from regrasp.core.fact import State
from regrasp.methods.copal_execution import CommandExecution
from regrasp.methods.copal_failed_step import FailedStep
from regrasp.methods.copal_rehearsal import Rehearsal
from regrasp.prompts.interpret import Interpretation

__all__ = ["Sequencer"]


@dataclass(slots=True)
class Sequencer:
    """Runs the commands of plans that the `rehearsal` accepts or mends."""

    execution: CommandExecution
    rehearsal: Rehearsal
    done: list[str] = field(default_factory=list, init=False)

    @property
    def state(self) -> State:
        """The believed state."""
        return self.execution.state

    def begin(self, done: Iterable[str] = ()) -> None:
        """Look at the scene; `done` are commands of the same request that were done before."""
        self.done = list(done)
        self.execution.look_around()
        self.rehearsal.begin(self.state)

    def run(
        self, commands: Iterable[str], interjected: Callable[[], Interpretation | None]
    ) -> FailedStep | Interpretation | None:
        """Run commands up to the first failure, or until the person wants something else.

        `interjected` is asked for that after every command.
        """
        rehearsed, memory = False, self.execution.memory
        left = self.rehearsal.read(commands, self.state, memory.failed)
        while left:
            ready = left if rehearsed else self.rehearsal.rehearse(left, self.state, memory)
            if isinstance(ready, FailedStep):
                return ready
            if not ready:  # all that was left is already true
                return None
            (command, action), *left = ready
            assert isinstance(action, Action)  # what cannot be read fails in the rehearsal
            action = self._with_hand(action)
            self.rehearsal.emit(CommandChecked(command))
            expected = self.rehearsal.checker.after(action, self.state)
            result = self.execution.run(action)
            part = " (in part)" if result.in_part else ""
            self.done += [f"{command}{part}"] if result.moved else []
            if result.feedback is not None:
                self.rehearsal.failed(command, action)
                return FailedStep(command, result.feedback)
            rehearsed = self.state == expected
            if (wish := interjected()) is not None:
                return wish
        return None

    def expected(self, commands: Iterable[str]) -> State:
        """The believed state after commands that can be done."""
        checker, state = self.rehearsal.checker, self.state
        for command in commands:
            action = checker.language.parse(command)
            state = checker.after(action, state) if isinstance(action, Action) else state
        return state

    def _with_hand(self, action: Action) -> Action:
        """The command, with a hand that has not failed at it if one has."""
        checker, failed = self.rehearsal.checker, self.execution.memory.failed
        if not {one.action for one in failed}.intersection(checker.completions(action)):
            return action
        symbolic, amount = checker.skills.split_quantity(action)
        quantity = () if amount is None else action.args[len(symbolic.args) :]
        return Action(action.name, (*checker.complete(action, self.state).args, *quantity))
