"""What the tracer sees is what MuJoCo's own ray caster sees."""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.worlds.render.solids import Eye, gather
from regrasp.worlds.render.surface import normals, ray_directions
from regrasp.worlds.render.trace import Hits, trace

GROUPS = np.array([1, 1, 1, 0, 0, 0], np.uint8)
KINDS = ("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")


def eye_of(model: mujoco.MjModel, data: mujoco.MjData, camera: str, width: int, height: int) -> Eye:
    number = model.camera(camera).id
    top = np.tan(np.deg2rad(model.cam_fovy[number]) / 2)
    u = ((2 * np.arange(width) + 1) / width - 1) * top * width / height
    v = (1 - (2 * np.arange(height) + 1) / height) * top
    return Eye(data.cam_xpos[number], data.cam_xmat[number].reshape(3, 3), u, v, 0.01)


def seen_by_mujoco(
    model: mujoco.MjModel, data: mujoco.MjData, eye: Eye
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Ids (H, W), depths (H, W) and normals (H, W, 3)."""
    u, v = np.meshgrid(eye.u, eye.v)
    rays = np.stack([u, v, -np.ones_like(u)], axis=-1) @ eye.rotation.T
    n, shape = u.size, u.shape
    ids, t, normal = np.full(n, -1, np.int32), np.zeros(n), np.zeros(3 * n)
    mujoco.mj_multiRay(
        model, data, eye.position, rays.ravel(), GROUPS, True, -1, ids, t, normal, n, np.inf
    )
    depth = np.where(t < 0, np.inf, t)
    return ids.reshape(shape), depth.reshape(shape), normal.reshape(*shape, 3)


def normals_of(hits: Hits) -> npt.NDArray[np.float64]:
    """Normals (N, 3) at the pixels that see a primitive, in the order of the pixels."""
    at = np.flatnonzero(hits.row >= 0)
    points = ray_directions(hits.eye)[:, at] * hits.depth.ravel()[at]
    points += hits.eye.position.astype(np.float32)[:, None]
    return normals(hits.solids, hits.row.ravel()[at], points).T.astype(float)


@pytest.mark.parametrize("camera", ["front", "straight"])
@pytest.mark.parametrize("size", [(96, 72), (75, 51)])
def test_it_agrees_with_mujoco_on_every_kind(
    model: mujoco.MjModel, data: mujoco.MjData, camera: str, size: tuple[int, int]
) -> None:
    model.geom_rgba[model.geom("ghost").id, 3] = 0  # MuJoCo's rays pass through nothing else
    eye = eye_of(model, data, camera, *size)
    hits = trace(model, data, eye, gather(model, data))
    ids, depth, _ = seen_by_mujoco(model, data, eye)
    same = hits.ids == ids
    assert same.mean() > 0.998
    finite = same & np.isfinite(depth) & (depth < 20)
    assert np.abs(hits.depth[finite] - depth[finite]).max() < 1e-4
    assert set(np.unique(ids)) >= {model.geom(n).id for n in ("box", "ball", "can", "rod", "egg")}


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_it_agrees_with_mujoco_on_random_solids(seed: int) -> None:
    rng = np.random.default_rng(seed)
    spec = mujoco.MjSpec()
    for i in range(12):
        spec.worldbody.add_geom(
            type=getattr(mujoco.mjtGeom, f"mjGEOM_{KINDS[i % 5]}"),
            size=rng.uniform(0.02, 0.3, 3),
            pos=rng.uniform(-0.8, 0.8, 3),
            quat=rng.normal(size=4),
        )
    spec.worldbody.add_camera(name="eye", pos=[0, 0, 2.5], fovy=50)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    eye = eye_of(model, data, "eye", 40, 40)
    hits = trace(model, data, eye, gather(model, data))
    ids, depth, expected = seen_by_mujoco(model, data, eye)
    same = hits.ids == ids
    assert same.mean() > 0.995
    both = same & (ids >= 0)
    assert np.abs(hits.depth[both] - depth[both]).max() < 1e-3
    kept = both.ravel()[np.flatnonzero(hits.row >= 0)]
    cosine = (normals_of(hits)[kept] * expected[both]).sum(axis=1)
    assert (cosine > 0.99).mean() > 0.99


def test_meshes_are_seen_and_have_normals(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    model.geom_rgba[model.geom("ghost").id, 3] = 0
    eye = eye_of(model, data, "front", 96, 72)
    hits = trace(model, data, eye, gather(model, data))
    wedge = hits.ids == model.geom("wedge").id
    assert wedge.sum() > 50
    assert hits.mesh_normals is not None
    assert np.allclose(np.linalg.norm(hits.mesh_normals[wedge], axis=1), 1, atol=1e-5)
    assert not hits.mesh_normals[~wedge].any()


def test_from_inside_a_solid_one_sees_out(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    eye = eye_of(model, data, "inside", 64, 48)
    ids = trace(model, data, eye, gather(model, data)).ids
    assert model.geom("box").id not in ids
    assert model.geom("rod").id in ids


def test_what_is_behind_the_eye_is_not_seen(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    eye = eye_of(model, data, "inside", 64, 48)
    ids = trace(model, data, eye, gather(model, data)).ids
    assert model.geom("egg").id not in ids
