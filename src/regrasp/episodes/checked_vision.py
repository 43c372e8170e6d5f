"""Eyes that are held against the truth while an agent uses them; the agent never hears of it.

At each yes/no question perfect oracle eyes on the same world are asked as well. What they say is
kept in memory and goes into the trace when the agent is through. It draws no number that the run
depends on and writes no event in between, so a run goes the same way with it and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.event import Checked
from regrasp.episodes.casting import eyes_of
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionModel
from regrasp.worlds.world import World

__all__ = ["CheckedEyes"]


class CheckedEyes:
    """A `VisionModel`: `inner`, with each yes/no given to `note` beside the truth in `world`."""

    def __init__(self, inner: VisionModel, world: World, note: Callable[[Checked], None]) -> None:
        self._inner, self._world, self._note = inner, world, note
        self._truth = eyes_of(world)

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        """What the inner model says."""
        said = self._inner.answer(images, question, kind=kind, seed=seed, cancel=cancel)
        if kind is QuestionKind.YES_NO:
            truth = self._truth.answer(images, question).verdict
            asked = "".join(question.partition("?")[:2])
            self._note(
                Checked(
                    self._truth.topic(asked),
                    asked,
                    str(said.verdict),
                    str(Verdict.UNKNOWN if truth is Verdict.TEXT else truth),
                    self._world.seconds,
                )
            )
        return said
