"""A believed state that is corrected by cameras and by the robot's own sensors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from regrasp.core.action import Action
from regrasp.core.event import SCAN, FeedbackGiven
from regrasp.core.fact import Literal, State
from regrasp.core.feedback import Feedback
from regrasp.core.outcome import Outcome
from regrasp.core.robot import Robot, SkillReport
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain
from regrasp.perception.beliefs import BeliefRule, first_answer
from regrasp.perception.facts import FactObserver
from regrasp.perception.sensed_hands import SensedHands, loaded_hands

__all__ = ["StateBelief"]


@dataclass(frozen=True, slots=True)
class StateBelief:
    """Asks about literals of a domain; `believe` turns the answers into a belief."""

    facts: FactObserver
    domain: SkillDomain
    rules: Rules
    believe: BeliefRule = first_answer

    def observe_start(self, state: State) -> State:
        """The state after one look at the literals by which the domain describes a scene."""
        wanted = self.domain.seen_at_start(self.rules)
        if not wanted:
            return state
        self.facts.look()
        seen = {one: first_answer(one, partial(self.facts.ask, one, SCAN)) for one in wanted}
        return self.domain.lexicon.update_state_from_scene(state, seen, self.rules)

    def ask(
        self, action: Action, literals: tuple[Literal, ...], state: State, earlier: State
    ) -> State:
        """The state after a question about every literal; each of them is expected to be true.

        The robot's own sensors have the last word: they are applied after the vision model's
        answers. If a hand that should be empty still holds an object, it is the object that it held
        `earlier`.
        """
        return self._asked(self.domain.describe(action), literals, state, earlier)

    def confirm(self, literals: tuple[Literal, ...], state: State) -> State:
        """The state after a look at literals that should be true now, such as those of a goal."""
        return self._asked(SCAN, literals, state, state)

    def _asked(
        self, description: str, literals: tuple[Literal, ...], state: State, earlier: State
    ) -> State:
        sensed: list[tuple[Literal, bool]] = []
        wrong: list[str] = []
        self.facts.look()
        for literal in literals:
            if self.facts.is_grounded(literal):
                value = self.facts.sensed(literal, state | earlier)
                sensed += [(literal, value)] if value is not None else []
            elif self.facts.is_seen(literal):
                true = self.believe(literal, partial(self.facts.ask, literal, description))
                state = self._corrected(state, literal, true, wrong)
        for literal, true in sensed:
            state = self._corrected(state, literal, true, wrong)
        self._emit(description, wrong)
        return state

    def learn_from_report(
        self, report: SkillReport, action: Action, state: State, earlier: State
    ) -> State:
        """The state after the robot's report of a failed skill, and a look at possible causes.

        A door that resisted may be locked, which only the hand can sense, or something may block
        it, which only a camera can show.
        """
        if report.outcome is Outcome.SUCCEEDED:
            return state
        description, wrong = self.domain.describe(action), list[str]()
        if self.domain.explains(report) and state == self.rules.successor(earlier, action):
            state = earlier  # nothing was seen of what the action should have made true
        suspected = self.domain.suspected(report, self.rules)
        if suspected:
            self.facts.look()
        seen = False
        for literal in suspected:
            true = self.believe(literal, partial(self.facts.ask, literal, description))
            before, state = state, self._corrected(state, literal, true, wrong)
            seen = seen or (true is True and state != before)
        needed = self.rules.preconditions(action, earlier)
        for literal in self.domain.denied_literals(report, needed) if not seen else ():
            state = self._corrected(state, literal, False, wrong)
        self._emit(description, wrong, report.feedback)
        return state

    def sense_hands(
        self, robot: Robot, report: SkillReport, action: Action, state: State, earlier: State
    ) -> State:
        """The state after a reading of the hands' sensors: what they hold now, and what they lost.

        `earlier` is the state before the action, which ended as the report says.
        """
        hands = SensedHands.of(self.rules)
        sensed = loaded_hands(robot.joints(), hands.names) if hands is not None else {}
        if hands is None or not sensed:
            return state
        after = self.rules.successor(earlier, action)
        candidates, wrong = hands.candidates(action, earlier, after), list[str]()
        for literal in hands.corrections(state, sensed, candidates, report.feedback):
            state = self._corrected(state, literal, True, wrong)
        self._emit(self.domain.describe(action), wrong, report.feedback)
        return state

    def _corrected(
        self, state: State, literal: Literal, true: bool | None, wrong: list[str]
    ) -> State:
        if true is None or true is ((literal.fact in state) is literal.positive):
            return state
        known = literal if true else literal.opposite
        wrong.append(self.domain.lexicon.statement(known))
        return self.domain.lexicon.update_state(state, known, self.rules)

    def _emit(self, action: str, wrong: list[str], report: Feedback | None = None) -> None:
        if wrong:
            feedback = Feedback.misalignment(report.error if report is not None else "", wrong)
            self.facts.observer.emit(FeedbackGiven(action, feedback))
