"""Goals: text and back, variables, and evaluation over facts."""

from __future__ import annotations

import pytest

from regrasp.core.errors import RegraspError
from regrasp.core.fact import Fact, Literal
from regrasp.core.goal import Goal, is_variable, parse_goal, variable_kind

COLLECTED = parse_goal(
    ["inside(duck, ?box)", "inside(car, ?box)", "on(?box, table)", "not closed(oven)"]
)
KINDS = {"blue_box": "box", "red_box": "box", "table": "table", "duck": "toy", "car": "toy"}


def test_a_goal_reads_back_from_its_text() -> None:
    assert parse_goal(str(one) for one in COLLECTED.literals) == COLLECTED
    assert str(parse_goal([" not on( a ,b ) "])) == "not on(a, b)"
    assert parse_goal(["handempty()"]) == Goal((Literal(Fact("handempty")),))


@pytest.mark.parametrize("text", ["", "on a b", "on(a, )", "on(a b)", "no on(a)", "on(?, b)"])
def test_what_is_no_literal_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(RegraspError, match="inside\\(yellow_cube, wooden_cabinet\\)"):
        parse_goal([text])


def test_variables_are_listed_once_and_name_their_kind() -> None:
    assert COLLECTED.variables == ("?box",)
    assert is_variable("?box") and not is_variable("box")
    assert variable_kind("?box") == "box"


def test_a_variable_is_the_same_object_in_every_literal() -> None:
    apart = {Fact("inside", ("duck", "blue_box")), Fact("inside", ("car", "red_box"))}
    apart |= {Fact("on", ("blue_box", "table")), Fact("on", ("red_box", "table"))}
    assert not COLLECTED.holds(apart.__contains__, KINDS)
    together = {*apart, Fact("inside", ("car", "blue_box"))}
    assert COLLECTED.witness(together.__contains__, KINDS) == {"?box": "blue_box"}
    assert not COLLECTED.holds({*together, Fact("closed", ("oven",))}.__contains__, KINDS)


def test_a_variable_ranges_over_its_kind_alone() -> None:
    state = {Fact("on", ("duck", "table"))}
    goal = parse_goal(["on(?box, table)"])
    assert not goal.holds(state.__contains__, KINDS)
    assert not goal.holds(state.__contains__)
    assert parse_goal(["on(?toy, table)"]).holds(state.__contains__, KINDS)


def test_binding_a_variable_names_the_object() -> None:
    assert str(parse_goal(["on(?box, table)"]).bind({"?box": "red_box"})) == "on(red_box, table)"
