"""The constraint detector (DoReMi, section 4.3): every Δt, all constraints, from all cameras.

It takes one picture from each camera and asks all questions about those. The loop that steps the
skill also steps the monitor, between two control steps, and it takes none of the robot's time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import ConstraintsWatched
from regrasp.core.fact import Literal
from regrasp.core.robot import CLOCK_TOLERANCE_S
from regrasp.domains.lexicon import Lexicon
from regrasp.models.vision import Answer
from regrasp.monitors.detectors import ConsecutiveDetector, ViolationDetector
from regrasp.perception.observer import Observer

__all__ = ["Monitor", "ignore_unconfident_no"]

_MIN_CONFIDENCE = 0.8

_HOLDS = {Verdict.YES: True, Verdict.NO: False}


def ignore_unconfident_no(
    holds: bool | None, confidence: float | None, min_confidence: float = _MIN_CONFIDENCE
) -> bool | None:
    """The answer to count: a no with a confidence below `min_confidence` counts as unknown.

    Most constraints hold most of the time, so most noes of an unsure model are wrong.
    """
    return (
        None if holds is False and confidence is not None and confidence < min_confidence else holds
    )


@dataclass(slots=True)
class Monitor:
    """Checks constraints through `observer`, every `period_s` of the robot's time.

    `detector` is the detector that each constraint starts with. A detector is kept while its
    constraint is checked, also from one skill to the next. A no with a confidence below
    `min_confidence` counts as unknown. With `checks_at_ends` a skill that has ended is checked once
    more; the paper's monitor checks only while a skill runs.
    """

    observer: Observer
    lexicon: Lexicon
    detector: ViolationDetector = field(default_factory=ConsecutiveDetector)
    period_s: float = 0.1
    min_confidence: float = _MIN_CONFIDENCE
    checks_at_ends: bool = True
    _gathered: dict[Literal, ViolationDetector] = field(default_factory=dict, init=False)
    _looked_s: float = field(default=float("-inf"), init=False)
    _answers: dict[Literal, bool | None] = field(default_factory=dict, init=False)

    @property
    def watched(self) -> tuple[Literal, ...]:
        """The constraints that are checked now."""
        return tuple(self._gathered)

    @property
    def in_doubt(self) -> tuple[Literal, ...]:
        """The constraints that may be violated and need more checks."""
        return tuple(one for one, detector in self._gathered.items() if detector.in_doubt)

    def watch(self, literals: Iterable[Literal]) -> None:
        """Check these from now on, and no others."""
        before = self.watched
        self._gathered = {one: self._gathered.get(one, self.detector) for one in literals}
        if self.watched != before:
            statements = tuple(map(self.lexicon.statement, self.watched))
            questions = tuple(self.lexicon.question_for(one).text for one in self.watched)
            self.observer.emit(ConstraintsWatched(statements, questions))

    def check_if_due(self) -> tuple[Literal, ...]:
        """Check, if the last check is `period_s` ago; the constraints that are violated by now."""
        if not self._gathered or self._since_s < self.period_s - CLOCK_TOLERANCE_S:
            return ()
        self._look()
        return tuple(one for one, detector in self._gathered.items() if detector.violated)

    def check_at_end(self, made: Iterable[Literal]) -> tuple[Literal, ...]:
        """Check once more at the end of a skill; the constraints that can no longer be relied on.

        Stopping costs nothing here, so a probable violation is enough. For the effects that the
        skill has just `made`, one no is enough: they fail more often than older constraints.
        """
        if not self.checks_at_ends:
            return ()
        if self._gathered and self._since_s > CLOCK_TOLERANCE_S:
            self._look()
        new = frozenset(made)
        return tuple(
            one
            for one, detector in self._gathered.items()
            if (detector.in_doubt if one in new else detector.probably_violated)
        )

    def answers(self, literals: Iterable[Literal]) -> dict[Literal, bool | None]:
        """The answers of one look: true, false, or None for unknown. No evidence is added."""
        found = {
            one: self._counted_answer(one, answer) for one, answer in self._ask(literals).items()
        }
        self._answers.update(found)
        return found

    def all_seen(self, literals: Iterable[Literal]) -> bool:
        """Whether each was seen to be true in the last look at it, since the robot last moved."""
        return all(self._answers.get(one) for one in literals)

    def skill_ended(self) -> None:
        """The robot has moved: answers before the present time no longer show the scene."""
        if self._since_s > CLOCK_TOLERANCE_S:
            self._answers.clear()

    def denial_statements(self, literals: Iterable[Literal]) -> tuple[str, ...]:
        """Sentences that state the opposite of these literals."""
        return tuple(self.lexicon.statement(one.opposite) for one in literals)

    @property
    def _since_s(self) -> float:
        """Seconds since the last check."""
        return self.observer.robot.seconds - self._looked_s

    def _look(self) -> None:
        self._looked_s = self.observer.robot.seconds
        self._answers.clear()
        for one, answer in self._ask(self.watched).items():
            holds = self._answers[one] = self._counted_answer(one, answer)
            self._gathered[one] = self._gathered[one].updated(holds, answer.confidence)

    def _ask(self, literals: Iterable[Literal]) -> dict[Literal, Answer]:
        """The vision model's answer for each literal, from the same pictures."""
        wanted = tuple(literals)
        pictures = self.observer.look() if wanted else ()
        model = self.observer.model
        ask = self.lexicon.question_for
        return {one: model.answer(pictures, ask(one).text) for one in wanted}

    def _counted_answer(self, literal: Literal, answer: Answer) -> bool | None:
        if answer.verdict not in _HOLDS:
            return None
        holds = self.lexicon.question_for(literal).means(_HOLDS[answer.verdict]) == literal
        return ignore_unconfident_no(holds, answer.confidence, self.min_confidence)
