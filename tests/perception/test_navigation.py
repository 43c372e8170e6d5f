"""The map of an apartment, and paths through it: compared with the boxes it was drawn from."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest
from rendered_room import Box, apartment, looking, render
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from regrasp.core.grounded import BasePose
from regrasp.perception.astar import cheapest_path
from regrasp.perception.attribute_vocabulary import AttributeVocabulary
from regrasp.perception.grounded_predicates import GroundedPredicates
from regrasp.perception.occupancy import Footprint, grown, occupancy_grid
from regrasp.perception.voxel_map import VoxelMap

LOW, HIGH = np.array([-0.3, -0.3, -0.1]), np.array([10.3, 6.3, 2.0])
HEAD = looking((0.1, 0.0, 1.3), (1.1, 0.0, 0.9))
START = BasePose(1.0, 4.5)
STOPS = [(1.5, 2.0), (3.5, 4.5), (4.3, 3.0), (6.0, 3.0), (8.0, 2.5), (6.3, 1.2), (9.2, 4.0)]


def mapped(boxes: list[Box], *, embed: bool = False) -> VoxelMap:
    voxels, rng = VoxelMap(LOW, HIGH), np.random.default_rng(0)
    vocabulary = AttributeVocabulary()
    for x, y in STOPS:
        for yaw in np.arange(5) * 2 * np.pi / 5:
            base = BasePose(x, y, float(yaw))
            image = render(boxes, HEAD, size=(96, 128), base=base, noise=rng)
            voxels.fuse(image, base, vocabulary.embed_patches(image) if embed else None)
    return voxels


@pytest.fixture(scope="module")
def rooms() -> VoxelMap:
    return mapped(apartment(), embed=True)


def occupied_at(voxels: VoxelMap, *point: float) -> bool:
    index = np.floor((np.array(point) - voxels.low) / voxels.voxel).astype(int)
    around = tuple(slice(max(0, k - 1), k + 2) for k in index)
    return bool(voxels.occupied[around].any())


def test_walls_and_furniture_are_occupied_and_the_air_is_free(rooms: VoxelMap) -> None:
    assert occupied_at(rooms, 5.0, 1.5, 1.0)  # the wall between the rooms
    assert occupied_at(rooms, 7.7, 4.6, 0.6)  # the front of the table
    for air in ((5.05, 2.95, 1.0), (3.0, 3.0, 1.0), (8.0, 2.5, 0.5)):
        assert not occupied_at(rooms, *air)


def test_a_thing_that_was_taken_away_leaves_the_map() -> None:
    voxels, base = VoxelMap(LOW, HIGH), BasePose(1.5, 3.0, 0.0)
    with_thing = [*apartment(), Box((2.9, 2.9, 0.0), (3.2, 3.2, 0.8))]
    voxels.fuse(render(with_thing, HEAD, base=base), base)
    voxels.fuse(render(with_thing, HEAD, base=base), base)
    assert occupied_at(voxels, 2.9, 3.05, 0.5)
    for _ in range(6):
        voxels.fuse(render(apartment(), HEAD, base=base), base)
    assert not occupied_at(voxels, 2.9, 3.05, 0.5)


def test_the_path_leads_through_the_door_and_keeps_the_footprint_free(rooms: VoxelMap) -> None:
    grid = occupancy_grid(rooms, Footprint())
    path = grid.path(START, np.array([7.6, 4.9]), within=0.9)
    assert path is not None
    steps = np.concatenate(
        [np.linspace(a, b, 40) for a, b in zip(path.points, path.points[1:], strict=False)]
    )
    crossing = steps[np.abs(steps[:, 0] - 5.05).argmin()]
    assert 2.5 + 0.2 < crossing[1] < 3.4 - 0.2
    for box in apartment()[1:]:
        low, high = np.array(box.low)[:2], np.array(box.high)[:2]
        away = np.linalg.norm(np.maximum(np.maximum(low - steps, steps - high), 0), axis=1)
        assert away.min() > 0.22  # the radius is 0.30 m, voxels have 0.05 m and cells 0.10 m
    assert np.linalg.norm(path.points[-1] - [7.6, 4.9]) <= 0.95


def test_a_blocked_door_leaves_no_path() -> None:
    blocked = mapped([*apartment(), Box((4.9, 2.5, 0.0), (5.2, 3.4, 1.0))])
    grid = occupancy_grid(blocked, Footprint())
    assert grid.path(START, np.array([7.6, 4.9]), within=0.9) is None
    assert grid.path(START, np.array([2.6, 0.8]), within=0.9) is not None


def test_a_thing_behind_a_wall_is_not_reached_from_this_side(rooms: VoxelMap) -> None:
    grid = occupancy_grid(rooms, Footprint())
    cells = np.argwhere(grid.standing_cells(np.array([5.6, 1.2]), 0.9))
    assert len(cells)
    assert (grid.low[0] + (cells[:, 0] + 0.5) * grid.cell > 5.1).all()


def test_find_and_at_give_the_path_as_evidence(rooms: VoxelMap) -> None:
    grounding = GroundedPredicates(AttributeVocabulary(), np.random.default_rng(0), voxels=rooms)
    found = grounding.find(START, "red box")
    assert found.value, found.reason
    end = found.evidence.points[-1]  # type: ignore[union-attr]
    assert np.linalg.norm(end - [7.6, 4.9]) < 1.2
    assert not grounding.at(START, "red box").value
    assert grounding.at(BasePose(*end), "red box").value
    missing = grounding.find(START, "purple box")
    assert not missing.value
    assert "purple box" in missing.reason


def test_a_star_is_as_cheap_as_dijkstra() -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        costs = np.where(rng.random((18, 22)) < 0.3, np.inf, rng.choice([1.0, 3.0], (18, 22)))
        costs[0, 0] = costs[17, 21] = 1.0
        goals = np.zeros(costs.shape, bool)
        goals[17, 21] = True
        path = cheapest_path(costs.astype(np.float32), (0, 0), goals)
        expected = dijkstra(graph_of(costs), indices=0)[17 * 22 + 21]
        assert bool(path) == bool(np.isfinite(expected))
        if path:
            assert price(costs, path) == pytest.approx(expected)


def price(costs: np.ndarray, path: list[tuple[int, int]]) -> float:
    return sum(
        float(costs[b]) * float(np.hypot(b[0] - a[0], b[1] - a[1]))
        for a, b in itertools.pairwise(path)
    )


def graph_of(costs: np.ndarray) -> csr_matrix:
    rows, columns = costs.shape
    graph = np.zeros((costs.size, costs.size))
    for r, c in np.argwhere(np.isfinite(costs)):
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                a, b = r + dr, c + dc
                inside = (dr or dc) and 0 <= a < rows and 0 <= b < columns
                if inside and np.isfinite([costs[a, b], costs[r, b], costs[a, c]]).all():
                    graph[r * columns + c, a * columns + b] = costs[a, b] * np.hypot(dr, dc)
    return csr_matrix(graph)


def test_growing_by_a_disc_is_a_dilation() -> None:
    bits = np.zeros((15, 15), bool)
    bits[7, 7] = True
    y, x = np.mgrid[-7:8, -7:8]
    assert (grown(bits, 4.5) == (y**2 + x**2 <= 4.5**2)).all()


def test_the_map_is_made_and_searched_in_its_time_and_memory(rooms: VoxelMap) -> None:
    assert rooms.memory_bytes < 200e6
    voxels, base = VoxelMap(LOW, HIGH), BasePose(2.0, 3.0)
    image = render(apartment(), HEAD, base=base, size=(240, 320))
    begin = time.process_time()
    for _ in range(5):
        voxels.fuse(image, base)
    assert (time.process_time() - begin) / 5 < 0.1  # 200 frames in 20 s
    grid = occupancy_grid(rooms, Footprint())
    begin = time.process_time()
    for _ in range(5):
        grid.path(START, np.array([7.6, 4.9]), within=0.9)
    assert (time.process_time() - begin) / 5 < 0.02


def test_a_blocked_door_leads_to_a_detour() -> None:
    """Two rooms, two doors: what is seen in the nearer one sends the robot through the other."""
    voxels = VoxelMap(np.array([0.0, 0.0, 0.0]), np.array([6.0, 5.0, 2.0]))
    voxels.log_odds[:] = -1.0
    voxels.log_odds[59:61] = 2.0  # a wall at x = 3
    for door in (slice(20, 44), slice(70, 94)):
        voxels.log_odds[59:61, door] = -1.0

    def crossing() -> float:
        """Where a path from the one room to the other goes through the wall (y in m)."""
        grid = occupancy_grid(voxels, Footprint(radius=0.33), standing=BasePose(1.0, 1.0))
        path = grid.path(BasePose(1.0, 1.0), np.array([5.0, 1.0]), within=0.3)
        assert path is not None
        x, y = path.points.T
        return float(np.interp(3.0, x, y))

    assert crossing() == pytest.approx(1.6, abs=0.4)
    person = render(
        [Box((2.9, 1.4, 0.0), (3.2, 1.9, 1.7))], looking((1.0, 1.6, 1.3), (3.0, 1.6, 0.9))
    )
    for _ in range(4):
        voxels.fuse(person, BasePose())
    assert crossing() == pytest.approx(4.1, abs=0.4)
