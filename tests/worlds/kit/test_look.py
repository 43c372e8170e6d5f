"""Colours, light and cameras do what their names say, and only draw from the generator given."""

from __future__ import annotations

import itertools

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.kit.look import (
    PALETTE,
    add_camera,
    add_floor_material,
    add_lights,
    colour,
    jitter_camera,
    jitter_colour,
    standard_cameras,
)
from regrasp.worlds.render.raycast import RaycastRenderer


def posed(spec: mujoco.MjSpec) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def dot_at(spec: mujoco.MjSpec, pos: tuple[float, float, float]) -> None:
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.03, 0, 0], pos=pos)


def test_no_two_named_colours_are_close() -> None:
    for (one, a), (other, b) in itertools.combinations(PALETTE.items(), 2):
        assert np.linalg.norm(np.subtract(a, b)) > 0.25, (one, other)


def test_an_unknown_colour_is_answered_with_the_known_ones() -> None:
    assert colour("red") == (*PALETTE["red"], 1.0)
    with pytest.raises(UnknownNameError, match=r"'gren'.*'green'"):
        colour("gren")


def test_a_jittered_colour_keeps_its_name() -> None:
    rng = np.random.default_rng(0)
    for name, rgb in PALETTE.items():
        for _ in range(50):
            *jittered, alpha = jitter_colour((*rgb, 0.7), rng)
            nearest = min(
                PALETTE, key=lambda n: float(np.linalg.norm(np.subtract(PALETTE[n], jittered)))
            )
            assert nearest == name and alpha == 0.7
            assert min(jittered) >= 0 and max(jittered) <= 1


@pytest.mark.parametrize("look_at", [(1, 0, 0), (0.3, -0.4, 0.9), (0, 0, -1), (0, 0, 1)])
def test_the_middle_pixel_sees_what_the_camera_looks_at(
    look_at: tuple[float, float, float],
) -> None:
    spec = mujoco.MjSpec()
    dot_at(spec, look_at)
    add_camera(spec, "eye", (0, 0, 0), look_at, 40.0)
    model, data = posed(spec)
    ids = RaycastRenderer(model).segment(data, "eye", 33, 33)
    assert ids[16, 16] == 0 and ids[0, 0] == -1


def test_up_is_up_in_the_picture() -> None:
    spec = mujoco.MjSpec()
    dot_at(spec, (1, 0, 0.15))
    add_camera(spec, "eye", (0, 0, 0), (1, 0, 0), 40.0)
    add_camera(spec, "upside_down", (0, 0, 0), (1, 0, 0), 40.0, up=(0, 0, -1))
    model, data = posed(spec)
    renderer = RaycastRenderer(model)
    rows = [
        np.nonzero(renderer.segment(data, name, 32, 32) == 0)[0].mean()
        for name in ("eye", "upside_down")
    ]
    assert rows[0] < 12 and rows[1] > 20


def test_a_camera_on_a_body_moves_with_it() -> None:
    spec = mujoco.MjSpec()
    hand = spec.worldbody.add_body(name="hand", pos=[0, 0, 1])
    add_camera(hand, "wrist", (0.1, 0, 0), (0.1, 0, 1), 60.0)
    _, data = posed(spec)
    assert np.allclose(data.camera("wrist").xpos, [0.1, 0, 1])
    assert np.allclose(data.camera("wrist").xmat.reshape(3, 3)[:, 2], [0, 0, -1])


def test_a_camera_cannot_look_at_itself() -> None:
    with pytest.raises(RegraspError, match="'eye' stands on the point it looks at"):
        add_camera(mujoco.MjSpec(), "eye", (1, 2, 3), (1, 2, 3))


def test_the_standard_cameras_see_the_whole_workspace() -> None:
    spec = mujoco.MjSpec()
    standard_cameras(spec)
    corners = list(itertools.product((0.4, 0.9), (-0.3, 0.3), (0.0, 0.5)))
    model, data = posed(spec)
    for name in ("front", "side"):
        camera = data.camera(name)
        right, up, back = camera.xmat.reshape(3, 3).T
        limit = np.tan(np.deg2rad(model.camera(name).fovy[0]) / 2)
        for corner in corners:
            line = np.array(corner) - camera.xpos
            assert max(abs(line @ right), abs(line @ up)) < limit * -(line @ back), (name, corner)


def test_a_jittered_camera_moves_a_little_and_by_the_seed() -> None:
    def pose(seed: int | None) -> npt.NDArray[np.float64]:
        spec = mujoco.MjSpec()
        camera = add_camera(spec, "eye", (0, 0, 1), (1, 0, 0), 45.0)
        if seed is not None:
            jitter_camera(camera, np.random.default_rng(seed), position_m=0.02, angle_deg=2.0)
        model, data = posed(spec)
        eye = data.camera("eye")
        return np.concatenate([eye.xpos, eye.xmat, model.camera("eye").fovy])

    still, one, other = pose(None), pose(1), pose(2)
    assert np.array_equal(one, pose(1)) and not np.array_equal(one, other)
    assert 0 < np.abs(one[:3] - still[:3]).max() <= 0.02
    turn = one[3:12].reshape(3, 3).T @ still[3:12].reshape(3, 3)
    assert 0 < np.arccos((np.trace(turn) - 1) / 2) < np.deg2rad(4)


def test_light_and_floor_are_drawn_from_the_seed() -> None:
    def picture(seed: int | None) -> npt.NDArray[np.uint8]:
        rng = None if seed is None else np.random.default_rng(seed)
        spec = mujoco.MjSpec()
        add_lights(spec, rng)
        material = add_floor_material(spec, rng)
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], material=material
        )
        dot_at(spec, (0.5, 0, 0.1))
        add_camera(spec, "eye", (-0.5, 0, 0.6), (0.5, 0, 0.1), 45.0)
        model, data = posed(spec)
        return RaycastRenderer(model).render(data, "eye", 48, 36).rgb

    assert np.array_equal(picture(3), picture(3))
    assert not np.array_equal(picture(3), picture(4))
    assert np.array_equal(picture(None), picture(None))
    for seed in (None, *range(8)):
        assert 60 < picture(seed).mean() < 230, "well lit, not burnt out"


def test_floor_tiles_are_a_quarter_of_a_metre() -> None:
    spec = mujoco.MjSpec()
    add_lights(spec)
    material = add_floor_material(spec)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], material=material)
    add_camera(spec, "eye", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 2 * np.rad2deg(np.arctan(0.5)))
    model, data = posed(spec)
    line = RaycastRenderer(model).render(data, "eye", 400, 400).rgb[150, :, 0].astype(int)
    edges = np.flatnonzero(np.abs(np.diff(line)) > 5)
    assert np.allclose(edges, [99, 199, 299], atol=1), "a metre across is four tiles"
