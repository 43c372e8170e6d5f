"""An instruction is read before a method acts, stage by stage, and looked at in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.cli.goal_writer import GoalWriter
from tests.fake_tabletop import FakeTabletop, FakeVision, Told

from regrasp.core.claim import Claim
from regrasp.core.event import GoalUnderstood, PersonAsked
from regrasp.core.goal import Goal
from regrasp.core.person import Prepared
from regrasp.domains.tabletop import tabletop_domain
from regrasp.methods.dkprompt import dkprompt
from regrasp.methods.instructions import follow_instruction
from regrasp.methods.method import Assignment


@dataclass
class Case:
    """One instruction on the fake tabletop, by the clauses that the model writes."""

    clauses: str
    answers: tuple[str, ...] = ()
    sure: float = 0.0
    robot: FakeTabletop = field(default_factory=FakeTabletop)
    goals: list[Goal | None] = field(default_factory=list)

    def follow(self, method: Callable[[Assignment], Claim] = dkprompt) -> tuple[Claim, Told]:
        told = Told(self.robot)

        def watched(assignment: Assignment) -> Claim:
            self.goals.append(assignment.goal)
            return method(assignment)

        model = GoalWriter((f"Goal:\n{self.clauses}",), self.sure)
        assignment = Assignment(
            "do it", self.robot, tabletop_domain(), model, FakeVision(self.robot), told,
            Prepared(self.answers),
        )  # fmt: skip
        return follow_instruction(assignment, watched), told


def test_stages_are_reached_one_after_the_other_and_seen() -> None:
    case = Case("on(red_block, fixture)\nthen on(green_block, red_block)")
    claim, _ = case.follow()
    assert [str(goal) for goal in case.goals] == [
        "on(red_block, fixture)", "on(green_block, red_block)",
    ]  # fmt: skip
    assert claim.done and claim.seen


def test_a_claim_that_is_not_true_is_denied_by_the_last_look() -> None:
    claim, _ = Case("on(red_block, fixture)").follow(lambda _: Claim(True, "so it says", seen=True))
    assert not claim.done and "red_block is not on fixture" in claim.reason


def test_what_the_domain_cannot_express_is_declined_before_anything_moves() -> None:
    case = Case("row(each block)")
    claim, _ = case.follow()
    assert not claim.done and claim.reason == "I cannot do that." and case.goals == []


def test_to_change_nothing_is_not_claimed_as_seen() -> None:
    claim, _ = Case("keep not moved(red_block)").follow()
    assert claim.done and not claim.seen


def test_which_one_is_asked_and_the_answer_is_followed() -> None:
    case = Case("on(the block, fixture)", answers=("green",))
    claim, told = case.follow()
    asked = [one for one in told.events if isinstance(one, PersonAsked)]
    assert [one.chosen for one in asked] == ["the green block"]
    assert claim.done and str(case.goals[0]) == "on(green_block, fixture)"


def test_a_doubtful_goal_without_an_answer_moves_nothing() -> None:
    case = Case("on(red_block, fixture)", sure=-3.0)
    claim, told = case.follow()
    read = next(one for one in told.events if isinstance(one, GoalUnderstood))
    assert read.confidence < 0.5 and case.goals == []
    assert not claim.done and "Did you mean this: the red block is on the fixture?" in claim.reason
