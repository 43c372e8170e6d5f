"""Plans in words: which steps can make a goal true, and which plans are refused for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from regrasp.core.event import Event, FeedbackGiven
from regrasp.core.fact import Literal, parse_literals
from regrasp.core.goal import parse_goal
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.domains.affordances import affordance_domain
from regrasp.domains.kept import with_kept
from regrasp.planners.checked_steps import StepCheck, can_make, undoes
from regrasp.prompts.attempts import FailedAttempt
from regrasp.prompts.parsing import Declined, Line
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.scene import scene_text
from regrasp.prompts.steps import Step, Verb, parse_step

KNOWN = (
    ObjectDescription(
        "cabinet", "cabinet", (Affordance.OPEN, Affordance.PUT_IN),
        (JointDescription("cabinet_door", "cabinet_handle"),), "cabinet_spot",
    ),
    ObjectDescription("crate", "crate", (Affordance.PUT_ON,)),
    ObjectDescription("red_cube", "cube", (Affordance.PICK,)),
    ObjectDescription("blue_cube", "cube", (Affordance.PICK,)),
    ObjectDescription("lever", "lever", (Affordance.PULL,)),
)  # fmt: skip
SCENE = scene_text(KNOWN)


def step(text: str) -> Step:
    found = parse_step(text, Line(text, 0), SCENE)
    assert isinstance(found, Step), found
    return found


def literal(text: str) -> Literal:
    (found,) = parse_literals(text)
    return found


def check(
    *goal: str,
    keep: tuple[str, ...] = (),
    true: tuple[str, ...] = (),
    emit: Callable[[Event], None] = lambda event: None,
) -> StepCheck:
    skills = with_kept(affordance_domain(KNOWN, ()), parse_literals(*keep), KNOWN)
    now = set(parse_literals(*true))
    return StepCheck(skills, parse_goal(goal), lambda one: one in now, emit)


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("Open the cabinet", "not closed(cabinet)"),
        ("Open the cabinet_door", "not closed(cabinet)"),
        ("Pull the cabinet_handle", "not closed(cabinet)"),
        ("Close the cabinet", "closed(cabinet)"),
        ("Place the red_cube in the cabinet", "inside(red_cube, cabinet)"),
        ("Place the red_cube in the cabinet_spot", "inside(red_cube, cabinet)"),
        ("Place the red_cube on the crate", "on(red_cube, crate)"),
        ("Place the red_cube on the crate", "on(?cube, crate)"),
        ("Place the red_cube on the crate", "not inside(red_cube, cabinet)"),
        ("Place the cube with the same colour as the crate on the crate", "on(blue_cube, crate)"),
        ("Take the red_cube out of the cabinet", "not inside(red_cube, cabinet)"),
        ("Move the red_cube away from the crate", "not on(red_cube, crate)"),
        ("Move the red_cube away from the cabinet", "not blocking(red_cube, cabinet)"),
        ("Place the red_cube next to the crate", "beside(red_cube, crate)"),
        ("Pick up the red_cube", "holding(red_cube)"),
        ("Pull the lever", "pulled(lever)"),
        ("Look inside the cabinet", "visible(red_cube)"),
        ("Open the cabinet", "visible(red_cube)"),
        ("Pull the lever", "hot(red_cube)"),  # nobody knows what makes it hot
    ],
)
def test_a_step_can_make_a_literal_true(text: str, made: str) -> None:
    assert can_make(step(text), literal(made), SCENE)


@pytest.mark.parametrize(
    ("text", "not_made"),
    [
        ("Open the cabinet", "closed(cabinet)"),
        ("Place the red_cube in the cabinet", "inside(blue_cube, cabinet)"),
        ("Place the red_cube in the cabinet", "on(red_cube, crate)"),
        ("Place the red_cube on the crate", "on(?lever, crate)"),
        ("Pull the lever", "on(red_cube, crate)"),
        ("Look at the red_cube", "on(red_cube, crate)"),
        ("Look at the red_cube", "hot(red_cube)"),
        ("Close the cabinet", "visible(red_cube)"),
    ],
)
def test_a_step_cannot_make_it_true(text: str, not_made: str) -> None:
    assert not can_make(step(text), literal(not_made), SCENE)


def test_every_verb_has_effects() -> None:
    for verb in Verb:
        made = literal("visible(red_cube)") if verb.looks else literal("hot(red_cube)")
        assert can_make(Step(verb, "red_cube", "crate"), made, SCENE)


@pytest.mark.parametrize(
    ("text", "kept", "broken"),
    [
        ("Open the cabinet", "closed(cabinet)", True),
        ("Close the cabinet", "closed(cabinet)", False),
        ("Move the red_cube away from the crate", "not moved(red_cube)", True),
        ("Place the blue_cube on the crate", "not moved(crate)", False),
        ("Open the cabinet_door", "not moved(cabinet)", True),
        ("Look inside the cabinet", "not moved(cabinet)", False),
        ("Place the red_cube on the crate", "on(red_cube, crate)", True),  # it is lifted first
        ("Pick up the red_cube", "on(red_cube, crate)", True),
        ("Place the red_cube in the cabinet", "not inside(red_cube, cabinet)", True),
        ("Close the cabinet", "visible(red_cube)", False),  # it may be somewhere else
    ],
)
def test_a_step_that_breaks_what_is_kept(text: str, kept: str, broken: bool) -> None:
    assert undoes(step(text), literal(kept), SCENE) is broken


@pytest.mark.parametrize(
    ("goal", "true", "plan"),
    [
        (["inside(red_cube, cabinet)"], (),
         ["Open the cabinet", "Place the red_cube in the cabinet"]),
        (["on(red_cube, crate)", "on(blue_cube, crate)"], ("on(blue_cube, crate)",),
         ["Place the red_cube on the crate"]),
        (["visible(red_cube)"], (), ["Look inside the cabinet"]),
        (["on(red_cube, crate)"], ("on(red_cube, crate)",), ["Look at the red_cube"]),
        (["on(?cube, crate)"], ("on(blue_cube, crate)",), ["Look at the crate"]),
        (["inside(red_cube, cabinet)", "closed(cabinet)"], ("closed(cabinet)",),
         ["Open the cabinet", "Place the red_cube in the cabinet", "Close the cabinet"]),
    ],
)  # fmt: skip
def test_a_plan_that_may_reach_the_goal_is_accepted(
    goal: list[str], true: tuple[str, ...], plan: list[str]
) -> None:
    assert check(*goal, true=true).refusal(tuple(map(step, plan)), SCENE) is None


@pytest.mark.parametrize(
    ("goal", "true", "plan", "reason"),
    [
        (["on(red_cube, crate)"], (), ["Look at the red_cube"], "red_cube is not on crate"),
        (["on(?cube, crate)"], (), ["Pull the lever"], "no cube is on crate"),
        (["inside(red_cube, cabinet)"], (), ["Open the cabinet"],
         "red_cube is not inside cabinet"),
        (["closed(cabinet)"], ("closed(cabinet)",), ["Open the cabinet"],
         "cabinet is not closed"),
        (["not closed(cabinet)"], (), ["Pull the lever"], "cabinet is closed"),
    ],
)  # fmt: skip
def test_a_plan_that_cannot_reach_the_goal_is_refused(
    goal: list[str], true: tuple[str, ...], plan: list[str], reason: str
) -> None:
    refused = check(*goal, true=true).refusal(tuple(map(step, plan)), SCENE)
    assert refused == FailedAttempt(reasons=(f"{reason} after these steps: {'; '.join(plan)}",))


def test_a_step_against_what_is_kept_is_named() -> None:
    steps = (
        step("Move the blue_cube away from the crate"),
        step("Place the red_cube on the crate"),
    )
    kept = check("on(red_cube, crate)", keep=("not moved(blue_cube)",))
    refused = kept.refusal(steps, SCENE)
    assert refused == FailedAttempt(reasons=(f"{steps[0]}: blue_cube must not be moved",))


def test_a_literal_is_looked_at_only_if_the_plan_leaves_it_open() -> None:
    looked: list[Literal] = []
    skills = affordance_domain(KNOWN, ())
    goal = parse_goal(["on(red_cube, crate)", "on(blue_cube, crate)"])
    seeing = StepCheck(skills, goal, lambda one: looked.append(one) is None, lambda event: None)
    assert seeing.refusal((step("Place the red_cube on the crate"),), SCENE) is None
    assert looked == [literal("on(blue_cube, crate)")]


def test_a_refused_plan_is_a_failed_attempt_of_the_next_prompt() -> None:
    asked: list[PlanPrompt] = []
    events: list[Event] = []
    plans = iter([["Look at the red_cube"], ["Place the red_cube on the crate"]])

    def ask(question: PlanPrompt) -> tuple[Step, ...]:
        asked.append(question)
        return tuple(map(step, next(plans)))

    checked = check("on(red_cube, crate)", emit=events.append)
    found = checked.plan(ask, PlanPrompt("put it there", SCENE))
    assert found == (step("Place the red_cube on the crate"),)
    (attempt,) = asked[1].attempts
    assert "red_cube is not on crate" in asked[1].render() and not attempt.did
    assert [type(event) for event in events] == [FeedbackGiven]


def test_after_too_many_refused_plans_the_reason_is_given() -> None:
    looking = (step("Look at the red_cube"),)
    found = check("on(red_cube, crate)").plan(lambda question: looking, PlanPrompt("it", SCENE))
    assert isinstance(found, Declined)
    assert found.why.startswith("3 plans were refused: red_cube is not on crate")
    none = Declined("I cannot")
    assert check("on(red_cube, crate)").plan(lambda question: none, PlanPrompt("it", SCENE)) is none
