"""IALP's `alert`: a person is told what is wrong, and says whether the robot tries again."""

from __future__ import annotations

from regrasp.core.action import Action
from regrasp.core.event import FeedbackGiven, PersonAsked
from regrasp.core.execution import run_skill
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.domains.domain import Problem
from regrasp.methods.ialp_choice import Impasse
from regrasp.methods.method import Assignment

__all__ = ["call_person"]

_AGAIN = ("try again", "give up")


def call_person(assignment: Assignment, problem: Problem, impasse: Impasse) -> bool:
    """Tell a person what is wrong, with the skill `alert` where there is one; whether to go on."""
    robot, emit = assignment.robot, assignment.emit
    wrong = Feedback(FeedbackLevel.LOGICAL, FailureCode.UNMET_PRECONDITION, str(impasse))
    emit(FeedbackGiven("alert", wrong))
    about = impasse.thing or next(iter(one.name for one in problem.objects), "")
    if any(skill.name == "alert" for skill in robot.skills()):
        run_skill(robot, Action("alert", (about,)))
    asked = f"I cannot go on: {impasse}"
    index = assignment.person.choose(asked, _AGAIN)
    emit(PersonAsked(asked, _AGAIN, "" if index is None else _AGAIN[index]))
    return index == 0
