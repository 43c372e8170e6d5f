"""Both renderers see one world, and the choice between them is explained."""

from __future__ import annotations

import colorsys
import ctypes.util
import platform
from collections.abc import Iterator

import mujoco
import numpy as np
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.render import gl
from regrasp.worlds.render.backends import open_renderer
from regrasp.worlds.render.base import Renderer
from regrasp.worlds.render.raycast import RaycastRenderer

SIZE = (160, 120)
needs_gl = pytest.mark.skipif(
    not gl.probe().works, reason=f"OpenGL does not work here: {gl.probe().advice}"
)


@pytest.fixture
def drawn(model: mujoco.MjModel) -> Iterator[Renderer]:
    renderer = open_renderer(model, "gl")
    yield renderer
    renderer.close()


@needs_gl
@pytest.mark.parametrize("camera", ["front", "straight", "inside"])
def test_both_renderers_agree_on_depth(
    model: mujoco.MjModel, data: mujoco.MjData, drawn: Renderer, camera: str
) -> None:
    one = drawn.render(data, camera, *SIZE).depth
    other = RaycastRenderer(model).render(data, camera, *SIZE).depth
    both_sky = np.isinf(one) & np.isinf(other)
    near = np.isfinite(one) & np.isfinite(other)
    near[near] = np.abs(one[near] - other[near]) < 0.01
    assert (near | both_sky).mean() > 0.97


@needs_gl
@pytest.mark.parametrize("camera", ["front", "straight", "inside"])
def test_both_renderers_agree_on_ids(
    model: mujoco.MjModel, data: mujoco.MjData, drawn: Renderer, camera: str
) -> None:
    one = drawn.segment(data, camera, *SIZE)
    other = RaycastRenderer(model).segment(data, camera, *SIZE)
    assert one.dtype == other.dtype == np.int32
    assert (one == other).mean() > 0.97


@needs_gl
def test_both_renderers_give_a_thing_the_same_hue(
    model: mujoco.MjModel, data: mujoco.MjData, drawn: Renderer
) -> None:
    ids = drawn.segment(data, "front", *SIZE)
    one = drawn.render(data, "front", *SIZE).rgb
    other = RaycastRenderer(model).render(data, "front", *SIZE).rgb
    for name in ("box", "ball", "can", "rod", "egg", "wedge"):
        seen = ids == model.geom(name).id
        assert seen.sum() > 30, name
        hues = [colorsys.rgb_to_hsv(*image[seen].mean(axis=0))[0] for image in (one, other)]
        turn = abs(hues[0] - hues[1])
        assert min(turn, 1 - turn) < 0.04, name


@needs_gl
def test_a_picture_may_be_larger_than_the_models_buffer(
    model: mujoco.MjModel, data: mujoco.MjData, drawn: Renderer
) -> None:
    frame = drawn.render(data, "front", 900, 700)
    assert frame.rgb.shape == (700, 900, 3) and frame.rgb[-1].any() and frame.rgb[0].any()


@needs_gl
def test_a_closed_renderer_says_so(data: mujoco.MjData, drawn: Renderer) -> None:
    drawn.close()
    drawn.close()
    with pytest.raises(RegraspError, match="closed"):
        drawn.render(data, "front", 16, 16)


@needs_gl
def test_the_callers_model_is_left_as_it_was(model: mujoco.MjModel) -> None:
    before = (model.vis.quality.offsamples, model.vis.quality.shadowsize)
    open_renderer(model, "gl").close()
    assert (model.vis.quality.offsamples, model.vis.quality.shadowsize) == before


def test_without_opengl_auto_is_raycast_and_gl_says_what_to_install(
    model: mujoco.MjModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    gl.probe.cache_clear()
    try:
        assert open_renderer(model, "auto").name == "raycast"
        with pytest.raises(RegraspError) as caught:
            open_renderer(model, "gl")
    finally:
        gl.probe.cache_clear()
    for word in ("libEGL is missing", "libOSMesa is missing", "libegl1", "libosmesa6", "raycast"):
        assert word in str(caught.value)


def test_opengl_can_be_switched_off(model: mujoco.MjModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "off")
    gl.probe.cache_clear()
    try:
        assert open_renderer(model, "auto").name == "raycast"
        with pytest.raises(RegraspError, match="MUJOCO_GL=off"):
            open_renderer(model, "gl")
    finally:
        gl.probe.cache_clear()


def test_a_driver_that_crashes_does_not_take_us_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "_TRIAL", "import os; os.abort()")
    monkeypatch.setattr(gl, "_LIBRARIES", {})
    gl.probe.cache_clear()
    try:
        found = gl.probe()
    finally:
        gl.probe.cache_clear()
    assert not found.works and "crashed" in found.advice


def test_an_unknown_renderer_is_answered_with_the_known_ones(model: mujoco.MjModel) -> None:
    with pytest.raises(UnknownNameError, match=r"'raycst'.*'raycast'.*auto, gl, raycast"):
        open_renderer(model, "raycst")
