"""What an agent believes while it works, and when no plan can help any more."""

from __future__ import annotations

import pytest

from fake_tabletop import PLACE, FakeTabletop, FakeVision, Told
from regrasp.core.action import Action
from regrasp.core.claim import ClaimResult
from regrasp.core.execution import run_skill
from regrasp.core.fact import Fact
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.tabletop import tabletop_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.method import Assignment
from regrasp.methods.parts import execution_state
from regrasp.monitors.execution_state import ExecutionState

PICK = Action("pick", ("red_block",))


@pytest.fixture
def state() -> ExecutionState:
    robot = FakeTabletop()
    told, vision = Told(robot), FakeVision(robot)
    return execution_state(
        Assignment(PLACE, robot, tabletop_domain(), ScriptedModel(), vision, told)
    )


def failure(code: FailureCode, action: Action = PICK) -> SkillReport:
    feedback = Feedback(FeedbackLevel.PHYSICAL, code, "It did not work.")
    return SkillReport(action, Outcome.FAILED, 1.0, feedback)


@pytest.mark.parametrize(
    ("code", "times"),
    [(FailureCode.GUARD, 2), (FailureCode.REFUSED, 5), (FailureCode.NOT_GRASPED, 6)],
)
def test_a_failure_that_repeats_ends_the_run(
    state: ExecutionState, code: FailureCode, times: int
) -> None:
    for _ in range(times - 1):
        state.record_failure(PICK, failure(code))
    assert state.failure_reason == ""
    state.record_failure(PICK, failure(code))
    assert state.failure_reason != ""


def test_failures_that_differ_are_not_a_repeat(state: ExecutionState) -> None:
    other = Action("pick", ("green_block",))
    for _ in range(5):
        state.record_failure(PICK, failure(FailureCode.NOT_GRASPED))
        state.record_failure(other, failure(FailureCode.NOT_GRASPED, other))
    assert state.failure_reason == ""


def test_success_forgets_earlier_failures(state: ExecutionState) -> None:
    for _ in range(5):
        state.record_failure(PICK, failure(FailureCode.NOT_GRASPED))
    state.completed(PICK)
    assert Fact("holding", ("red_block",)) in state.constraints.state
    state.record_failure(PICK, failure(FailureCode.NOT_GRASPED))
    assert state.failure_reason == ""


def test_the_same_plan_from_the_same_belief_is_not_made_for_ever(state: ExecutionState) -> None:
    for _ in range(26):
        state.plan(PLACE)
    assert "the same plan" in state.failure_reason


class TestClaimOfDone:
    def test_without_an_action_nothing_was_seen_to_be_reached(self, state: ExecutionState) -> None:
        state.look_around()
        assert state.claim_done().result is ClaimResult.NOT_SEEN

    def test_it_is_seen_after_a_look_at_the_effects(self, state: ExecutionState) -> None:
        state.run(PICK)
        assert state.claim_done().result is ClaimResult.NOT_SEEN
        assert not state.missing(state.constraints.literals)
        assert state.claim_done().result is ClaimResult.SEEN

    def test_a_motion_after_the_look_makes_it_unseen(self, state: ExecutionState) -> None:
        state.run(PICK)
        state.missing(state.constraints.literals)
        run_skill(state.robot, Action("rest"))
        state.monitor.skill_ended()
        assert state.claim_done().result is ClaimResult.NOT_SEEN

    def test_the_last_answer_counts(self, state: ExecutionState) -> None:
        state.run(PICK)
        state.missing(state.constraints.literals)
        robot = state.robot
        assert isinstance(robot, FakeTabletop)
        robot.drop()
        state.missing(state.constraints.literals)
        assert state.claim_done().result is ClaimResult.NOT_SEEN
