"""Grounded predicates on pictures of the worlds, scored by the simulator's truth."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pytest

from regrasp.core.grounded import GraspEvidence, MaskEvidence, PlacementEvidence
from regrasp.perception.attribute_vocabulary import AttributeVocabulary
from regrasp.perception.grounded_predicates import GroundedPredicates, Look
from regrasp.worlds.registry import open_world, world_plan
from regrasp.worlds.world import World


@contextmanager
def looked_at(name: str, *cameras: str, seed: int = 0) -> Iterator[tuple[World, Look]]:
    world = open_world(name, seed=seed)
    with closing(world_plan(name).robot(world)) as robot:
        yield world, Look.of([robot.look(camera) for camera in cameras])


def grounding() -> GroundedPredicates:
    return GroundedPredicates(AttributeVocabulary(), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("world_name", "camera", "thing"),
    [("tabletop", "front", "red_block"), ("cabinet", "front", "yellow_cube"),
     ("sensor", "front", "red_cube")],
)  # fmt: skip
def test_a_detected_thing_is_where_the_simulator_has_it(
    world_name: str, camera: str, thing: str
) -> None:
    with looked_at(world_name, camera) as (world, look):
        found = grounding().detected(look, thing)
        assert found.value, found.reason
        assert isinstance(found.evidence, MaskEvidence)
        assert np.linalg.norm(found.evidence.centre - world.at(thing)) < 0.05


def test_a_grasp_of_a_cube_holds_the_cube_of_the_simulator() -> None:
    with looked_at("sensor", "front", "side") as (world, look):
        found = grounding().graspable(look, "red_cube")
        assert isinstance(found.evidence, GraspEvidence), found.reason
        best = found.evidence.grasps[0]
        assert np.linalg.norm(best.pose.position - world.at("red_cube")) < 0.05


def test_a_free_spot_is_on_the_table_of_the_simulator() -> None:
    with looked_at("tabletop", "front") as (world, look):
        block = world.at("red_block")
        spot = GroundedPredicates(Everything(), np.random.default_rng(0)).placeable(
            look, "any surface"
        )
        assert isinstance(spot.evidence, PlacementEvidence), spot.reason
        assert np.linalg.norm(spot.evidence.position[:2] - block[:2]) > 0.06


class Everything(AttributeVocabulary):
    """Takes the whole picture for what a text describes: a stand-in for another model."""

    def segments(self, image, text):  # type: ignore[no-untyped-def]
        from regrasp.perception.open_vocabulary import Segment

        return (Segment(np.ones(image.depth.shape, bool), 1.0),)
