"""The layers of CoPAL for one assignment: who is asked what, and what is recorded of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal as OneOf

from regrasp.core.claim import Claim
from regrasp.core.event import Layer, LayerMessage, PlanMade, ReplanLevel, Replanned
from regrasp.core.fact import State
from regrasp.methods.copal_failed_step import FailedStep
from regrasp.methods.copal_high_level import HighLevel, HighLevelPlan, PlanQuestion
from regrasp.methods.copal_sequencer import Sequencer
from regrasp.methods.method import Assignment
from regrasp.planners.interpreter import Conversation, Interpreter
from regrasp.prompts.command_line import FailedCommand
from regrasp.prompts.commands import CommandPlan
from regrasp.prompts.interpret import Interpretation, ReplyKind
from regrasp.prompts.parsing import Declined
from regrasp.prompts.specify import Specification

__all__ = ["CopalLayers", "FeedbackDetail"]

FeedbackDetail = OneOf["what", "why", "how"]
"""What the planner is told of a failure: the error, also the reason, also the suggestion."""


@dataclass(slots=True)
class CopalLayers:
    """Interpreter, high level and sequencer, with the conversation with the person.

    `failures` are what the planners were told of the present request. `prepared` is a plan that
    they made while the robot moved.
    """

    assignment: Assignment
    talk: Conversation
    interpreter: Interpreter
    high_level: HighLevel
    sequencer: Sequencer
    failures: tuple[FailedCommand, ...] = ()
    prepared: HighLevelPlan | None = None

    def interpret(self, says: str) -> Interpretation:
        """What follows from what the person says."""
        self._message(Layer.PERSON, Layer.INTERPRETER, says)
        done = self.talk.done(self.assignment.domain)
        facts = self.high_level.facts(self.sequencer.state)
        heard = self.interpreter.interpret(says, self.talk, facts, done)
        passed_on = heard.kind in (ReplyKind.REQUEST, ReplyKind.CHANGE)
        to = Layer.SPECIFIER if passed_on else Layer.PERSON
        self._message(Layer.INTERPRETER, to, str(heard))
        return heard

    def interjected(self) -> Interpretation | None:
        """What the person wants now, said during the last command: a change, or a stop."""
        while said := self.talk.heard():
            heard = self.interpret(said)
            if heard.kind in (ReplyKind.CHANGE, ReplyKind.STOP):
                return heard
            later = heard.kind is ReplyKind.REQUEST
            self.talk.later += [heard.text] if later else []
            self.talk.reply("I will do that next." if later else heard.text)
        return None

    def specify(self, request: str) -> Specification | Declined:
        """What the request comes to, and which steps are left."""
        ready = self.prepared
        found = ready.specification if ready else self.high_level.specify(self._question(request))
        if isinstance(found, Specification) and found.steps:
            self._message(Layer.SPECIFIER, Layer.COMMANDER, "; ".join(found.steps))
        return found

    def command(self, specification: Specification, request: str) -> CommandPlan | Declined:
        """The commands for the steps that are left."""
        ready, self.prepared = self.prepared, None
        self.sequencer.rehearsal.plan_for(specification.steps)
        plan = ready.commands if ready else None
        if plan is None:
            plan = self.high_level.command(specification, self._question(request))
        if isinstance(plan, CommandPlan):
            self.assignment.emit(PlanMade(request, plan.thought, plan.commands))
        return plan

    def run(self, plan: CommandPlan) -> FailedStep | Interpretation | None:
        """Run the commands: None if all were done; then the goal is looked at."""
        ended, goal = self.sequencer.run(plan.commands, self.interjected), self.assignment.goal
        if ended is None and goal is not None:
            self.sequencer.execution.confirm(goal)
        return ended

    def unreached(self) -> tuple[str, ...]:
        """What the goal wants and nobody believes to be so, as steps; none without a goal."""
        goal, state = self.assignment.goal, self.sequencer.state
        if goal is None or goal.variables:
            return ()
        left = (one for one in goal.literals if (one.fact in state) is not one.positive)
        return tuple(f"Make sure that {one}" for one in self.high_level.sentences(left))

    def run_and_plan(
        self, request: str, valid: tuple[str, ...]
    ) -> FailedStep | Interpretation | None:
        """Run commands that are still valid, and meanwhile prepare the plan after them."""
        sequencer = self.sequencer
        after = self._question(request, sequencer.expected(valid), valid)
        act = partial(sequencer.run, valid, self.interjected)
        ended, plan = self.high_level.plan_while(act, after)
        self.prepared = plan if ended is None else None
        return ended

    def replan(self, failed: FailedStep, detail: FeedbackDetail) -> None:
        """Give a failure up to the specifier, with as much of its feedback as `detail` says."""
        feedback = failed.feedback
        told = FailedCommand(
            failed.command,
            feedback.error,
            feedback.reason if detail != "what" else "",
            feedback.suggestion if detail == "how" else "",
        )
        self.failures += (told,)
        self._message(Layer.SEQUENCER, Layer.SPECIFIER, str(told))
        self.assignment.emit(Replanned(ReplanLevel.HIGH, failed.command, feedback))

    def claim(self, done: bool, reason: str = "") -> Claim:
        """The claim, with the believed state for whoever goes on from there."""
        reason = reason or f"after {', '.join(self.sequencer.done) or 'nothing'}"
        return Claim(done, reason, believed=self.sequencer.state)

    def _question(
        self, request: str, state: State | None = None, before: tuple[str, ...] = ()
    ) -> PlanQuestion:
        """What the planners are asked, now or in the state after some more commands."""
        done = (*self.sequencer.done, *before)
        now, goal = self.sequencer.state if state is None else state, self.assignment.goal
        return PlanQuestion(request, now, done, goal, self.failures)

    def _message(self, sender: Layer, receiver: Layer, text: str) -> None:
        self.assignment.emit(LayerMessage(sender, receiver, text))
