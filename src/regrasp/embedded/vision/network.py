"""The trained network in onnxruntime: a picture is encoded once and used for many questions."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
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

__all__ = ["FILES", "WEIGHTS", "WEIGHTS_SHA256", "Network", "weights_digest"]

WEIGHTS = Path(__file__).parent.parent / "weights"
"""The folder of the weights in the package."""
FILES = ("vision-see.onnx", "vision-read.onnx", "vision-ask.onnx", "vision.json")
WEIGHTS_SHA256 = "bddbfe913496438edc2582c31ff864d5a4fe1c105aa1c4718460d8d4b8ae3ea9"
"""`weights_digest` of the files in the package, which are verified when they are loaded."""
_REMEMBERED = 12  # pictures: a few views of the last few moments


def weights_digest(folder: Path = WEIGHTS) -> str:
    """The SHA-256 of the four files, concatenated; docs/models/vision.md has the same value."""
    digest = hashlib.sha256()
    for name in FILES:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


class Network:
    """Probabilities of every answer, for questions about pictures.

    The encoding of a picture is kept, by its digest, for later questions.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            raise RegraspError(
                f"{folder} lacks {', '.join(missing)}: train them (python -m train.vision) or "
                "reinstall the package."
            )
        files = [(folder / name).read_bytes() for name in FILES]
        if folder == WEIGHTS:
            digest = hashlib.sha256(b"".join(files)).hexdigest()
            check_sha256(digest, WEIGHTS_SHA256, folder, REINSTALL)
        about = json.loads(files[-1])
        if tuple(about["answers"]) != ANSWERS or "known" not in about:
            raise RegraspError(
                f"the weights in {folder} are of another version, which answers other words: use "
                "those of this one."
            )
        self.vocabulary = Vocabulary(tuple(about["words"]))
        self.known = KnownQuestions.of(about["known"])
        self._heat = float(about["temperature"])
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
        scores = np.asarray(self._ask.run(None, feed)[0], np.float64) / self._heat
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
