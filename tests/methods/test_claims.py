"""What methods claim: unknown is never success, and a claim is "seen" only after a look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from test_scripted_replan import NEW_GOALS, TASKS, Case

from fake_tabletop import PLACE, STACK, FakeTabletop, FakeVision, Told
from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.claim import Claim, ClaimResult
from regrasp.core.event import StepStarted
from regrasp.core.goal import parse_goal
from regrasp.domains.tabletop import tabletop_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.setting import domain_of
from regrasp.lab.language.symbolic_robot import EventLog, SymbolicRobot, SymbolicVision
from regrasp.methods.method import Assignment
from regrasp.methods.registry import METHODS, open_method
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer, VisionModel

SEEN, NOT_SEEN, NOT_DONE = ClaimResult.SEEN, ClaimResult.NOT_SEEN, ClaimResult.NOT_DONE
GOALS = {
    PLACE: parse_goal(["on(red_block, fixture)"]),
    STACK: parse_goal(
        ["on(red_block, fixture)", "on(green_block, red_block)", "on(blue_block, green_block)"]
    ),
}
CLEAR = next(case for case in NEW_GOALS if case.goal == "clear the crate")


@dataclass(frozen=True)
class SameReply:
    """A vision model with one reply to every question."""

    verdict: Verdict = Verdict.UNKNOWN
    text: str = ""
    name: str = "same reply"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        return Answer(self.verdict, self.text or str(self.verdict))


def on_blocks(method: str, words: str = PLACE, vision: VisionModel | None = None) -> Claim:
    """The claim of a method on the tabletop without physics, with perfect vision if not given."""
    robot = FakeTabletop()
    model = vision or FakeVision(robot)
    return open_method(method)(
        Assignment(
            words, robot, tabletop_domain(), ScriptedModel(), model, Told(robot),
            goal=GOALS[words],
        )
    )  # fmt: skip


def on_symbols(
    case: Case, method: str, vision: VisionModel | None = None
) -> tuple[Claim, EventLog]:
    """The claim of a method in a world of symbols, and its events."""
    world, events = case.world(), EventLog()
    robot = SymbolicRobot(world)
    model = vision or SymbolicVision(world)
    claim = open_method(method)(
        Assignment(case.goal, robot, domain_of(robot), ScriptedModel(), model, events)
    )
    return claim, events


@pytest.mark.parametrize("method", METHODS)
def test_what_is_unknown_is_never_claimed_as_seen(method: str) -> None:
    drives_by = METHODS[method].drives_by
    claims = []
    if drives_by != "rewards":
        claims += [on_blocks(method, words, SameReply()) for words in GOALS]
    if drives_by != "skills":
        claims += [on_symbols(case, method, SameReply())[0] for case in TASKS]
    assert claims and all(claim.result is not SEEN for claim in claims)


@pytest.mark.parametrize(
    "method", [name for name in METHODS if METHODS[name].drives_by == "skills"]
)
def test_a_method_over_skills_still_acts_when_nothing_is_known(method: str) -> None:
    expected = NOT_DONE if method == "vlm-planner" else NOT_SEEN
    assert on_blocks(method, PLACE, SameReply()).result is expected


@pytest.mark.parametrize(
    ("method", "one_step", "three_steps"),
    [
        ("doremi", SEEN, SEEN),
        ("inner-monologue", SEEN, SEEN),
        ("cliport", SEEN, NOT_SEEN),  # its last look is at the last step only
        ("dkprompt", SEEN, NOT_SEEN),
        ("dkprompt-effects", SEEN, NOT_SEEN),
        ("dkprompt-preconditions", NOT_SEEN, NOT_SEEN),  # its last look is before the last action
        ("classical-planner", NOT_SEEN, NOT_SEEN),
        ("saycan", NOT_SEEN, NOT_SEEN),
    ],
)
def test_only_a_look_after_the_last_motion_makes_a_claim_seen(
    method: str, one_step: ClaimResult, three_steps: ClaimResult
) -> None:
    assert on_blocks(method, PLACE).result is one_step
    assert on_blocks(method, STACK).result is three_steps


def test_a_tower_that_fell_during_the_last_step_is_not_claimed_as_seen() -> None:
    """CLIPort looks only at what its last step made, and never at the blocks below."""
    robot = FakeTabletop(mishaps=((5.6, lambda robot: robot.fall("green_block")),))
    claim = open_method("cliport")(
        Assignment(STACK, robot, tabletop_domain(), ScriptedModel(), FakeVision(robot), Told(robot))
    )
    assert robot.on["green_block"] == "table" and claim.result is NOT_SEEN


@pytest.mark.parametrize(
    ("method", "result"),
    [("replan", SEEN), ("replan-no-perceiver", NOT_SEEN), ("language-to-rewards", NOT_SEEN)],
)
def test_replan_claims_what_its_vision_model_answers(method: str, result: ClaimResult) -> None:
    assert on_symbols(TASKS[0], method)[0].result is result


def test_replan_without_an_answer_is_done_and_not_seen() -> None:
    claim, events = on_symbols(TASKS[0], "replan", SameReply())
    assert claim.result is NOT_SEEN
    assert any(isinstance(event, StepStarted) and event.by == "arm" for event in events.events)


@pytest.mark.parametrize("method", ["replan", "replan-no-perceiver", "replan-no-verifier"])
def test_a_plan_that_only_looks_claims_nothing(method: str) -> None:
    claim, events = on_symbols(CLEAR, method, SameReply())
    assert {e.by for e in events.events if isinstance(e, StepStarted)} <= {"camera"}
    assert claim.result is NOT_DONE and "procedures" in claim.reason


def test_a_plan_that_only_looks_is_done_once_the_goal_is_seen() -> None:
    case = Case("find the red_cube", TASKS[5].world, lambda world: True)
    claim, events = on_symbols(case, "replan")
    assert {e.by for e in events.events if isinstance(e, StepStarted)} <= {"camera"}
    assert claim.result is SEEN


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        ("Done.", SEEN),
        ("I cannot tell whether it is done", NOT_SEEN),
        ("unknown", NOT_DONE),
    ],
)
def test_a_vision_planner_has_seen_the_goal_if_it_answers_done(
    reply: str, result: ClaimResult
) -> None:
    assert on_blocks("vlm-planner", PLACE, SameReply(Verdict.TEXT, reply)).result is result
