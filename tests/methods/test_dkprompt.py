"""DKPROMPT over its seams: what goes wrong is seen by the eyes or felt by the hand, and mended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest

from regrasp.core.action import Action, SkillSpec
from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.claim import Claim
from regrasp.core.event import (
    Event,
    FeedbackGiven,
    GoalUnderstood,
    PlanMade,
    StepStarted,
    VisionAsked,
)
from regrasp.core.fact import Fact, State
from regrasp.core.object_description import ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, JointReading, Progress, SkillReport, SkillRun
from regrasp.domains.action_phrases import read_action_question
from regrasp.domains.household import (
    TASKS,
    household_domain,
    household_lexicon,
    household_problem,
    household_skills,
)
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.methods.method import Assignment
from regrasp.methods.registry import open_method
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer
from regrasp.worlds.household.plan import PLAN
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.object_catalogue import known_objects

LENGTHS = {
    "boil-water": 12, "empty-bottle": 8, "frozen-pie": 8, "halve-egg": 4, "store-firewood": 8,
}  # fmt: skip
INSTRUCTIONS = {task.name: task.instruction for task in PLAN.tasks}


@cache
def known_in(task: str) -> tuple[ObjectDescription, ...]:
    """What the robot of the world knows, as far as the problem of the task has it."""
    scene = Scene(layout=np.random.default_rng(0), look=np.random.default_rng(1), planning=True)
    PLAN.body(scene)
    PLAN.build(scene, task)
    named = {one.name for one in household_problem(task).objects}
    return tuple(one for one in known_objects(scene) if one.name in named)


Mishap = Callable[[State], State]
"""What happens in place of an action."""


def nothing(state: State) -> State:
    return state


class Household:
    """A household of facts: what a plan's action should change it does, unless it is mishap's turn.

    `mishaps` are by the number of the action, from 0.
    """

    name = "symbolic"
    seconds = 0.0

    def __init__(self, task: str, mishaps: dict[int, Mishap] | None = None) -> None:
        problem = household_problem(task)
        self.state, self.rules = problem.init, Rules.of(household_domain(), problem)
        self.mishaps, self.acted = mishaps or {}, 0
        self.known = known_in(task)
        rooms = tuple(one.name for one in problem.objects if one.type == "room")
        self.domain: SkillDomain = household_skills(problem.init, rooms)

    def schema_of(self, wanted: Action) -> Action | None:
        """The action of the domain that a skill is, in the present state."""
        for schema in household_domain().actions:
            for bound in self.rules.bindings(schema.parameters):
                action = Action(schema.name, tuple(bound.values()))
                if self.domain.skill(action) == wanted and not self.rules.unmet_preconditions(
                    action, self.state
                ):
                    return action
        return None

    def start(self, action: Action) -> SkillRun:
        meant = self.schema_of(action)
        mishap = self.mishaps.get(self.acted)
        self.acted += 1
        if meant is not None:
            after = self.rules.successor(self.state, meant)
            self.state = mishap(self.state) if mishap else after
        return Over(SkillReport(action, Outcome.SUCCEEDED, 1.0))

    def joints(self) -> JointReading:
        torque = 0.0 if Fact("handempty") in self.state else 20.0
        return JointReading(("finger_left",), (0.0,), (0.0,), (torque,))

    def cameras(self) -> tuple[str, ...]:
        return ("head",)

    def look(self, camera: str) -> CameraImage:
        blank = np.zeros((8, 8, 3), np.uint8)
        return CameraImage(camera, blank, np.ones((8, 8), np.float32), 60.0, np.zeros(3), np.eye(3))

    def objects(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.rules.objects)

    def knowledge(self) -> tuple[ObjectDescription, ...]:
        return self.known

    def skills(self) -> tuple[SkillSpec, ...]:
        return (SkillSpec("find", ("x",), "go there"),)

    def stop(self) -> None: ...


class Over:
    """A skill that is over at once."""

    def __init__(self, report: SkillReport) -> None:
        self.report: SkillReport | None = report
        self.progress = Progress("done", 0.0)

    def step(self) -> bool:
        return False

    def cancel(self, why: str) -> None: ...


class PerfectVision:
    """Answers what the lexicon can read; `lies` are by the number of the question."""

    name = "perfect"

    def __init__(self, home: Household, lies: Sequence[int] = ()) -> None:
        self.home, self.lies, self.asked = home, lies, 0

    def answer(
        self, images: Sequence[ImageData], question: str,
        *, kind: QuestionKind = QuestionKind.YES_NO, seed: int | None = None, cancel: object = None,
    ) -> Answer:  # fmt: skip
        about = read_action_question(question)
        if about is not None:
            asked = self.home.rules
            ask = asked.effects if about[0] == "success" else asked.preconditions
            true = all(
                (one.fact in self.home.state) is one.positive for one in ask(about[1], frozenset())
            )
        else:
            literal = household_lexicon().parse_literal(question, self.home.rules)
            if literal is None:
                return Answer(Verdict.UNKNOWN)
            true = (literal.fact in self.home.state) is literal.positive
        true = true is not (self.asked in self.lies)
        self.asked += 1
        return Answer(Verdict.YES if true else Verdict.NO)


def assigned(
    instruction: str, home: Household, vision: PerfectVision, method: str = "dkprompt"
) -> tuple[Claim, list[Event]]:
    told = list[Event]()
    claim = open_method(method)(
        Assignment(instruction, home, home.domain, ScriptedModel(), vision, told.append)
    )
    return claim, told


def attempt(
    task: str,
    method: str = "dkprompt",
    mishaps: dict[int, Mishap] | None = None,
    lies: Sequence[int] = (),
) -> tuple[Claim, bool, Household, list[Event]]:
    home = Household(task, mishaps)
    claim, told = assigned(INSTRUCTIONS[task], home, PerfectVision(home, lies), method)
    goal = household_problem(task).goal
    return claim, home.rules.holds(goal, home.state), home, told


@pytest.mark.parametrize("method", ["dkprompt", "dkprompt-bayes", "classical-planner"])
@pytest.mark.parametrize("task", LENGTHS)
def test_when_nothing_goes_wrong_the_plan_is_the_shortest(task: str, method: str) -> None:
    claim, done, home, _ = attempt(task, method)
    assert claim.done and done
    assert home.acted == LENGTHS[task]


def test_every_instruction_of_the_world_has_a_problem() -> None:
    assert set(INSTRUCTIONS) == set(TASKS)
    claim, done, _, _ = attempt("collect-toys")
    assert claim.done and done


def dropped(thing: str, floor: str = "floor") -> Mishap:
    """It slips out of the hand, wherever it was before."""

    def fall(state: State) -> State:
        where = ("inhand", "inside", "ontop", "onfloor")
        kept = {f for f in state if not (f.predicate in where and f.args[0] == thing)}
        return frozenset({*kept, Fact("onfloor", (thing, floor)), Fact("handempty")})

    return fall


@pytest.mark.parametrize(
    ("task", "mishaps", "cost"),
    [
        ("frozen-pie", {1: nothing}, 1),  # the refrigerator stays shut
        ("frozen-pie", {3: nothing}, 1),  # the hand closes beside the pie
        ("frozen-pie", {3: dropped("pie")}, 1),  # it is picked up from the floor
        ("frozen-pie", {6: nothing}, 1),  # it stays in the hand before the oven
        ("frozen-pie", {7: nothing}, 1),  # the oven stays off
        ("halve-egg", {3: nothing}, 1),  # the egg is not halved
        ("halve-egg", {3: dropped("carving_knife")}, 4),
        ("store-firewood", {3: dropped("brown_stick")}, 4),
        ("boil-water", {10: nothing}, 1),  # the microwave stays open
    ],
)
@pytest.mark.parametrize("method", ["dkprompt", "dkprompt-bayes"])
def test_what_goes_wrong_is_noticed_and_mended(
    task: str, mishaps: dict[int, Mishap], cost: int, method: str
) -> None:
    claim, done, home, told = attempt(task, method, mishaps)
    assert claim.done and done, told
    assert home.acted == LENGTHS[task] + cost
    assert any(isinstance(event, FeedbackGiven) for event in told)
    blind, done, _, _ = attempt(task, "classical-planner", mishaps)
    assert blind.done and not done  # it thinks so, and is wrong


def test_a_mug_that_is_not_full_is_seen_only_by_those_who_look() -> None:
    claim, done, _, _ = attempt("boil-water", "dkprompt", {6: nothing})
    assert not claim.done and not done  # the paper's robot takes it for filled, for ever
    claim, done, _, _ = attempt("boil-water", "dkprompt-bayes", {6: nothing})
    assert claim.done and done


def test_one_wrong_no_costs_a_plan_or_only_a_question() -> None:
    plans = {}
    for method in ("dkprompt", "dkprompt-bayes"):
        claim, done, _, told = attempt("store-firewood", method, lies=[4])
        assert claim.done and done, told
        plans[method] = sum(isinstance(event, PlanMade) for event in told)
    assert plans["dkprompt-bayes"] < plans["dkprompt"]


@pytest.mark.parametrize(
    ("method", "before", "after"),
    [
        ("dkprompt-effects", False, True),
        ("dkprompt-preconditions", True, False),
        ("affordance-question", True, False),
        ("success-question", False, True),
        ("affordance-success-question", True, True),
        ("classical-planner", False, False),
    ],
)
def test_a_variant_asks_when_it_should(method: str, before: bool, after: bool) -> None:
    claim, done, _, told = attempt("frozen-pie", method)
    assert claim.done and done
    kinds = [type(event) for event in told if isinstance(event, VisionAsked | StepStarted)]
    second = kinds.index(StepStarted, 1)
    assert (
        VisionAsked in kinds[: kinds.index(StepStarted)] or VisionAsked in kinds[second + 1 :]
    ) is (before or after)
    asked_last = kinds[-1] is VisionAsked
    assert asked_last is after


def test_no_to_success_is_tried_again() -> None:
    claim, done, home, _ = attempt("halve-egg", "success-question", {3: nothing})
    assert claim.done and done and home.acted == 5


@pytest.mark.parametrize("instruction", ["fly", "halve the moon"])
def test_an_instruction_without_a_goal_of_the_domain_is_declined(instruction: str) -> None:
    home = Household("halve-egg")
    vision = PerfectVision(home)
    claim, told = assigned(instruction, home, vision)
    assert not claim.done and claim.reason
    assert home.acted == vision.asked == 0
    assert [type(one) for one in told] == [GoalUnderstood]


def test_a_goal_that_no_plan_reaches_is_given_up() -> None:
    home = Household("halve-egg")
    claim, _ = assigned("boil the hard_boiled_egg", home, PerfectVision(home))
    assert not claim.done and claim.reason.startswith("no plan") and home.acted == 0


def test_it_ends_after_fifty_actions() -> None:
    claim, done, home, _ = attempt("halve-egg", "dkprompt", dict.fromkeys(range(3, 99), nothing))
    assert not claim.done and not done and home.acted == 50
