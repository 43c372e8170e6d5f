"""The constraint detector (DoReMi, section 4.3): every Δt, all constraints, from all cameras.

It takes one picture from each camera and asks all questions about those. It is stepped by whoever
steps the skill, between two control steps, and takes none of the robot's time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.core.event import ConstraintsWatched
from regrasp.core.fact import Literal
from regrasp.domains.lexicon import Lexicon, PredicateQuestion
from regrasp.models.vision import Answer
from regrasp.monitors.detectors import ConsecutiveDetector, ViolationDetector
from regrasp.perception.observer import CallObserver

__all__ = ["Monitor", "ignore_unconfident_no"]

_MIN_CONFIDENCE = 0.8

_EPSILON = 1e-9  # s: the clock counts in hundredths that no float holds exactly
_HOLDS = {Verdict.YES: True, Verdict.NO: False}


def ignore_unconfident_no(
    holds: bool | None, confidence: float | None, min_confidence: float = _MIN_CONFIDENCE
) -> bool | None:
    """What an answer counts for: a no of eyes that are less than `least` sure of it tells nothing.

    Most constraints hold most of the time, so most noes of eyes that waver are wrong.
    """
    return (
        None if holds is False and confidence is not None and confidence < min_confidence else holds
    )


@dataclass(slots=True)
class Monitor:
    """Watches constraints through `observer`, every `period_s` of the robot's time.

    `evidence` is what each constraint begins with. What was gathered for a constraint is kept for
    as long as that is watched, from one skill to the next. A no of eyes that are themselves less
    than `sure` of it tells nothing.
    """

    observer: CallObserver
    lexicon: Lexicon
    evidence: ViolationDetector = field(default_factory=ConsecutiveDetector)
    period_s: float = 0.1
    min_confidence: float = _MIN_CONFIDENCE
    _gathered: dict[Literal, ViolationDetector] = field(default_factory=dict, init=False)
    _looked_s: float = field(default=float("-inf"), init=False)

    @property
    def watched(self) -> tuple[Literal, ...]:
        """The constraints of this moment."""
        return tuple(self._gathered)

    @property
    def in_doubt(self) -> tuple[Literal, ...]:
        """Those that may be broken, and that need more looks."""
        return tuple(one for one, evidence in self._gathered.items() if evidence.in_doubt)

    def watch(self, literals: Iterable[Literal]) -> None:
        """Watch these from now on, and nothing else."""
        before = self.watched
        self._gathered = {one: self._gathered.get(one, self.evidence) for one in literals}
        if self.watched != before:
            said = tuple(self.lexicon.statement(one) for one in self.watched)
            self.observer.emit(
                ConstraintsWatched(
                    said, tuple(self._question_for(one).text for one in self.watched)
                )
            )

    def check_if_due(self) -> tuple[Literal, ...]:
        """Look, if the last look is `period_s` ago; the constraints that are broken by now."""
        if not self._gathered or self._since_s < self.period_s - _EPSILON:
            return ()
        self._look()
        return tuple(one for one, evidence in self._gathered.items() if evidence.violated)

    def check_at_end(self, made: Iterable[Literal]) -> tuple[Literal, ...]:
        """Look once more, now that a skill has ended; what is not to be relied on any further.

        To stop here wastes nothing, so it is enough that something is likely to be broken. Of what
        the skill has just `made`, which goes wrong more often than what has stood for a while, one
        no is enough.
        """
        if self._gathered and self._since_s > _EPSILON:
            self._look()
        new = frozenset(made)
        return tuple(
            one
            for one, evidence in self._gathered.items()
            if (evidence.in_doubt if one in new else evidence.probably_violated)
        )

    def answers(self, literals: Iterable[Literal]) -> dict[Literal, bool | None]:
        """What one look makes of each: so, not so, or not to be told. No evidence is gathered."""
        return {
            one: self._counted_answer(one, answer) for one, answer in self._ask(literals).items()
        }

    def denial_statements(self, literals: Iterable[Literal]) -> tuple[str, ...]:
        """Sentences that say that these are not so."""
        denied = (Literal(one.fact, not one.positive) for one in literals)
        return tuple(map(self.lexicon.statement, denied))

    @property
    def _since_s(self) -> float:
        """How long ago the last look was."""
        return self.observer.robot.seconds - self._looked_s

    def _look(self) -> None:
        self._looked_s = self.observer.robot.seconds
        for one, answer in self._ask(self.watched).items():
            told = self._counted_answer(one, answer)
            self._gathered[one] = self._gathered[one].updated(told, answer.confidence)

    def _ask(self, literals: Iterable[Literal]) -> dict[Literal, Answer]:
        """What the eyes say of each, by the same pictures."""
        wanted = tuple(literals)
        pictures = self.observer.look() if wanted else ()
        model = self.observer.model
        return {one: model.answer(pictures, self._question_for(one).text) for one in wanted}

    def _counted_answer(self, literal: Literal, answer: Answer) -> bool | None:
        if answer.verdict not in _HOLDS:
            return None
        so = self._question_for(literal).means(_HOLDS[answer.verdict]) == literal
        return ignore_unconfident_no(so, answer.confidence, self.min_confidence)

    def _question_for(self, literal: Literal) -> PredicateQuestion:
        return self.lexicon.question_for(literal)
