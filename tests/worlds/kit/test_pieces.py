"""What single pieces of the kit do when they are pulled, pressed, loaded or resized."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from regrasp.core.errors import RegraspError
from regrasp.worlds.kit.bottle import add_bottle
from regrasp.worlds.kit.button import add_button
from regrasp.worlds.kit.cube import add_cube
from regrasp.worlds.kit.drawer import add_drawer
from regrasp.worlds.kit.fruit import add_apple, add_banana, add_orange
from regrasp.worlds.kit.mug import add_mug
from regrasp.worlds.kit.scene import MOVABLE, Scene
from regrasp.worlds.kit.shelf import add_shelf, board_name
from regrasp.worlds.kit.table import add_table

ORIGIN = (0.0, 0.0, 0.0)


class Bench:
    """A scene on a floor that is compiled on first use and can be pushed about."""

    def __init__(self) -> None:
        self.scene = Scene(layout=np.random.default_rng(0), look=np.random.default_rng(0))
        floor = mujoco.mjtGeom.mjGEOM_PLANE
        self.scene.spec.worldbody.add_geom(name="floor", type=floor, size=[2, 2, 0.1], **MOVABLE)

    def ready(self) -> None:
        self.model = self.scene.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)

    def run(self, seconds: float, joint: str = "", force: float = 0.0) -> None:
        self.data.qfrc_applied[:] = 0.0
        if joint:
            self.data.qfrc_applied[self.model.joint(joint).dofadr[0]] = force
        mujoco.mj_step(self.model, self.data, round(seconds / self.model.opt.timestep))

    def fraction(self, joint: str) -> float:
        q = float(self.data.joint(joint).qpos[0])
        return self.scene.joints[joint].fraction(q)

    def within(self, thing: str, place: str) -> bool:
        region = {**self.scene.insides, **self.scene.tops}[place]
        body = self.data.body(region.body)
        local = body.xmat.reshape(3, 3).T @ (self.data.body(thing).xpos - body.xpos)
        return bool((np.abs(local - region.centre) <= region.half).all())


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_drawer_slides_out_when_pulled_and_takes_what_is_in_it_along(bench: Bench) -> None:
    add_drawer(bench.scene, "chest", ORIGIN)
    add_cube(bench.scene, "cube", (0.12, 0.0, 0.10 + 0.04))
    bench.ready()
    bench.run(0.5)
    assert bench.fraction("chest_drawer") < 0.02 and bench.within("cube", "chest")
    before = bench.data.body("cube").xpos[0]
    bench.run(1.5, "chest_drawer", 8.0)
    bench.run(0.5)
    assert bench.fraction("chest_drawer") > 0.95
    assert bench.within("cube", "chest"), "it came along"
    assert bench.data.body("cube").xpos[0] < before - 0.1


def test_a_drawers_friction_holds_it_against_a_weak_pull(bench: Bench) -> None:
    add_drawer(bench.scene, "chest", ORIGIN, friction=6.0)
    bench.ready()
    bench.run(1.0, "chest_drawer", 4.0)
    assert bench.fraction("chest_drawer") < 0.05


def test_a_button_needs_its_force_and_springs_back(bench: Bench) -> None:
    add_button(bench.scene, "button", ORIGIN, force=8.0)
    bench.ready()
    bench.run(0.5, "button", 2.0)
    assert bench.fraction("button") < 0.4
    bench.run(0.5, "button", 9.0)
    assert bench.fraction("button") > 0.95
    bench.run(0.5)
    assert abs(bench.fraction("button")) < 0.02


def test_a_table_carries_what_is_put_on_it(bench: Bench) -> None:
    add_table(bench.scene, "table", (0.5, 0.0, 0.0), yaw=0.3, height=0.2)
    add_cube(bench.scene, "cube", (0.5, 0.1, 0.21))
    bench.ready()
    bench.run(1.0)
    assert bench.within("cube", "table")
    assert bench.data.body("cube").xpos[2] == pytest.approx(0.223, abs=0.002)


def test_every_board_of_a_shelf_is_a_place_of_its_own(bench: Bench) -> None:
    add_shelf(bench.scene, "shelf", (0.5, 0.0, 0.0), boards=3)
    boards = [board_name("shelf", n) for n in (1, 2, 3)]
    bench.ready()
    bench2 = Bench()
    add_shelf(bench2.scene, "shelf", (0.5, 0.0, 0.0), boards=3)
    for board in boards:
        x, y, z = bench.data.site(board).xpos
        add_cube(bench2.scene, f"cube_on_{board}", (x, y, z + 0.002))
    bench2.ready()
    bench2.run(1.0)
    for board in boards:
        assert [b for b in boards if bench2.within(f"cube_on_{board}", b)] == [board]
    with pytest.raises(RegraspError, match="at least one"):
        add_shelf(bench.scene, "other", ORIGIN, boards=0)


@pytest.mark.parametrize("add", [add_apple, add_orange, add_banana, add_bottle, add_mug])
def test_mass_and_friction_are_what_was_asked_for(bench: Bench, add: Callable[..., None]) -> None:
    add(bench.scene, "it", ORIGIN, mass=0.4, friction=0.35, colour="purple")
    bench.ready()
    assert bench.model.body("it").mass[0] == pytest.approx(0.4)
    mine = bench.model.geom_bodyid == bench.model.body("it").id
    solid = mine & (bench.model.geom_contype > 0)
    assert solid.any() and np.allclose(bench.model.geom_friction[solid, 0], 0.35)


@pytest.mark.parametrize("add", [add_bottle, add_mug])
def test_a_vessel_stands_upright_on_its_point(bench: Bench, add: Callable[..., None]) -> None:
    add(bench.scene, "it", (0.3, 0.2, 0.0), yaw=0.8)
    bench.ready()
    bench.run(1.5)
    assert bench.data.body("it").xmat[8] > 0.999
    assert np.allclose(bench.data.body("it").xpos[:2], [0.3, 0.2], atol=0.002)


def test_a_banana_lies_flat(bench: Bench) -> None:
    add_banana(bench.scene, "banana", ORIGIN, radius=0.017)
    bench.ready()
    bench.run(1.5)
    assert bench.data.body("banana").xmat[8] > 0.99
    assert bench.data.body("banana").xpos[2] == pytest.approx(0.017, abs=0.002)
