"""What tests of planners share."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.planners.downward import find_downward


@pytest.fixture
def engine() -> Path:
    """Fast Downward's binary."""
    found = find_downward()
    if found is None:
        pytest.skip("Fast Downward is not installed: pip install 'regrasp[planning]'")
    return found
