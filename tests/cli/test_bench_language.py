"""`regrasp bench language`: which instructions of a set are read."""

from __future__ import annotations

import pytest

from regrasp.cli.bench_language import _spread


@pytest.mark.parametrize(
    ("limit", "chosen"), [(3, (0, 3, 6)), (0, tuple(range(10))), (12, tuple(range(10)))]
)
def test_a_limit_takes_rows_from_the_whole_set(limit: int, chosen: tuple[int, ...]) -> None:
    assert _spread(range(10), limit) == chosen
