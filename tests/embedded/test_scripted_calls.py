"""The scripted reasoner plans over skills it knows only from the prompt's own lines."""

from __future__ import annotations

import pytest

from fake_tabletop import STACK, FakeTabletop
from regrasp.core.action import Action
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.domain import Problem
from regrasp.domains.formula import And, Atom
from regrasp.domains.tabletop import tabletop_domain
from regrasp.embedded.rules.call_plans import CallPlan, plan_calls
from regrasp.embedded.rules.goals import GoalKind, RuleGoal
from regrasp.embedded.rules.ground_skills import played
from regrasp.embedded.rules.instructions import stacked
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.embedded.scripted import ScriptedModel
from regrasp.planners.classical import plan as classical_plan
from regrasp.planners.skill_planner import SkillPlanner, skill_lines
from regrasp.prompts.parsing import Declined
from regrasp.prompts.scene import SceneDescription, scene_text
from regrasp.prompts.skill_plan import SkillPlanPrompt
from regrasp.prompts.skills import SkillLine

EMPTY = "the hand of the robot is empty"
ROBOT = FakeTabletop()
SCENE = scene_text(ROBOT.knowledge())
PLANNER = SkillPlanner(ScriptedModel(), tabletop_domain(), SCENE)


def calls(goal: str, *known: str) -> list[str]:
    plan = PLANNER.plan(goal, known, ())
    assert not isinstance(plan, Declined), plan
    return list(map(str, plan.calls))


def test_a_tower_is_built_from_below() -> None:
    assert calls(STACK, EMPTY) == [
        "pick(red_block)",
        "place(red_block, fixture)",
        "pick(green_block)",
        "place(green_block, red_block)",
        "pick(blue_block)",
        "place(blue_block, green_block)",
    ]


def test_it_goes_on_from_what_is_known() -> None:
    left = calls(STACK, EMPTY, "red_block is on fixture", "green_block is on red_block")
    assert left == ["pick(blue_block)", "place(blue_block, green_block)"]
    held = calls(STACK, "green_block is held by the robot", "red_block is on fixture")
    assert held[0] == "place(green_block, red_block)"
    assert calls("place the red block on the fixture", EMPTY, "red_block is on fixture") == []


def test_what_is_in_the_way_is_set_aside() -> None:
    mended = calls(STACK, EMPTY, "red_block is on fixture", "blue_block is on green_block")
    assert mended[:2] == ["pick(blue_block)", "set_aside(blue_block, table)"]


@pytest.mark.parametrize("known", [(EMPTY,), (EMPTY, "blue_block is on red_block")])
def test_its_plans_are_as_short_as_a_classical_planners(known: tuple[str, ...]) -> None:
    skills = tabletop_domain()
    rules = skills.rules(ROBOT.knowledge())
    facts = frozenset(
        literal.fact
        for said in known
        if (literal := skills.lexicon.parse_literal(said, rules)) is not None
    )
    tower = (("red_block", "fixture"), ("green_block", "red_block"), ("blue_block", "green_block"))
    goal = And(tuple(Atom("on", pair) for pair in tower))
    problem = Problem("stack", "tabletop", rules.objects, facts, goal)
    found = classical_plan(skills.domain, problem, "search")
    assert found.solved and len(calls(STACK, *known)) == len(found.plan)


def test_a_goal_that_no_skill_reaches_is_declined() -> None:
    assert isinstance(PLANNER.plan("open the oven", (EMPTY,), ()), Declined)
    assert isinstance(PLANNER.plan("place the fixture on the red_block", (EMPTY,), ()), Declined)


def test_what_is_true_after_calls_is_played_by_their_lines() -> None:
    lines = skill_lines(tabletop_domain())
    pick, place = Action("pick", ("red_block",)), Action("place", ("red_block", "fixture"))
    held = frozenset({"red_block is held by the robot"})
    assert played((), lines, SCENE, (EMPTY,)) == {EMPTY}
    assert played((pick,), lines, SCENE, (EMPTY, "red_block is on table")) == held
    assert played((pick, place), lines, SCENE, (EMPTY,)) == {EMPTY, "red_block is on fixture"}
    assert played((place,), lines, SCENE, (EMPTY,)) is None
    assert played((pick,), lines, SCENE, (EMPTY, "blue_block is on red_block")) is None
    assert played((Action("fly"),), lines, SCENE, (EMPTY,)) is None


def test_places_are_opened_and_closed_where_a_skill_makes_that_so() -> None:
    scene = SceneDescription(
        (ObjectDescription("oven", affordances=(Affordance.OPEN, Affordance.PUT_IN)),)
    )
    lines = (
        SkillLine("open", (("oven",),), ("X is closed",), (), ("X is open",), ("X is closed",)),
        SkillLine("close", (("oven",),), ("X is open",), (), ("X is closed",), ("X is open",)),
    )
    for goal, known, call in (
        ("open the oven", "oven is closed", "open"),
        ("close the oven", "oven is open", "close"),
    ):
        prompt = SkillPlanPrompt(goal, scene, lines, (known,))
        assert f"1. {call}(oven)" in ScriptedModel().complete(prompt.messages()).text
    done = SkillPlanPrompt("open the oven", scene, lines, ("oven is open",))
    assert ScriptedModel().complete(done.messages()).text == "Done"
    assert plan_calls(("oven is open",), lines[1:], scene, ("oven is closed",)) is None


def test_constraints_are_what_the_line_needs_and_makes_and_eyes_can_see() -> None:
    proposal = PLANNER.constraints(Action("pick", ("red_block",)))
    assert proposal.during == () and proposal.after == ("red_block is held by the robot",)


def test_the_lines_say_what_the_domain_says() -> None:
    pick, aside, place = skill_lines(tabletop_domain())
    assert place == SkillLine(
        "place",
        (("block",), ("block", "fixture")),
        ("X is held by the robot",),
        ("anything is on Y",),
        ("X is on Y", EMPTY),
        ("X is held by the robot",),
    )
    assert pick.ends == (EMPTY, "X is on anything") and aside.takes[1] == ("table",)


@pytest.mark.parametrize(
    ("said", "tower"),
    [
        ("Stack the blocks in the order of red, green, and blue.", "red green blue"),
        ("stack the blocks on the fixture in the order blue_block, red_block, green_block",
         "blue red green"),
        ("build a tower of the green, the red and the blue block", "green red blue"),
        ("stack the blocks in the order red, blue, green from top to bottom", "green blue red"),
    ],
)  # fmt: skip
def test_towers_in_other_words(said: str, tower: str) -> None:
    blocks = [f"{colour}_block" for colour in tower.split()]
    wanted = [
        RuleGoal(GoalKind.PUT_ON, a, b) for a, b in zip(blocks, ["fixture", *blocks], strict=False)
    ]
    assert list(stacked(said, SceneLexicon(SCENE))) == wanted


@pytest.mark.parametrize(
    "said", ["stack the red block on the blue block", "open the tower", "put the red block down"]
)
def test_what_is_no_tower_is_left_to_others(said: str) -> None:
    assert stacked(said, SceneLexicon(SCENE)) == ()


def test_without_a_base_a_tower_stands_on_its_lowest_block() -> None:
    names = ("red_cup", "tall_cup", "old_cup")
    bare = SceneDescription(
        tuple(ObjectDescription(n, affordances=(Affordance.PICK, Affordance.PUT_ON)) for n in names)
    )
    goals = stacked("stack red_cup, tall_cup and old_cup in this order", SceneLexicon(bare))
    assert [(g.thing, g.place) for g in goals] == [("tall_cup", "red_cup"), ("old_cup", "tall_cup")]


# ---- as people plan ----------------------------------------------------------------------------

HELD, ON, INSIDE = "X is held by the robot", "X is on Y", "X is inside Y"
THINGS, STANDS, BOXES = ("jar", "mug", "tin"), ("desk", "shelf"), ("chest", "crate")
HOUSE = SceneDescription(
    tuple(ObjectDescription(name, kind="thing") for name in THINGS)
    + tuple(ObjectDescription(name, kind="stand") for name in STANDS)
    + tuple(ObjectDescription(name, kind="box") for name in BOXES)
)
PICK = SkillLine("pick", (("thing",),), (EMPTY,), ("X is inside anything",), (HELD,),
                 (EMPTY, "X is on anything"))  # fmt: skip
PUT = SkillLine("put", (("thing",), ("stand",)), (HELD,), ("anything is on Y",), (ON, EMPTY),
                (HELD,))  # fmt: skip
STORE = SkillLine("store", (("thing",), ("box",)), (HELD,), ("Y is closed",), (INSIDE, EMPTY),
                  (HELD,))  # fmt: skip
TAKE = SkillLine("take", (("thing",), ("box",)), (INSIDE, EMPTY), ("Y is closed",), (HELD,),
                 (INSIDE, EMPTY))  # fmt: skip
OPEN = SkillLine("open", (("box",),), ("X is closed",), (), (), ("X is closed",))
CLOSE = SkillLine("close", (("box",),), (), ("X is closed",), ("X is closed",))
GO = SkillLine("go", (("stand", "box"),), (), (), ("the robot is at X",),
               ("the robot is at anything",))  # fmt: skip
LIFT = SkillLine("lift", (("thing",),), ("X is on floor", EMPTY), (), (HELD,),
                 ("X is on floor", EMPTY))  # fmt: skip
SET = SkillLine("set", (("thing",), ("stand",)), (HELD, "the robot is at Y"), (), (ON, EMPTY),
                (HELD,))  # fmt: skip
KEEPING = (PICK, PUT, STORE, TAKE, OPEN, CLOSE)


def planned(
    *goals: str, known: tuple[str, ...], skills: tuple[SkillLine, ...] = KEEPING
) -> list[str]:
    plan = plan_calls(goals, skills, HOUSE, known)
    assert plan is not None
    return list(map(str, plan.calls))


def test_one_goal_is_served_after_the_other_in_the_order_they_are_said() -> None:
    known = (EMPTY, "mug is on shelf")
    assert planned("jar is inside chest", "tin is inside crate", known=known) == [
        "pick(jar)", "store(jar, chest)", "pick(tin)", "store(tin, crate)",
    ]  # fmt: skip


def test_what_the_hand_holds_is_served_first_or_put_down_out_of_the_way() -> None:
    held = "tin is held by the robot"
    assert planned("jar is on desk", "tin is inside crate", known=(held,)) == [
        "store(tin, crate)", "pick(jar)", "put(jar, desk)",
    ]  # fmt: skip
    assert planned("jar is on desk", known=(held,))[0] == "put(tin, shelf)"


def test_what_is_closed_is_opened_before_its_thing_is_fetched() -> None:
    assert planned("jar is inside chest", known=(EMPTY, "chest is closed")) == [
        "open(chest)", "pick(jar)", "store(jar, chest)",
    ]  # fmt: skip
    both = planned("chest is closed", "jar is inside chest", known=(EMPTY, "chest is closed"))
    assert both[-1] == "close(chest)" and both.count("close(chest)") == 1


def test_what_is_in_the_way_goes_where_it_belongs_or_where_no_goal_speaks_of() -> None:
    known = (EMPTY, "mug is on desk")
    assert planned("jar is on desk", known=known)[:2] == ["pick(mug)", "put(mug, shelf)"]
    assert planned("jar is on desk", "mug is inside chest", known=known) == [
        "pick(mug)", "store(mug, chest)", "pick(jar)", "put(jar, desk)",
    ]  # fmt: skip
    full = (*known, "tin is on shelf")
    assert planned("jar is on desk", known=full)[1] == "store(mug, chest)"


def test_the_robot_goes_nowhere_sooner_than_it_must() -> None:
    fell = planned("jar is on desk", known=(EMPTY, "jar is on floor"), skills=(GO, LIFT, SET))
    assert fell == ["lift(jar)", "go(desk)", "set(jar, desk)"]


def test_its_goals_are_told_in_the_order_in_which_they_are_reached() -> None:
    tower = ("green_block is on red_block", "red_block is on fixture")
    plan = plan_calls(
        tower, skill_lines(tabletop_domain()), SCENE, (EMPTY, "green_block is on red_block")
    )
    assert plan is not None and [stage.made[-1] for stage in plan.stages] == list(reversed(tower))
    assert plan_calls(tower, skill_lines(tabletop_domain()), SCENE, (EMPTY, *tower)) == CallPlan(())


def test_it_thinks_from_each_goal_back_to_what_comes_first() -> None:
    known = (EMPTY, "blue_block is on red_block")
    prompt = SkillPlanPrompt(STACK, SCENE, skill_lines(tabletop_domain()), known)
    assert ScriptedModel().complete(prompt.messages()).text.split("\n")[:7] == [
        "Thought: red_block is on fixture after red_block is held by the robot after blue_block is "
        "on table after blue_block is held by the robot",
        "1. pick(blue_block)",
        "2. set_aside(blue_block, table)",
        "3. pick(red_block)",
        "4. place(red_block, fixture)",
        "Thought: green_block is on red_block after green_block is held by the robot",
        "5. pick(green_block)",
    ]


def test_what_a_call_only_ends_is_told_as_not_so() -> None:
    plan = plan_calls(("jar is inside chest",), KEEPING, HOUSE, (EMPTY, "chest is closed"))
    assert plan is not None and plan.stages[0].made[0] == "chest is not closed"


def test_a_ring_of_things_on_one_another_is_declined() -> None:
    ring = "put the red_block on the green_block and the green_block on the red_block"
    assert isinstance(PLANNER.plan(ring, (EMPTY,), ()), Declined)


def test_where_one_goal_undoes_another_the_fewest_calls_are_searched_for() -> None:
    swap = SkillLine("swap", (), ("jar is on desk",), (), ("mug is on desk",), ("jar is on desk",))
    lines = (swap, SkillLine("back", (), (), (), ("jar is on desk",), ()))
    plan = plan_calls(("jar is on desk", "mug is on desk"), lines, HOUSE, ("jar is on desk",))
    assert plan is not None and list(map(str, plan.calls)) == ["swap()", "back()"]
