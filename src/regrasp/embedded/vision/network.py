"""The trained network in onnxruntime: a picture is encoded once and used for many questions."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Floats
from regrasp.core.errors import RegraspError
from regrasp.core.weights import REINSTALL, check_sha256
from regrasp.embedded.vision.answers import ANSWERS
from regrasp.embedded.vision.known import KnownQuestions
from regrasp.embedded.vision.picture import square
from regrasp.embedded.vision.words import Vocabulary
from regrasp.models.images import ImageData

__all__ = [
    "FIRST", "TWO_HANDS", "WEIGHTS", "WEIGHTS_SHA256", "About", "Network", "read_about",
    "weights_digest", "weights_files",
]  # fmt: skip

WEIGHTS = Path(__file__).parent.parent / "weights"
"""The folder of the weights in the package."""
FIRST, TWO_HANDS = "vision", "two_hands"
"""The networks, as their files begin: that of most worlds, and that of the worlds with two hands.
"""
WEIGHTS_SHA256 = {
    FIRST: "bddbfe913496438edc2582c31ff864d5a4fe1c105aa1c4718460d8d4b8ae3ea9",
    TWO_HANDS: "e5499a1bc286987172e4f02cbca0f0caa00f08c5228eb54e46446ed63ce28374",
}
"""`weights_digest` of the files in the package, which are verified when they are loaded."""
_LEAST = 0.5  # confidence below which the answer is "unknown", unless the weights have their own
_REMEMBERED = 12  # pictures: a few views of the last few moments


def weights_files(name: str = FIRST) -> tuple[str, ...]:
    """The four files of a network."""
    return (f"{name}-see.onnx", f"{name}-read.onnx", f"{name}-ask.onnx", f"{name}.json")


def weights_digest(name: str = FIRST, folder: Path = WEIGHTS) -> str:
    """The SHA-256 of the four files, concatenated; docs/models/vision.md has the same value."""
    digest = hashlib.sha256()
    for file in weights_files(name):
        digest.update((folder / file).read_bytes())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class About:
    """What a network can be asked: its words and questions.

    `temperature` divides its scores. An answer with less confidence than `least` is "unknown".
    """

    vocabulary: Vocabulary
    known: KnownQuestions
    temperature: float
    least: float


def read_about(name: str, folder: Path = WEIGHTS) -> About:
    """From the JSON beside the graphs; RegraspError if a file is not there or another version's."""
    missing = [file for file in weights_files(name) if not (folder / file).is_file()]
    if missing:
        raise RegraspError(
            f"{folder} lacks {', '.join(missing)}: train them (python -m train.vision) or "
            "reinstall the package."
        )
    data = json.loads((folder / weights_files(name)[-1]).read_text(encoding="utf-8"))
    if tuple(data["answers"]) != ANSWERS or "known" not in data:
        raise RegraspError(
            f"the weights in {folder} are of another version, which answers other words: use "
            "those of this one."
        )
    return About(
        Vocabulary(tuple(data["words"])),
        KnownQuestions.of(data["known"]),
        float(data["temperature"]),
        float(data.get("least", _LEAST)),
    )


class Network:
    """Probabilities of every answer, for questions about pictures.

    The encoding of a picture is kept, by its digest, for later questions.
    """

    def __init__(self, name: str = FIRST, folder: Path = WEIGHTS) -> None:
        self.about = read_about(name, folder)
        files = [(folder / file).read_bytes() for file in weights_files(name)]
        if folder == WEIGHTS:
            digest = hashlib.sha256(b"".join(files)).hexdigest()
            check_sha256(digest, WEIGHTS_SHA256[name], folder, REINSTALL)
        self._see, self._read, self._ask = (_session(data) for data in files[:3])
        self._seen: OrderedDict[str, tuple[Floats, Floats]] = OrderedDict()

    def read(self, numbers: Sequence[int]) -> Floats:
        """The encoding of a question of word numbers, before any picture: (words, width)."""
        question = np.array([[number for number in numbers if number]], np.int64)
        feed = {"question": question, "there": np.ones(question.shape, np.int32)}
        return np.asarray(self._read.run(None, feed)[0][0], np.float32)

    def chances(self, images: Sequence[ImageData], questions: Sequence[Floats]) -> Floats:
        """P(answer) as (questions, ANSWERS), rows sum to 1; all pictures are used together.

        Each question is an encoding from `read`.
        """
        seen = [self._places(image) for image in images]
        words, there = _padded(questions)
        feed = {
            "keys": _joined([keys for keys, _ in seen]),
            "values": _joined([values for _, values in seen]),
            "words": words,
            "there": there,
        }
        scores = np.asarray(self._ask.run(None, feed)[0], np.float64) / self.about.temperature
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)

    def _places(self, image: ImageData) -> tuple[Floats, Floats]:
        if image.digest in self._seen:
            self._seen.move_to_end(image.digest)
            return self._seen[image.digest]
        keys, values = self._see.run(None, {"pictures": square(image.to_array())[None]})
        self._seen[image.digest] = (keys, values)
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return keys, values


def _joined(parts: Sequence[Floats]) -> Floats:
    """(1, heads, places, width) of several pictures: their places concatenated."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=2)


def _padded(questions: Sequence[Floats]) -> tuple[Floats, npt.NDArray[np.int32]]:
    """Encoded questions of different lengths in one array, and a mask of its words."""
    longest, width = max(len(one) for one in questions), questions[0].shape[1]
    words = np.zeros((len(questions), longest, width), np.float32)
    there = np.zeros((len(questions), longest), np.int32)
    for row, one in enumerate(questions):
        words[row, : len(one)], there[row, : len(one)] = one, 1
    return words, there


def _session(network: bytes) -> Any:
    try:
        import onnxruntime  # noqa: PLC0415 -- 60 ms to load
    except ImportError:
        raise RegraspError(
            "the embedded vision model needs onnxruntime: pip install onnxruntime."
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
