"""Whether a fact is so, found out by whoever can know it: the eyes, or the robot's own hand.

The lexicon says how each predicate is asked and who knows it. What nobody can know is not asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import Asked
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.robot import Robot
from regrasp.domains.lexicon import Access, Lexicon
from regrasp.models.vision import Answer
from regrasp.perception.observer import Observer, Pictures

__all__ = ["FactObserver", "Touch", "hand_of"]

Touch = Callable[[Fact, State], bool | None]
"""What the robot itself knows of a fact, given what is believed; None if it cannot tell."""

_GRIP_N = 1.0  # a finger that pushes harder than this has something to push against


def hand_of(robot: Robot) -> Touch:
    """A touch that knows from the force in the fingers whether the hand is empty.

    What it is that the hand holds, it only believes: the thing that it was told to take.
    """

    def feel(fact: Fact, state: State) -> bool | None:
        if fact.predicate not in ("handempty", "inhand", "holding"):
            return None
        reading = robot.joints()
        holds = any(
            abs(torque) > _GRIP_N
            for name, torque in zip(reading.names, reading.torques, strict=True)
            if name.startswith("finger")
        )
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

    def sees(self, literal: Literal) -> bool:
        """Whether anybody can tell."""
        return self.lexicon.access(literal.fact.predicate) is not Access.ASSUMED

    def feels(self, literal: Literal, state: State) -> bool | None:
        """Whether it is so by the robot's own body; None if that cannot tell."""
        if self.lexicon.access(literal.fact.predicate) is not Access.GROUNDED:
            return None
        felt = self.touch(literal.fact, state)
        return None if felt is None else felt is literal.positive

    def ask(self, literal: Literal, action: str, phrasing: int = 0) -> Answer:
        """The eyes' answer to whether it is so; a higher `phrasing` puts it in other words."""
        askings = (self.lexicon.asking(literal), *self.lexicon.askings(literal.fact))
        asking = askings[phrasing % len(askings)]
        answer = self.say(asking.text, action)
        turned = asking.yes.positive is not literal.positive
        return _turned(answer) if turned else answer

    def say(self, question: str, action: str) -> Answer:
        """The eyes' answer to any question, written down for `action`."""
        answer = self.observer.model.answer(self._pictures, question)
        self.observer.emit(Asked(action, question, str(answer.verdict)))
        return answer


def _turned(answer: Answer) -> Answer:
    """An answer to the opposite question."""
    other = {Verdict.YES: Verdict.NO, Verdict.NO: Verdict.YES}
    verdict = other.get(answer.verdict, answer.verdict)
    return Answer(verdict, str(verdict), answer.confidence, answer.latency_s, answer.usage)
