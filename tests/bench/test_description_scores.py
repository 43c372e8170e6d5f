"""A description is found if it is taken for the right kind and its place is the right thing's."""

from __future__ import annotations

import numpy as np
import pytest

from regrasp.bench.description_scores import (
    DescriptionTable,
    HeldOutDescription,
    held_out_descriptions,
    wrong_about,
)
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.registry import open_world


@pytest.fixture(scope="module")
def world() -> ApartmentWorld:
    found = open_world("apartment", "place-box", 3)
    assert isinstance(found, ApartmentWorld)
    return found


def test_a_place_near_the_right_thing_is_right(world: ApartmentWorld) -> None:
    rack = HeldOutDescription("the thing for coats", "cloth_hanger", "purpose")
    place, _ = world.in_odometry(world.at("cloth_hanger"), np.eye(3))
    assert wrong_about(world, rack, place) is None
    assert wrong_about(world, rack, place + np.array([1.0, 0.0, 0.0])) == "found 1.0 m from it"
    assert wrong_about(world, rack, None) == "not found"


def test_another_kind_is_wrong_even_at_the_right_place(world: ApartmentWorld) -> None:
    coat = HeldOutDescription("the blue coat", "cloth_hanger", "attribute")
    place, _ = world.in_odometry(world.at("cloth_hanger"), np.eye(3))
    assert wrong_about(world, coat, place) == "taken for jacket"


def test_every_described_thing_is_in_the_flat(world: ApartmentWorld) -> None:
    assert {one.thing for one in held_out_descriptions()} <= set(world.scene.things)


def test_rows_have_each_sort_and_all() -> None:
    table = DescriptionTable()
    table.asked.update({"synonym": 3, "purpose": 1})
    table.found["synonym"] = 2
    assert [(row["description"], row["n"], row["found"]) for row in table.rows()] == [
        ("purpose", 1, 0), ("synonym", 3, 2), ("all", 4, 2),
    ]  # fmt: skip
