"""Pictures in other light and through another lens, as training shows them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2]))  # `train` is no part of the package

EDGE, MARGIN = 224, 30


def best_fit(before: np.ndarray, after: np.ndarray) -> float:
    """How well `after` is `before` in other light, shifted by whole pixels: a correlation."""
    inner = slice(MARGIN, EDGE - MARGIN)
    around = range(-MARGIN, MARGIN + 1)
    shifted = (
        before[MARGIN + dy : EDGE - MARGIN + dy, MARGIN + dx : EDGE - MARGIN + dx]
        for dy in around
        for dx in around
    )
    wanted = after[inner, inner].ravel()
    return max(float(np.corrcoef(one.ravel(), wanted)[0, 1]) for one in shifted)


def test_what_stays_crisp_is_only_shifted_and_the_rest_is_not() -> None:
    torch = pytest.importorskip("torch")
    from train.vision.train import seen_otherwise

    generator = torch.Generator().manual_seed(3)
    views = 110.0 + 30.0 * torch.rand((1, 1, 3, EDGE, EDGE), generator=generator)
    crisp, blurred = (seen_otherwise(views, generator, crisp=one) for one in (True, False))
    assert crisp.shape == blurred.shape == views.shape
    fits = [best_fit(views[0, 0, 0].numpy(), one[0, 0, 0].numpy()) for one in (crisp, blurred)]
    assert fits[0] > 0.9999
    assert fits[1] < 0.95
