"""What matters shows in the pixels, and an oracle knows no more than the pictures show."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from house import House

from regrasp.core.answer import Verdict
from regrasp.core.fact import Fact
from regrasp.episodes.oracle_vision import VisionErrors
from regrasp.worlds.household.judge import HouseholdJudge
from world_oracle import open_oracle_vision

Change = Callable[[House], None]


def opens(name: str) -> Change:
    return lambda house: house.swing(name, 1.0)


def makes(condition: str, name: str, value: float = 1.0) -> Change:
    return lambda house: house.make(condition, name, value)


def nothing(house: House) -> None:
    """Leave it as it is."""


def takes(name: str) -> Change:
    return lambda house: house.give(name)


def both(first: Change, second: Change) -> Change:
    def change(house: House) -> None:
        first(house)
        second(house)

    return change


@pytest.mark.parametrize(
    ("task", "before", "camera", "first", "change", "share"),
    [
        ("boil-water", "cabinet", "head", nothing, opens("cabinet"), 0.05),
        ("boil-water", "microwave", "head", nothing, opens("microwave"), 0.05),
        ("boil-water", "microwave", "head", nothing, makes("on", "microwave"), 0.02),
        ("boil-water", "sink", "head", nothing, makes("water", "sink"), 0.03),
        ("boil-water", "mug", "head", opens("cabinet"), takes("mug"), 0.01),
        ("boil-water", "sink", "hand", nothing, takes("mug"), 0.03),
        ("boil-water", "sink", "hand", takes("mug"), makes("level", "mug", 0.95), 0.005),
        ("boil-water", "sink", "hand", both(takes("mug"), makes("level", "mug", 0.45)),
         makes("level", "mug", 0.95), 0.002),
        ("boil-water", "sink", "hand", both(takes("mug"), makes("level", "mug", 0.95)),
         makes("hot", "mug"), 0.01),
        ("frozen-pie", "refrigerator", "head", nothing, opens("refrigerator"), 0.10),
        ("frozen-pie", "oven", "head", nothing, opens("oven"), 0.05),
        ("frozen-pie", "oven", "head", nothing, makes("on", "oven"), 0.02),
        ("frozen-pie", "oven", "head", opens("oven"), makes("on", "oven"), 0.05),
        ("frozen-pie", "pie", "head", opens("refrigerator"), makes("frozen", "pie", 0.0), 0.03),
        ("frozen-pie", "pie", "head", both(opens("refrigerator"), makes("frozen", "pie", 0.0)),
         makes("hot", "pie"), 0.03),
        ("halve-egg", "hard_boiled_egg", "head", nothing, makes("halved", "hard_boiled_egg"), 0.01),
    ],
)  # fmt: skip
def test_a_change_that_matters_shows(
    task: str, before: str, camera: str, first: Change, change: Change, share: float
) -> None:
    house = House(task, seed=4)
    house.go(before)
    first(house)
    was = house.robot.look(camera).rgb.astype(int)
    change(house)
    now = house.robot.look(camera).rgb.astype(int)
    assert (np.abs(now - was).max(axis=2) > 30).mean() > share


class TestJudge:
    def test_what_is_behind_a_door_is_unknown_until_it_is_open(self) -> None:
        house = House("boil-water")
        judge = HouseholdJudge(house.world)
        house.go("cabinet")
        inside = Fact("inside", ("mug", "cabinet"))
        assert judge.observe(inside) is None and judge.observe(Fact("inview", ("mug",))) is False
        house.swing("cabinet", 1.0)
        assert judge.observe(inside) is True and judge.observe(Fact("inview", ("mug",))) is True

    def test_an_empty_cabinet_shows_that_nothing_is_in_it(self) -> None:
        house = House("boil-water")
        judge = HouseholdJudge(house.world)
        house.world.put("mug", (-1.3, -1.8, 0.06), 0.0)
        house.swing("cabinet", 1.0)
        house.go("cabinet")
        assert judge.observe(Fact("inside", ("mug", "cabinet"))) is False
        assert judge.observe(Fact("onfloor", ("mug", "floor"))) is None, "it lies elsewhere"

    def test_who_sees_part_of_a_counter_does_not_know_what_is_not_on_it(self) -> None:
        house = House("boil-water")
        judge, on = HouseholdJudge(house.world), Fact("ontop", ("mug", "countertop"))
        house.world.put("mug", (-1.3, -1.8, 0.06), 0.0)
        house.go("countertop")
        assert judge.observe(on) is False
        house.world.focus(house.world.at("countertop") + np.array([0.0, 0.0, 0.9]), 0.2)
        house.world.refresh()
        assert judge.observe(Fact("inview", ("countertop",))) is True and judge.observe(on) is None

    def test_a_thing_at_the_edge_of_a_picture_is_cut_off(self) -> None:
        house = House("halve-egg")
        sight = HouseholdJudge(house.world).sight
        house.go("hard_boiled_egg")
        whole = sight.framed("hard_boiled_egg").max()
        house.world.focus(house.world.at("hard_boiled_egg") + np.array([0.0, 0.0, 2.0]), 0.2)
        house.world.refresh()
        assert whole == 1.0 and sight.framed("hard_boiled_egg").max() == 0.0

    def test_a_door_out_of_sight_is_neither_open_nor_closed(self) -> None:
        house = House("frozen-pie")
        judge = HouseholdJudge(house.world)
        house.go("table")
        assert judge.observe(Fact("closed", ("oven",))) is None
        house.go("oven")
        assert judge.observe(Fact("closed", ("oven",))) is True

    def test_how_full_a_mug_is_shows_from_above(self) -> None:
        house = House("boil-water")
        judge, filled = HouseholdJudge(house.world), Fact("filled", ("mug",))
        house.go("sink")
        assert judge.observe(filled) is None
        house.give("mug")
        assert judge.observe(filled) is False
        house.make("level", "mug", 0.95)
        assert judge.observe(filled) is True

    def test_the_hand_is_always_in_sight(self) -> None:
        house = House("halve-egg")
        judge = HouseholdJudge(house.world)
        house.go("table")
        assert judge.observe(Fact("handempty")) is True
        house.give("carving_knife")
        assert judge.observe(Fact("inhand", ("carving_knife",))) is True

    def test_a_lamp_out_of_sight_tells_nothing(self) -> None:
        house = House("frozen-pie")
        judge = HouseholdJudge(house.world)
        house.make("on", "oven")
        house.go("table")
        assert judge.observe(Fact("turnedon", ("oven",))) is None
        house.go("oven")
        assert judge.observe(Fact("turnedon", ("oven",))) is True


class TestOracleVision:
    @pytest.fixture
    def house(self) -> House:
        house = House("frozen-pie")
        house.swing("refrigerator", 1.0)
        house.go("pie")
        return house

    @pytest.mark.parametrize(
        ("question", "said"),
        [
            ("Do you see the pie?", "yes"),
            ("Do you see the oven?", "no"),
            ("Is the pie inside the refrigerator?", "yes"),
            ("Is the refrigerator closed?", "no"),
            ("Is the refrigerator open?", "yes"),
            ("Is the oven closed?", "unknown"),
            ("Is the pie frozen?", "yes"),
            ("Is the pie hot?", "no"),
            ("Is the pie on the floor?", "no"),
            ("Is the robot holding the pie?", "no"),
            ("Is the hand of the robot empty?", "yes"),
            ("Is the robot holding anything?", "no"),
            ("Is the oven turned on?", "unknown"),
            ("Can the robot take the pie out of the refrigerator now?", "yes"),
            ("Did the robot take the pie out of the refrigerator?", "no"),
            ("What is the meaning of the pie?", "unknown"),
        ],
    )
    def test_it_answers_what_is_so(self, house: House, question: str, said: str) -> None:
        assert str(open_oracle_vision(house.world).answer((), question).verdict) == said

    def test_it_says_what_a_question_is_about(self, house: House) -> None:
        vision = open_oracle_vision(house.world)
        assert vision.topic("Is the refrigerator open?") == "closed"
        assert vision.topic("Did the robot open the oven?") == "success"
        assert vision.topic("Who are you?") == "other"

    def test_errors_are_as_frequent_as_asked_for(self, house: House) -> None:
        vision = open_oracle_vision(house.world, VisionErrors(0.7, 0.2), np.random.default_rng(0))
        assert vision.name == "oracle:tp=0.7,fp=0.2"
        count = 300
        for question, rate in (("Is the pie frozen?", 0.7), ("Is the pie hot?", 0.2)):
            said = [vision.answer((), question).verdict is Verdict.YES for _ in range(count)]
            assert abs(np.mean(said) - rate) < 0.09
