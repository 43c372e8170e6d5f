"""A named skill becomes one reward program; an object that does not allow it is refused."""

from __future__ import annotations

import pytest

from regrasp.control.arm_skills import ARM_SKILLS, LIFT_M, reward_for
from regrasp.control.reward_terms import (
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    ObjectHeight,
    Reward,
    Success,
)
from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription

CABINET = ObjectDescription(
    "cabinet",
    "cabinet",
    (Affordance.OPEN, Affordance.PUT_IN),
    (JointDescription("left_door", "left_handle"), JointDescription("right_door", "right_handle")),
    place_name="target_position_in_cabinet",
)
KNOWN = (
    CABINET,
    ObjectDescription("lever", "lever", (Affordance.PULL,), (JointDescription("lever", "lever"),)),
    ObjectDescription(
        "button", "button", (Affordance.PRESS,), (JointDescription("button", "button"),)
    ),
    ObjectDescription("crate", "crate", (Affordance.PUT_ON,)),
    ObjectDescription("red_cube", "cube", (Affordance.PICK,)),
    ObjectDescription("blue_cube", "cube", (Affordance.PICK,)),
    ObjectDescription("wall", "wall"),
)


def terms(name: str, *args: str) -> tuple[Reward, ...]:
    return reward_for(Action(name, args), KNOWN).terms


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (("open", "cabinet"), (JointFraction("left_door", 1.0),)),
        (("open", "right_door"), (JointFraction("right_door", 1.0),)),
        (("open", "right_handle"), (JointFraction("right_door", 1.0),)),
        (
            ("close", "cabinet"),
            (JointFraction("left_door", 0.0), JointFraction("right_door", 0.0)),
        ),
        (("close", "left_handle"), (JointFraction("left_door", 0.0),)),
        (("pull", "lever"), (JointFraction("lever", 1.0),)),
        (("press", "button"), (JointFraction("button", 1.0),)),
        (
            ("pick", "red_cube"),
            (MinimizeDistance("palm", "red_cube"), ObjectHeight("red_cube", LIFT_M)),
        ),
        (("place", "red_cube", "crate"), (MinimizeDistance("red_cube", "crate"),)),
        (
            ("place", "red_cube", "cabinet"),
            (MinimizeDistance("red_cube", "target_position_in_cabinet"),),
        ),
        (
            ("place", "red_cube", "target_position_in_cabinet"),
            (MinimizeDistance("red_cube", "target_position_in_cabinet"),),
        ),
        (("place", "red_cube", "blue_cube"), (MinimizeDistance("red_cube", "blue_cube"),)),
        (("move_away", "red_cube", "crate"), (MaximizeDistance("red_cube", "crate"),)),
        (("move_away", "red_cube", "wall"), (MaximizeDistance("red_cube", "wall"),)),
        (("move_away", "red_cube", "cabinet"), (MaximizeDistance("red_cube", "left_handle"),)),
        (
            ("move_away", "red_cube", "target_position_in_cabinet"),
            (MaximizeDistance("red_cube", "target_position_in_cabinet"),),
        ),
    ],
    ids=lambda value: "-".join(value) if isinstance(value[0], str) else "",
)
def test_each_skill_is_a_program(action: tuple[str, ...], expected: tuple[Reward, ...]) -> None:
    assert terms(*action) == expected


@pytest.mark.parametrize(
    ("action", "valid", "hint"),
    [
        (("open", "cabnet"), ("cabinet",), "Did you mean 'cabinet'"),
        (("open", "lever"), ("cabinet",), "object to open"),
        (("close", "crate"), ("cabinet",), "object to close"),
        (("pull", "levr"), ("lever",), "Did you mean 'lever'"),
        (("press", "lever"), ("button",), "object to press"),
        (("pick", "crate"), ("blue_cube", "red_cube"), "object to pick"),
        (("pick", "red_cub"), ("blue_cube", "red_cube"), "Did you mean 'red_cube'"),
        (("place", "crate", "red_cube"), ("blue_cube", "red_cube"), "object to place"),
        (
            ("place", "red_cube", "wall"),
            ("blue_cube", "cabinet", "crate", "target_position_in_cabinet"),
            "place for red_cube",
        ),
    ],
)
def test_an_object_that_does_not_allow_the_use_is_refused(
    action: tuple[str, ...], valid: tuple[str, ...], hint: str
) -> None:
    with pytest.raises(UnknownNameError, match=hint) as refused:
        terms(*action)
    assert refused.value.valid == valid


def test_an_object_is_not_placed_on_itself_nor_moved_away_from_itself() -> None:
    for skill in ("place", "move_away"):
        with pytest.raises(UnknownNameError) as refused:
            terms(skill, "red_cube", "red_cube")
        assert "red_cube" not in refused.value.valid


def test_an_unknown_skill_and_a_wrong_number_of_arguments_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'place'"):
        terms("plase", "red_cube", "crate")
    with pytest.raises(RegraspError, match=r"place\(object, where\)"):
        terms("place", "red_cube")


def test_a_pressed_button_may_spring_back_and_an_opened_door_may_not() -> None:
    assert reward_for(Action("press", ("button",)), KNOWN).success is Success.ONCE
    assert reward_for(Action("open", ("cabinet",)), KNOWN).success is Success.EVERY


def test_closing_two_doors_may_take_twice_as_long_as_opening_one() -> None:
    one = reward_for(Action("open", ("cabinet",)), KNOWN).duration
    assert reward_for(Action("close", ("cabinet",)), KNOWN).duration == 2 * one


def test_every_skill_of_the_table_has_a_program() -> None:
    arguments = {
        "open": ("cabinet",),
        "close": ("cabinet",),
        "pull": ("lever",),
        "press": ("button",),
        "pick": ("red_cube",),
        "place": ("red_cube", "crate"),
        "move_away": ("red_cube", "crate"),
    }
    assert {spec.name for spec in ARM_SKILLS} == set(arguments)
    for spec in ARM_SKILLS:
        program = reward_for(Action(spec.name, arguments[spec.name]), KNOWN)
        assert program.deciding == program.terms
