"""What DKPROMPT and its baselines ask of an action, and what they believe after the answer.

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
from regrasp.perception.state_estimate import StateEstimate

__all__ = ["Check", "ask_affordance", "check_effects", "check_preconditions", "success"]

Check: TypeAlias = Callable[[StateEstimate, Action, State, State], State]
"""What is believed after looking: of an action, the believed state, and the one before the last."""


def check_preconditions(
    estimate: StateEstimate, action: Action, state: State, earlier: State
) -> State:
    """Ask for everything that the action needs."""
    return estimate.ask(action, estimate.rules.preconditions(action, state), state, state)


def check_effects(estimate: StateEstimate, action: Action, state: State, earlier: State) -> State:
    """Ask for everything that the action makes true or false."""
    return estimate.ask(action, estimate.rules.effects(action, earlier), state, earlier)


def ask_affordance(estimate: StateEstimate, action: Action, state: State, earlier: State) -> State:
    """Ask whether the action can be done now; if not, what was done last did not work."""
    question = affordance_question(estimate.domain.describe(action))
    return _one_question(estimate, question, action, state, earlier)


def success(estimate: StateEstimate, action: Action, state: State, earlier: State) -> State:
    """Ask whether the action worked; if not, all is as it was before."""
    question = success_question(estimate.domain.describe(action))
    return _one_question(estimate, question, action, state, earlier)


def _one_question(
    estimate: StateEstimate, question: str, action: Action, state: State, earlier: State
) -> State:
    said = estimate.domain.describe(action)
    estimate.facts.look()
    answer = estimate.facts.ask_text(question, said)
    if answer.verdict is not Verdict.NO or state == earlier:
        return state
    feedback = Feedback.misalignment("", (f"no to: {question}",))
    estimate.facts.observer.emit(FeedbackGiven(said, feedback))
    return earlier
