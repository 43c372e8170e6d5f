"""Tests of the prompts. `REGRASP_UPDATE_GOLDEN=1 pytest tests/prompts` rewrites golden files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.fixture
def update_golden() -> bool:
    return os.environ.get("REGRASP_UPDATE_GOLDEN") == "1"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long fuzz runs only when it is asked for with -m long."""
    if "long" in (config.getoption("markexpr") or ""):
        return
    skip = pytest.mark.skip(reason="long: run with -m long")
    for item in items:
        if HERE in item.path.parents and item.get_closest_marker("long") is not None:
            item.add_marker(skip)
