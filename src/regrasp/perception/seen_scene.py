"""What is seen of the objects that an instruction describes: colours, places, left and right.

Names count as knowledge: a `red_cube` is red. Everything else is asked of the vision model, once
for each question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import SCAN
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.kinds_of_things import COLOURS
from regrasp.perception.facts import FactObserver
from regrasp.perception.observer import Pictures
from regrasp.prompts.ask_vision import AskVisionPrompt
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.visual_question import ObjectQuestion, SideQuestion, VisualQuestion

__all__ = ["ObservedScene"]

_SIDES: Mapping[str, tuple[ObjectQuestion | SideQuestion, bool]] = {
    "leftmost": (SideQuestion.LEFT, True),
    "rightmost": (SideQuestion.RIGHT, True),
    "nearest": (ObjectQuestion.IN_FRONT, True),
    "farthest": (ObjectQuestion.IN_FRONT, False),
}
"""The question that compares two objects, and its answer for the one that is meant."""
_PREDICATES = {"on": ("on", "ontop"), "in": ("inside", "in")}
_QUESTIONS = {"on": ObjectQuestion.ON, "in": ObjectQuestion.INSIDE}


@dataclass(slots=True)
class ObservedScene:
    """A `SeenScene` of pictures taken once; `believed` are facts that need not be asked."""

    facts: FactObserver
    prompt: GoalPrompt
    believed: State = frozenset()
    _pictures: Pictures = ()
    _answers: dict[str, bool | str | None] = field(default_factory=dict)

    def kinds(self) -> dict[str, str]:
        """See `SeenScene`."""
        return {one.name: one.kind for one in self.prompt.scene.objects}

    def movable(self) -> frozenset[str]:
        """See `SeenScene`: what can be put somewhere."""
        placed = {kind for form in self.prompt.forms if form.takes[1:] for kind in form.takes[0]}
        return frozenset(name for name, kind in self.kinds().items() if kind in placed)

    def has(self, name: str, word: str) -> bool | None:
        """See `SeenScene`."""
        words = name.split("_")
        if word in words:
            return True
        if word not in COLOURS:
            return None
        seen = self.colour(name)
        return None if seen is None else seen == word

    def related(self, relation: str, name: str, other: str) -> bool | None:
        """See `SeenScene`."""
        if relation == "like":
            first, second = self.colour(name), self.colour(other)
            return None if first is None or second is None else first == second
        for predicate in _PREDICATES[relation]:
            if any(form.predicate == predicate for form in self.prompt.forms):
                return self.holds(Literal(Fact(predicate, (name, other))))
        return self._ask_relation(_QUESTIONS[relation], name, other)

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        """See `SeenScene`: the one that is left of (right of, in front of) all others."""
        if word not in _SIDES or not names:
            return None
        question, wanted = _SIDES[word]
        wins = {
            name: sum(
                self._ask_relation(question, name, other) is wanted
                for other in names
                if other != name
            )
            for name in names
        }
        best = max(wins, key=lambda name: wins[name])
        return best if list(wins.values()).count(wins[best]) == 1 else None

    def place_of(self, name: str) -> Literal | None:
        """The literal that says what an object is on or in."""
        for relation, predicates in _PREDICATES.items():
            for other in self.kinds():
                if other != name and self.related(relation, name, other):
                    offered = [f.predicate for f in self.prompt.forms if f.predicate in predicates]
                    return Literal(Fact((*offered, predicates[0])[0], (name, other)))
        return None

    def holds(self, literal: Literal) -> bool | None:
        """Whether a literal is true; None if nobody can see or feel it."""
        if literal.fact in self.believed:
            return literal.positive
        key = str(literal)
        if key not in self._answers:
            self._answers[key] = self._observed(literal)
        found = self._answers[key]
        return found if isinstance(found, bool) else None

    def colour(self, name: str) -> str | None:
        """The colour of an object: of its name, or as it is seen."""
        for word in name.split("_"):
            if word in COLOURS:
                return word
        question = str(VisualQuestion(ObjectQuestion.ATTRIBUTE, name, attribute="colour"))
        answer = self._ask(question)
        return answer if isinstance(answer, str) else None

    def _observed(self, literal: Literal) -> bool | None:
        if self.facts.is_grounded(literal):
            return self.facts.sensed(literal, self.believed | {literal.fact})
        if not self.facts.is_seen(literal):
            return None
        self._look()
        verdict = self.facts.ask(literal, SCAN).verdict
        return {Verdict.YES: True, Verdict.NO: False}.get(verdict)

    def _ask_relation(
        self, asks: ObjectQuestion | SideQuestion, name: str, other: str
    ) -> bool | None:
        answer = self._ask(str(VisualQuestion(asks, name, other)))
        return answer if isinstance(answer, bool) else None

    def _ask(self, question: str) -> bool | str | None:
        if question not in self._answers:
            self._look()
            seen = self.facts.observer.ask(self._pictures, AskVisionPrompt(question), SCAN)
            verdicts = {Verdict.YES: True, Verdict.NO: False}
            if seen is not None and seen.verdict is Verdict.TEXT:
                self._answers[question] = seen.text.lower().rstrip(".")
            else:
                self._answers[question] = verdicts.get(seen.verdict) if seen is not None else None
        return self._answers[question]

    def _look(self) -> None:
        if not self._pictures:
            self.facts.look()
            self._pictures = self.facts.pictures
