"""Liquids: what leaves a vessel is in another one or spilt, and a snapshot remembers it."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from regrasp.core.errors import UnknownNameError
from regrasp.worlds.kit.capped_bottle import add_capped_bottle
from regrasp.worlds.kit.cup import add_bowl, add_glass
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.liquid_levels import LiquidLevels
from regrasp.worlds.liquids import Liquids, memory_size

DT = 0.01


class Bar:
    """A bottle of gin, a bowl of ice and two glasses in the air, posed by hand."""

    def __init__(self) -> None:
        scene = Scene(layout=np.random.default_rng(0), look=np.random.default_rng(0))
        add_capped_bottle(scene, "gin_bottle", (0, 0, 0.5), substance="gin", stock=300.0)
        add_bowl(scene, "ice_cubes_bowl", (1, 0, 0.5), substance="ice_cubes", stock=100.0)
        add_glass(scene, "first_glass", (0, 1, 0))
        add_glass(scene, "second_glass", (0, 2, 0))
        scene.spec.nuserdata = memory_size(scene.vessels.values())
        self.model = scene.compile()
        self.data = mujoco.MjData(self.model)
        mujoco.mj_forward(self.model, self.data)
        self.liquids = Liquids(self.model, self.data, scene.vessels, self.data.userdata)
        self.liquids.fill()

    def tilt(self, name: str, angle: float, over: str = "") -> None:
        """Tilt a vessel about y, with its lip 5 cm over the middle of another one's mouth."""
        joint = self.data.joint(f"{name}_free")
        joint.qpos[3:7] = [math.cos(angle / 2), 0, math.sin(angle / 2), 0]
        mujoco.mj_forward(self.model, self.data)
        if over:
            mouth = self.data.site(f"{over}_mouth").xpos
            joint.qpos[:3] += mouth - self.liquids.lip(name)
            joint.qpos[2] += 0.05
            mujoco.mj_forward(self.model, self.data)

    def flow(self, seconds: float) -> None:
        for _ in range(round(seconds / DT)):
            self.liquids.advance(DT)

    def total(self) -> float:
        vessels = sum(self.liquids.volume(name) for name in self.liquids.vessels)
        return vessels + sum(self.liquids.spilt().values())


@pytest.fixture
def bar() -> Bar:
    return Bar()


def test_a_capped_bottle_keeps_everything_upside_down(bar: Bar) -> None:
    bar.tilt("gin_bottle", math.pi)
    bar.flow(5.0)
    assert bar.liquids.contents("gin_bottle") == {"gin": 300.0}


def test_a_tilted_open_bottle_fills_the_glass_below_at_its_rate(bar: Bar) -> None:
    bar.liquids.set_cap("gin_bottle", False)
    bar.tilt("gin_bottle", 2.2, over="first_glass")
    bar.flow(1.0)
    poured = bar.liquids.amount("first_glass", "gin")
    assert poured == pytest.approx(bar.liquids.vessels["gin_bottle"].rate, rel=0.02)
    assert bar.liquids.spilt() == {}
    assert bar.total() == pytest.approx(400.0)


def test_a_little_tilt_lets_nothing_out_of_a_bottle_that_is_not_full(bar: Bar) -> None:
    bar.liquids.set_cap("gin_bottle", False)
    bar.liquids.set_amount("gin_bottle", "gin", 50.0)
    bar.tilt("gin_bottle", 1.2)
    assert bar.liquids.flow_rate("gin_bottle") == 0.0
    bar.tilt("gin_bottle", 2.0)
    assert bar.liquids.flow_rate("gin_bottle") > 0.0


def test_what_finds_no_mouth_is_spilt_and_accounted_for(bar: Bar) -> None:
    bar.liquids.set_cap("gin_bottle", False)
    bar.tilt("gin_bottle", 2.2, over="first_glass")
    bar.data.joint("gin_bottle_free").qpos[0] += 0.04  # beside the glass
    mujoco.mj_forward(bar.model, bar.data)
    bar.flow(2.0)
    assert bar.liquids.volume("first_glass") == 0.0
    assert bar.liquids.spilt()["gin"] == pytest.approx(300.0 - bar.liquids.volume("gin_bottle"))
    assert bar.total() == pytest.approx(400.0)


def test_a_full_glass_overflows(bar: Bar) -> None:
    bar.liquids.set_cap("gin_bottle", False)
    bar.liquids.set_amount("first_glass", "ice_cubes", 290.0)
    bar.tilt("gin_bottle", 2.5, over="first_glass")
    bar.flow(3.0)
    assert bar.liquids.is_full("first_glass")
    assert bar.liquids.volume("first_glass") <= bar.liquids.vessels["first_glass"].capacity
    assert bar.liquids.spilt()["gin"] > 50.0
    assert bar.total() == pytest.approx(690.0)


def test_solids_are_poured_from_a_bowl_in_the_same_way_until_it_is_empty(bar: Bar) -> None:
    bar.tilt("ice_cubes_bowl", 2.3, over="second_glass")
    bar.flow(6.0)
    assert bar.liquids.contents("ice_cubes_bowl") == {}
    assert bar.liquids.amount("second_glass", "ice_cubes") == pytest.approx(100.0)


def test_a_mixture_is_poured_as_a_mixture(bar: Bar) -> None:
    bar.liquids.set_amount("first_glass", "gin", 150.0)
    bar.liquids.set_amount("first_glass", "ice_cubes", 50.0)
    bar.tilt("first_glass", 2.2, over="second_glass")
    bar.flow(1.0)
    parts = bar.liquids.contents("second_glass")
    assert parts["gin"] == pytest.approx(3 * parts["ice_cubes"])


def test_a_bottle_takes_only_its_own_back(bar: Bar) -> None:
    bar.liquids.set_cap("gin_bottle", False)
    bar.liquids.set_amount("first_glass", "ice_cubes", 100.0)
    bar.tilt("first_glass", 2.2, over="gin_bottle")
    bar.flow(1.0)
    assert bar.liquids.contents("gin_bottle") == {"gin": 300.0}
    assert bar.liquids.spilt()["ice_cubes"] > 10.0


def test_the_weight_is_that_of_the_vessel_and_its_contents(bar: Bar) -> None:
    mass = 1000 * float(bar.model.body("gin_bottle").mass[0])
    assert bar.liquids.weight("gin_bottle") == pytest.approx(mass + 300.0)


def test_the_level_is_seen_and_the_cap_comes_off(bar: Bar) -> None:
    levels = LiquidLevels(bar.model, bar.liquids)
    levels.update()
    fill, cap = bar.model.geom("gin_bottle_fill"), bar.model.geom("gin_bottle_cap")
    high, clear = float(fill.size[1]), float(bar.model.geom("first_glass_fill").rgba[3])
    assert (clear, float(cap.rgba[3])) == (0.0, 1.0)
    bar.liquids.set_amount("gin_bottle", "gin", 150.0)
    bar.liquids.set_cap("gin_bottle", False)
    levels.update()
    assert float(fill.size[1]) == pytest.approx(high / 2)
    assert float(cap.rgba[3]) == 0.0


def test_unknown_names_say_what_is_valid(bar: Bar) -> None:
    with pytest.raises(UnknownNameError, match="gin_bottle"):
        bar.liquids.volume("gin_botle")
    with pytest.raises(UnknownNameError, match="'gin'"):
        bar.liquids.amount("first_glass", "gim")
    with pytest.raises(UnknownNameError, match="gin_bottle"):
        bar.liquids.set_cap("first_glass", True)
