"""Where a thing is put down: not beside what was seen, even if this look does not show it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from regrasp.core.grounding import Placement
from regrasp.perception.perceived_grounding import PerceivedGrounding


@pytest.mark.parametrize(
    ("name", "x", "clear"),
    [
        ("book", 0.10, False),  # a hand would knock it over
        ("book", 0.40, True),
        ("cup", 0.10, True),  # what is put down, and the table itself, are not in the way
        ("table", 0.10, True),
    ],
)
def test_a_spot_beside_a_seen_thing_is_not_clear(name: str, x: float, clear: bool) -> None:
    seen = {name: np.array([0.0, 0.0, 0.8])}
    knows: Any = SimpleNamespace(
        kinds=dict.fromkeys(("book", "cup", "table")), pieces={"table": None}, _seen_at=seen.get
    )
    spot = Placement(np.array([x, 0.0, 0.72]), 0.1, 0.25)
    assert PerceivedGrounding._is_clear(knows, spot, "table", "cup") is clear
