"""Masks, grasps, free spots and reach, on drawn boxes whose places are known."""

from __future__ import annotations

import numpy as np
import pytest
from rendered_room import BLUE, BROWN, GREY, RED, Box, looking, render

from regrasp.core.arrays import Array
from regrasp.core.grounded import (
    GraspEvidence,
    HandPose,
    MaskEvidence,
    PlacementEvidence,
    ReachEvidence,
    ReachIndex,
)
from regrasp.perception.attribute_vocabulary import AttributeVocabulary, Description
from regrasp.perception.grounded_predicates import GroundedPredicates, Look, above, poses_of
from regrasp.perception.open_vocabulary import OpenVocabulary
from regrasp.perception.placement import level_heights

FLOOR = Box((-3, -3, -0.1), (3, 3, 0), GREY)
TABLE = Box((0.3, -0.5, 0.6), (1.1, 0.5, 0.7), BROWN)
CUBE = Box((0.55, -0.02, 0.7), (0.60, 0.03, 0.76), RED)
CHEST = Box((0.8, 0.2, 0.7), (0.95, 0.4, 0.9), BLUE)
HEAD = looking((0.0, 0.0, 1.4), (0.6, 0.0, 0.7))


def look_at(*boxes: Box, seed: int = 0) -> Look:
    noise = np.random.default_rng(seed)
    return Look.of([render([FLOOR, TABLE, *boxes], HEAD, size=(240, 320), noise=noise)])


class Sphere:
    """An arm that reaches every pose within a distance of its mount."""

    def __init__(self, centre: tuple[float, float, float], radius: float) -> None:
        self.centre, self.radius = np.array(centre), radius

    def query(
        self, positions: Array, rotations: Array, *, mount_offset: Array | None = None
    ) -> ReachIndex:
        away = np.linalg.norm(
            positions - self.centre - (0.0 if mount_offset is None else mount_offset), axis=1
        )
        return ReachIndex(away < self.radius, 1.0 - away, np.ones(len(away), np.int64))


def grounding(**arms: Sphere) -> GroundedPredicates:
    return GroundedPredicates(AttributeVocabulary(), np.random.default_rng(0), arms=arms)


def test_the_embedded_vocabulary_keeps_the_protocol() -> None:
    assert isinstance(AttributeVocabulary(), OpenVocabulary)


@pytest.mark.parametrize(
    ("name", "box"), [("red_cube", CUBE), ("the blue box", CHEST), ("wooden table", TABLE)]
)
def test_the_mask_of_a_described_thing_covers_that_thing(name: str, box: Box) -> None:
    look = look_at(CUBE, CHEST)
    found = grounding().detected(look, name)
    assert found.value, found.reason
    assert isinstance(found.evidence, MaskEvidence)
    points = look.clouds[0].masked(found.evidence.mask).points
    inside = ((points > np.array(box.low) - 0.02) & (points < np.array(box.high) + 0.02)).all(
        axis=1
    )
    assert inside.mean() > 0.95


@pytest.mark.parametrize("name", ["green_cube", "yellow bottle", "flibbet"])
def test_what_is_not_there_is_not_detected_graspable_or_placeable(name: str) -> None:
    look, ground = look_at(CUBE, CHEST), grounding()
    for grounded in (
        ground.detected(look, name), ground.graspable(look, name), ground.placeable(look, name),
    ):  # fmt: skip
        assert not grounded.value
        assert name.replace("_", " ") in grounded.reason


def test_words_that_say_nothing_of_looks_are_reported_as_unknown() -> None:
    said = Description.of("the blue flibbet")
    assert said.unknown == ("flibbet",)
    assert said.understood
    assert not Description.of("flibbet").understood


@pytest.mark.parametrize("seed", range(4))
def test_grasps_of_a_small_cube_close_on_its_faces(seed: int) -> None:
    found = grounding().graspable(look_at(CUBE, CHEST, seed=seed), "red_cube")
    assert found.value, found.reason
    assert isinstance(found.evidence, GraspEvidence)
    grasps = found.evidence.grasps
    assert list(grasps) == sorted(grasps, key=lambda grasp: -grasp.score)
    low, high = np.array(CUBE.low), np.array(CUBE.high)
    for grasp in grasps[:3]:
        assert ((grasp.pose.position > low - 0.015) & (grasp.pose.position < high + 0.01)).all()
        assert 0.03 < grasp.width < 0.08  # the edges are 5 and 6 cm, the diagonal 7
        assert np.allclose(grasp.pose.rotation.T @ grasp.pose.rotation, np.eye(3), atol=1e-9)
        assert np.linalg.det(grasp.pose.rotation) > 0


def test_a_thing_wider_than_the_opening_is_not_graspable() -> None:
    found = grounding().graspable(look_at(CUBE, CHEST), "blue box")
    assert not found.value
    assert "no grasp" in found.reason


def test_a_wall_beside_a_thing_takes_the_grasps_that_would_touch_it() -> None:
    sides = [
        Box((0.55, -0.06, 0.7), (0.60, -0.03, 0.80)), Box((0.55, 0.04, 0.7), (0.60, 0.07, 0.80)),
    ]  # fmt: skip
    free = grounding().graspable(look_at(CUBE), "red_cube").evidence
    caged = grounding().graspable(look_at(CUBE, *sides), "red_cube").evidence
    assert isinstance(free, GraspEvidence)
    across = [abs(float(grasp.pose.rotation[1, 1])) for grasp in free.grasps]
    assert max(across) > 0.9
    if isinstance(caged, GraspEvidence):
        assert all(abs(float(grasp.pose.rotation[1, 1])) < 0.8 for grasp in caged.grasps)


def test_a_level_hand_takes_an_upright_thing_at_its_middle() -> None:
    """At its foot the hand would be between the thing and the board that it is put on."""
    upright = Box((0.44, -0.02, 0.7), (0.59, 0.015, 0.91), RED)  # a book by its size
    look, ground = look_at(upright), grounding()
    cloud = ground.points_of(look, "red_cube")
    assert cloud is not None
    found = ground.grasps_on(look, "red_cube", cloud, count=36).evidence
    assert isinstance(found, GraspEvidence)
    level = [one for one in found.grasps if one.pose.rotation[2, 2] > -0.6]
    assert level
    assert abs(float(level[0].pose.position[2]) - 0.805) < 0.05


def test_a_free_spot_is_on_the_table_and_away_from_what_stands_there() -> None:
    found = grounding().placeable(look_at(CUBE, CHEST), "wooden table", radius=0.08)
    assert isinstance(found.evidence, PlacementEvidence)
    x, y, z = found.evidence.position
    assert z == pytest.approx(0.7, abs=0.01)
    for box in (CUBE, CHEST):
        dx = max(box.low[0] - x, x - box.high[0], 0.0)
        dy = max(box.low[1] - y, y - box.high[1], 0.0)
        assert np.hypot(dx, dy) >= 0.07
    assert 0.3 + 0.07 <= x <= 1.1 - 0.07
    assert abs(y) <= 0.5 - 0.07
    assert 0.5 < found.evidence.area < 0.8


def test_a_table_without_room_is_not_placeable() -> None:
    found = grounding().placeable(look_at(CUBE, CHEST), "wooden table", radius=0.45)
    assert not found.value
    assert "free" in found.reason


def test_the_heights_of_level_surfaces_are_found() -> None:
    heights = level_heights(look_at(CUBE, CHEST).scene)
    for expected in (0.0, 0.7, 0.9):
        assert min(abs(height - expected) for height in heights) < 0.01


def test_reach_takes_the_arm_with_the_larger_manipulability() -> None:
    ground = grounding(left=Sphere((0.3, 0.2, 0.9), 0.6), right=Sphere((0.3, -0.6, 0.9), 0.9))
    grasps = ground.graspable(look_at(CUBE), "red_cube").evidence
    assert isinstance(grasps, GraspEvidence)
    found = ground.reachable("red_cube", poses_of(grasps.grasps))
    assert found.value
    assert isinstance(found.evidence, ReachEvidence)
    assert found.evidence.arm == "left"
    far = ground.reachable("moon", [HandPose(np.array([9.0, 0.0, 0.0]), np.eye(3))])
    assert not far.value
    assert isinstance(far.evidence, ReachEvidence)
    assert far.evidence.arm == ""


def test_hands_above_a_spot_point_down_in_all_directions() -> None:
    poses = above(np.array([0.5, 0.0, 0.7]), 0.15, yaws=6)
    assert {round(float(pose.rotation[2, 2])) for pose in poses} == {-1}
    assert all(np.linalg.det(pose.rotation) > 0.99 for pose in poses)
    assert len({tuple(pose.rotation[:, 0].round(3)) for pose in poses}) == 6
