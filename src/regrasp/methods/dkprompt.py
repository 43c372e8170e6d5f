"""DKPROMPT (seed 001): a planner's own domain knowledge becomes questions for the eyes.

Before an action its preconditions, after it its effects, are asked about; what is answered changes
the believed state, and a classical planner plans again from there. What is asked, and when, is a
pair of checks: the paper's baselines and ablations are other pairs.

| | `before` | `after` |
|---|---|---|
| DKPROMPT | preconditions | effects |
| preconditions only, effects only | preconditions, none | none, effects |
| affordance, success, both | one question about the action | one question about the action |
| classical planner | none | none |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from regrasp.core.action import Action
from regrasp.core.answer import Verdict
from regrasp.core.claim import Claim
from regrasp.core.event import EventSink, FeedbackGiven, StepStarted
from regrasp.core.event import Planned as PlanTold
from regrasp.core.fact import Literal, State
from regrasp.core.robot import Robot
from regrasp.domains.action_words import affordance_question, success_question, words
from regrasp.domains.domain import Problem
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.rules import Rules
from regrasp.perception.beliefs import Believe, crisp
from regrasp.perception.facts import FactObserver
from regrasp.planners.classical import Planned, plan

__all__ = ["Check", "DKPrompt", "affordance", "effects", "preconditions", "success"]


@dataclass(slots=True)
class DKPrompt:
    """One run on `problem`. `skill` names the robot's skill for an action of the plan.

    `believe` makes up the mind about an expected fact (`perception.beliefs`). At most
    `most_actions` are done, and at most `most_doubts` times in a row is the plan changed before
    one is.
    """

    robot: Robot
    problem: Problem
    lexicon: Lexicon
    facts: FactObserver
    skill: Callable[[Action], Action]
    emit: EventSink
    before: Check | None = None
    after: Check | None = None
    believe: Believe = crisp
    most_actions: int = 50
    most_doubts: int = 6
    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.of(self.lexicon.domain, self.problem)

    def run(self, goal: str) -> Claim:
        """Work until the goal is believed to be reached, or no plan is left."""
        state = earlier = self.problem.init
        steps = self.plan(goal, state)
        acted = doubts = 0
        while steps.solved and steps.plan and acted < self.most_actions:
            action = steps.plan[0]
            if self.before is not None and doubts < self.most_doubts:
                found = self.before(self, action, state, earlier)
                if found != state:
                    state, doubts = found, doubts + 1
                    steps = self.plan(goal, state)
                    continue
            self.act(action)
            acted, doubts, earlier = acted + 1, 0, state
            state = self.rules.successor(state, action)
            found = self.after(self, action, state, earlier) if self.after else state
            steps = replace(steps, plan=steps.plan[1:])
            if found != state or not steps.plan:
                state = found
                steps = self.plan(goal, state)
        if not steps.solved:
            return Claim(False, f"no plan from what is believed now ({steps.outcome})")
        done = not steps.plan
        return Claim(done, f"after {acted} actions" + ("" if done else ", the most there may be"))

    def plan(self, goal: str, state: State) -> Planned:
        """A shortest plan from what is believed."""
        found = plan(self.lexicon.domain, replace(self.problem, init=state))
        steps = tuple(words(action) for action in found.plan)
        thought = f"{len(steps)} actions to go" if found.solved else f"planner: {found.outcome}"
        self.emit(PlanTold(goal, thought if steps or not found.solved else "nothing to do", steps))
        return found

    def act(self, action: Action) -> None:
        """Let the robot do it, whatever comes of it: only what is seen counts."""
        self.emit(StepStarted(words(action), "arm"))
        running = self.robot.start(self.skill(action))
        while running.step():
            pass

    def settle(
        self, action: Action, literals: tuple[Literal, ...], state: State, earlier: State
    ) -> State:
        """The state once every literal, which is expected to be so, has been asked about.

        The robot's own body has the last word: what it feels is heard after what is seen. What a
        hand holds that should be empty by now is what it held `earlier`.
        """
        said, self_known = words(action), []
        self.facts.look()
        wrong: list[str] = []
        for literal in filter(self.facts.sees, literals):
            felt = self.facts.feels(literal, state | earlier)
            if felt is not None:
                self_known.append((literal, felt))
                continue
            so = self.believe(literal, partial(self.facts.ask, literal, said))
            state = self._learn(state, literal, so, wrong)
        for literal, felt in self_known:
            state = self._learn(state, literal, felt, wrong)
        if wrong:
            self.emit(FeedbackGiven(said, tuple(wrong)))
        return state

    def _learn(self, state: State, literal: Literal, so: bool | None, wrong: list[str]) -> State:
        if so is None or so is ((literal.fact in state) is literal.positive):
            return state
        known = literal if so else Literal(literal.fact, not literal.positive)
        wrong.append(self.lexicon.statement(known))
        return self.lexicon.learn(state, known, self.rules)


Check: TypeAlias = Callable[[DKPrompt, Action, State, State], State]
"""What is believed after looking: of an action, the believed state, and the one before the last."""


def preconditions(method: DKPrompt, action: Action, state: State, earlier: State) -> State:
    """Ask for everything that the action needs."""
    return method.settle(action, method.rules.preconditions(action, state), state, state)


def effects(method: DKPrompt, action: Action, state: State, earlier: State) -> State:
    """Ask for everything that the action makes so or not so."""
    return method.settle(action, method.rules.effects(action, earlier), state, earlier)


def affordance(method: DKPrompt, action: Action, state: State, earlier: State) -> State:
    """Ask whether the action can be done now; if not, what was done last did not work."""
    return _one_question(method, affordance_question(action), action, state, earlier)


def success(method: DKPrompt, action: Action, state: State, earlier: State) -> State:
    """Ask whether the action worked; if not, all is as it was before."""
    return _one_question(method, success_question(action), action, state, earlier)


def _one_question(
    method: DKPrompt, question: str, action: Action, state: State, earlier: State
) -> State:
    method.facts.look()
    answer = method.facts.say(question, words(action))
    if answer.verdict is not Verdict.NO or state == earlier:
        return state
    method.emit(FeedbackGiven(words(action), (f"no to: {question}",)))
    return earlier
