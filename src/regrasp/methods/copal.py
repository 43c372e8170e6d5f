"""CoPAL: three agents plan in layers, rules mend their commands, and feedback makes a new plan.

Frank Joublin et al.: "CoPAL: Corrective Planning of Robot Actions with Large Language Models", ICRA
2024. docs/methods/copal.md compares the paper's figure 2 with this file.

The interpreter answers a person or passes a request on. The specifier says what the request comes
to, the commander writes commands, the sequencer (`copal_sequencer`) checks, mends and runs them.
What cannot be mended, and what the robot reports, goes up to the specifier.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from regrasp.core.claim import Claim
from regrasp.core.feedback import Feedback
from regrasp.methods.copal_failed_step import FailedStep
from regrasp.methods.copal_high_level import ReplanBudget
from regrasp.methods.copal_layers import CopalLayers, FeedbackDetail
from regrasp.methods.copal_setup import copal_layers
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment, Method
from regrasp.planners.interpreter import Conversation
from regrasp.planners.recipe_book import RecipeBook
from regrasp.prompts.interpret import Interpretation, ReplyKind
from regrasp.prompts.parsing import Declined

__all__ = ["Copal", "copal"]


def copal(
    assignment: Assignment,
    *,
    repair: bool = True,
    replans: int = 5,
    feedback: FeedbackDetail = "how",
    look: bool = True,
    logic: bool = True,
    ahead: bool = False,
    recipes: RecipeBook | None = None,
    conversation: Conversation | None = None,
    budget: ReplanBudget | None = None,
) -> Claim:
    """CoPAL on any robot, in any configuration of the paper's table IV.

    `repair` is the mid level (M), `replans` the most new plans of the high level (H), `feedback`
    what that level is told: the error ("what"), also its reason ("why"), also a suggestion ("how").
    Without `look`, the effects of a command are believed unseen; without `logic`, what it needs is
    not checked before the robot tries. With `ahead`, commands that are still valid run while a new
    plan is asked for. `recipes` replace the shipped ones; `conversation` is that of a chat; the
    stages of a request share the `budget` of its new plans.
    """
    talk = conversation if conversation is not None else Conversation()
    left = budget if budget is not None else ReplanBudget(replans)
    again = partial(
        copal, repair=repair, replans=replans, feedback=feedback, look=look, logic=logic,
        ahead=ahead, recipes=recipes, conversation=talk, budget=left,
    )  # fmt: skip
    layers = copal_layers(assignment, talk, recipes, repair=repair, look=look, logic=logic)
    method = Copal(layers, left, feedback, again, ahead)
    if assignment.goal is not None:  # the request was interpreted and read before
        return method.carry_out(assignment.instruction)
    return method.run(assignment.instruction)


@dataclass(slots=True)
class Copal:
    """One run: `run` is the user layer, `carry_out` the high level."""

    layers: CopalLayers
    budget: ReplanBudget
    detail: FeedbackDetail
    again: Method
    ahead: bool = False

    def run(self, says: str) -> Claim:
        """Answer what the person says, or do it."""
        layers, heard = self.layers, self.layers.interpret(says)
        if heard.kind is ReplyKind.STOP:
            return layers.claim(True, "I hold still")
        if heard.kind is ReplyKind.ANSWER:
            return layers.claim(True, heard.text)
        layers.talk.present = heard.text
        claim = self.carry_out(heard.text)
        layers.talk.finished, layers.talk.present = layers.talk.present, ""
        return claim

    def carry_out(self, request: str) -> Claim:
        """Specify, command, run; after a failure plan again, with the feedback."""
        layers, talk = self.layers, self.layers.talk
        failed: FailedStep | None = None
        told, done = True, False
        layers.sequencer.begin(talk.progress if request == talk.stopped else ())
        while True:
            wanted = layers.specify(request)
            if isinstance(wanted, Declined):
                return layers.claim(False, wanted.why)
            if wanted.read:
                return self.read(wanted.read)
            if not wanted.steps:
                left = layers.unreached()
                if not left or not self.replan(_unreached("It is not done.", left)):
                    return layers.claim(True)
                done = False
                continue
            if done:  # all commands were done, and not all is reached
                error = "All commands were done, and steps are left."
                told = self.replan(failed := _unreached(error, wanted.steps))
            if not told:
                most = self.budget.most
                return layers.claim(False, f"gave up after {most} new plans: {failed}")
            plan = layers.command(wanted, request)
            if isinstance(plan, Declined):
                return layers.claim(False, plan.why)
            ended = layers.run(plan)
            if self.ahead and isinstance(ended, FailedStep) and ended.valid and self.replan(ended):
                ended = layers.run_and_plan(request, ended.valid)
            if isinstance(ended, Interpretation) and ended.kind is ReplyKind.CHANGE:
                request = talk.present = ended.text
                told, done, layers.failures, self.budget.left = True, False, (), self.budget.most
                continue
            if isinstance(ended, Interpretation) or (ended is not None and ended.stopped):
                talk.stopped, talk.progress = request, tuple(layers.sequencer.done)
                return layers.claim(False, "I stopped, as you said")
            if self.budget.most == 0:
                return layers.claim(ended is None, str(ended) if ended is not None else "")
            failed, done = ended, ended is None and layers.prepared is None
            told = failed is None or self.replan(failed)

    def replan(self, failed: FailedStep) -> bool:
        """Tell the planner of a failure, if the request has a new plan left."""
        if self.budget.left == 0:
            return False
        self.budget.left -= 1
        self.layers.replan(failed, self.detail)
        return True

    def read(self, sentence: str) -> Claim:
        """Carry out a request that needs no recipe: it is read as goals over objects first."""
        return follow_instruction(replace(self.layers.assignment, instruction=sentence), self.again)


def _unreached(error: str, left: tuple[str, ...]) -> FailedStep:
    """The failure of a plan that ended, or of none, before the steps that are left."""
    return FailedStep(left[0], Feedback.refused_plan(error, left))
