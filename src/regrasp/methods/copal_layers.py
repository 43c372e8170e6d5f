"""The layers of CoPAL for one assignment: who is asked what, and what is recorded of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal as OneOf

from regrasp.core.claim import Claim
from regrasp.core.event import Layer, LayerMessage, PlanMade, ReplanLevel, Replanned
from regrasp.core.fact import Literal
from regrasp.methods.copal_execution import CommandExecution
from regrasp.methods.copal_sequencer import FailedStep, Sequencer
from regrasp.methods.method import Assignment
from regrasp.methods.parts import observer
from regrasp.perception.facts import FactObserver, gripper_sensor
from regrasp.perception.state_belief import StateBelief
from regrasp.planners.commander import Commander, listed_kinds
from regrasp.planners.interpreter import Conversation, Interpreter
from regrasp.planners.recipe_book import RecipeBook, shipped_recipes
from regrasp.planners.repair import PlanRepair
from regrasp.planners.specifier import Specifier
from regrasp.prompts.command_line import FailedCommand
from regrasp.prompts.commands import CommandPlan
from regrasp.prompts.interpret import Interpretation, ReplyKind
from regrasp.prompts.parsing import Declined
from regrasp.prompts.specify import Specification

__all__ = ["CopalLayers", "FeedbackDetail", "copal_layers"]

FeedbackDetail = OneOf["what", "why", "how"]
"""What the planner is told of a failure: the error, also the reason, also the suggestion."""


@dataclass(slots=True)
class CopalLayers:
    """Interpreter, specifier, commander and sequencer, with the conversation with the person.

    `failures` are what the planners were told of the present request.
    """

    assignment: Assignment
    talk: Conversation
    interpreter: Interpreter
    specifier: Specifier
    commander: Commander
    sequencer: Sequencer
    failures: tuple[FailedCommand, ...] = ()

    def interpret(self, says: str) -> Interpretation:
        """What follows from what the person says."""
        self._message(Layer.PERSON, Layer.INTERPRETER, says)
        done = self.talk.done(self.assignment.domain)
        heard = self.interpreter.interpret(says, self.talk, self.facts, done)
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
        goal = self.assignment.goal
        wanted = self._sentences(goal.literals) if goal is not None else ()
        done = tuple(self.sequencer.done)
        found = self.specifier.specify(request, self.facts, wanted, done, self.failures)
        if isinstance(found, Specification) and found.steps:
            self._message(Layer.SPECIFIER, Layer.COMMANDER, "; ".join(found.steps))
        return found

    def command(self, specification: Specification, request: str) -> CommandPlan | Declined:
        """The commands for the steps that are left."""
        done = tuple(self.sequencer.done)
        plan = self.commander.write(specification, self.facts, done, self.failures)
        if isinstance(plan, CommandPlan):
            self.assignment.emit(PlanMade(request, plan.thought, plan.commands))
        return plan

    def run(self, plan: CommandPlan) -> FailedStep | Interpretation | None:
        """Run the commands: None if all were done; then the goal is looked at."""
        ended, goal = self.sequencer.run(plan.commands, self.interjected), self.assignment.goal
        if ended is None and goal is not None:
            self.sequencer.execution.confirm(goal)
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

    @property
    def facts(self) -> tuple[str, ...]:
        """The believed state in sentences."""
        return self._sentences(map(Literal, sorted(self.sequencer.state)))

    def _sentences(self, literals: Iterable[Literal]) -> tuple[str, ...]:
        lexicon = self.assignment.domain.lexicon
        known = {entry.predicate for entry in lexicon.entries}
        return tuple(lexicon.statement(one) for one in literals if one.fact.predicate in known)

    def _message(self, sender: Layer, receiver: Layer, text: str) -> None:
        self.assignment.emit(LayerMessage(sender, receiver, text))


def copal_layers(
    assignment: Assignment, talk: Conversation, recipes: RecipeBook | None, *,
    repair: bool, look: bool, logic: bool,
) -> CopalLayers:  # fmt: skip
    """The layers for an assignment; the options are those of `copal`."""
    robot, domain, model = assignment.robot, assignment.domain, assignment.language
    known, book = robot.knowledge(), recipes if recipes is not None else shipped_recipes()
    objects = listed_kinds(domain, known)
    names = tuple(name for name, _ in objects)
    commander, mending = Commander(model, domain, known), PlanRepair(domain, known)
    abilities = tuple(line.words for line in commander.command_lines)
    facts = FactObserver(observer(assignment), domain.lexicon, gripper_sensor(robot))
    estimate = StateBelief(facts, domain, mending.checker.rules)
    checker, start = mending.checker, domain.init
    execution = CommandExecution(robot, checker, estimate, talk.stop_asked, start, look)
    return CopalLayers(
        assignment,
        talk,
        Interpreter(model, abilities, names, book.makeable(names)),
        Specifier(model, objects, book),
        commander,
        Sequencer(execution, mending, assignment.emit, repair, logic),
    )
