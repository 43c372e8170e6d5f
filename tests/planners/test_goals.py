"""An instruction becomes a goal over a domain: forms, conditions, and the shipped tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.goal import Goal, parse_goal
from regrasp.core.goal_description import GoalDescription
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
from regrasp.planners.goal_grounding import GroundedGoal, ground
from regrasp.planners.goals import goal_condition, goal_forms, goal_prompt
from regrasp.worlds.household.tasks import TASKS as HOUSEHOLD_TASKS
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.object_catalogue import known_objects
from regrasp.worlds.registry import world_plan

MODEL = ScriptedModel()
HOUSEHOLD = SkillDomain(household_lexicon(), TYPES)


def known_in(world: str, task: str) -> tuple[ObjectDescription, ...]:
    """What the robot of a shipped world knows."""
    scene = Scene(layout=np.random.default_rng(0), look=np.random.default_rng(1), planning=True)
    shipped = world_plan(world)
    shipped.body(scene)
    shipped.build(scene, task)
    return known_objects(scene)


def household_skills(task: str) -> SkillDomain:
    (shipped,) = (one for one in HOUSEHOLD_TASKS if one.task.name == task)
    rooms = tuple(Object(room, "room") for room in shipped.rooms)
    return replace(HOUSEHOLD, objects=(*rooms, Object("water", "liquid")))


@dataclass(frozen=True)
class NamedObjects:
    """A scene of which only the kinds are known; nothing is looked at."""

    known: tuple[ObjectDescription, ...]

    def kinds(self) -> dict[str, str]:
        return {one.name: one.kind for one in self.known}

    def movable(self) -> frozenset[str]:
        raise AssertionError

    def has(self, name: str, word: str) -> bool | None:
        raise AssertionError

    def related(self, relation: str, name: str, other: str) -> bool | None:
        raise AssertionError

    def extreme(self, word: str, names: Sequence[str]) -> str | None:
        raise AssertionError


def goal_of(world: str, task: str, skills: SkillDomain, instruction: str = "") -> Goal:
    """The goal of a shipped task's instruction, or of another, as the scripted model reads it."""
    known = known_in(world, task)
    shipped = next(one for one in world_plan(world).tasks if one.name == task)
    prompt = goal_prompt(instruction or shipped.instruction, skills, known)
    description = prompt.parse(MODEL.complete(prompt.messages()).text)
    assert isinstance(description, GoalDescription), description
    grounded = ground(description, NamedObjects(known), lambda _: None)
    assert isinstance(grounded, GroundedGoal), grounded
    (goal,) = grounded.stages
    return goal


# ---- forms -------------------------------------------------------------------------------------


def test_forms_are_what_actions_change_for_kinds_that_are_there() -> None:
    known = (
        ObjectDescription("pie", "pie", (Affordance.PICK,)),
        ObjectDescription("oven", "oven", (Affordance.OPEN,)),
    )
    skills = replace(HOUSEHOLD, objects=(Object("tea", "liquid"),))
    forms = {str(form) for form in goal_forms(skills, known)}
    assert "inside(X pie; Y oven): X is inside Y" in forms
    assert "cooked(X liquid): X is cooked" in forms  # no action cooks a pie: it becomes hot
    assert "hot(X pie): X is hot" in forms
    assert not any(form.startswith(("insource", "ontop")) for form in forms)


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
    goal = goal_of("household", task, household_skills(task))
    problem = household_problem(task)
    condition = goal_condition(goal, HOUSEHOLD, known_in("household", task))
    found = plan(household_domain(), replace(problem, goal=condition))
    assert found.solved
    assert len(found.plan) == len(plan(household_domain(), problem).plan)


def test_collected_toys_share_one_container() -> None:
    goal = goal_of("household", "collect-toys", household_skills("collect-toys"))
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
    assert goal_of(world, task, skills) == parse_goal(goal)


def test_a_box_that_is_moved_ends_on_the_other_table() -> None:
    (box,) = (one.name for one in known_in("walker_room", "move-box") if one.kind == "box")
    message = f"move the {box} from the white_table to the gray_table"
    found = goal_of("walker_room", "move-box", walker_domain(), message)
    assert found == parse_goal([f"on({box}, gray_table)"])
