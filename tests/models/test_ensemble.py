"""A model asked about one picture at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.models.cancel import CancelToken
from regrasp.models.fusion import Ensemble
from regrasp.models.images import ImageData
from regrasp.models.language import Usage
from regrasp.models.vision import Answer


class Brightness:
    """Says yes to bright pictures, no to dark ones; the surer the more so."""

    name = "brightness"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        (image,) = images
        light = float(image.to_array().mean()) / 255
        if kind is QuestionKind.OPEN:
            return Answer(Verdict.TEXT, "bright" if light > 0.5 else "dark", abs(light - 0.5) + 0.5)
        verdict = Verdict.YES if light > 0.5 else Verdict.NO
        return Answer(verdict, str(verdict), max(light, 1 - light), 0.01, Usage(1, 1), ("a loss",))


def picture(light: float) -> ImageData:
    return ImageData.from_array(np.full((4, 4, 3), round(255 * light), np.uint8))


def test_a_majority_counts_heads_and_bayes_weighs_them() -> None:
    frames = [picture(light) for light in (0.4, 0.4, 0.4, 0.98)]
    vote = Ensemble(Brightness(), "majority").answer(frames, "Is it bright?")
    weighed = Ensemble(Brightness(), "bayes").answer(frames, "Is it bright?")
    assert (vote.verdict, vote.confidence) == (Verdict.NO, 0.75)
    assert weighed.verdict is Verdict.YES
    assert weighed.latency_s == pytest.approx(0.04)
    assert weighed.usage == Usage(4, 4, 4)
    assert weighed.losses == ("a loss",)


def test_in_words_the_surest_counts() -> None:
    frames = [picture(light) for light in (0.4, 0.95)]
    said = Ensemble(Brightness(), "bayes").answer(frames, "What is it?", kind=QuestionKind.OPEN)
    assert said.text == "bright"


def test_no_picture_is_unknown_and_names_tell() -> None:
    assert Ensemble(Brightness(), "bayes").answer([], "?").verdict is Verdict.UNKNOWN
    assert Ensemble(Brightness(), "bayes").answer([], "?", kind=QuestionKind.OPEN).verdict is (
        Verdict.UNKNOWN
    )
    assert Ensemble(Brightness(), "majority").name == "majority:brightness"
    with pytest.raises(RegraspError, match="bayes"):
        Ensemble(Brightness(), "mode")
