"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.cli.options import free_folder, parse_size
from regrasp.core.errors import RegraspError


@pytest.mark.parametrize("text", ["640x480", " 640X480 ", "640×480"])
def test_a_size_is_width_and_height(text: str) -> None:
    assert parse_size(text) == (640, 480)


@pytest.mark.parametrize("text", ["", "640", "0x480", "640x5000", "-1x2", "axb", "1e3x2", "9" * 99])
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(RegraspError, match="640x480"):
        parse_size(text)


def test_a_free_folder_never_holds_anything(tmp_path: Path) -> None:
    wanted = tmp_path / "run"
    assert free_folder(wanted) == wanted
    wanted.mkdir()
    assert free_folder(wanted) == wanted
    (wanted / "precious").touch()
    assert free_folder(wanted) == tmp_path / "run-2"
    (tmp_path / "run-2").touch()
    assert free_folder(wanted) == tmp_path / "run-3"
