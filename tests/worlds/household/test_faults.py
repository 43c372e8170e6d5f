"""What goes wrong is drawn as often as the paper says, and the same way for every method."""

from __future__ import annotations

from collections import Counter

import pytest
from house import LENGTHS, PLANS, House, actions
from scipy.stats import binomtest

from regrasp.core.errors import RegraspError
from regrasp.worlds.household.faults import FAULT_RATES, MAX_FAULT_PROBABILITY, Fault, FaultSchedule
from regrasp.worlds.registry import open_world

MANY = 800
BLIND = {
    "boil-water": 0.172,
    "empty-bottle": 0.130,
    "frozen-pie": 0.262,
    "halve-egg": 0.225,
    "store-firewood": 0.130,
}
"""The product of the paper's probabilities along the shortest plan of each task."""


def within(count: int, of: int, rate: float) -> bool:
    """Whether a count is no surprise (p > 0.001) for a rate."""
    return bool(binomtest(count, of, rate).pvalue > 0.001)


def test_the_paper_s_probabilities_are_all_there() -> None:
    total = {skill: round(sum(chances.values()), 3) for skill, chances in FAULT_RATES.items()}
    assert total == {
        "find": 0.1, "grasp": 0.5, "placein": 0.2, "placeon": 0.2, "placefloor": 0.2,
        "fillsink": 0.1, "fill": 0.1, "open": 0.1, "close": 0.1, "turnon": 0.1, "cut": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("skill", ["find", "grasp", "placein", "fill", "cut"])
def test_mishaps_are_as_frequent_as_they_should_be(skill: str, factor: float) -> None:
    drawn = Counter(FaultSchedule(seed, factor).draw(skill, 0).fault for seed in range(MANY))
    chances = FAULT_RATES[skill]
    scale = min(factor, MAX_FAULT_PROBABILITY / sum(chances.values()))
    for mishap, chance in chances.items():
        assert within(drawn[mishap], MANY, scale * chance), mishap
    assert drawn[None] > 0, "whatever the factor, some things go right"


def test_with_a_factor_of_zero_nothing_goes_wrong() -> None:
    draws = [
        FaultSchedule(seed, 0.0).draw(s, u)
        for seed in range(30)
        for s in FAULT_RATES
        for u in (0, 1)
    ]
    assert {luck.fault for luck in draws} == {None}


def test_the_kth_use_of_a_skill_has_its_own_draw_whatever_came_before() -> None:
    one, two = FaultSchedule(7), FaultSchedule(7)
    for use in range(20):
        two.draw("open", use)  # another method opens things in between
        first, second = one.draw("grasp", use), two.draw("grasp", use)
        assert first.fault == second.fault
        assert first.rng.random() == second.rng.random()
    assert len({one.draw("grasp", use).fault for use in range(20)}) > 1


def test_more_situations_are_the_same_ones_and_others() -> None:
    few, many = FaultSchedule(3, 0.5), FaultSchedule(3, 1.5)
    for use in range(60):
        if few.draw("grasp", use).fault is Fault.MISSED:
            assert many.draw("grasp", use).fault is Fault.MISSED


@pytest.mark.parametrize("factor", [-0.1, 2.1, float("nan")])
def test_a_factor_out_of_range_is_refused(factor: float) -> None:
    with pytest.raises(RegraspError, match="0 to 2 times"):
        FaultSchedule(0, factor)


def test_the_factor_is_part_of_the_task_s_name() -> None:
    world = open_world("household", "halve-egg:situations=1.5", 2)
    assert world.task.name == "halve-egg:situations=1.5"
    assert open_world("household", "halve-egg:situations=1", 2).task.name == "halve-egg"
    both = open_world("household", "halve-egg:same_room=1,situations=0", 2)
    assert both.task.name == "halve-egg:situations=0,same_room=1"


@pytest.mark.parametrize("option", ["rate=2", "situations=much", "same_room=0.5", "situations"])
def test_an_option_that_does_not_exist_is_refused_with_an_example(option: str) -> None:
    with pytest.raises(RegraspError, match=r"write e\.g\. frozen-pie:situations"):
        open_world("household", f"halve-egg:{option}")


# ---- the blind planner -------------------------------------------------------------------------


def lucky(task: str, seed: int) -> bool:
    """Whether the shortest plan, done blindly, meets with no mishap that matters."""
    situations, used, holding = FaultSchedule(seed), Counter[str](), False
    for step in actions(PLANS[task]):
        mishap = situations.draw(step.name, used[step.name]).fault
        used[step.name] += 1
        if mishap is not None and (mishap is not Fault.SLIPS or holding):
            return False
        holding = holding or step.name == "grasp"
        holding = holding and not step.name.startswith("place")
    return True


@pytest.mark.parametrize("task", BLIND)
def test_a_blind_planner_succeeds_as_often_as_the_probabilities_say(task: str) -> None:
    assert len(actions(PLANS[task])) == LENGTHS[task]
    won = sum(lucky(task, seed) for seed in range(MANY))
    assert within(won, MANY, BLIND[task])


@pytest.mark.long
@pytest.mark.parametrize("task", BLIND)
def test_in_the_world_the_blind_plan_works_when_it_is_lucky_and_only_then(task: str) -> None:
    lucky_ones = [seed for seed in range(200) if lucky(task, seed)][:2]
    unlucky_ones = [seed for seed in range(200) if not lucky(task, seed)][:6]
    for seed in (*lucky_ones, *unlucky_ones):
        house = House(task, seed)
        house.robot._situations = FaultSchedule(seed)
        for step in PLANS[task].split():
            house.do(step)
        assert house.judge.done() is (seed in lucky_ones), (seed, house.noted)
