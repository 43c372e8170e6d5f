"""The mesh skin is only a skin: it changes pictures, not motion; without meshes it says so."""

import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.kit.skin import _FILES, find_meshes
from regrasp.worlds.registry import open_world
from regrasp.worlds.render.backends import open_renderer


@pytest.fixture
def meshes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of the right name with a small pyramid for every mesh."""
    corners = np.array([[0, 0, 0.08], [0.05, 0, 0], [-0.03, 0.04, 0], [-0.03, -0.04, 0]])
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]
    triangles = b"".join(
        struct.pack("<12fH", 0, 0, 0, *corners[list(face)].ravel(), 0) for face in faces
    )
    for name in _FILES.values():
        file = tmp_path / "robosuite" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(80) + struct.pack("<I", len(faces)) + triangles)
    (tmp_path / "robosuite" / "__init__.py").write_text("raise ImportError('never imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "robosuite", raising=False)


@pytest.mark.usefixtures("meshes")
def test_a_skin_changes_what_is_seen_and_nothing_that_happens() -> None:
    assert find_meshes() is not None
    plain, skinned = open_world("cubes", seed=1), open_world("cubes", seed=1, skin="mesh")
    assert skinned.model.nmesh == len(_FILES)
    for world in (plain, skinned):
        push = world.data.ctrl.copy()
        push[0] += 0.1
        for _ in range(30):
            world.advance(push)
    assert np.array_equal(plain.data.qpos, skinned.data.qpos)
    pictures = [
        open_renderer(world.model, "raycast").render(world.data, "side", 96, 72).rgb
        for world in (plain, skinned)
    ]
    assert (pictures[0] != pictures[1]).any()


def test_without_meshes_it_says_which_package_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regrasp.worlds.kit.skin.find_spec", lambda name: None)
    with pytest.raises(RegraspError, match="pip install --no-deps robosuite"):
        open_world("cubes", skin="mesh")
    with pytest.raises(UnknownNameError, match="mesh"):
        open_world("cubes", skin="mehs")
