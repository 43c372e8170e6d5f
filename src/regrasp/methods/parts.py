"""The parts that methods are made of, for one assignment."""

from __future__ import annotations

from regrasp.methods.low_level import FOLLOW_REWARD, CallLevel, LowLevel, RewardLevel
from regrasp.methods.method import Assignment
from regrasp.monitors.constraints import ConstraintSet
from regrasp.monitors.detectors import ConsecutiveDetector, ViolationDetector
from regrasp.monitors.execution_state import ExecutionState
from regrasp.monitors.monitor import Monitor
from regrasp.perception.facts import FactObserver, gripper_sensor
from regrasp.perception.observer import Observer
from regrasp.planners.checked_plan import PlanCheck
from regrasp.planners.checked_steps import StepCheck
from regrasp.planners.reward_planner import RewardPlanner
from regrasp.planners.skill_planner import SkillPlanner
from regrasp.prompts.scene import scene_text
from regrasp.verifiers.language_verifier import LanguageVerifier

__all__ = ["execution_state", "fact_observer", "low_level", "observer", "step_check"]


def observer(assignment: Assignment) -> Observer:
    """The robot's cameras with the vision model."""
    robot, domain = assignment.robot, assignment.domain
    return Observer(robot, assignment.vision, assignment.emit, domain.cameras)


def fact_observer(assignment: Assignment) -> FactObserver:
    """What tells facts: geometry where the robot has depth and a map, cameras, the gripper."""
    robot, lexicon = assignment.robot, assignment.domain.lexicon
    return FactObserver(observer(assignment), lexicon, gripper_sensor(robot), assignment.grounding)


def execution_state(
    assignment: Assignment,
    detector: ViolationDetector | None = None,
    period_s: float = 0.1,
    check_plan: bool = False,
) -> ExecutionState:
    """The start of a method that plans over skills; the options are as in DoReMi.

    A plan is always checked where something must be kept true.
    """
    robot, domain, known = assignment.robot, assignment.domain, assignment.robot.knowledge()
    checked = check_plan or bool(domain.kept)
    return ExecutionState(
        robot,
        SkillPlanner(assignment.language, domain, scene_text(known)),
        Monitor(observer(assignment), domain.lexicon, detector or ConsecutiveDetector(4), period_s),
        ConstraintSet.of(domain, known),
        PlanCheck(domain, known, assignment.goal) if checked and assignment.goal else None,
    )


def low_level(assignment: Assignment, verifier: LanguageVerifier | None) -> LowLevel:
    """REPLAN's low level: rewards where the robot follows rewards, else calls of its skills."""
    if any(skill.name == FOLLOW_REWARD for skill in assignment.robot.skills()):
        return RewardLevel(assignment.robot, RewardPlanner(assignment.language, verifier))
    return CallLevel(execution_state(assignment))


def step_check(assignment: Assignment, look: bool) -> StepCheck | None:
    """REPLAN's check of a plan in words, where the goal is known; without `look`, nothing is."""
    if assignment.goal is None:
        return None
    is_true = fact_observer(assignment).observe if look else lambda literal: None
    return StepCheck(assignment.domain, assignment.goal, is_true, assignment.emit)
