"""Oracle eyes for the household: questions in words, answered from the truth behind the pictures.

They understand what the household's lexicon can ask, and whether an action can be done or was
done. What no picture shows they do not know. With an error model they are wrong as often as that
says.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from regrasp.core.action import Action
from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.fact import Literal
from regrasp.domains.action_words import About, read_action_question
from regrasp.domains.household_lexicon import household_lexicon
from regrasp.domains.rules import ActionError
from regrasp.episodes.oracle_vision import OTHER, EyeErrors
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer
from regrasp.worlds.household.truth import HouseholdTruth
from regrasp.worlds.household.vocabulary import world_rules
from regrasp.worlds.household.world import HouseholdWorld

__all__ = ["HouseholdEyes"]


class HouseholdEyes:
    """A `VisionModel` over the truth of `world`; the pictures it gets are for the trace only."""

    def __init__(
        self,
        world: HouseholdWorld,
        errors: EyeErrors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self._truth = HouseholdTruth(world)
        self._errors = errors or EyeErrors()
        self._rng = rng or np.random.default_rng([world.seed, 3])
        self._rules, self._lexicon = world_rules(world), household_lexicon()

    @property
    def name(self) -> str:
        """`oracle`, with its error rates where it has any."""
        return "oracle" if self._errors == EyeErrors() else f"oracle:{self._errors}"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """See `VisionModel.answer`. What is asked in no form it knows is unknown."""
        truth = self._so(question)
        if truth is None:
            return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))
        rate = self._errors.true_positive if truth else self._errors.false_positive
        said = Verdict.YES if self._rng.random() < rate else Verdict.NO
        return Answer(said, str(said))

    def topic(self, question: str) -> str:
        """The predicate that a question asks about, `affordance`, `success`, or `other`."""
        about = read_action_question(question)
        if about is not None:
            return str(about[0])
        literal = self._lexicon.read(question, self._rules)
        return literal.fact.predicate if literal is not None else OTHER

    def _so(self, question: str) -> bool | None:
        """Whether yes is the right answer; None for unknown."""
        about = read_action_question(question)
        if about is not None:
            return self._all(self._of_action(*about))
        literal = self._lexicon.read(question, self._rules)
        return None if literal is None else self._literal(literal)

    def _literal(self, literal: Literal) -> bool | None:
        so = self._truth.is_true(literal.fact)
        return None if so is None else so is literal.positive

    def _all(self, literals: Iterable[Literal]) -> bool | None:
        """Whether all are so: no if one is seen not to be, unknown if none can be seen."""
        known = [so for so in map(self._literal, literals) if so is not None]
        return all(known) if known else None

    def _of_action(self, about: About, action: Action) -> tuple[Literal, ...]:
        """What must be so for an action, or what it should have made so."""
        ask = self._rules.effects if about is About.SUCCESS else self._rules.preconditions
        try:
            return ask(action, frozenset())
        except ActionError:  # of things that are not here
            return ()
