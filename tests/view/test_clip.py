"""A film as a clip: it stands still where something is told, and needs a film to begin with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from runs import dropped

from regrasp.core.errors import RegraspError
from regrasp.view.clip import write_clip
from regrasp.view.video import VIDEO_FILE, VideoWriter


@pytest.fixture
def filmed(tmp_path: Path) -> Path:
    """A run of 0.3 s, of which there are five different pictures at ten a second."""
    pytest.importorskip("av")
    dropped(tmp_path)
    with VideoWriter(tmp_path / VIDEO_FILE, 10, 64, 48) as video:
        for level in range(5):
            video.add(np.full((48, 64, 3), 50 * level, np.uint8))
    return tmp_path


@pytest.mark.parametrize("kind", ["webp", "gif"])
def test_it_stands_still_at_plan_mishap_alarm_and_end(filmed: Path, kind: str) -> None:
    path = write_clip(filmed, filmed / f"clip.{kind}", slow=3.0)
    with Image.open(path) as clip:
        assert clip.size[0] == 64
        assert clip.size[1] > 48
        shown = 0
        for i in range(clip.n_frames):
            clip.seek(i)
            clip.load()
            shown += clip.info["duration"]
    film, stills = 5 * 300, 4 * 1600
    assert shown == film + stills


def test_what_it_needs_is_said(filmed: Path) -> None:
    with pytest.raises(RegraspError, match=r"a clip is a \.webp or \.gif file, not 'clip.png'"):
        write_clip(filmed, filmed / "clip.png")
    (filmed / VIDEO_FILE).unlink()
    with pytest.raises(RegraspError, match="has no film"):
        write_clip(filmed, filmed / "clip.gif")
