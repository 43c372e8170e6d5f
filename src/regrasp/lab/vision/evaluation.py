"""How well eyes see: any vision model on held-out exhibits, by topic, with calibration and time."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.lab.vision.labelled_scene import LabelledScene, generate_scenes, true_answer
from regrasp.lab.vision.questions import LabelledQuestion
from regrasp.lab.vision.wording import Topic
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionModel

__all__ = ["HELD_OUT_SEED", "Reply", "VisionScore", "held_out", "of_action", "replies", "score"]

HELD_OUT_SEED = 9_100_000
"""Rooms from this seed on are never trained on, nor looked at while eyes are made."""
_ROOM = 2  # states of a room: another room tells more than another state of the same
_BINS = 15
_IN_WORDS = (Topic.COLOUR, Topic.STATE)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said to a question whose answer is known."""

    exhibit: LabelledScene
    asking: LabelledQuestion
    truth: str
    answer: Answer

    @property
    def answered(self) -> str:
        """The answer as one word."""
        if self.answer.verdict is Verdict.TEXT:
            return self.answer.text.strip().lower().rstrip(".")
        return str(self.answer.verdict)

    @property
    def right(self) -> bool:
        """Whether it is so."""
        return self.answered == self.truth


@dataclass(frozen=True, slots=True)
class VisionScore:
    """Counts over some replies. Rates are None where there is nothing to divide by.

    `tpr` is the share of what is so that was called so, `tnr` of what is not so that was denied,
    `ppv` the share of the yeses that were right, `npv` of the noes; unknown is never right there.
    `ece` is the expected calibration error over 15 bins (Guo et al., ICML 2017), of the answers
    that came with a confidence; `curve` is (confidence, share right, number) of each bin.
    """

    about: str
    questions: int
    accuracy: float | None
    tpr: float | None
    tnr: float | None
    ppv: float | None
    npv: float | None
    ece: float | None
    latency_ms: float | None
    curve: tuple[tuple[float, float, int], ...]


def held_out(world: str, questions: int, *, wrist: float = 0.0) -> Iterator[LabelledScene]:
    """Exhibits of rooms, wordings and colours not trained on, with at least so many questions."""
    asked, seed = 0, HELD_OUT_SEED
    while asked < questions:
        for exhibit in generate_scenes(world, [seed], states=_ROOM, held_out=True, wrist=wrist):
            yield exhibit
            answers = (true_answer(exhibit, one) for one in exhibit.questions)
            asked += sum(answer is not None for answer in answers)
            if asked >= questions:
                return
        seed += 1


def replies(
    model: VisionModel, shown: Iterable[LabelledScene], cameras: Sequence[str] | None = None
) -> Iterator[Reply]:
    """Ask `model` everything whose answer is clear to those who see through `cameras`.

    Those are the agents' own unless others are given.
    """
    for exhibit in shown:
        views = cameras or exhibit.cameras
        images = [ImageData.from_array(exhibit.pictures[camera]) for camera in views]
        for asking in exhibit.questions:
            truth = true_answer(exhibit, asking, views)
            if truth is not None:
                kind = QuestionKind.OPEN if asking.topic in _IN_WORDS else QuestionKind.YES_NO
                yield Reply(exhibit, asking, truth, model.answer(images, asking.text, kind=kind))


def of_action(reply: Reply) -> bool:
    """Whether it was asked if an action can be done or was done: several predicates at once."""
    return reply.asking.topic in (Topic.AFFORDANCE, Topic.SUCCESS)


def score(about: str, said: Sequence[Reply]) -> VisionScore:
    """Count `said`."""

    def share(of: list[Reply]) -> float | None:
        return sum(reply.right for reply in of) / len(of) if of else None

    sure = [(reply.answer.confidence, reply.right) for reply in said]
    known = [(confidence, right) for confidence, right in sure if confidence is not None]
    curve = _curve(known)
    off = sum(abs(trust - hits) * count for trust, hits, count in curve)
    times = [reply.answer.latency_s for reply in said]
    return VisionScore(
        about,
        len(said),
        share(list(said)),
        share([reply for reply in said if reply.truth == "yes"]),
        share([reply for reply in said if reply.truth == "no"]),
        share([reply for reply in said if reply.answered == "yes"]),
        share([reply for reply in said if reply.answered == "no"]),
        off / len(known) if known else None,
        1e3 * statistics.median(times) if times else None,
        curve,
    )


def _curve(known: Sequence[tuple[float, bool]]) -> tuple[tuple[float, float, int], ...]:
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for confidence, right in known:
        bins[min(int(confidence * _BINS), _BINS - 1)].append((confidence, right))
    return tuple(
        (sum(c for c, _ in one) / len(one), sum(r for _, r in one) / len(one), len(one))
        for one in bins
        if one
    )
