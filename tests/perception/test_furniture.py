"""Furniture of a map, where the base is in it, and the front of a chest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from regrasp.core.grounded import BasePose
from regrasp.core.kinds_of_things import COLOURS
from regrasp.perception.furniture import NamedKind, assign_pieces, furniture_pieces
from regrasp.perception.localisation import MapMatcher
from regrasp.perception.point_cloud import PointCloud
from regrasp.perception.pulled_handle import drawer_opening, handle_grasps
from regrasp.perception.voxel_map import VoxelMap

FULL, FREE = 2.0, -1.0


def fill(voxels: VoxelMap, low: tuple[float, ...], high: tuple[float, ...], odds: float) -> None:
    a, b = (
        np.round((np.array(one) - voxels.low) / voxels.voxel).astype(int) for one in (low, high)
    )
    voxels.log_odds[a[0] : b[0], a[1] : b[1], a[2] : b[2]] = odds


@pytest.fixture(scope="module")
def room() -> VoxelMap:
    """Walls at x = 2 and y = 2; a black table, a brown table and a white chest before them."""
    voxels = VoxelMap(np.array([-3.0, -3.0, 0.0]), np.array([3.0, 3.0, 2.1]))
    fill(voxels, (-3, -3, 0.05), (2, 2, 2.0), FREE)
    fill(voxels, (2.0, -3, 0), (2.1, 2.1, 2.1), FULL)
    fill(voxels, (-3, 2.0, 0), (2.1, 2.1, 2.1), FULL)
    for y, grey in ((-2.0, (20, 20, 22)), (-0.5, (120, 76, 40))):
        fill(voxels, (1.35, y, 0.70), (1.9, y + 1.0, 0.75), FULL)
        for corner in (y, y + 0.95):
            fill(voxels, (1.35, corner, 0.05), (1.4, corner + 0.05, 0.70), FULL)
        voxels.colour[85:100, round((y + 3) / 0.05) : round((y + 4) / 0.05)] = grey
    fill(voxels, (-1.0, 1.4, 0.0), (-0.4, 1.9, 0.75), FULL)
    fill(voxels, (-0.95, 1.45, 0.0), (-0.45, 1.9, 0.70), 0.0)  # nobody sees into it
    voxels.colour[40:52] = (225, 225, 225)
    return voxels


def test_shape_tells_a_chest_from_tables_and_colour_tells_tables_apart(room: VoxelMap) -> None:
    named = [
        NamedKind("black_table", "table", COLOURS.index("black")),
        NamedKind("wooden_table", "table", COLOURS.index("brown")),
        NamedKind("drawer", "drawer"),
        NamedKind("bookshelf", "bookshelf"),
        NamedKind("book", "book"),
    ]
    found = assign_pieces(named, furniture_pieces(room))
    assert set(found) == {"black_table", "wooden_table", "drawer"}
    assert np.allclose(found["black_table"].centre[:2], [1.62, -1.5], atol=0.1)
    assert np.allclose(found["wooden_table"].centre[:2], [1.62, 0.0], atol=0.1)
    assert found["black_table"].top == pytest.approx(0.75, abs=0.06)
    chest = found["drawer"]
    assert np.allclose(chest.front, [0.0, -1.0], atol=0.1)  # away from the wall
    assert np.allclose(chest.front_point(0.6), [-0.7, 1.4, 0.6], atol=0.1)
    assert chest.distance(np.array([-0.7, 0.4])) == pytest.approx(1.0, abs=0.08)


def cloud(points: np.ndarray, normals: np.ndarray) -> PointCloud:
    count = len(points)
    colours, pixels = np.zeros((count, 3), np.uint8), np.arange(count)
    return PointCloud(points.astype(np.float32), colours, normals.astype(np.float32), pixels)


def test_a_pushed_robot_finds_itself_again(room: VoxelMap) -> None:
    rng = np.random.default_rng(0)
    walls = [
        np.column_stack([np.full(400, 2.02), rng.uniform(-2.5, 2, 400), rng.uniform(1, 1.9, 400)]),
        np.column_stack([rng.uniform(-2.5, 2, 400), np.full(400, 2.02), rng.uniform(1, 1.9, 400)]),
    ]
    seen = np.concatenate(walls)
    for drift in (BasePose(0.08, -0.06, 0.03), BasePose(0.45, -0.3, 0.25)):
        out = drift.inverse  # the view as the wheels have it
        shown = cloud(out.apply(seen), np.tile([1.0, 0.0, 0.0], (len(seen), 1)))
        odometry = out.after(BasePose(0.2, 0.1, 0.5))
        match = MapMatcher(room).match(shown, odometry, BasePose())
        base = match.correction.after(odometry)
        assert math.dist((base.x, base.y), (0.2, 0.1)) < 0.10
        assert abs(base.yaw - 0.5) < 0.03
        assert match.lost is (drift.x > 0.2)


def test_a_handle_is_grasped_from_ahead_and_a_pulled_drawer_is_open(room: VoxelMap) -> None:
    chest = assign_pieces([NamedKind("drawer", "drawer")], furniture_pieces(room))["drawer"]
    xs, zs = np.meshgrid(np.linspace(-0.95, -0.45, 40), np.linspace(0.5, 0.7, 20))
    front = np.column_stack([xs.ravel(), np.full(xs.size, 1.44), zs.ravel()])
    bar = np.column_stack([np.linspace(-0.76, -0.64, 30), np.full(30, 1.39), np.full(30, 0.6)])
    normals = np.tile([0.0, -1.0, 0.0], (len(front) + len(bar), 1))
    shut = cloud(np.concatenate([front, bar]), normals)
    best = handle_grasps(chest, shut)[0]
    assert np.allclose(best.position, [-0.7, 1.39, 0.6], atol=0.02)
    assert np.allclose(best.rotation[:, 2], [0.0, 1.0, 0.0], atol=0.1)  # the approach
    assert abs(best.rotation[2, 1]) > 0.9  # the fingers close upright
    assert drawer_opening(chest, shut) == 0.0
    pulled = cloud(shut.points - np.array([0.0, 0.25, 0.0]), normals)
    assert drawer_opening(chest, pulled) == pytest.approx(0.25, abs=0.06)
    assert drawer_opening(chest, shut.where(np.zeros(len(shut), bool))) is None
