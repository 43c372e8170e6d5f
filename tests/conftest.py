"""What holds for all tests."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked long runs only when it is asked for with -m long."""
    if "long" in (config.getoption("markexpr") or ""):
        return
    skip = pytest.mark.skip(reason="long: run with -m long")
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(skip)
