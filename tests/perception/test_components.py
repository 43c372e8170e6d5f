"""Connected components, compared with SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from regrasp.perception.components import grid_components


@pytest.mark.parametrize(
    ("shape", "share"), [((40, 60), 0.55), ((12, 14, 10), 0.35), ((1, 9), 0.5)]
)
def test_components_are_those_of_scipy(shape: tuple[int, ...], share: float) -> None:
    filled = np.random.default_rng(3).random(shape) < share
    own, (theirs, count) = grid_components(filled), ndimage.label(filled)
    assert ((own >= 0) == filled).all()
    pairs = {(int(a), int(b)) for a, b in zip(own[filled], theirs[filled], strict=True)}
    assert len(pairs) == count == len({a for a, _ in pairs})


def test_an_empty_grid_has_no_component() -> None:
    assert (grid_components(np.zeros((4, 5), bool)) == -1).all()
