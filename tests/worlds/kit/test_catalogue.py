"""Every piece of the kit is walked: it compiles, stands still, can be taken, and has a picture."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import mujoco
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.kit.catalogue import Builder, catalogue, draw_piece, write_pictures
from regrasp.worlds.kit.scene import MOVABLE, Scene

PIECES = sorted(catalogue())
HAND_M = 0.08  # how far the fingers open


def built(build: Builder, *, planning: bool = False) -> tuple[Scene, mujoco.MjModel, mujoco.MjData]:
    """A piece alone on a floor, posed at its start."""
    scene = Scene(
        layout=np.random.default_rng(0),
        look=np.random.default_rng(0),
        planning=planning,
        timestep=0.01 if planning else 0.002,
    )
    floor = mujoco.mjtGeom.mjGEOM_PLANE
    scene.spec.worldbody.add_geom(name="floor", type=floor, size=[2, 2, 0.1], **MOVABLE)
    build(scene)
    model = scene.compile()
    data = mujoco.MjData(model)
    for joint, position in scene.start.items():
        data.joint(joint).qpos = position
    mujoco.mj_forward(model, data)
    return scene, model, data


def settle(model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> None:
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))


def sites_of(scene: Scene) -> Iterable[str]:
    for thing in scene.things.values():
        yield from (s for s in (thing.site, thing.place, *(g.site for g in thing.grasps)) if s)


@pytest.mark.parametrize("name", PIECES)
def test_everything_registered_exists(name: str) -> None:
    scene, model, _ = built(catalogue()[name])
    assert scene.things or name in ("mobile", "ur5e"), (
        "a piece must be nameable, but for who names it"
    )
    for site in sites_of(scene):
        assert model.site(site).id >= 0
    for joint in scene.joints.values():
        assert model.joint(joint.name).id >= 0
        assert joint.handle in scene.things
        low, high = model.joint(joint.name).range
        assert low <= min(joint.closed, joint.open) and max(joint.closed, joint.open) <= high
    for thing in scene.things.values():
        assert not thing.joint or thing.joint in scene.joints
        assert not thing.of or thing.of in scene.things
        if thing.movable:
            assert thing.grasps and min(thing.extent) > 0
            assert model.joint(f"{thing.name}_free").id >= 0
    for region in (*scene.insides.values(), *scene.tops.values()):
        assert model.body(region.body).id >= 0 and min(region.half) > 0


@pytest.mark.parametrize("name", PIECES)
def test_the_planners_copy_moves_the_same_way_and_shows_less(name: str) -> None:
    _, real, _ = built(catalogue()[name])
    _, imagined, _ = built(catalogue()[name], planning=True)
    assert (real.nq, real.nv, real.nu) == (imagined.nq, imagined.nv, imagined.nu)
    assert imagined.ngeom <= real.ngeom and imagined.ncam == 0
    assert np.allclose(real.body_mass, imagined.body_mass)


@pytest.mark.parametrize("name", [name for name in PIECES if name not in ("franka", "ur5e")])
def test_a_piece_stands_still_when_left_alone(name: str) -> None:
    _, model, data = built(catalogue()[name])
    settle(model, data, 0.3)
    before = data.xpos.copy()
    settle(model, data, 1.0)
    assert np.abs(data.xpos - before).max() < 0.003
    assert np.abs(data.qvel).max(initial=0.0) < 0.05
    assert (data.xmat[:, 8] > 0.97).all(), "nothing falls over"


@pytest.mark.parametrize("name", PIECES)
def test_a_loose_piece_fits_between_the_fingers(name: str) -> None:
    scene, model, data = built(catalogue()[name])
    for thing in scene.things.values():
        if not thing.movable:
            continue
        body = model.body(thing.name).id
        fits = []
        for grasp in thing.grasps:
            at = data.site(grasp.site)
            closing = [at.xmat.reshape(3, 3)[:, "xyz".index(a)] for a in grasp.closing or "xy"]
            fits += [width(model, data, body, at.xpos, axis) < HAND_M for axis in closing]
        assert any(fits)


def width(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    body: int,
    centre: npt.NDArray[np.float64],
    axis: npt.NDArray[np.float64],
) -> float:
    """How wide the solid part of a body is along `axis` through `centre`: rays from both sides."""
    solid = np.flatnonzero((model.geom_bodyid == body) & (model.geom_contype > 0))
    reach = []
    for way in (axis, -axis):
        start = centre + 0.5 * way
        hits = [
            mujoco.mju_rayGeom(
                data.geom_xpos[g], data.geom_xmat[g], model.geom_size[g], start, -way,
                int(model.geom_type[g]), None,
            )
            for g in solid
        ]  # fmt: skip
        reach.append(0.5 - min(t for t in hits if t >= 0))
    return float(sum(reach))


@pytest.mark.parametrize("name", PIECES)
def test_a_picture_shows_the_piece_in_the_middle(name: str) -> None:
    rgb = draw_piece(name, width=96, height=72)
    assert rgb.shape == (72, 96, 3)
    middle, corner = rgb[20:52, 28:68].reshape(-1, 3), rgb[-6:, :6].reshape(-1, 3)
    unlike_floor = np.abs(middle.astype(int) - corner.mean(axis=0)).max(axis=1) > 25
    assert unlike_floor.mean() > 0.15


def test_pictures_are_written_and_the_same_each_time(tmp_path: Path) -> None:
    paths = write_pictures(tmp_path / "kit", width=48, height=36)
    assert [p.stem for p in paths] == PIECES
    with Image.open(paths[0]) as image:
        assert np.array_equal(np.asarray(image), draw_piece(PIECES[0], width=48, height=36))


def test_an_unknown_piece_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"'bananna'.*'banana'"):
        draw_piece("bananna")


def test_a_name_is_used_once() -> None:
    scene, _, _ = built(catalogue()["mug"])
    with pytest.raises(RegraspError, match="two objects are called 'mug'"):
        scene.add_object(scene.things["mug"])
