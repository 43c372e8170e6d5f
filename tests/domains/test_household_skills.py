"""The household as a domain of skills: knowledge and rooms give the plans of its problem files."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.action_phrases import describe_action
from regrasp.domains.household import (
    TASKS,
    TYPES,
    household_domain,
    household_problem,
    household_skills,
)
from regrasp.domains.skill_domain import SkillDomain, problem_of
from regrasp.planners.classical import plan


def home(task: str) -> tuple[SkillDomain, tuple[ObjectDescription, ...]]:
    """The domain of a task's home, and the objects of which a robot there would know."""
    problem = household_problem(task)
    rooms = tuple(one.name for one in problem.objects if one.type == "room")
    kinds = {type_name: kind for kind, type_name in TYPES.items()}
    known = tuple(
        ObjectDescription(one.name, kinds[one.type]) for one in problem.objects if one.type in kinds
    )
    return household_skills(problem.init, rooms), known


@pytest.mark.parametrize("task", TASKS)
def test_knowledge_and_rooms_give_the_problem_of_the_file(task: str) -> None:
    written, (skills, known) = household_problem(task), home(task)
    made = problem_of(skills, known, skills.init, written.goal)
    assert set(written.objects) <= set(made.objects)
    assert made.init == written.init
    found = plan(skills.domain, made, "search", seconds=60)
    expected = plan(household_domain(), written, "search", seconds=60)
    assert found.solved
    assert len(found.plan) == len(expected.plan)
    assert {skills.skill(one).name for one in found.plan} <= skills.required_skills
    assert [skills.describe(one) for one in found.plan] == [
        describe_action(one) for one in found.plan
    ]


def test_a_skill_takes_some_arguments_of_its_action() -> None:
    skills, _ = home("boil-water")
    assert str(skills.skill(Action("grasp_from_in", ("mug", "cabinet")))) == "grasp(mug)"
    assert str(skills.skill(Action("placein", ("mug", "cabinet")))) == "placein(mug, cabinet)"
    offered = "find grasp placein placeon placefloor fillsink fill open close turnon cut"
    assert skills.required_skills <= set(offered.split())
    assert not skills.required_skills <= {"find", "grasp"}
    assert skills.wait_action is None


def test_what_slips_out_of_the_hand_is_not_held() -> None:
    skills, _ = home("boil-water")
    held = Literal(Fact("inhand", ("mug",)))
    feedback = Feedback(FeedbackLevel.RUNTIME, FailureCode.DROPPED, "the mug slipped")
    report = SkillReport(Action("placein", ("mug", "cabinet")), Outcome.FAILED, 1.0, feedback)
    assert skills.denied_literals(report, (held, Literal(Fact("handempty")))) == (held,)
