"""Whether a fact is true, by a vision model or by the robot's own sensors.

The lexicon gives the questions for each predicate and the way its truth can be known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import VisionAsked
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.robot import JointReading, Robot
from regrasp.domains.lexicon import Access, Lexicon
from regrasp.models.vision import Answer
from regrasp.perception.observer import Observer, Pictures

__all__ = ["FactObserver", "Touch", "gripper_touch", "holds_something"]

Touch = Callable[[Fact, State], bool | None]
"""What the robot's own sensors show about a fact, given the believed state; None if nothing."""

_GRIP_N = 1.0  # a finger that pushes harder than this holds an object
_GRIP_SENSORS, _GRIPS = ("vacuum", "grip"), 0.5


def holds_something(reading: JointReading) -> bool | None:
    """Whether a gripper holds something, by its own sensors; None if it has none.

    A finger (`finger…`) pushes against something; a `vacuum` or `grip` sensor reads more than half.
    """
    if not any(name.startswith("finger") or name in _GRIP_SENSORS for name in reading.names):
        return None
    return any(
        (name.startswith("finger") and abs(torque) > _GRIP_N)
        or (name in _GRIP_SENSORS and position > _GRIPS)
        for name, position, torque in zip(
            reading.names, reading.positions, reading.torques, strict=True
        )
    )


def gripper_touch(robot: Robot) -> Touch:
    """A `Touch` that reads from the gripper's sensors whether the hand is empty.

    Which object the hand holds is not sensed: it is the one in the believed state.
    """

    def feel(fact: Fact, state: State) -> bool | None:
        if fact.predicate not in ("handempty", "inhand", "holding"):
            return None
        holds = holds_something(robot.joints())
        if holds is None:
            return None
        return not holds if fact.predicate == "handempty" else holds and fact in state

    return feel


@dataclass(slots=True)
class FactObserver:
    """Asks about facts of one moment: `look` once, then `ask` as often as needed."""

    observer: Observer
    lexicon: Lexicon
    touch: Touch
    _pictures: Pictures = field(default=(), init=False)

    def look(self) -> None:
        """Take the pictures that questions are about from now on."""
        self._pictures = self.observer.look()

    def is_seen(self, literal: Literal) -> bool:
        """Whether a vision model can be asked about it."""
        return self.lexicon.access(literal.fact.predicate) is Access.SEEN

    def is_felt(self, literal: Literal) -> bool:
        """Whether only the robot's own sensors can show it."""
        return self.lexicon.access(literal.fact.predicate) is Access.GROUNDED

    def feels(self, literal: Literal, state: State) -> bool | None:
        """Whether it is true by the robot's own sensors; None if they do not show it."""
        felt = self.touch(literal.fact, state)
        return None if felt is None else felt is literal.positive

    def ask(self, literal: Literal, action: str, phrasing: int = 0) -> Answer:
        """The answer whether it is true; another `phrasing` uses other words."""
        askings = (self.lexicon.question_for(literal), *self.lexicon.questions_for(literal.fact))
        asking = askings[phrasing % len(askings)]
        answer = self.ask_text(asking.text, action)
        turned = asking.yes.positive is not literal.positive
        return _turned(answer) if turned else answer

    def ask_text(self, question: str, action: str) -> Answer:
        """The answer to any question, recorded for `action`."""
        answer = self.observer.model.answer(self._pictures, question)
        self.observer.emit(VisionAsked(action, question, str(answer.verdict)))
        return answer


def _turned(answer: Answer) -> Answer:
    """The answer to the negated question."""
    other = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}
    verdict = other.get(answer.verdict, answer.verdict)
    return Answer(verdict, str(verdict), answer.confidence, answer.latency_s, answer.usage)
