"""The weights of the embedded open vocabulary, in onnxruntime: see `perception.kind_segments`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from regrasp.core.arrays import Floats
from regrasp.core.weights import REINSTALL, check_sha256
from regrasp.embedded.vision.network import open_session

__all__ = ["WEIGHTS", "kind_network"]

WEIGHTS = Path(__file__).parent / "weights" / "segments.onnx"
"""The network; `train/segments` says how it was made."""
_SHA256 = "SHA"


@cache
def kind_network() -> Callable[[Floats], Floats]:
    """Pictures (n, 6, 120, 160) to shares (n, kinds, 120, 160); verified and loaded once."""
    network = WEIGHTS.read_bytes()
    check_sha256(hashlib.sha256(network).hexdigest(), _SHA256, WEIGHTS, REINSTALL)
    session = open_session(network)

    def shares(pictures: Floats) -> Floats:
        (found,) = session.run(None, {"pictures": pictures})
        return np.asarray(found, np.float32)

    return shares
