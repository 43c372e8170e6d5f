"""What is nearly so is called neither: things are put at the edge, and a little beyond."""

from __future__ import annotations

import functools
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from regrasp.lab.vision import clear
from regrasp.lab.vision.rooms import VisionRoom, open_room
from regrasp.prompts.visual_question import ObjectQuestion, VisualQuestion

THING = "red_cube"


@functools.cache
def room() -> VisionRoom:
    return open_room("cubes", 0, plain=True, held_out=False)


@pytest.fixture(autouse=True)
def _others_away() -> None:
    for number, name in enumerate(room().truth.movable):
        put(-2.0 - number, 0.0, 0.3, name)


def put(x: float, y: float, z: float, name: str = THING) -> None:
    world = room().world
    at = int(world.model.joint(f"{name}_free").qposadr[0])
    world.data.qpos[at : at + 7] = (x, y, z, 1, 0, 0, 0)
    mujoco.mj_forward(world.model, world.data)


def crate() -> tuple[float, float, float]:
    """The middle of the crate's top."""
    world = room().world
    top = world.scene.tops["crate"]
    at = world.data.body(top.body).xpos + np.array(top.centre) - (0, 0, top.half[2])
    return float(at[0]), float(at[1]), float(at[2])


def half() -> float:
    return room().world.scene.things[THING].extent[1]


def test_on_a_crate_from_its_middle_to_its_edge() -> None:
    x, y, z = crate()
    reach = room().world.scene.tops["crate"].half[0]
    put(x, y, z + half() - 0.0005)
    assert clear.on(room(), THING, "crate") is True
    put(x + reach - 0.005, y, z + half() - 0.0005)
    assert clear.on(room(), THING, "crate") is None
    put(x + reach + 0.10, y, half())
    assert clear.on(room(), THING, "crate") is False


def test_over_a_crate_by_a_little_and_by_a_lot() -> None:
    x, y, z = crate()
    put(x, y, z + half() + 0.01)
    assert not room().truth.fact(VisualQuestion(ObjectQuestion.ON, THING, "crate"))
    assert clear.on(room(), THING, "crate") is None
    put(x, y, z + half() + 0.05)
    assert clear.on(room(), THING, "crate") is False


@pytest.mark.parametrize("relation", [clear.next_to, clear.before, clear.left])
def test_what_is_on_something_is_not_asked_to_be_beside_it(
    relation: Callable[[VisionRoom, str, str], bool | None],
) -> None:
    x, y, z = crate()
    put(x, y, z + half() - 0.0005)
    assert relation(room(), THING, "crate") is None


def test_beside_before_and_left() -> None:
    x, y, _ = crate()
    away = np.array([x, y]) / np.hypot(x, y)
    near = np.array([x, y]) - 0.15 * away
    put(near[0], near[1], half())
    assert clear.next_to(room(), THING, "crate") is True
    assert clear.before(room(), THING, "crate") is True
    assert clear.left(room(), THING, "crate") is None
    put(x, y + 0.35, half())
    assert clear.next_to(room(), THING, "crate") is None  # furniture is large
    assert clear.before(room(), THING, "crate") is False
    assert clear.left(room(), THING, "crate") is True
    put(x, y - 0.6, half())
    assert clear.next_to(room(), THING, "crate") is False
    assert clear.left(room(), THING, "crate") is False


def test_next_to_is_the_same_from_both_sides_even_on_top() -> None:
    put(0.5, 0.4, half())
    put(0.5, 0.4, 3 * half() - 0.001, "yellow_cube")
    truth = room().truth
    assert truth.fact(VisualQuestion(ObjectQuestion.ON, "yellow_cube", THING))
    assert not truth.fact(VisualQuestion(ObjectQuestion.NEXT_TO, "yellow_cube", THING))
    assert not truth.fact(VisualQuestion(ObjectQuestion.NEXT_TO, THING, "yellow_cube"))
