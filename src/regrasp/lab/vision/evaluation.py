"""Evaluation of a vision model on held-out scenes, by topic, with calibration and latency."""

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
"""Rooms from this seed on are never used in training, nor in the development of a model."""
_ROOM = 2  # states per room: another room is more informative than another state
_BINS = 15
_IN_WORDS = (Topic.COLOUR, Topic.STATE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply to a question with a known answer."""

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
        """Whether the answer is right."""
        return self.answered == self.truth


@dataclass(frozen=True, slots=True)
class VisionScore:
    """Counts over some replies. Rates are None if the denominator is 0.

    `tpr` is the share of true facts answered yes, `tnr` the share of false facts answered no,
    `ppv` the share of right yes answers, `npv` of right no answers; unknown is never right there.
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
    """Scenes with rooms, wordings and colours not in training; `questions` or more questions."""
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
    """Ask `model` every question with a clear answer in the images of `cameras`.

    The default is the agents' own cameras.
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
    """Whether the question is about an action: several predicates at once."""
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
