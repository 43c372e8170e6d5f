"""No plan repeats what the robot refused, nor begins with what kept failing in the same state."""

from __future__ import annotations

from regrasp.core.action import Action
from regrasp.core.fact import Fact, State
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.formula import Atom
from regrasp.domains.household import household_skills
from regrasp.domains.skill_domain import problem_of
from regrasp.planners.refusal_memory import RefusalMemory

START: State = frozenset(
    {
        Fact("handempty"),
        Fact.of("onfloor", "bottle", "wooden_floor"),
        Fact.of("inroom", "bottle", "garden"),
        Fact.of("inroom", "wooden_floor", "garden"),
    }
)
KNOWN = (
    ObjectDescription("bottle", "bottle"),
    ObjectDescription("cabinet", "cabinet"),
    ObjectDescription("tiled_floor", "floor"),
    ObjectDescription("wooden_floor", "floor"),
)
SKILLS = household_skills(START, ("garden", "hall"))
PROBLEM = problem_of(SKILLS, KNOWN, START, Atom("inhand", ("bottle",)))
FIND = Action("find", ("bottle",))
WHY = Feedback(FeedbackLevel.RUNTIME, FailureCode.UNREACHED, "it could not be carried out.")
FAILED = SkillReport(FIND, Outcome.FAILED, 1.0, WHY)


def plan(memory: RefusalMemory) -> tuple[Action, ...]:
    return memory.plan(SKILLS, PROBLEM, KNOWN).plan


def test_what_kept_failing_here_does_not_come_first_but_may_come_later() -> None:
    memory = RefusalMemory(patience=2)
    straight = plan(memory)
    assert [one.name for one in straight] == ["find", "grasp_from_floor"]
    memory.learn(SKILLS, FIND, FAILED, START)
    assert plan(memory) == straight  # once may be chance
    memory.learn(SKILLS, FIND, FAILED, START)
    assert plan(memory) == (Action("find", ("wooden_floor",)), *straight)  # where the bottle is


def test_a_detour_is_tried_once_then_others_then_the_straight_way_again() -> None:
    memory = RefusalMemory(patience=1)
    straight = plan(memory)
    memory.learn(SKILLS, FIND, FAILED, START)
    firsts = [plan(memory)[0] for _ in range(3)]
    assert firsts[0].args == ("wooden_floor",)
    assert {one.args for one in firsts[1:]} == {("cabinet",), ("tiled_floor",)}
    assert plan(memory) == straight


def test_without_patience_nothing_is_barred_and_in_another_state_neither() -> None:
    memory, elsewhere = RefusalMemory(), RefusalMemory(patience=1)
    for _ in range(5):
        memory.learn(SKILLS, FIND, FAILED, START)
    elsewhere.learn(SKILLS, FIND, FAILED, START | {Fact.of("inview", "cabinet")})
    assert plan(memory) == plan(elsewhere) == plan(RefusalMemory())
