"""Whether a fact is true: by geometry, by a vision model, or by the robot's own sensors.

The lexicon has the questions for each predicate, and whether a camera or a sensor can check it. A
robot with depth and a map computes some predicates; what is computed need not be asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import SCAN, FactGrounded, VisionAsked
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.grounded import Grounded, PredicateGrounding
from regrasp.core.robot import JointReading, Robot
from regrasp.domains.lexicon import Access, Lexicon
from regrasp.models.vision import Answer
from regrasp.perception.observer import Observer, Pictures

__all__ = ["FactObserver", "FactSensor", "gripper_sensor", "holds_something"]

FactSensor = Callable[[Fact, State], bool | None]
"""Whether a fact is true by the robot's own sensors, given the believed state; None if unknown."""

_GRIP_N = 1.0  # a finger that pushes harder than this holds an object
_TRUE = {Verdict.YES: True, Verdict.NO: False}
_GRIP_SENSORS, _GRIP_THRESHOLD = ("vacuum", "grip"), 0.5


def holds_something(reading: JointReading) -> bool | None:
    """Whether a gripper holds something, by its own sensors; None if it has none.

    It does if a joint `finger…` has a force above 1 N, or if `vacuum`, `grip` or the `…_grip` of
    a hand reads above 0.5.
    """
    if not any(name.startswith("finger") or _is_grip(name) for name in reading.names):
        return None
    return any(
        (name.startswith("finger") and abs(torque) > _GRIP_N)
        or (_is_grip(name) and position > _GRIP_THRESHOLD)
        for name, position, torque in zip(
            reading.names, reading.positions, reading.torques, strict=True
        )
    )


def _is_grip(name: str) -> bool:
    return name in _GRIP_SENSORS or name.endswith("_grip")


def gripper_sensor(robot: Robot) -> FactSensor:
    """A `FactSensor` that reads from the gripper's sensors whether the hand is empty.

    The sensors do not show which object is held: it is taken from the believed state.
    """

    def read(fact: Fact, state: State) -> bool | None:
        if fact.predicate not in ("handempty", "inhand", "holding"):
            return None
        holds = holds_something(robot.joints())
        if holds is None:
            return None
        return not holds if fact.predicate == "handempty" else holds and fact in state

    return read


@dataclass(slots=True)
class FactObserver:
    """Asks about facts at one time: `look` once, then `ask` as often as needed.

    `grounding` computes predicates from depth, joints and a map; None for a robot without.
    """

    observer: Observer
    lexicon: Lexicon
    sensor: FactSensor
    grounding: PredicateGrounding | None = None
    pictures: Pictures = field(default=(), init=False)
    _confirmed: dict[Literal, bool] = field(default_factory=dict, init=False)
    _computed: bool = field(default=False, init=False)  # whether the grounding has looked, too

    def look(self) -> None:
        """Take the pictures that questions are about from now on."""
        self.forget()
        self.pictures = self.observer.look()

    def forget(self) -> None:
        """Drop pictures and answers: the robot moves, and they no longer show the scene."""
        self.pictures, self._computed = (), False
        self._confirmed.clear()

    def confirmed(self, literal: Literal) -> bool:
        """Whether it was asked since the last look, and every answer was that it is true."""
        return self._confirmed.get(literal, False)

    def is_seen(self, literal: Literal) -> bool:
        """Whether a vision model can be asked about it."""
        return self.lexicon.access(literal.fact.predicate) is Access.SEEN

    def is_grounded(self, literal: Literal) -> bool:
        """Whether only the robot's own sensors can show it."""
        return self.lexicon.access(literal.fact.predicate) is Access.GROUNDED

    def sensed(self, literal: Literal, state: State) -> bool | None:
        """Whether it is true by the robot's own sensors; None if they do not show it."""
        value = self.sensor(literal.fact, state)
        true = self.computed(literal) if value is None else value is literal.positive
        self._record(literal, true)
        return true

    def compute(self, fact: Fact) -> Grounded | None:
        """Whether it is true by geometry, and why; None where geometry does not tell it."""
        grounding = self.grounding
        if grounding is None or fact.predicate not in grounding.predicates:
            return None
        if not self._computed:
            grounding.look()
            self._computed = True
        return grounding.ground(fact) if grounding.can_ground(fact) else None

    def computed(self, literal: Literal) -> bool | None:
        """Whether it is true by geometry, which the trace notes; None where that does not tell."""
        found = self.compute(literal.fact)
        if found is None:
            return None
        self.note(found)
        return found.value is literal.positive

    def note(self, found: Grounded) -> None:
        """Write what was computed into the trace."""
        self.observer.emit(FactGrounded(str(found.fact), found.value, found.reason))

    def observe(self, literal: Literal) -> bool | None:
        """Whether it is true now, by a sensor or a new look; None if neither can tell."""
        if self.is_grounded(literal):
            return self.sensed(literal, frozenset({literal.fact}))
        if not self.is_seen(literal):
            return None
        self.look()
        return _TRUE.get(self.ask(literal, SCAN).verdict)

    def ask(self, literal: Literal, action: str, phrasing: int = 0) -> Answer:
        """Ask whether it is true; `phrasing` chooses one of the questions of the lexicon.

        The vision model is not asked what geometry tells.
        """
        computed = self.computed(literal)
        if computed is not None:
            self._record(literal, computed)
            verdict = Verdict.YES if computed else Verdict.NO
            return Answer(verdict, str(verdict), 1.0)
        questions = (self.lexicon.question_for(literal), *self.lexicon.questions_for(literal.fact))
        question = questions[phrasing % len(questions)]
        answer = self.ask_text(question.text, action)
        negated = question.yes.positive is not literal.positive
        answer = _negated(answer) if negated else answer
        self._record(literal, {Verdict.YES: True, Verdict.NO: False}.get(answer.verdict))
        return answer

    def ask_text(self, question: str, action: str) -> Answer:
        """Ask any question about the last pictures; the event names `action`."""
        answer = self.observer.model.answer(self.pictures, question)
        self.observer.emit(VisionAsked(action, question, str(answer.verdict)))
        return answer

    def _record(self, literal: Literal, true: bool | None) -> None:
        for one, confirms in ((literal, true is True), (literal.opposite, true is False)):
            self._confirmed[one] = self._confirmed.get(one, True) and confirms


def _negated(answer: Answer) -> Answer:
    """The answer to the negated question."""
    other = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}
    verdict = other.get(answer.verdict, answer.verdict)
    return Answer(verdict, str(verdict), answer.confidence, answer.latency_s, answer.usage)
