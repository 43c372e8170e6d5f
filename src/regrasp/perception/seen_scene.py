"""What is seen of the objects that an instruction describes: colours, places, left and right.

Names count as knowledge: a `red_cube` is red. Everything else is asked of the vision model, once
for each question.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import SCAN
from regrasp.core.fact import Fact, Literal
from regrasp.core.kinds_of_things import COLOURS
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.perception.observer import Observer, Pictures
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.visual_question import ObjectQuestion, SideQuestion, VisualQuestion

__all__ = ["ObservedScene"]

_SIDES = {
    "leftmost": SideQuestion.LEFT, "rightmost": SideQuestion.RIGHT,
    "nearest": ObjectQuestion.IN_FRONT,
}  # fmt: skip
_RELATIONS = {"on": ObjectQuestion.ON, "in": ObjectQuestion.INSIDE}


@dataclass(slots=True)
class ObservedScene:
    """A `SeenScene` of pictures taken once; `believed` are facts that need not be asked."""

    observer: Observer
    known: Sequence[ObjectDescription]
    believed: Callable[[Fact], bool | None] = lambda _: None
    _pictures: Pictures = ()
    _answers: dict[str, bool | str | None] = field(default_factory=dict)

    def kinds(self) -> dict[str, str]:
        """See `SeenScene`."""
        return {one.name: one.kind for one in self.known}

    def movable(self) -> frozenset[str]:
        """See `SeenScene`."""
        return frozenset(one.name for one in self.known if one.allows(Affordance.PICK))

    def has(self, name: str, word: str) -> bool | None:
        """See `SeenScene`."""
        words = name.split("_")
        if word in words:
            return True
        if word not in COLOURS:
            return None
        if any(colour in words for colour in COLOURS):
            return False
        seen = self._colour(name)
        return None if seen is None else seen == word

    def related(self, relation: str, name: str, other: str) -> bool | None:
        """See `SeenScene`."""
        if relation == "like":
            first, second = self._colour(name), self._colour(other)
            return None if first is None or second is None else first == second
        predicate = {"on": "on", "in": "inside"}[relation]
        believed = self.believed(Fact(predicate, (name, other)))
        return believed if believed is not None else self._yes(_RELATIONS[relation], name, other)

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        """See `SeenScene`: the one that is left of (right of, in front of) all others."""
        asks, reverse = _SIDES.get(word), False
        if word == "farthest":
            asks, reverse = ObjectQuestion.IN_FRONT, True
        if asks is None or not names:
            return None
        wins = {
            name: sum(
                bool(self._yes(asks, *((other, name) if reverse else (name, other))))
                for other in names
                if other != name
            )
            for name in names
        }
        best = max(wins, key=lambda name: wins[name])
        return best if list(wins.values()).count(wins[best]) == 1 else None

    def _colour(self, name: str) -> str | None:
        for word in name.split("_"):
            if word in COLOURS:
                return word
        question = str(VisualQuestion(ObjectQuestion.ATTRIBUTE, name, attribute="colour"))
        answer = self._ask(question)
        return answer if isinstance(answer, str) else None

    def _yes(self, asks: ObjectQuestion | SideQuestion, name: str, other: str) -> bool | None:
        answer = self._ask(str(VisualQuestion(asks, name, other)))
        return answer if isinstance(answer, bool) else None

    def _ask(self, question: str) -> bool | str | None:
        if question not in self._answers:
            self._pictures = self._pictures or self.observer.look()
            seen = self.observer.ask(self._pictures, AskVisionPrompt(question), SCAN)
            verdicts = {Verdict.YES: True, Verdict.NO: False}
            self._answers[question] = (
                None if seen is None
                else seen.text.lower().rstrip(".") if seen.verdict is Verdict.TEXT
                else verdicts.get(seen.verdict)
            )  # fmt: skip
        return self._answers[question]


def place_of(name: str, facts: Callable[[Fact], bool | None], others: Sequence[str]) -> Literal | None:
    """The literal that says where an object is, by believed facts."""
    for predicate in ("on", "inside", "ontop"):
        for other in others:
            fact = Fact(predicate, (name, other))
            if other != name and facts(fact):
                return Literal(fact)
    return None
