"""The questions of DKPROMPT and its baselines about an action, and the belief after the answers.

| | `before` | `after` |
|---|---|---|
| DKPROMPT | preconditions | effects |
| preconditions only, effects only | preconditions, none | none, effects |
| affordance, success, both | one question about the action | one question about the action |
| classical planner | none | none |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.answer import Verdict
from regrasp.core.event import FeedbackGiven
from regrasp.core.fact import State
from regrasp.core.feedback import Feedback
from regrasp.domains.action_phrases import affordance_question, success_question
from regrasp.perception.state_belief import StateBelief

__all__ = ["Check", "ask_affordance", "check_effects", "check_preconditions", "success"]

Check: TypeAlias = Callable[[StateBelief, Action, State, State], State]
"""(belief, action, state, earlier) to the state after the check; `earlier` is one action older."""


def check_preconditions(
    estimate: StateBelief, action: Action, state: State, earlier: State
) -> State:
    """Ask about every precondition of the action."""
    return estimate.ask(action, estimate.rules.preconditions(action, state), state, state)


def check_effects(estimate: StateBelief, action: Action, state: State, earlier: State) -> State:
    """Ask about every effect of the action."""
    return estimate.ask(action, estimate.rules.effects(action, earlier), state, earlier)


def ask_affordance(estimate: StateBelief, action: Action, state: State, earlier: State) -> State:
    """Ask whether the action can be done now; if not, the previous action is taken as failed."""
    question = affordance_question(estimate.domain.describe(action))
    return _one_question(estimate, question, action, state, earlier)


def success(estimate: StateBelief, action: Action, state: State, earlier: State) -> State:
    """Ask whether the action worked; if not, the state is as before it."""
    question = success_question(estimate.domain.describe(action))
    return _one_question(estimate, question, action, state, earlier)


def _one_question(
    estimate: StateBelief, question: str, action: Action, state: State, earlier: State
) -> State:
    description = estimate.domain.describe(action)
    estimate.facts.look()
    answer = estimate.facts.ask_text(question, description)
    if answer.verdict is not Verdict.NO or state == earlier:
        return state
    feedback = Feedback.misalignment("", (f"no to: {question}",))
    estimate.facts.observer.emit(FeedbackGiven(description, feedback))
    return earlier
