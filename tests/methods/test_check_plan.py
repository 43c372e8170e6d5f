"""Methods that check their plans: what does not reach the goal is refused before anything moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import pytest
from test_scripted_replan import TASKS

from fake_tabletop import PLACE, FakeTabletop, FakeVision, Told
from regrasp.core.claim import Claim
from regrasp.core.event import FeedbackGiven, PlanMade, StepStarted
from regrasp.core.fact import parse_literals
from regrasp.core.goal import Goal, parse_goal
from regrasp.domains.kept import with_kept
from regrasp.domains.tabletop import tabletop_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.setting import domain_of
from regrasp.lab.language.symbolic_robot import EventLog, SymbolicRobot, SymbolicVision
from regrasp.methods.cliport import cliport
from regrasp.methods.doremi import doremi
from regrasp.methods.inner_monologue import inner_monologue
from regrasp.methods.method import Assignment
from regrasp.methods.replan import replan
from regrasp.methods.saycan import saycan
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Capabilities, Completions, Request, RequestModel
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.skill_plan import SkillPlanPrompt

METHODS: dict[str, Callable[..., Claim]] = {
    "doremi": doremi, "inner_monologue": inner_monologue, "cliport": cliport, "saycan": saycan,
}  # fmt: skip
GOAL = parse_goal(["on(red_block, fixture)"])
RIGHT = "Thought: so.\n1. pick(red_block)\n2. place(red_block, fixture)"
NOT_HELD = "Thought: so.\n1. place(red_block, fixture)"
OTHER = "Thought: so.\n1. pick(green_block)\n2. place(green_block, fixture)"


@dataclass
class Planner(RequestModel):
    """The scripted reasoner, with these replies to the first questions for a plan."""

    replies: list[str]
    asked: list[str] = field(default_factory=list)
    name: str = "planner"

    @property
    def capabilities(self) -> Capabilities:
        return ScriptedModel().capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        reply = request.send(ScriptedModel(), cancel)
        if request.messages[0].content not in (SkillPlanPrompt.HEAD, PlanPrompt.HEAD):
            return reply
        self.asked.append(request.messages[-1].content)
        if not self.replies:
            return reply
        return replace(reply, items=(replace(reply.items[0], text=self.replies.pop(0)),))


class Ran:
    """One run on the tabletop."""

    def __init__(
        self,
        method: str,
        *replies: str,
        goal: Goal | None = GOAL,
        keep: tuple[str, ...] = (),
        check_plan: bool = True,
    ) -> None:
        self.robot = FakeTabletop()
        self.told, self.model = Told(self.robot), Planner(list(replies))
        domain = with_kept(tabletop_domain(), parse_literals(*keep), self.robot.knowledge())
        vision = FakeVision(self.robot)
        assignment = Assignment(PLACE, self.robot, domain, self.model, vision, self.told, goal=goal)
        self.claim = partial(METHODS[method], check_plan=check_plan)(assignment)

    @property
    def steps(self) -> list[str]:
        return [event.step for event in self.told.of(StepStarted) if isinstance(event, StepStarted)]

    @property
    def refusals(self) -> list[str]:
        found = self.told.of(FeedbackGiven)
        return [event.feedback.error for event in found if isinstance(event, FeedbackGiven)]


@pytest.mark.parametrize("method", METHODS)
def test_a_refused_plan_is_followed_by_a_second_one_with_the_reason(method: str) -> None:
    run = Ran(method, NOT_HELD, RIGHT)
    assert run.claim.done and run.robot.on["red_block"] == "fixture"
    assert run.steps == ["pick(red_block)", "place(red_block, fixture)"]
    assert run.refusals == ["the plan was refused at place(red_block, fixture)"]
    assert (
        'failed place(red_block, fixture), "red_block is not held by the robot"'
        in (run.model.asked[1])
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("second", [NOT_HELD, "Done", "Cannot: it is too hard"])
def test_after_two_refused_plans_one_is_searched_for(method: str, second: str) -> None:
    run = Ran(method, OTHER, second)
    assert run.claim.done and run.robot.on["red_block"] == "fixture"
    assert run.robot.on["green_block"] == "table"
    assert run.refusals[0] == "the plan was refused at done()"
    thoughts = [event.thought for event in run.told.of(PlanMade) if isinstance(event, PlanMade)]
    assert any(thought.startswith("found by search") for thought in thoughts)


@pytest.mark.parametrize("method", METHODS)
def test_nothing_moves_where_what_is_kept_leaves_no_plan(method: str) -> None:
    run = Ran(method, RIGHT, RIGHT, keep=("not moved(red_block)",))
    assert not run.claim.done and run.steps == [] and run.robot.seconds == 0.0
    assert run.claim.reason == (
        "no plan reaches the goal if red_block must not be moved (unsolvable)"
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("goal", "check_plan"), [(GOAL, False), (None, True)])
def test_without_the_option_or_a_goal_nothing_is_checked(
    method: str, goal: Goal | None, check_plan: bool
) -> None:
    run = Ran(method, OTHER, "Done", goal=goal, check_plan=check_plan)
    assert run.steps == ["pick(green_block)", "place(green_block, fixture)"]
    assert run.refusals == []


# ---- REPLAN ------------------------------------------------------------------------------------

STORED = parse_goal(["inside(yellow_cube, wooden_cabinet)"])
LOOKS = "Thought: so.\n1. Look at the yellow_cube\n2. Look inside the wooden_cabinet"


def followed(
    *replies: str, goal: Goal = STORED, keep: tuple[str, ...] = (), number: int = 2, **options: bool
) -> tuple[Claim, bool, EventLog, Planner]:
    case = TASKS[number - 1]
    world, log, model = case.world(), EventLog(), Planner(list(replies))
    robot = SymbolicRobot(world)
    domain = with_kept(domain_of(robot), parse_literals(*keep), robot.knowledge())
    assignment = Assignment(case.goal, robot, domain, model, SymbolicVision(world), log, goal=goal)
    claim = replan(assignment, **{"check_plan": True, "verify": False, **options})
    return claim, case.holds(world), log, model


def arm_steps(log: EventLog) -> list[str]:
    started = (event for event in log.events if isinstance(event, StepStarted))
    return [event.step for event in started if event.by == "arm"]


def test_a_plan_that_only_looks_claims_nothing() -> None:
    claim, done, log, _ = followed(LOOKS, LOOKS, LOOKS)
    assert not claim.done and not done
    assert "3 plans were refused: yellow_cube is not inside wooden_cabinet" in claim.reason
    assert log.of(StepStarted) == []


def test_replan_asks_again_before_anything_moves() -> None:
    claim, done, log, model = followed("Thought: so.\n1. Open the wooden_cabinet")
    assert claim.done and done
    assert "yellow_cube is not inside wooden_cabinet after these steps" in model.asked[1]
    assert arm_steps(log) == [
        "Open the wooden_cabinet", "Place the yellow_cube in the wooden_cabinet",
    ]  # fmt: skip


def test_a_goal_that_is_seen_to_be_true_needs_no_step() -> None:
    goal = parse_goal(["closed(wooden_cabinet)"])
    claim, _, log, _ = followed("Thought: so.\n1. Look at the wooden_cabinet", goal=goal)
    assert arm_steps(log) == [] and not claim.done  # its words ask for more


def test_a_step_against_what_is_kept_is_not_done() -> None:
    claim, done, log, _ = followed(keep=("closed(wooden_cabinet)",))
    assert not claim.done and not done and arm_steps(log) == []
    assert "this must stay true: wooden_cabinet is closed" in claim.reason


@pytest.mark.parametrize(
    ("number", "goal"),
    [
        (1, "inside(yellow_cube, wooden_cabinet)"),
        (3, "inside(yellow_cube, wooden_cabinet)"),
        (4, "visible(green_apple)"),
        (5, "visible(blue_cube)"),
        (6, "on(?cube, crate)"),
        (7, "on(red_cube, crate)"),
        (8, "not closed(stone_cabinet)"),
    ],
)
@pytest.mark.parametrize("perceive", [True, False])
def test_good_plans_are_not_refused(number: int, goal: str, perceive: bool) -> None:
    claim, done, log, _ = followed(goal=parse_goal([goal]), number=number, perceive=perceive)
    refused = [e for e in log.of(FeedbackGiven) if getattr(e, "step", "") == "the plan"]
    assert refused == []
    assert not perceive or (claim.done and done)
