"""A language model that takes images serves as eyes; any text is read as yes, no or unknown."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import UnsupportedError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Request,
    RequestModel,
    ScoredToken,
)
from regrasp.models.vision import LanguageVision, VisionModel, read_yes_no

IMAGE = ImageData.from_array(np.zeros((2, 2, 3), np.uint8))


class Seer(RequestModel):
    name = "seer"

    def __init__(self, completion: Completion, images: bool = True) -> None:
        self.completion, self._images = completion, images
        self.requests: list[Request] = []

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(images=self._images, logprobs=True)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.requests.append(request)
        return Completions((self.completion,), latency_s=0.25)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("yes", Verdict.YES),
        ("Yes, the door is open.", Verdict.YES),
        ("NO!", Verdict.NO),
        ("**No**, it is shut", Verdict.NO),
        ("Answer: yes", Verdict.YES),
        ("The answer is no.", Verdict.NO),
        ("unknown", Verdict.UNKNOWN),
        ("I cannot tell, no.", Verdict.UNKNOWN),
        ("yes or no", Verdict.YES),
        ("It may be yes or no", Verdict.UNKNOWN),
        ("I know nothing", Verdict.UNKNOWN),
        ("", Verdict.UNKNOWN),
        ("42", Verdict.UNKNOWN),
    ],
)
def test_reading_yes_and_no(text: str, verdict: Verdict) -> None:
    assert read_yes_no(text) is verdict


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert read_yes_no(text) in (Verdict.YES, Verdict.NO, Verdict.UNKNOWN)


def test_the_confidence_is_the_share_of_the_verdict() -> None:
    top = (("Yes", math.log(0.6)), ("No", math.log(0.2)), (" no", math.log(0.1)), ("The", -3.0))
    seer = Seer(
        Completion("Yes.", tokens=(ScoredToken("Yes", math.log(0.6), top), ScoredToken(".", 0.0)))
    )
    model: VisionModel = LanguageVision(seer)
    answer = model.answer([IMAGE], "Is it open?", seed=3)
    assert answer.verdict is Verdict.YES
    assert answer.confidence == pytest.approx(0.6 / 0.9)
    assert (answer.text, answer.latency_s, model.name) == ("Yes.", 0.25, "seer")
    assert seer.requests[0].images == (IMAGE,)
    assert seer.requests[0].seed == 3


def test_without_log_probabilities_there_is_no_confidence() -> None:
    answer = LanguageVision(Seer(Completion("no"))).answer([IMAGE], "Is it open?")
    assert (answer.verdict, answer.confidence) == (Verdict.NO, None)


def test_an_open_question() -> None:
    tokens = (ScoredToken("a", math.log(0.5)), ScoredToken(" kettle", math.log(0.125)))
    seer = Seer(Completion(" a kettle\n", tokens=tokens))
    answer = LanguageVision(seer).answer([IMAGE], "What is it?", kind=QuestionKind.OPEN)
    assert (answer.verdict, answer.text) == (Verdict.TEXT, "a kettle")
    assert answer.confidence == pytest.approx(0.25)


def test_a_model_without_eyes() -> None:
    with pytest.raises(UnsupportedError, match="seer takes no images"):
        LanguageVision(Seer(Completion("yes"), images=False))


class TestImages:
    def test_an_array_there_and_back(self) -> None:
        rgb = np.random.default_rng(0).integers(0, 256, (5, 7, 3), dtype=np.uint8)
        image = ImageData.from_array(rgb)
        assert np.array_equal(image.to_array(), rgb)
        assert ImageData.from_array(rgb[:, ::1].copy()) == image

    def test_one_bit_of_one_pixel_is_another_image(self) -> None:
        rgb = np.zeros((64, 64, 3), np.uint8)
        before = ImageData.from_array(rgb)
        rgb[31, 17, 2] = 1
        assert ImageData.from_array(rgb).sha256 != before.sha256

    def test_a_png_keeps_its_bytes_and_others_become_one(self, tmp_path: Path) -> None:
        png, jpeg = tmp_path / "a.png", tmp_path / "a.jpg"
        png.write_bytes(IMAGE.png)
        Image.new("RGB", (4, 4), "red").save(jpeg)
        assert ImageData.from_file(png) == IMAGE
        assert ImageData.from_file(jpeg).to_array().shape == (4, 4, 3)

    def test_what_is_no_image(self, tmp_path: Path) -> None:
        file = tmp_path / "x.png"
        with pytest.raises(RegraspError, match="cannot read the image"):
            ImageData.from_file(file)
        file.write_bytes(b"hello")
        with pytest.raises(RegraspError, match="not an image"):
            ImageData.from_file(file)
        with pytest.raises(RegraspError, match="takes PNG bytes"):
            ImageData(b"hello")
        with pytest.raises(RegraspError, match="uint8"):
            ImageData.from_array(np.zeros((2, 2, 3)))  # type: ignore[arg-type]

    def test_the_bytes_stay_out_of_repr(self) -> None:
        assert "PNG" not in repr(IMAGE)
