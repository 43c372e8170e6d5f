"""An instruction becomes a goal over a domain: forms, conditions, and the shipped tasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.goal import Goal, parse_goal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.domain import Object
from regrasp.domains.formula import And, Atom, Condition, Equal, Exists, Not, Or, Parameter
from regrasp.domains.household import (
    TASKS,
    TYPES,
    household_domain,
    household_lexicon,
    household_problem,
)
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.tabletop import tabletop_domain
from regrasp.domains.walker import walker_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.planners.classical import plan
from regrasp.planners.goals import goal_condition, goal_forms, read_goal
from regrasp.prompts.goal import GoalForm, GoalPrompt
from regrasp.prompts.parsing import Declined
from regrasp.prompts.scene import scene_text
from regrasp.worlds.household.tasks import TASKS as HOUSEHOLD_TASKS
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.object_catalogue import known_objects
from regrasp.worlds.registry import WORLDS, world_plan

MODEL = ScriptedModel()
HOUSEHOLD = SkillDomain(household_lexicon(), TYPES)


def known_in(world: str, task: str) -> tuple[ObjectDescription, ...]:
    """What the robot of a shipped world knows."""
    scene = Scene(layout=np.random.default_rng(0), look=np.random.default_rng(1), planning=True)
    shipped = world_plan(world)
    shipped.body(scene)
    shipped.build(scene, task)
    return known_objects(scene)


def instruction_of(world: str, task: str) -> str:
    return next(one.instruction for one in world_plan(world).tasks if one.name == task)


def household_goal(task: str) -> Goal | Declined:
    (shipped,) = (one for one in HOUSEHOLD_TASKS if one.task.name == task)
    known = known_in("household", task)
    extra = (*(Object(room, "room") for room in shipped.rooms), Object("water", "liquid"))
    message = shipped.task.instruction
    return read_goal(MODEL, message, HOUSEHOLD, known, scene_text(known), extra=extra)


# ---- forms -------------------------------------------------------------------------------------


def test_forms_are_what_actions_change_for_kinds_that_are_there() -> None:
    known = (
        ObjectDescription("pie", "pie", (Affordance.PICK,)),
        ObjectDescription("oven", "oven", (Affordance.OPEN,)),
    )
    forms = {str(form) for form in goal_forms(HOUSEHOLD, known, extra=[Object("tea", "liquid")])}
    assert "inside(X pie, Y oven): X is inside Y" in forms
    assert "cooked(X liquid): X is cooked" in forms  # no action cooks a pie: it becomes hot
    assert "hot(X pie): X is hot" in forms
    assert not any(form.startswith(("insource", "ontop", "same_colour")) for form in forms)


def test_colours_are_compared_only_where_a_kind_has_several_objects() -> None:
    cubes = tuple(
        ObjectDescription(f"{c}_cube", "block", (Affordance.PICK,)) for c in ("red", "blue")
    )
    assert goal_forms(tabletop_domain(), cubes)[-1].predicate == "same_colour"
    assert goal_forms(tabletop_domain(), cubes[:1])[-1].predicate != "same_colour"


# ---- conditions --------------------------------------------------------------------------------

MUG, TOY = ObjectDescription("mug", "mug"), ObjectDescription("duck", "toy")


@pytest.mark.parametrize(
    ("texts", "condition"),
    [
        (["not closed(oven)"], Not(Atom("closed", ("oven",)))),
        (
            ["ontop(a, b)", "handempty()"],
            And((Atom("ontop", ("a", "b")), Atom("handempty"))),
        ),
        (
            ["ontop(?container, table)"],
            Exists((Parameter("?container", ("basket",)),), Atom("ontop", ("?container", "table"))),
        ),
        (
            ["inroom(a, ?room)"],
            Exists((Parameter("?room", ("room",)),), Atom("inroom", ("a", "?room"))),
        ),
    ],
)
def test_a_goal_is_a_condition_of_the_domain(texts: list[str], condition: Condition) -> None:
    assert goal_condition(parse_goal(texts), HOUSEHOLD) == condition


def test_a_variable_keeps_to_its_kind_where_a_type_has_several() -> None:
    known = (TOY, ObjectDescription("log", "stick"), MUG)
    found = goal_condition(parse_goal(["inhand(?toy)"]), HOUSEHOLD, known)
    only = Or((Equal("?toy", "duck"),))
    part = And((Atom("inhand", ("?toy",)), only))
    assert found == Exists((Parameter("?toy", ("item",)),), part)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("same_colour(?mug, table)", "find out which object"),
        ("ontop(mug)", "takes 2 objects"),
        ("sings(mug)", "unknown predicate"),
        ("inhand(?dragon)", "unknown kind of object 'dragon'"),
    ],
)
def test_what_the_domain_cannot_express_is_refused(text: str, error: str) -> None:
    with pytest.raises((RegraspError, UnknownNameError), match=error):
        goal_condition(parse_goal([text]), HOUSEHOLD)


# ---- the shipped tasks -------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_household_instructions_lead_to_plans_as_short_as_the_problems_own(task: str) -> None:
    goal = household_goal(task)
    assert isinstance(goal, Goal), goal
    problem = household_problem(task)
    condition = goal_condition(goal, HOUSEHOLD, known_in("household", task))
    found = plan(household_domain(), replace(problem, goal=condition))
    assert found.solved
    assert len(found.plan) == len(plan(household_domain(), problem).plan)


def test_collected_toys_share_one_container() -> None:
    goal = household_goal("collect-toys")
    assert isinstance(goal, Goal)
    assert set(map(str, goal.literals)) == {
        "inside(toy_duck, ?container)", "inside(toy_car, ?container)", "ontop(?container, table)",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("world", "skills", "task", "goal"),
    [
        ("tabletop", tabletop_domain(), "pick-and-place", ["on(red_block, fixture)"]),
        (
            "tabletop",
            tabletop_domain(),
            "stack-in-order",
            ["on(red_block, fixture)", "on(green_block, red_block)", "on(blue_block, green_block)"],
        ),
        ("walker_room", walker_domain(), "obstacle-forest", ["at(gate)"]),
    ],
)
def test_instructions_for_robots_with_skills(
    world: str, skills: SkillDomain, task: str, goal: list[str]
) -> None:
    known = known_in(world, task)
    found = read_goal(MODEL, instruction_of(world, task), skills, known, scene_text(known))
    assert found == parse_goal(goal)


def test_a_box_that_is_moved_ends_on_the_other_table() -> None:
    known = known_in("walker_room", "move-box")
    (box,) = (one.name for one in known if one.kind == "box")
    message = f"move the {box} from the white_table to the gray_table"
    found = read_goal(MODEL, message, walker_domain(), known, scene_text(known))
    assert found == parse_goal([f"on({box}, gray_table)"])


ARM_GOALS = {
    "cabinet/open": ["inside(yellow_cube, wooden_cabinet)"],
    "cabinet/closed": ["inside(yellow_cube, wooden_cabinet)"],
    "cabinet/barred": ["inside(yellow_cube, wooden_cabinet)"],
    "kitchen/apple": ["visible(green_apple)"],
    "lever/locked": ["visible(blue_cube)"],
    "cubes/match": ["on(?cube, crate)", "same_colour(?cube, crate)"],
    "cubes/occupied": ["on(red_cube, crate)"],
    "sensor/locked": ["not closed(stone_cabinet)"],
}


def arm_forms(known: tuple[ObjectDescription, ...]) -> Iterator[GoalForm]:
    """Forms by what objects allow, as a domain made from affordances has them."""

    def kinds(use: Affordance) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.kind for one in known if use in one.affordances))

    picked, every = kinds(Affordance.PICK), tuple(dict.fromkeys(one.kind for one in known))
    forms = (
        GoalForm("visible", (picked,), "X is in sight"),
        GoalForm("on", (picked, kinds(Affordance.PUT_ON)), "X is on Y"),
        GoalForm("inside", (picked, kinds(Affordance.PUT_IN)), "X is inside Y"),
        GoalForm("closed", (kinds(Affordance.OPEN),), "X is closed"),
        GoalForm("same_colour", (picked, every), "X has the same colour as Y"),
    )
    yield from (form for form in forms if all(form.takes))


@pytest.mark.parametrize("name", ARM_GOALS)
def test_instructions_for_the_arm(name: str) -> None:
    world, task = name.split("/")
    assert world in WORLDS
    known = known_in(world, task)
    scene = scene_text(known)
    prompt = GoalPrompt(instruction_of(world, task), scene, tuple(arm_forms(known)))
    assert prompt.parse(MODEL.complete(prompt.messages()).text) == parse_goal(ARM_GOALS[name])
