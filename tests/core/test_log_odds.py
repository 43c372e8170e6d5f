"""Log-odds and probabilities are two forms of one number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.core.log_odds import log_odds, probability


@given(st.floats(1e-5, 1 - 1e-5))
def test_they_are_each_others_inverse(p: float) -> None:
    assert probability(log_odds(p)) == pytest.approx(p, rel=1e-6)


def test_certainty_is_held_short_of_infinity() -> None:
    assert log_odds(0.5) == 0.0
    assert log_odds(1.0, 0.01) == pytest.approx(math.log(99))
    assert log_odds(0.0) == pytest.approx(-log_odds(1.0))
    assert probability(-1e9) == 0.0 and probability(1e9) == 1.0
