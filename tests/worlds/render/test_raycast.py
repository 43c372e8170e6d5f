"""The ray-cast renderer: what is drawn, what is not, and the same bytes everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import mujoco
import numpy as np
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.render import raycast
from regrasp.worlds.render.backends import open_renderer
from regrasp.worlds.render.raycast import RaycastRenderer

# What NumPy uses of a processor beyond the oldest it supports.
EXTRAS: list[str] = np._core._multiarray_umath.__cpu_dispatch__  # type: ignore[attr-defined]
SRC = Path(__file__).parents[3] / "src"


def test_a_frame_has_the_shapes_and_types_it_promises(
    model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    frame = RaycastRenderer(model).render(data, "front", 61, 47)
    assert (frame.rgb.shape, str(frame.rgb.dtype)) == ((47, 61, 3), "uint8")
    assert (frame.depth.shape, str(frame.depth.dtype)) == ((47, 61), "float32")
    ids = RaycastRenderer(model).segment(data, "front", 61, 47)
    assert (ids.shape, str(ids.dtype)) == ((47, 61), "int32")


def test_depth_is_along_the_optical_axis(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    wall = model.geom("box").id  # a wall across the whole view, 1.4 m in front of the eye
    model.geom_size[wall], model.geom_aabb[wall, 3:] = [0.1, 5, 5], [0.1, 5, 5]
    data.geom_xpos[wall], data.geom_xmat[wall] = [0.5, 0, 0], np.eye(3).ravel()
    model.geom_rgba[1:, 3] = 0
    model.geom_rgba[wall, 3] = 1
    frame = RaycastRenderer(model).render(data, "straight", 64, 48)
    above = frame.depth[:20]  # below, the floor is nearer
    assert np.allclose(above, 1.4, atol=1e-5)


def test_the_sky_is_infinitely_far_and_has_no_id(
    model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    renderer = RaycastRenderer(model)
    frame = renderer.render(data, "straight", 64, 48)
    ids = renderer.segment(data, "straight", 64, 48)
    assert np.isinf(frame.depth[0]).all() and (ids[0] == -1).all()
    blue, red = frame.rgb[0, :, 2].astype(int), frame.rgb[0, :, 0].astype(int)
    assert (blue > red).all(), "the model's own sky box is blue"


def test_collision_groups_and_ghosts_are_invisible(
    model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    ids = RaycastRenderer(model).segment(data, "front", 96, 72)
    assert not np.isin(ids, [model.geom("hull").id, model.geom("ghost").id]).any()
    assert (ids == model.geom("box").id).sum() > 100


def test_what_is_transparent_shows_what_is_behind(
    model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    renderer = RaycastRenderer(model, shadows=False)
    clear = renderer.render(data, "front", 96, 72).rgb.astype(int)
    box = renderer.segment(data, "front", 96, 72) == model.geom("box").id
    model.geom_rgba[model.geom("ghost").id] = [0, 0, 1, 0.5]
    tinted = renderer.render(data, "front", 96, 72).rgb.astype(int)
    assert (renderer.segment(data, "front", 96, 72)[box] == model.geom("ghost").id).all()
    red, blue = tinted[box][:, 0].mean(), tinted[box][:, 2].mean()
    assert blue > clear[box][:, 2].mean() + 30
    assert 0.3 < red / clear[box][:, 0].mean() < 0.7, "half of the red behind shines through"


def test_a_light_casts_a_shadow_on_the_floor(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    floor = RaycastRenderer(model).segment(data, "front", 96, 72) == model.geom("floor").id
    lit = RaycastRenderer(model, shadows=False).render(data, "front", 96, 72).rgb.astype(int)
    dark = RaycastRenderer(model, shadows=True).render(data, "front", 96, 72).rgb.astype(int)
    shade = (lit - dark).max(axis=2)
    assert shade.min() >= 0, "a shadow only takes light away"
    assert 0.01 < (shade[floor] > 20).mean() < 0.5


def test_cameras_share_the_shadows_of_a_moment_and_no_other(
    model: mujoco.MjModel, data: mujoco.MjData, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast, moments = raycast.cast, []
    monkeypatch.setattr(raycast, "cast", lambda *a: moments.append(a) or cast(*a))  # type: ignore[func-returns-value]
    renderer, box = RaycastRenderer(model), model.geom("box").id
    for camera in ("front", "straight"):
        renderer.render(data, camera, 96, 72)
    assert len(moments) == 1
    data.geom_xpos[box] += [0.2, 0.1, 0.3]
    data.light_xdir[0] = [-0.8, 0.6, -1]
    model.geom_rgba[model.geom("ball").id, 3] = 0.3  # too clear to cast a shadow
    after = renderer.render(data, "front", 96, 72).rgb
    assert np.array_equal(after, RaycastRenderer(model).render(data, "front", 96, 72).rgb)


def test_colours_are_read_at_every_frame(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    renderer = RaycastRenderer(model)
    box = renderer.segment(data, "front", 96, 72) == model.geom("box").id
    assert renderer.render(data, "front", 96, 72).rgb[box].mean(axis=0).argmax() == 0
    model.geom_rgba[model.geom("box").id] = [0.1, 0.2, 0.9, 1]
    assert renderer.render(data, "front", 96, 72).rgb[box].mean(axis=0).argmax() == 2


def test_a_material_colours_what_has_no_colour_of_its_own(
    model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    renderer = RaycastRenderer(model)
    can = renderer.segment(data, "front", 96, 72) == model.geom("can").id
    assert renderer.render(data, "front", 96, 72).rgb[can].mean(axis=0).argmax() == 1


def test_supersampling_only_smooths(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    coarse = RaycastRenderer(model, ssaa=1).render(data, "front", 96, 72)
    smooth = RaycastRenderer(model, ssaa=3).render(data, "front", 96, 72)
    difference = np.abs(coarse.rgb.astype(int) - smooth.rgb.astype(int)).max(axis=2)
    assert (difference < 12).mean() > 0.85
    assert np.array_equal(np.isfinite(coarse.depth), np.isfinite(smooth.depth))
    with pytest.raises(RegraspError, match="ssaa is 0"):
        RaycastRenderer(model, ssaa=0)


def test_an_empty_world_is_all_sky() -> None:
    model = mujoco.MjModel.from_xml_string(
        "<mujoco><worldbody><camera name='eye'/><light castshadow='true'/></worldbody></mujoco>"
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    frame = open_renderer(model).render(data, "eye", 16, 12)
    assert np.isinf(frame.depth).all() and frame.rgb.any()


def test_a_picture_of_no_size_is_refused(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    with pytest.raises(RegraspError, match="at least 2 x 2"):
        open_renderer(model).render(data, "front", 1, 12)


def test_an_unknown_camera_is_answered_with_the_known_ones(
    model: mujoco.MjModel, data: mujoco.MjData
) -> None:
    with pytest.raises(UnknownNameError, match=r"'frnt'.*'front'.*inside, straight"):
        open_renderer(model, "raycast").render(data, "frnt", 8, 8)


@pytest.mark.parametrize("without", ["", " ".join(EXTRAS)], ids=["same", "lesser"])
def test_the_same_bytes_in_another_process_and_on_a_lesser_processor(
    model: mujoco.MjModel, data: mujoco.MjData, tmp_path: Path, without: str
) -> None:
    model.geom_rgba[model.geom("ghost").id, 3] = 0.4
    frame = RaycastRenderer(model, ssaa=2).render(data, "front", 80, 60)
    mujoco.mj_saveModel(model, str(tmp_path / "model.mjb"))
    code = f"""
        import mujoco
        from regrasp.worlds.render.raycast import RaycastRenderer
        model = mujoco.MjModel.from_binary_path({str(tmp_path / "model.mjb")!r})
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        frame = RaycastRenderer(model, ssaa=2).render(data, "front", 80, 60)
        open({str(tmp_path / "bytes")!r}, "wb").write(frame.rgb.tobytes() + frame.depth.tobytes())
    """
    environment = dict(os.environ, PYTHONPATH=str(SRC), NPY_DISABLE_CPU_FEATURES=without)
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code)]
    subprocess.run(command, env=environment, check=True)
    assert (tmp_path / "bytes").read_bytes() == frame.rgb.tobytes() + frame.depth.tobytes()
