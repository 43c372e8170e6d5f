"""Language to Rewards as in REPLAN's paper: one translation, one motion.

Wenhao Yu et al.: "Language to Rewards for Robotic Skill Synthesis", CoRL 2023. It has no plan,
takes no picture while it acts and does not retry; it gets the objects that REPLAN's perceiver
identifies at the start.
"""

from __future__ import annotations

from regrasp.core.action import Action
from regrasp.core.claim import Claim
from regrasp.core.event import StepStarted
from regrasp.core.execution import run_skill
from regrasp.core.outcome import Outcome
from regrasp.methods.low_level import FOLLOW_REWARD
from regrasp.methods.method import Assignment
from regrasp.methods.parts import observer
from regrasp.perception.observer import scan
from regrasp.planners.reward_planner import RewardPlanner

__all__ = ["language_to_rewards"]


def language_to_rewards(assignment: Assignment) -> Claim:
    """Translate the instruction itself into a reward program, and follow it once."""
    robot, goal = assignment.robot, assignment.instruction
    scene = scan(observer(assignment))
    program = RewardPlanner(assignment.language).rewards(goal, scene)
    if program is None:
        return Claim(False, "the goal could not be turned into rewards")
    assignment.emit(StepStarted(goal, "arm"))
    report = run_skill(robot, Action(FOLLOW_REWARD, (str(program),)))
    done = report.outcome is Outcome.SUCCEEDED
    return Claim(done, "" if report.feedback is None else report.feedback.error)
