"""A plan of calls is simulated: it is refused where a call cannot be done or the goal is missed."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import State, parse_literals
from regrasp.core.feedback import FailureCode, FeedbackLevel
from regrasp.core.goal import parse_goal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.affordances import affordance_domain
from regrasp.domains.kept import with_kept
from regrasp.domains.tabletop import tabletop_domain
from regrasp.planners.checked_plan import PlanCheck, RefusedPlan
from regrasp.prompts.parsing import Declined
from regrasp.prompts.skill_plan import CallResult, SkillPlan

BLOCKS = (
    *(ObjectDescription(f"{colour}_block", "block") for colour in ("red", "green", "blue")),
    ObjectDescription("fixture", "fixture"),
    ObjectDescription("table", "table"),
)
KITCHEN = (
    ObjectDescription("mug", "mug", (Affordance.PICK,)),
    ObjectDescription("cup", "mug", (Affordance.PICK,)),
    ObjectDescription("cabinet", "cabinet", (Affordance.OPEN, Affordance.PUT_IN)),
    ObjectDescription("shelf", "shelf", (Affordance.PUT_ON,)),
)
SKILLS = ("open", "close", "pick", "place", "move_away")
PLACED = ("pick(red_block)", "place(red_block, fixture)")


def facts(*texts: str) -> State:
    return frozenset(one.fact for one in parse_literals(*texts))


def calls(*texts: str) -> tuple[Action, ...]:
    return tuple(Action(one.fact.predicate, one.fact.args) for one in parse_literals(*texts))


def tabletop(*goal: str, keep: tuple[str, ...] = ()) -> PlanCheck:
    skills = with_kept(tabletop_domain(), parse_literals(*keep), BLOCKS)
    return PlanCheck(skills, BLOCKS, parse_goal(goal))


def kitchen(*goal: str, keep: tuple[str, ...] = ()) -> PlanCheck:
    skills = affordance_domain(KITCHEN, SKILLS)
    return PlanCheck(with_kept(skills, parse_literals(*keep), KITCHEN), KITCHEN, parse_goal(goal))


def test_a_plan_that_reaches_the_goal_is_accepted() -> None:
    check = tabletop("on(red_block, fixture)")
    assert check.refusal(facts("handempty()"), calls(*PLACED)) is None


@pytest.mark.parametrize(
    ("true", "plan", "call", "reasons"),
    [
        (["handempty()"], PLACED[1:], PLACED[1], ("red_block is not held by the robot",)),
        (["handempty()"], PLACED[:1], "done()",
         ("red_block is not on fixture at the end of the plan",)),
        (["handempty()"], (), "done()", ("red_block is not on fixture at the end of the plan",)),
        (["handempty()", "on(green_block, fixture)"], PLACED, PLACED[1],
         ("green_block is on fixture",)),
        (["handempty()", "on(green_block, red_block)"], PLACED, PLACED[0],
         ("green_block is on red_block",)),
        (["holding(blue_block)"], PLACED, PLACED[0], ("the hand of the robot is not empty",)),
        (["handempty()"], ("pick(fixture)",), "pick(fixture)",
         ("pick(fixture): fixture is of type fixture, but ?x must be block.",)),
    ],
)  # fmt: skip
def test_the_first_call_that_cannot_be_done_is_named(
    true: list[str], plan: tuple[str, ...], call: str, reasons: tuple[str, ...]
) -> None:
    refused = tabletop("on(red_block, fixture)").refusal(facts(*true), calls(*plan))
    assert refused == RefusedPlan(call, reasons)
    assert CallResult.read(str(refused.result)) is not None
    assert refused.feedback.level is FeedbackLevel.LOGICAL
    assert refused.feedback.code is FailureCode.NO_PLAN
    assert refused.feedback.reasons == reasons


def test_every_reason_of_a_condition_over_all_objects_is_named() -> None:
    state = facts("handempty()", "inside(mug, cabinet)", "closed(cabinet)")
    refused = kitchen("on(mug, shelf)").refusal(state, calls("pick(mug)"))
    assert refused is not None
    assert refused.reasons == ("mug is inside cabinet", "cabinet is closed")


def test_a_call_that_breaks_what_is_kept_is_refused_in_words() -> None:
    check = kitchen("inside(mug, cabinet)", keep=("closed(cabinet)", "not moved(cup)"))
    state = facts("handempty()", "closed(cabinet)", "unlocked(cabinet)")
    opened = check.refusal(state, calls("open(cabinet)"))
    assert opened is not None
    assert opened.reasons == ("this must stay true: cabinet is closed",)
    picked = check.refusal(state, calls("pick(cup)"))
    assert picked is not None and picked.reasons == ("cup must not be moved",)


def test_any_object_of_the_kind_reaches_a_goal_with_a_variable() -> None:
    check = kitchen("on(?mug, shelf)")
    state = facts("handempty()", "visible(mug)", "visible(cup)")
    for name in ("mug", "cup"):
        assert check.refusal(state, calls(f"pick({name})", f"place_on({name}, shelf)")) is None
    refused = check.refusal(state, calls("pick(cup)"))
    assert refused is not None
    assert refused.reasons == ("no mug is on shelf at the end of the plan",)


def test_search_finds_what_the_planner_did_not() -> None:
    found = tabletop("on(red_block, fixture)").search(facts("handempty()"))
    assert isinstance(found, SkillPlan)
    assert found.calls == calls(*PLACED)


def test_search_says_what_must_be_kept_where_there_is_no_plan() -> None:
    check = tabletop("on(red_block, fixture)", keep=("not moved(red_block)",))
    found = check.search(facts("handempty()"))
    assert found == Declined("no plan reaches the goal if red_block must not be moved (unsolvable)")
