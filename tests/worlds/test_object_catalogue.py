"""What robots know of their things: what each allows, the same before and after it was used."""

from __future__ import annotations

import pytest

from regrasp.core.object_description import Affordance
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.worlds.object_catalogue import known_objects
from regrasp.worlds.registry import WORLDS, open_world


@pytest.mark.parametrize(
    ("world", "name", "can"),
    [
        ("cabinet", "wooden_cabinet", {Affordance.OPEN, Affordance.PUT_IN}),
        ("cabinet", "yellow_cube", {Affordance.PICK}),
        ("kitchen", "counter", {Affordance.PUT_ON}),
        ("kitchen", "microwave", {Affordance.OPEN, Affordance.PUT_IN}),
        ("lever", "lever", {Affordance.PULL}),
        ("cubes", "crate", {Affordance.PUT_ON}),
        ("sensor", "weight_sensor", {Affordance.PUT_ON}),
    ],
)
def test_what_things_allow(world: str, name: str, can: set[Affordance]) -> None:
    known = {thing.name: thing for thing in known_objects(open_world(world).scene)}
    assert set(known[name].affordances) == can


def test_handles_and_spots_are_parts_of_what_they_are_on() -> None:
    known = {thing.name: thing for thing in known_objects(open_world("cabinet").scene)}
    assert known.keys() == {"wooden_cabinet", "yellow_cube"}
    cabinet = known["wooden_cabinet"]
    assert [joint.handle for joint in cabinet.joints] == [
        "wooden_cabinet_left_handle",
        "wooden_cabinet_right_handle",
    ]
    assert cabinet.place_name == "target_position_in_wooden_cabinet"


@pytest.mark.parametrize("world", WORLDS)
def test_knowledge_reads_as_a_scene_of_the_prompts(world: str) -> None:
    scene = scene_text(known_objects(open_world(world).scene))
    assert SceneDescription.read(scene.lines()) == scene


def test_knowledge_is_no_state() -> None:
    shut, ajar = (known_objects(open_world("cabinet", t).scene) for t in ("closed", "open"))
    assert shut == ajar
