"""Statistics of a dataset's features, by which LeRobot's policies normalise."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from regrasp.core.arrays import Picture

__all__ = ["colour_counts", "colour_statistics", "statistics_of"]

_QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
_STRIDE = 4  # use every fourth row and column of an image


def statistics_of(values: npt.NDArray[Any]) -> dict[str, list[Any]]:
    """Statistics of each entry over all frames, (n,) or (n, k), as lists."""
    rows = values.reshape(len(values), -1).astype(np.float64)
    found = {
        "min": rows.min(axis=0),
        "max": rows.max(axis=0),
        "mean": rows.mean(axis=0),
        "std": rows.std(axis=0),
        "count": np.array([len(rows)]),
    }
    found |= {name: np.quantile(rows, q, axis=0) for name, q in _QUANTILES.items()}
    return {name: value.tolist() for name, value in found.items()}


def colour_counts(picture: Picture) -> npt.NDArray[np.int64]:
    """Histograms of red, green and blue over some pixels of an image, (3, 256)."""
    some = picture[::_STRIDE, ::_STRIDE]
    return np.stack([np.bincount(some[..., c].ravel(), minlength=256) for c in range(3)])


def colour_statistics(counts: npt.NDArray[np.int64]) -> dict[str, list[Any]]:
    """Statistics of red, green and blue from histograms, in 0..1, as lists (3, 1, 1)."""
    levels, total = np.arange(256) / 255.0, counts.sum(axis=1, keepdims=True)
    share = counts / np.maximum(total, 1)
    mean = share @ levels
    spread = np.sqrt(np.maximum(share @ levels**2 - mean**2, 0.0))
    up_to = np.cumsum(share, axis=1)
    found = {
        "min": levels[np.argmax(counts > 0, axis=1)],
        "max": levels[255 - np.argmax(counts[:, ::-1] > 0, axis=1)],
        "mean": mean,
        "std": spread,
    }
    found |= {name: levels[np.argmax(up_to >= q - 1e-12, axis=1)] for name, q in _QUANTILES.items()}
    whole = {name: value.reshape(3, 1, 1).tolist() for name, value in found.items()}
    return {**whole, "count": [int(total[0, 0])]}
