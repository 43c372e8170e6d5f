"""The household's plan: its rooms, tasks, robot, judge, and the robot's initial facts."""

from __future__ import annotations

from regrasp.core.fact import Fact, State
from regrasp.domains.action_phrases import LIQUID
from regrasp.domains.household import household_skills
from regrasp.domains.skill_domain import SkillDomain
from regrasp.worlds.household.conditions import condition_slots
from regrasp.worlds.household.judge import HouseholdJudge
from regrasp.worlds.household.robot import HouseholdRobot
from regrasp.worlds.household.rooms import furnish
from regrasp.worlds.household.tasks import TASKS, HouseholdTask
from regrasp.worlds.household.world import HouseholdPlan, HouseholdWorld, plain_name
from regrasp.worlds.kit.mobile import CAMERAS, add_mobile
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup

__all__ = ["PLAN", "household_plan"]

_UNSENSED = (
    "its skills are primitives, as in DKPROMPT, whose success depends on no pose, but on the "
    "hidden constraints and on drawn faults"
)


def household_plan(name: str, summary: str, tasks: tuple[HouseholdTask, ...]) -> HouseholdPlan:
    """A plan for tasks in the furnished rooms: ours, or the user's."""
    details = {one.task.name: one for one in tasks}

    def build(scene: Scene, task: str) -> Setup:
        furnish(scene)
        setup = details[plain_name(task)].build(scene)
        scene.spec.nuserdata = len(condition_slots(scene))
        jitter = scene.layout.uniform  # the robot: in the middle of room 1, facing the furniture
        scene.start |= {
            "base_x": 0.30 + jitter(-0.15, 0.1),
            "base_y": jitter(-0.5, 0.5),
            "base_yaw": jitter(-0.3, 0.3),
        }
        return setup

    given = tuple(one.task for one in tasks)
    return HouseholdPlan(
        name, summary, given, build, add_mobile, HouseholdRobot, HouseholdJudge, domain,
        world=HouseholdWorld, details=tasks, unsensed=_UNSENSED,
    )  # fmt: skip


def domain(world: HouseholdWorld) -> SkillDomain:
    """The household domain, with the robot's initial facts."""
    return household_skills(given_beforehand(world), tuple(world.rooms), CAMERAS)


def given_beforehand(world: HouseholdWorld) -> State:
    """The facts that are true at the start, as the user gives them to the robot.

    DKPROMPT's planner gets the initial state: the place and the room of each object, that every
    door is closed and that the taps give water. No later state is given: the robot must observe it.
    """
    judge = HouseholdJudge(world)
    start = {one.fact for one in world.start if one.positive}
    names = [one.name for one in world.objects()]
    rooms = {Fact.of("inroom", name, judge.room(name)) for name in names}
    shut = {Fact.of("closed", name) for name in names if world.doors(name)}
    taps = {Fact.of("insource", one.name, LIQUID) for one in world.objects() if one.kind == "sink"}
    return frozenset(start | rooms | shut | taps)


PLAN: HouseholdPlan = household_plan(
    "household",
    "two rooms with a kitchen's furniture and a mobile robot whose actions may go wrong",
    TASKS,
)
