"""CoPAL's low level: run one command on the robot, and believe what follows from it.

The believed state is the inventory that the robot was told, with what was seen, the effects of
commands that succeeded, and what reports of failures show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from regrasp.core.action import Action
from regrasp.core.event import StepStarted
from regrasp.core.execution import run_skill
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.goal import Goal
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport
from regrasp.domains.refused_actions import UNREACHABLE
from regrasp.perception.state_belief import StateBelief
from regrasp.planners.refusal_memory import RefusalMemory
from regrasp.verifiers.logical_checker import LogicalChecker

__all__ = ["CommandExecution", "CommandResult"]


@dataclass(frozen=True, slots=True)
class CommandResult:
    """Why a command failed, None if it succeeded; and whether it moved all or a part."""

    feedback: Feedback | None
    moved: bool
    in_part: bool = False


@dataclass(slots=True)
class CommandExecution:
    """Runs commands on `robot`; `stop_asked` can cancel one, with a reason.

    With `look`, the effects of a command are looked at after it. `memory` has what a hand could
    not reach: later choices of the hand must differ (`domains.refused_actions`).
    """

    robot: Robot
    checker: LogicalChecker
    estimate: StateBelief
    stop_asked: Callable[[], str]
    state: State
    look: bool = True
    memory: RefusalMemory = field(default_factory=lambda: RefusalMemory(UNREACHABLE))

    def look_around(self) -> None:
        """Ask what the domain describes a scene by, and believe the answers."""
        self.state = self.estimate.observe_start(self.state)

    def confirm(self, goal: Goal) -> None:
        """Look at every part of a goal that is believed to be reached, and believe the answers."""
        kinds = {one.name: one.kind for one in self.robot.knowledge()}
        found = goal.witness(lambda fact: fact in self.state, kinds)
        if self.look and found is not None:
            self.state = self.estimate.confirm(goal.bind(found).literals, self.state)

    def run(self, action: Action) -> CommandResult:
        """Run a command that the checker accepts."""
        skills, command = self.checker.skills, self.checker.language.write(action)
        self.estimate.facts.observer.emit(StepStarted(command, "arm"))
        self.estimate.facts.forget()
        report = run_skill(self.robot, skills.skill(action), self.stop_asked)
        earlier, whole = self.state, self._completed(action, report)
        expected = self.estimate.rules.successor(earlier, whole)
        self.memory.learn(skills, whole, report, earlier)
        if report.outcome is Outcome.SUCCEEDED:
            self.state = self._looked(whole, expected, earlier) if self.look else expected
            return CommandResult(self._misaligned(command, whole, earlier), True)
        in_part = _moved_some(report)
        attempted = expected if in_part else self._attempted(whole, expected, earlier)
        self.state = self.estimate.learn_from_report(report, whole, attempted, earlier)
        return CommandResult(self._explained(report, attempted), in_part, in_part)

    def _completed(self, action: Action, report: SkillReport) -> Action:
        """The action of the planning domain, with the objects that the robot has chosen."""
        skills = self.checker.skills
        chosen, _ = skills.split_quantity(Action(action.name, report.action.args))
        if action.name in skills.optional and chosen in self.checker.completions(action):
            return chosen
        return self.checker.complete(action, self.state)

    def _looked(self, action: Action, expected: State, earlier: State) -> State:
        """The state after a look at the effects of an action."""
        effects = self.estimate.rules.effects(action, earlier)
        return self.estimate.ask(action, effects, expected, earlier)

    def _attempted(self, action: Action, expected: State, earlier: State) -> State:
        """The state after an action that failed: as before it, unless its effects are seen."""
        effects = self.estimate.rules.effects(action, earlier)
        facts = self.estimate.facts
        if not self.look or not any(map(facts.is_seen, effects)):
            return earlier
        found = self.estimate.ask(action, effects, expected, earlier)
        seen = all(facts.confirmed(one) for one in effects if facts.is_seen(one))
        return found if seen else earlier

    def _explained(self, report: SkillReport, attempted: State) -> Feedback:
        """The robot's feedback, with what was learnt from the failure as its first reasons."""
        unexplained = Feedback(FeedbackLevel.RUNTIME, FailureCode.NOT_OBSERVED, str(report.outcome))
        found, lexicon = report.feedback or unexplained, self.checker.skills.lexicon
        learnt = [Literal(one, one in self.state) for one in sorted(self.state ^ attempted)]
        reasons = (*map(lexicon.statement, learnt), found.reason)
        return replace(found, reason="; ".join(filter(None, reasons)))

    def _misaligned(self, command: str, action: Action, earlier: State) -> Feedback | None:
        """Feedback on the effects that should be there now and are believed false."""
        effects = self.estimate.rules.effects(action, earlier)
        wrong = [one for one in effects if (one.fact in self.state) is not one.positive]
        say = self.checker.skills.lexicon.statement
        reasons = tuple(say(one.opposite) for one in wrong)
        error = f"{command} did not have its effect."
        return Feedback.misalignment(error, reasons) if wrong else None


def _moved_some(report: SkillReport) -> bool:
    """Whether a failed skill moved a part of its quantity: its report has the ml."""
    evidence = report.feedback.evidence if report.feedback is not None else ()
    amounts = (one.value for one in evidence if one.unit == "ml" and one.name == "poured")
    return any(isinstance(amount, float) and amount > 0 for amount in amounts)
