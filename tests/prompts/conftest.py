"""Tests of the prompts. `REGRASP_UPDATE_GOLDEN=1 pytest tests/prompts` rewrites golden files."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def update_golden() -> bool:
    return os.environ.get("REGRASP_UPDATE_GOLDEN") == "1"
