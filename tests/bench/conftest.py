from __future__ import annotations

from pathlib import Path

import pytest
from tiny_runs import Tiny


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """The tiny suite and a folder to run it into."""
    return Tiny(tmp_path / "run")
