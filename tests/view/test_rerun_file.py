"""A run as a Rerun recording, where rerun-sdk is installed; without it, a way to get it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from runs import kitchen

from regrasp.core.errors import RegraspError
from regrasp.core.trace import read_trace
from regrasp.view.rerun_file import (
    Body3D,
    Camera3D,
    Path3D,
    Scene3D,
    Solid,
    SolidKind,
    write_rerun,
)

UPRIGHT = np.array((0.0, 0.0, 0.0, 1.0))
STILL = Path3D(np.zeros((2, 3)), np.tile(UPRIGHT, (2, 1)))
MOVING = Path3D(np.array(((0.0, 0.0, 0.0), (0.0, 0.0, 1.0))), np.tile(UPRIGHT, (2, 1)))


def scene() -> Scene3D:
    """A still floor of every kind of solid, a cube that rises, and a camera."""
    solids = [Solid(k, np.full(3, 0.1), np.zeros(3), UPRIGHT, (1, 0, 0, 1)) for k in SolidKind]
    floor = Body3D("floor", tuple(solids), STILL)
    cube = Body3D("a cube/<b>", tuple(solids[:1]), MOVING)
    return Scene3D(np.array((0.0, 1.0)), (floor, cube), (Camera3D("front", 0.8, STILL),))


def test_without_rerun_the_error_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kitchen(tmp_path)
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(RegraspError, match=r"pip install 'regrasp\[rerun\]'"):
        write_rerun(read_trace(tmp_path), scene(), tmp_path / "run.rrd")


@pytest.mark.filterwarnings("error")
def test_scene_cameras_and_events_are_in_the_recording(tmp_path: Path) -> None:
    pytest.importorskip("rerun", reason="rerun-sdk is not installed: pip install 'regrasp[rerun]'")
    kitchen(tmp_path)
    out = write_rerun(read_trace(tmp_path), scene(), tmp_path / "new" / "run.rrd")
    reader = [sys.executable, "-m", "rerun", "rrd"]
    subprocess.run([*reader, "verify", str(out)], check=True, capture_output=True)
    said = subprocess.run([*reader, "print", str(out)], check=True, capture_output=True, text=True)
    for wanted in (
        *(f"/scene/floor/{kind} " for kind in SolidKind),
        "/scene/a\\ cube\\/\\<b\\> - data columns: [Transform3D",
        "/scene/cameras/front - data columns: [Pinhole",
        "/scene/cameras/front/image - data columns: [EncodedImage",
        "/events/planned - data columns: [TextLog",
        "/events/run_ended ",
    ):
        assert wanted in said.stdout, wanted
