"""A skill domain knows which actions take a quantity, and which objects may be left out."""

import pytest

from regrasp.core.action import Action, Quantity
from regrasp.domains.lexicon import Lexicon
from regrasp.domains.pddl_read import read_domain
from regrasp.domains.skill_domain import SkillCall, SkillDomain, read_amount

BAR = """(define (domain bar) (:requirements :typing)
  (:types hand bottle glass) (:constants left_hand right_hand - hand)
  (:predicates (free ?h - hand))
  (:action get :parameters (?x - bottle ?h - hand) :precondition (free ?h)
    :effect (not (free ?h)))
  (:action pour :parameters (?x - bottle ?y - glass) :precondition () :effect ())
  (:action wait :parameters () :precondition () :effect ()))"""


@pytest.fixture
def bar() -> SkillDomain:
    return SkillDomain(
        Lexicon(read_domain(BAR), ()),
        kinds={},
        quantities={"pour": Quantity("ml", 40, 1, 1000), "wait": Quantity("s", 5, 0.1, 600)},
        optional={"get": 1},
        phrases={"get": "take the {0} with the {1}", "pour": "pour {2} ml of the {0} into the {1}"},
    )


def test_the_robot_gets_the_quantity_and_the_default_where_none_was_given(bar: SkillDomain) -> None:
    assert bar.skill(Action("pour", ("gin", "glass", "62.5"))).args == ("gin", "glass", "62.5")
    assert bar.skill(Action("pour", ("gin", "glass"))).args == ("gin", "glass", "40")
    assert bar.skill(Action("wait")) == Action("wait", ("5",))
    assert bar.skill(Action("get", ("gin",))) == Action("get", ("gin",))


def test_the_robot_chooses_an_optional_object_and_reports_it(bar: SkillDomain) -> None:
    planned = Action("get", ("gin", "left_hand"))
    assert bar.open_skill(planned) == Action("get", ("gin",))
    assert bar.open_skill(Action("pour", ("gin", "glass"))).args == ("gin", "glass", "40")
    done = Action("get", ("gin", "right_hand"))
    assert bar.chosen(planned, done) == done
    assert bar.chosen(planned, Action("get", ("gin",))) == planned  # it reports no choice
    poured = Action("pour", ("gin", "glass"))
    assert bar.chosen(poured, Action("pour", ("gin", "glass", "40"))) == poured


def test_the_quantity_is_split_from_the_action_of_the_planning_domain(bar: SkillDomain) -> None:
    poured = Action("pour", ("gin", "glass"))
    assert bar.split_quantity(Action("pour", ("gin", "glass", "62.5"))) == (poured, 62.5)
    assert bar.split_quantity(poured) == (poured, None)
    assert bar.split_quantity(Action("get", ("40",))) == (Action("get", ("40",)), None)


def test_an_action_is_described_with_what_was_left_out(bar: SkillDomain) -> None:
    assert bar.describe(Action("get", ("gin",))) == "take the gin with the hand"
    assert bar.describe(Action("pour", ("gin", "glass"))) == "pour 40 ml of the gin into the glass"


def test_a_skill_call_takes_the_arguments_that_are_given() -> None:
    assert SkillCall("grasp", (0, 2)).call(Action("get", ("gin", "shelf"))).args == ("gin",)


@pytest.mark.parametrize("text", ["nan", "inf", "1e9", "1_000", "", "glass", "٣", "1,5"])
def test_an_amount_is_a_plain_finite_number(text: str) -> None:
    assert read_amount(text) is None


def test_a_quantity_has_bounds_and_writes_no_exponent() -> None:
    poured = Quantity("ml", 40, 0.00001, 10_000_000)
    assert poured.accepts(40) and not poured.accepts(-1)
    assert (poured.write(1_000_000), poured.write(0.5), poured.write()) == ("1000000", "0.5", "40")
