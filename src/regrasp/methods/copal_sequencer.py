"""CoPAL's mid and low level: one command after the other is checked, mended, run and believed.

The checker knows what a command needs; the rules of `planners.repair` mend what they can. What they
cannot mend, and what the robot reports, goes up to the planner.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.event import CommandChecked, EventSink, Replanned, ReplanLevel, StepStarted
from regrasp.core.execution import run_skill
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport
from regrasp.perception.state_belief import StateBelief
from regrasp.planners.repair import PlanRepair
from regrasp.prompts.interpret import Interpretation
from regrasp.verifiers.logical_checker import LogicalChecker

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
    """Runs commands on `robot` from the believed `state`; `stop_asked` can cancel one.

    Without `repair`, an error that could be mended goes up too; with `look`, the effects
    of a command are looked at after it.
    """

    robot: Robot
    mending: PlanRepair
    estimate: StateBelief
    emit: EventSink
    state: State
    stop_asked: Callable[[], str]
    repair: bool = True
    look: bool = True
    done: list[str] = field(default_factory=list, init=False)

    def begin(self, done: Iterable[str] = ()) -> None:
        """Look at the scene; `done` are commands of the same request that were done before."""
        self.done = list(done)
        self.state = self.estimate.observe_start(self.state)

    @property
    def checker(self) -> LogicalChecker:
        """The logical checker, which the repair uses too."""
        return self.mending.checker

    def run(
        self, commands: Iterable[str], interjected: Callable[[], Interpretation | None]
    ) -> FailedStep | Interpretation | None:
        """Run commands up to the first failure, or until the person wants something else.

        `interjected` is asked for that after every command.
        """
        left: list[Step] = [(one, self.checker.language.parse(one)) for one in commands]
        while left:
            command, read = left[0]
            wrong = read if isinstance(read, Feedback) else self.checker.check(read, self.state)
            self.emit(CommandChecked(command, wrong))
            if isinstance(read, Feedback) or (wrong is not None and not self.repair):
                return FailedStep(command, wrong if wrong is not None else read)
            if wrong is not None:
                mended = self._mended(left, wrong)
                if isinstance(mended, Feedback):
                    return FailedStep(command, mended)
                left = mended
                continue
            failure = self._act(read)
            if failure is not None:
                return FailedStep(command, failure)
            if (wish := interjected()) is not None:
                return wish
            left = left[1:]
        return None

    def _mended(self, left: list[Step], wrong: Feedback) -> list[Step] | Feedback:
        """The commands that are left, mended by rules; feedback if the first cannot be mended."""
        readable = list(itertools.takewhile(lambda one: isinstance(one[1], Action), left))
        plan = tuple(read for _, read in readable if isinstance(read, Action))
        mended = self.mending.repair(plan, self.state)
        if mended.failed == 0 or (mended.feedback is not None and not mended.actions):
            return mended.feedback or wrong
        for index, repairs in itertools.groupby(mended.repairs, key=lambda one: one.index):
            used = tuple(repairs)
            command = readable[index][0]
            error = wrong if command == left[0][0] else replace(wrong, error=f"{command}: no", reason="", suggestion="")
            written = tuple(self.checker.language.write(one.action) for one in used)
            rules = tuple(dict.fromkeys(str(one.rule) for one in used))
            self.emit(Replanned(ReplanLevel.MID, command, error, rules, written))
        cut = len(readable) if mended.failed is None else mended.failed
        return [*((self.checker.language.write(one), one) for one in mended.actions), *left[cut:]]

    def _act(self, action: Action) -> Feedback | None:
        """Run one action and believe its effects, or what its failure shows; why it failed."""
        domain, command = self.checker.skills, self.checker.language.write(action)
        self.emit(StepStarted(command, "arm"))
        self.estimate.facts.forget()
        report = run_skill(self.robot, domain.skill(action), self.stop_asked)
        earlier, whole = self.state, self._completed(action, report)
        expected = self.estimate.rules.successor(earlier, whole)
        if report.outcome is Outcome.SUCCEEDED:
            self.state = self._looked(whole, expected, earlier)
            self.done.append(command)
            return self._unseen(command, whole, earlier)
        moved = _moved_some(report)
        state = expected if moved else self._looked(whole, expected, earlier, failed=True)
        self.state = self.estimate.learn_from_report(report, whole, state, earlier)
        self.done += [f"{command} (in part)"] if moved else []
        unexplained = Feedback(FeedbackLevel.RUNTIME, FailureCode.NOT_OBSERVED, str(report.outcome))
        return report.feedback or unexplained

    def _completed(self, action: Action, report: SkillReport) -> Action:
        """The action of the planning domain, with the objects that the robot has chosen."""
        domain = self.checker.skills
        if domain.optional.get(action.name) and report.action.name == domain.skill(action).name:
            chosen, _ = domain.split_quantity(Action(action.name, report.action.args))
            if chosen in self.checker.completions(action):
                return chosen
        return self.checker.complete(action, self.state)

    def _looked(self, action: Action, expected: State, earlier: State, failed: bool = False) -> State:
        """The state after a look at the effects of an action; without one, the expected state."""
        if not self.look:
            return earlier if failed else expected
        effects = self.estimate.rules.effects(action, earlier)
        found = self.estimate.ask(action, effects, expected, earlier)
        seen = any(self.estimate.facts.is_seen(one) for one in effects)
        return earlier if failed and found == expected and not seen else found

    def _unseen(self, command: str, action: Action, earlier: State) -> Feedback | None:
        """Feedback on the effects that should be true now and are believed false."""
        effects = self.estimate.rules.effects(action, earlier)
        wrong = [one for one in effects if (one.fact in self.state) is not one.positive]
        if not wrong:
            return None
        say = self.checker.skills.lexicon.statement
        reasons = (say(one.opposite) for one in wrong)
        return Feedback.misalignment(f"{command} did not have its effect.", reasons)


def _moved_some(report: SkillReport) -> bool:
    """Whether a failed skill moved a part of its quantity: its report has the ml."""
    found = report.feedback.evidence if report.feedback is not None else ()
    amounts = [one.value for one in found if one.unit == "ml" and isinstance(one.value, float)]
    return any(amount > 0 for amount in amounts)
