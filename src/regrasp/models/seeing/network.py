"""The trained network as onnxruntime runs it: pictures are read once, questions after that."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from regrasp.core.errors import RegraspError
from regrasp.models.images import ImageData
from regrasp.models.seeing.answers import ANSWERS
from regrasp.models.seeing.known import Known
from regrasp.models.seeing.picture import square_of
from regrasp.models.seeing.words import Vocabulary

__all__ = ["FILES", "WEIGHTS", "Network", "weights_digest"]

WEIGHTS = Path(__file__).parent.parent / "weights"
"""Where the weights lie that come with the package."""
FILES = ("eyes-see.onnx", "eyes-ask.onnx", "eyes.json")
_REMEMBERED = 12  # pictures: a few views of the last few moments

Floats = npt.NDArray[np.float32]


def weights_digest(folder: Path = WEIGHTS) -> str:
    """The SHA-256 of the three files one after the other; docs/models/eyes.md has the same."""
    digest = hashlib.sha256()
    for name in FILES:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


class Network:
    """Chances of every answer, for questions in numbers about pictures.

    What a picture gives to read from is kept, by the hash of its bytes, for the questions after.
    """

    def __init__(self, folder: Path = WEIGHTS) -> None:
        missing = [name for name in FILES if not (folder / name).is_file()]
        if missing:
            raise RegraspError(
                f"{folder} lacks {', '.join(missing)}: train them (python -m train.eyes) or "
                "reinstall the package."
            )
        about = json.loads((folder / "eyes.json").read_text(encoding="utf-8"))
        if tuple(about["answers"]) != ANSWERS or "known" not in about:
            raise RegraspError(
                f"the weights in {folder} are of another version, which answers other words: use "
                "those of this one."
            )
        self.vocabulary, self.known = Vocabulary(tuple(about["words"])), Known.of(about["known"])
        self._heat = float(about["temperature"])
        self._see, self._ask = (_session(folder / name) for name in FILES[:2])
        self._read: OrderedDict[str, tuple[Floats, Floats]] = OrderedDict()

    def chances(self, images: Sequence[ImageData], questions: Sequence[list[int]]) -> Floats:
        """P(answer) as (questions, ANSWERS), rows adding up to 1; all pictures count at once."""
        seen = [self._places(image) for image in images]
        longest = max(sum(number > 0 for number in numbers) for numbers in questions)
        feed = {
            "keys": _joined([keys for keys, _ in seen], axis=3),
            "values": _joined([values for _, values in seen], axis=2),
            "questions": np.array(questions, np.int64)[None, :, :longest],
        }
        scores = np.asarray(self._ask.run(None, feed)[0][0], np.float64) / self._heat
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)

    def _places(self, image: ImageData) -> tuple[Floats, Floats]:
        if image.sha256 in self._read:
            self._read.move_to_end(image.sha256)
            return self._read[image.sha256]
        pixels = square_of(image).transpose(2, 0, 1)[None].astype(np.float32)
        keys, values = self._see.run(None, {"pictures": pixels})
        self._read[image.sha256] = (keys, values)
        if len(self._read) > _REMEMBERED:
            self._read.popitem(last=False)
        return keys, values


def _joined(parts: Sequence[Floats], axis: int) -> Floats:
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=axis)


def _session(path: Path) -> Any:
    try:
        import onnxruntime  # noqa: PLC0415 -- 60 ms to load
    except ImportError:
        raise RegraspError("the embedded eyes need onnxruntime: pip install onnxruntime.") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
