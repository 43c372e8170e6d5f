"""Oracle eyes for the walker: what its domain's lexicon can ask, answered from the truth.

That it holds something, where it is and what is before it the camera in its head always tells.
Where the box lies they know if a camera shows it. Anything else is asked as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.fact import Fact, Literal
from regrasp.domains.walker import walker
from regrasp.episodes.oracle_vision import EyeErrors, OracleEyes
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer
from regrasp.prompts.reading import read_sight
from regrasp.prompts.sight import Way
from regrasp.worlds.known import known_objects
from regrasp.worlds.walker_room.judge import WalkerJudge
from regrasp.worlds.walker_room.world import WalkerWorld

__all__ = ["WalkerEyes"]


class WalkerEyes(OracleEyes):
    """`OracleEyes` that also understand where the walker is and what is before it."""

    def __init__(
        self,
        world: WalkerWorld,
        errors: EyeErrors | None = None,
        rng: np.random.Generator | None = None,
    ) -> None:
        self._judge = WalkerJudge(world)
        super().__init__(world, errors, rng, self._judge)
        domain = walker()
        self._lexicon, self._rules = domain.lexicon, domain.rules(known_objects(world.scene))

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """See `OracleEyes.answer`."""
        literal = self._read("".join(question.partition("?")[:2]))
        if literal is None:
            return super().answer(images, question, kind=kind, seed=seed, cancel=cancel)
        so = self._so(literal.fact)
        if so is None:
            return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))
        rate = self._errors.true_positive if so is literal.positive else self._errors.false_positive
        said = Verdict.YES if self._draw(rate) else Verdict.NO
        return Answer(said, str(said))

    def topic(self, question: str) -> str:
        """The predicate that a question asks about, as far as there is one."""
        literal = self._read(question)
        return literal.fact.predicate if literal is not None else super().topic(question)

    def _read(self, question: str) -> Literal | None:
        """What is asked in the lexicon's words, or of the robot's way in anybody's."""
        sight = read_sight(question, self._scene.names)
        if sight is None or not isinstance(sight.look, Way):
            return self._lexicon.read(question, self._rules)
        predicate = "at" if sight.look is Way.AT else "clear"
        return Literal(Fact(predicate, (sight.object,)), positive=sight.look is not Way.OBSTACLE)

    def _so(self, fact: Fact) -> bool | None:
        """Whether a fact is so; None for a box that no camera shows."""
        if fact.predicate == "on" and not self._judge.holds("visible", fact.args[0]):
            return None
        return self._judge.holds(fact.predicate, *fact.args)
