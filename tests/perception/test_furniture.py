"""Furniture of a map, where the base is in it, and the front of a chest."""

from __future__ import annotations

import math
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from regrasp.core.grounded import BasePose
from regrasp.core.kinds_of_things import COLOURS
from regrasp.perception.furniture import (
    FurniturePiece,
    NamedKind,
    assign_pieces,
    furniture_pieces,
)
from regrasp.perception.localisation import MapMatcher
from regrasp.perception.perceived_grounding import PerceivedGrounding
from regrasp.perception.point_cloud import PointCloud
from regrasp.perception.pulled_handle import drawer_opening, handle_grasps, inside_drawer
from regrasp.perception.shelf_boards import shelf_placements
from regrasp.perception.supports import foot_height, support_at, thing_on
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


def test_the_last_table_is_the_wooden_one_whatever_its_colour(room: VoxelMap) -> None:
    named = [
        NamedKind("black_table", "table", COLOURS.index("black")),
        NamedKind("wooden_table", "table", COLOURS.index("green")),  # as a coloured light shows it
    ]
    found = assign_pieces(named, furniture_pieces(room))
    assert np.allclose(found["black_table"].centre[:2], [1.62, -1.5], atol=0.1)
    assert np.allclose(found["wooden_table"].centre[:2], [1.62, 0.0], atol=0.1)


def test_a_table_is_told_from_the_low_wall_beside_it(room: VoxelMap) -> None:
    walled = deepcopy(room)
    fill(walled, (1.35, -1.0, 0.0), (1.45, -0.4, 1.10), FULL)  # joins both tables
    named = [
        NamedKind("black_table", "table", COLOURS.index("black")),
        NamedKind("wooden_table", "table", COLOURS.index("brown")),
    ]
    found = assign_pieces(named, furniture_pieces(walled))
    assert np.allclose(found["black_table"].centre[:2], [1.62, -1.5], atol=0.12)
    assert np.allclose(found["wooden_table"].centre[:2], [1.62, 0.0], atol=0.12)


def grid(xs: tuple[float, float], ys: tuple[float, float], z: float) -> np.ndarray:
    across, along = np.meshgrid(np.arange(*xs, 0.008), np.arange(*ys, 0.008))
    return np.column_stack([across.ravel(), along.ravel(), np.full(across.size, z)])


def up(points: np.ndarray) -> np.ndarray:
    return np.tile([0.0, 0.0, 1.0], (len(points), 1))


def test_what_lies_in_an_open_drawer_is_neither_its_wall_nor_its_front(room: VoxelMap) -> None:
    chest = assign_pieces([NamedKind("drawer", "drawer")], furniture_pieces(room))["drawer"]
    for shift in (-0.06, 0.0, 0.06):  # where the robot is, is known to some centimetres
        floor, thing = (
            grid((-0.92, -0.48), (1.15, 1.42), 0.52),
            grid((-0.75, -0.66), (1.24, 1.3), 0.6),
        )
        wall = np.concatenate([grid((-0.94, -0.92), (1.15, 1.42), z) for z in (0.58, 0.62, 0.66)])
        frame = np.concatenate([grid((-0.95, -0.45), (1.42, 1.43), z) for z in (0.56, 0.6, 0.64)])
        xs, zs = np.meshgrid(np.linspace(-0.95, -0.45, 60), np.linspace(0.5, 0.7, 25))
        front = np.column_stack([xs.ravel(), np.full(xs.size, 1.12), zs.ravel()])
        level = np.concatenate([floor, thing])
        upright = np.concatenate([front, frame])
        normals = np.concatenate(
            [
                up(level),
                np.tile([0.0, -1.0, 0.0], (len(upright), 1)),
                np.tile([1.0, 0, 0], (len(wall), 1)),
            ]
        )
        points = np.concatenate([level, upright, wall]) + np.array([0.0, shift, 0.0])
        found = inside_drawer(chest, cloud(points, normals))
        assert found is not None
        middle = found.points.mean(axis=0)
        assert np.allclose(middle, [-0.705, 1.27 + shift, 0.6], atol=0.02)


def test_a_place_on_a_board_is_measured_from_the_edge_that_is_seen() -> None:
    """The box of the map begins 6 cm before the board."""
    shelf = FurniturePiece(
        np.array([0.0, 1.0, 0.7]), np.array([0.45, 0.15]), 0.0, np.array([0.0, -1.0]), 1.35, 0.8,
        np.zeros((1, 3), np.uint8),
    )  # fmt: skip
    board = grid((-0.4, 0.4), (0.91, 1.15), 0.9)
    seen = cloud(board, up(board))
    best = next(iter(shelf_placements(shelf, seen, seen)))
    assert np.allclose(best.position, [0.0, 0.91 + 0.15, 0.9], atol=0.02)


def test_the_foot_of_a_thing_is_on_the_surface_around_it() -> None:
    table, upper = grid((-0.3, 0.3), (-0.3, 0.3), 0.72), grid((-0.05, 0.05), (-0.03, 0.03), 0.82)
    scene = np.concatenate([table, upper])
    thing = np.concatenate(
        [upper, grid((-0.05, 0.05), (-0.03, 0.03), 0.75)]
    )  # its lowest is hidden
    assert foot_height(cloud(thing, up(thing)), cloud(scene, up(scene))) == pytest.approx(
        0.72, abs=0.01
    )
    assert foot_height(cloud(thing, up(thing)), cloud(upper, up(upper))) == pytest.approx(
        0.75, abs=0.01
    )
    table_piece = FurniturePiece(
        np.array([0.0, 0.0, 0.37]), np.array([0.35, 0.35]), 0.0, np.array([0.0, -1.0]), 0.75, 0.9,
        np.zeros((1, 3), np.uint8),
    )  # fmt: skip
    standing = thing_on(table_piece, cloud(scene, up(scene)))
    assert standing is not None and standing.points[:, 2].min() > 0.8
    assert thing_on(table_piece, cloud(table, up(table))) is None


def test_a_book_deep_in_a_shelf_is_on_it() -> None:
    """The wall takes some centimetres of the back of a shelf in the map."""
    shelf = FurniturePiece(
        np.array([0.0, 1.0, 0.7]), np.array([0.45, 0.14]), 0.0, np.array([0.0, -1.0]), 1.35, 0.8,
        np.zeros((1, 3), np.uint8),
    )  # fmt: skip
    kinds = {"bookshelf": "bookshelf"}
    for y, place in ((1.1, "bookshelf"), (1.22, "bookshelf"), (1.4, "")):
        assert support_at(np.array([0.1, y, 1.0]), {"bookshelf": shelf}, kinds, {}) == place


def test_a_shelf_is_worked_on_at_its_boards_and_a_table_at_its_top() -> None:
    """A robot that looks at the cover of a shelf from nearby sees no board."""
    shelf, table = (
        FurniturePiece(
            np.array([0.0, 1.0, top / 2]), np.array([0.45, 0.15]), 0.0, np.array([0.0, -1.0]), top,
            0.8, np.zeros((1, 3), np.uint8),
        )
        for top in (1.35, 0.72)
    )  # fmt: skip
    knows: Any = SimpleNamespace(
        pieces={"shelf": shelf, "table": table},
        kinds={"shelf": NamedKind("shelf", "bookshelf"), "table": NamedKind("table", "table")},
    )
    heights = [PerceivedGrounding._place(knows, name) for name in ("shelf", "table")]
    assert [round(float(one[2]), 2) for one in heights if one is not None] == [0.75, 0.72]
