"""The weights of the embedded open vocabulary: see `perception.kind_segments`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from regrasp.core.arrays import Floats
from regrasp.core.weights import REINSTALL, check_sha256, sha256_of

__all__ = ["WEIGHTS", "kind_network"]

WEIGHTS = Path(__file__).parent / "weights" / "segments.npz"
"""Three layers; `train/segments` says how they were made."""
_SHA256 = "b989e242720779cecbddf32f317cff27a7fba953856241e3597e159d4e1db155"


@cache
def kind_network() -> Callable[[Floats], Floats]:
    """Measures of surfaces (n, features) to shares (n, kinds); verified and loaded once."""
    check_sha256(sha256_of(WEIGHTS), _SHA256, WEIGHTS, REINSTALL)
    with np.load(WEIGHTS, allow_pickle=False) as kept:
        layers = [(kept[f"w{k}"], kept[f"b{k}"]) for k in range(3)]

    def shares(measures: Floats) -> Floats:
        x = measures
        for weight, bias in layers[:-1]:
            x = np.maximum(x @ weight + bias, 0.0)
        x = x @ layers[-1][0] + layers[-1][1]
        x = np.exp(x - x.max(axis=1, keepdims=True))
        return np.asarray(x / x.sum(axis=1, keepdims=True), np.float32)

    return shares
