"""Each skill does what it says; each mishap has the effect it names; constraints are kept."""

from __future__ import annotations

import pytest
from house import LENGTHS, PLANS, House, action

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode
from regrasp.core.outcome import Outcome
from regrasp.worlds.household.faults import Fault
from regrasp.worlds.household.robot import unmet


@pytest.mark.parametrize("task", PLANS)
def test_the_shortest_plan_reaches_the_goal(task: str) -> None:
    house = House(task, seed=1)
    steps = PLANS[task].split()
    assert len(steps) == LENGTHS[task]
    for step in steps:
        assert not house.judge.done()
        report = house.do(step)
        assert report.outcome is Outcome.SUCCEEDED and report.seconds > 0.3
        if step.startswith("find"):
            assert house.holds("inview", *action(step).args)
    assert house.judge.done()
    assert house.noted == []


def test_going_far_takes_longer_than_grasping() -> None:
    house = House("empty-bottle")
    assert house.do("find(green_bottle)").seconds > house.do("grasp(green_bottle)").seconds


# ---- what goes wrong ---------------------------------------------------------------------------


def mishap_of(house: House, step: str) -> str:
    """Do a step that goes wrong; the words for it. The robot itself has noticed nothing."""
    report = house.do(step)
    assert report.outcome is Outcome.SUCCEEDED and report.feedback is None
    (noted,) = house.noted
    assert noted.action == action(step)
    return noted.fault


def test_a_grasp_that_misses_leaves_the_thing_where_it_is() -> None:
    house = House("halve-egg", grasp=Fault.MISSED)
    house.go("carving_knife")
    assert mishap_of(house, "grasp(carving_knife)") == Fault.MISSED
    assert house.holds("handempty") and house.holds("ontop", "carving_knife", "countertop")


@pytest.mark.parametrize(
    ("task", "thing", "home"),
    [
        ("halve-egg", "carving_knife", ""),
        ("boil-water", "mug", "cabinet"),
        ("frozen-pie", "pie", "refrigerator"),
        ("empty-bottle", "green_bottle", ""),
    ],
)
def test_what_slips_at_a_grasp_lies_on_the_floor_nearby(task: str, thing: str, home: str) -> None:
    house = House(task, seed=2, grasp=Fault.FALLS)
    if home:
        house.swing(home, 1.0)
    house.go(thing)
    assert mishap_of(house, f"grasp({thing})") == Fault.FALLS
    floor = "wooden_floor" if task == "empty-bottle" else "floor"
    assert house.holds("handempty") and house.holds("onfloor", thing, floor)
    assert house.holds("inview", thing), "and the robot's eyes can find it"


@pytest.mark.parametrize("mishap", [Fault.KEPT, Fault.FALLS])
def test_what_is_not_put_in_is_still_held_or_has_fallen(mishap: Fault) -> None:
    house = House("frozen-pie", placein=mishap)
    house.give("pie")
    house.swing("oven", 1.0)
    house.go("oven")
    mishap_of(house, "placein(pie,oven)")
    assert not house.holds("inside", "pie", "oven")
    assert house.holds("inhand", "pie") is (mishap is Fault.KEPT)
    assert house.holds("onfloor", "pie", "floor") is (mishap is Fault.FALLS)


@pytest.mark.parametrize("mishap", [Fault.KEPT, Fault.FALLS])
def test_what_is_not_put_on_is_still_held_or_has_fallen(mishap: Fault) -> None:
    house = House("store-firewood", placeon=mishap)
    house.give("brown_stick")
    house.go("table")
    mishap_of(house, "placeon(brown_stick,table)")
    assert not house.holds("ontop", "brown_stick", "table")
    assert house.holds("inhand", "brown_stick") is (mishap is Fault.KEPT)
    assert house.holds("onfloor", "brown_stick", "floor") is (mishap is Fault.FALLS)


def test_what_is_not_put_on_the_floor_is_still_held() -> None:
    house = House("empty-bottle", placefloor=Fault.KEPT)
    house.give("green_bottle")
    mishap_of(house, "placefloor(green_bottle,tiled_floor)")
    assert house.holds("inhand", "green_bottle")


def test_what_is_carried_may_be_lost_on_the_way() -> None:
    house = House("store-firewood", find=Fault.SLIPS)
    house.give("brown_stick")
    assert mishap_of(house, "find(table)") == Fault.SLIPS
    assert house.holds("handempty") and house.holds("onfloor", "brown_stick", "floor")
    assert house.holds("inview", "table")


def test_with_nothing_in_the_hand_nothing_is_lost() -> None:
    house = House("store-firewood", find=Fault.SLIPS)
    house.do("find(table)")
    assert house.noted == []


def test_a_container_that_falls_lies_upside_down_and_is_not_taken_up_again() -> None:
    house = House("collect-toys", placeon=Fault.FALLS)
    house.give("blue_container")
    house.go("table")
    mishap_of(house, "placeon(blue_container,table)")
    assert house.holds("onfloor", "blue_container", "floor")
    house.go("blue_container")
    assert house.do("grasp(blue_container)").outcome is Outcome.FAILED
    assert house.holds("handempty")


def test_without_water_there_is_none_to_fill_in() -> None:
    house = House("boil-water", fillsink=Fault.NO_WATER)
    house.give("mug")
    house.go("sink")
    mishap_of(house, "fillsink(sink)")
    assert not house.holds("filled", "sink")
    assert house.do("fill(mug,sink)").outcome is Outcome.SUCCEEDED
    assert not house.holds("filled", "mug")


def test_a_mug_that_is_half_full_is_not_filled_and_can_be_filled_up() -> None:
    house = House("boil-water", fill=Fault.HALF_FULL)
    house.give("mug")
    house.make("water", "sink")
    house.go("sink")
    mishap_of(house, "fill(mug,sink)")
    assert 0.3 < house.world.conditions.get("level", "mug") < 0.6
    assert not house.holds("filled", "mug")
    assert unmet(Action("fill", ("mug", "sink")), house.world, house.judge) == ()


def test_a_mug_that_falls_at_the_sink_is_empty() -> None:
    house = House("boil-water", fill=Fault.FALLS)
    house.give("mug")
    house.make("water", "sink")
    house.go("sink")
    mishap_of(house, "fill(mug,sink)")
    assert house.holds("onfloor", "mug", "floor") and not house.holds("filled", "mug")


def test_a_full_mug_that_is_dropped_spills() -> None:
    house = House("boil-water", placein=Fault.FALLS)
    house.give("mug")
    house.make("level", "mug", 0.95)
    house.swing("microwave", 1.0)
    house.go("microwave")
    mishap_of(house, "placein(mug,microwave)")
    assert not house.holds("filled", "mug")


def test_a_door_may_stay_shut_or_open() -> None:
    house = House("frozen-pie", open=Fault.STAYS_SHUT, close=Fault.STAYS_OPEN)
    house.go("oven")
    assert mishap_of(house, "open(oven)") == Fault.STAYS_SHUT
    assert house.holds("closed", "oven")
    house.noted.clear()
    house.swing("oven", 1.0)
    assert mishap_of(house, "close(oven)") == Fault.STAYS_OPEN
    assert house.holds("open", "oven")


def test_an_oven_may_stay_off() -> None:
    house = House("frozen-pie", turnon=Fault.STAYS_OFF)
    house.go("oven")
    assert mishap_of(house, "turnon(oven)") == Fault.STAYS_OFF
    assert not house.holds("turnedon", "oven")


@pytest.mark.parametrize("mishap", [Fault.UNCUT, Fault.KNIFE_FALLS])
def test_a_cut_may_fail_with_or_without_the_knife(mishap: Fault) -> None:
    house = House("halve-egg", cut=mishap)
    house.give("carving_knife")
    house.go("hard_boiled_egg")
    mishap_of(house, "cut(hard_boiled_egg,carving_knife)")
    assert not house.holds("halved", "hard_boiled_egg")
    assert house.holds("inhand", "carving_knife") is (mishap is Fault.UNCUT)
    assert house.holds("onfloor", "carving_knife", "floor") is (mishap is Fault.KNIFE_FALLS)


# ---- hidden constraints ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "held", "before", "step", "wanted"),
    [
        ("boil-water", "", "cabinet", "grasp(mug)", ("inview", "mug")),
        ("halve-egg", "carving_knife", "hard_boiled_egg", "grasp(hard_boiled_egg)", ("handempty",)),
        ("boil-water", "", "microwave", "placein(mug,microwave)", ("inhand", "mug")),
        ("boil-water", "mug", "table", "placein(mug,microwave)", ("inview", "microwave")),
        ("boil-water", "mug", "microwave", "placein(mug,microwave)", ("open", "microwave")),
        ("store-firewood", "", "table", "placeon(brown_stick,table)", ("inhand", "brown_stick")),
        ("empty-bottle", "green_bottle", "table", "placefloor(green_bottle,wooden_floor)",
         ("inview", "wooden_floor")),
        ("boil-water", "", "table", "fillsink(sink)", ("inview", "sink")),
        ("boil-water", "mug", "table", "fill(mug,sink)", ("near", "sink")),
        ("boil-water", "", "table", "open(microwave)", ("inview", "microwave")),
        ("boil-water", "", "table", "close(cabinet)", ("inview", "cabinet")),
        ("frozen-pie", "", "table", "turnon(oven)", ("inview", "oven")),
        ("halve-egg", "", "hard_boiled_egg", "cut(hard_boiled_egg,carving_knife)",
         ("inhand", "carving_knife")),
    ],
)  # fmt: skip
def test_an_action_whose_constraints_are_not_met_changes_nothing(
    task: str, held: str, before: str, step: str, wanted: tuple[str, ...]
) -> None:
    house = House(task, seed=1)
    if held:
        house.give(held)
    house.go(before)
    truths = house.judge.truths()
    assert Fact.of(*wanted) in unmet(action(step), house.world, house.judge)
    report = house.do(step)
    assert report.outcome is Outcome.FAILED and report.feedback is not None
    assert report.feedback.code is FailureCode.UNREACHED and report.feedback.reason == ""
    assert house.judge.truths() == truths
    assert house.world.conditions.get("used", action(step).name) == 0, "no luck was drawn for it"


def test_a_full_mug_is_not_filled_again() -> None:
    house = House("boil-water")
    house.give("mug")
    house.make("level", "mug", 0.95)
    house.go("sink")
    assert Fact.of("empty", "mug") in unmet(action("fill(mug,sink)"), house.world, house.judge)


def test_a_microwave_runs_only_behind_its_door() -> None:
    house = House("boil-water")
    house.swing("microwave", 1.0)
    house.go("microwave")
    house.do("turnon(microwave)")
    assert not house.holds("turnedon", "microwave")
    house.swing("microwave", 0.0)
    house.do("turnon(microwave)")
    assert house.holds("turnedon", "microwave")
    house.do("open(microwave)")
    assert not house.holds("turnedon", "microwave"), "opening it stops it"


# ---- what cannot be begun ----------------------------------------------------------------------


def test_what_a_skill_cannot_be_done_with_is_refused_with_what_it_can() -> None:
    robot = House("boil-water").robot
    with pytest.raises(UnknownNameError, match="Did you mean 'mug'"):
        robot.start(Action("grasp", ("mugg",)))
    with pytest.raises(RegraspError, match=r"table is no receptacle with doors; .*cabinet"):
        robot.start(Action("open", ("table",)))
    with pytest.raises(RegraspError, match=r"sink is no movable; there is mug"):
        robot.start(Action("grasp", ("sink",)))


def test_contents_go_where_their_container_goes() -> None:
    house = House("collect-toys")
    for step in (
        "find(toy_duck)", "grasp(toy_duck)", "find(blue_container)",
        "placein(toy_duck,blue_container)",
    ):  # fmt: skip
        house.do(step)
    assert house.holds("inside", "toy_duck", "blue_container")
    for step in ("grasp(blue_container)", "find(table)", "placeon(blue_container,table)"):
        house.do(step)
    assert house.holds("ontop", "blue_container", "table")
    assert house.holds("inside", "toy_duck", "blue_container")


def test_with_same_room_a_loose_thing_is_found_only_from_its_room() -> None:
    house = House("empty-bottle", same_room=True)
    report = house.do("find(green_bottle)")
    assert report.code is FailureCode.UNREACHED and "room" not in str(report.feedback)
    assert house.do("find(wooden_floor)").outcome is Outcome.SUCCEEDED
    assert house.do("find(green_bottle)").outcome is Outcome.SUCCEEDED
    assert house.do("find(tiled_floor)").outcome is Outcome.SUCCEEDED
