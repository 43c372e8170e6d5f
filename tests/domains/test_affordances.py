"""Domains made from what objects allow: plans in the arm worlds, and for objects of any kind."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal, State
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.affordances import affordance_domain
from regrasp.domains.formula import And, Atom, Condition, Not
from regrasp.domains.lexicon import Access
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.skill_domain import SkillDomain, problem_of
from regrasp.embedded.scripted import ScriptedModel
from regrasp.monitors.constraints import ConstraintSet
from regrasp.planners.classical import PlanningOutcome, plan
from regrasp.planners.downward import find_downward
from regrasp.planners.skill_planner import SkillPlanner, skill_lines
from regrasp.prompts.names import Names
from regrasp.prompts.scene import scene_text
from regrasp.prompts.skill_plan import SkillPlan
from regrasp.prompts.skills import SkillLine
from regrasp.prompts.visual_question_parser import parse_visual_question
from regrasp.worlds.object_catalogue import known_objects
from regrasp.worlds.registry import open_world

SKILLS = ("open", "close", "pull", "press", "pick", "place", "move_away", "rest")

ARM_WORLDS = (
    ("cabinet", "open"),
    ("cabinet", "closed"),
    ("cabinet", "barred"),
    ("kitchen", "apple"),
    ("lever", "locked"),
    ("cubes", "match"),
    ("cubes", "occupied"),
    ("sensor", "locked"),
)


def seen_open(skills: SkillDomain) -> State:
    """What is assumed at the start, once everything has been seen to stand open."""
    return frozenset(fact for fact in skills.init if fact.predicate != "closed")


def all_of(*literals: Literal) -> Condition:
    atoms = ((Atom(one.fact.predicate, one.fact.args), one.positive) for one in literals)
    return And(tuple(atom if positive else Not(atom) for atom, positive in atoms))


@cache
def known_in(world: str, task: str) -> tuple[ObjectDescription, ...]:
    return known_objects(open_world(world, task).scene)


def literal(text: str) -> Literal:
    """`not closed cabinet` as a literal."""
    words = text.split()
    positive = words[0] != "not"
    predicate, *args = words if positive else words[1:]
    return Literal(Fact(predicate, tuple(args)), positive)


def facts(*texts: str) -> State:
    return frozenset(literal(text).fact for text in texts)


def steps(
    skills: SkillDomain, known: Iterable[ObjectDescription], state: State, goal: str
) -> tuple[Action, ...]:
    """A shortest plan."""
    problem = problem_of(skills, known, state, all_of(literal(goal)))
    found = plan(skills.domain, problem, engine="search")
    assert found.solved, found
    return found.plan


def calls(
    skills: SkillDomain, known: Iterable[ObjectDescription], state: State, goal: str
) -> list[str]:
    """What the robot is asked to do to reach the goal."""
    return [str(skills.skill(one)) for one in steps(skills, known, state, goal)]


def failed(action: Action, code: FailureCode) -> SkillReport:
    feedback = Feedback(FeedbackLevel.RUNTIME, code, "it failed")
    return SkillReport(action, Outcome.FAILED, 1.0, feedback)


# ---- the arm worlds -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("world", "task", "true", "goal", "expected"),
    [
        (
            "cabinet", "open",
            ["visible yellow_cube"],
            "inside yellow_cube wooden_cabinet",
            ["pick(yellow_cube)", "place(yellow_cube, wooden_cabinet)"],
        ),
        (
            "cabinet", "closed",
            ["visible yellow_cube", "closed wooden_cabinet"],
            "inside yellow_cube wooden_cabinet",
            ["open(wooden_cabinet)", "pick(yellow_cube)", "place(yellow_cube, wooden_cabinet)"],
        ),
        (
            "cabinet", "barred",
            ["visible yellow_cube", "visible red_bar", "closed wooden_cabinet",
             "blocking red_bar wooden_cabinet"],
            "inside yellow_cube wooden_cabinet",
            ["move_away(red_bar, wooden_cabinet)", "open(wooden_cabinet)", "pick(yellow_cube)",
             "place(yellow_cube, wooden_cabinet)"],
        ),
        (
            "kitchen", "apple",
            ["closed microwave", "closed wooden_cabinet", "visible kettle", "on kettle counter",
             "blocking kettle microwave", "inside green_apple microwave"],
            "visible green_apple",
            ["move_away(kettle, microwave)", "open(microwave)"],
        ),
        (
            "lever", "locked",
            ["closed wooden_cabinet"],
            "visible blue_cube",
            ["open(wooden_cabinet)"],
        ),
        (
            "cubes", "match",
            ["visible red_cube", "visible yellow_cube"],
            "on yellow_cube crate",
            ["pick(yellow_cube)", "place(yellow_cube, crate)"],
        ),
        (
            "cubes", "occupied",
            ["visible red_cube", "visible yellow_cube", "on yellow_cube crate"],
            "on red_cube crate",
            ["move_away(yellow_cube, crate)", "pick(red_cube)", "place(red_cube, crate)"],
        ),
        (
            "sensor", "locked",
            ["closed stone_cabinet", "visible red_cube"],
            "not closed stone_cabinet",
            ["open(stone_cabinet)"],
        ),
    ],
)  # fmt: skip
def test_a_plan_from_the_true_start(
    world: str, task: str, true: list[str], goal: str, expected: list[str]
) -> None:
    known = known_in(world, task)
    skills = affordance_domain(known, SKILLS)
    state = seen_open(skills) | facts(*true)
    described = {one.fact for one in skills.seen_at_start(skills.rules(known))}
    assert facts(*true) <= described  # a robot that asks its vision model can know this
    assert calls(skills, known, state, goal) == expected


def test_an_apple_that_is_not_in_the_cabinet_is_looked_for_behind_the_kettle() -> None:
    known = known_in("kitchen", "apple")
    skills = affordance_domain(known, SKILLS)
    state = seen_open(skills) | facts(
        "closed microwave", "closed wooden_cabinet", "blocking kettle microwave"
    )
    [first] = steps(skills, known, state, "visible green_apple")
    assert str(skills.skill(first)) == "open(wooden_cabinet)"
    rules = skills.rules(known)
    assert literal("visible green_apple") in rules.effects(first, state)  # so it is asked for
    opened = rules.successor(state, first)
    learned = skills.lexicon.update_state(opened, literal("not visible green_apple"), rules)
    assert calls(skills, known, learned, "visible green_apple") == [
        "move_away(kettle, microwave)", "open(microwave)",
    ]  # fmt: skip
    everywhere = skills.lexicon.update_state(
        learned - facts("closed microwave"), literal("not visible green_apple"), rules
    )
    goal = all_of(literal("visible green_apple"))
    found = plan(skills.domain, problem_of(skills, known, everywhere, goal), engine="search")
    assert found.outcome is PlanningOutcome.UNSOLVABLE  # it has been looked for everywhere


def test_two_hidden_objects_in_one_cabinet_are_each_looked_for() -> None:
    known = (
        ObjectDescription("chest", "chest", (Affordance.OPEN, Affordance.PUT_IN)),
        ObjectDescription("ring", "ring", (Affordance.PICK,)),
        ObjectDescription("coin", "coin", (Affordance.PICK,)),
    )
    skills = affordance_domain(known, SKILLS)
    goal = all_of(literal("visible ring"), literal("visible coin"))
    problem = problem_of(skills, known, seen_open(skills) | facts("closed chest"), goal)
    found = plan(skills.domain, problem, engine="search")
    assert [skills.skill(one).name for one in found.plan] == ["open", "close", "open"]


@pytest.mark.parametrize(
    ("world", "goal", "expected"),
    [
        ("lever", "visible blue_cube", ["pull(lever)", "open(wooden_cabinet)"]),
        (
            "sensor",
            "not closed stone_cabinet",
            ["pick(red_cube)", "place(red_cube, weight_sensor)", "open(stone_cabinet)"],
        ),
    ],
)
def test_a_door_that_resists_is_unlocked_first(world: str, goal: str, expected: list[str]) -> None:
    known = known_in(world, "locked")
    skills = affordance_domain(known, SKILLS)
    cabinet = expected[-1].removeprefix("open(").removesuffix(")")
    start = ConstraintSet.of(skills, known).after_observation({literal(f"closed {cabinet}"): True})
    [first] = steps(skills, known, start.state, goal)
    report = failed(skills.skill(first), FailureCode.RESISTED)
    denied = skills.denied_literals(report, start.preconditions_and_effects(first))
    assert denied == (literal(f"unlocked {cabinet}"),)
    assert calls(skills, known, start.after_violation(denied).state, goal) == expected


def test_a_door_that_resists_may_be_blocked() -> None:
    known = known_in("kitchen", "apple")
    skills = affordance_domain(known, SKILLS)
    report = failed(Action("open", ("microwave",)), FailureCode.RESISTED)
    suspected = skills.suspected(report, skills.rules(known))
    assert suspected == (
        literal("closed microwave"),
        literal("blocking kettle microwave"),
        literal("blocking green_apple microwave"),
        literal("blocking red_bar microwave"),
    )
    # Nothing in this kitchen unlocks anything: that a door is locked is no explanation.
    assert FailureCode.RESISTED not in skills.denied_by
    assert skills.denied_literals(report, (literal("closed microwave"),)) == ()


@pytest.mark.parametrize(("world", "task"), ARM_WORLDS)
def test_few_questions_describe_an_arm_world(world: str, task: str) -> None:
    known = known_in(world, task)
    skills = affordance_domain(known, SKILLS)
    rules = skills.rules(known)
    asked = skills.seen_at_start(rules)
    assert 3 <= len(asked) <= 20
    assert all(rules.is_well_typed(one.fact) for one in asked)
    assert {skills.lexicon.access(one.fact.predicate) for one in asked} == {Access.SEEN}
    assert ConstraintSet.of(skills, known).initial_literals == asked


@pytest.mark.parametrize(("world", "task"), ARM_WORLDS)
def test_every_question_reads_back(world: str, task: str) -> None:
    assert_questions_read_back(known_in(world, task), SKILLS)


def assert_questions_read_back(
    known: tuple[ObjectDescription, ...], offered: Iterable[str]
) -> None:
    """The lexicon reads each of its phrasings; the vision model reads those that it is asked."""
    skills = affordance_domain(known, offered)
    lexicon, rules = skills.lexicon, skills.rules(known)
    names = Names(tuple(one.name for one in known))
    for predicate in skills.domain.predicates:
        entry = lexicon.entry(predicate.name)
        for fact in rules.facts(predicate.name):
            if len(set(fact.args)) < len(fact.args):
                continue
            for asking in lexicon.questions_for(fact):
                assert lexicon.parse_literal(asking.text, rules) == asking.yes, asking.text
                if entry.access is Access.SEEN:
                    sight = parse_visual_question(asking.text, names)
                    looks = entry.questions if asking.yes.positive else entry.negated_questions
                    assert sight is not None, asking.text
                    assert sight.template == looks[0]
                    assert tuple(filter(None, (sight.object, sight.other))) == fact.args
            for positive in (True, False):
                stated = lexicon.statement(Literal(fact, positive))
                assert lexicon.parse_literal(stated, rules) == Literal(fact, positive)


@pytest.mark.parametrize(("world", "task"), ARM_WORLDS)
def test_every_action_is_a_line_for_a_language_model(world: str, task: str) -> None:
    skills = affordance_domain(known_in(world, task), SKILLS)
    for line in skill_lines(skills):
        assert all(line.takes)
        assert SkillLine.read(str(line)) == line


@pytest.mark.parametrize(
    ("world", "task", "seen", "goal", "expected"),
    [
        (
            "cabinet", "barred",
            ["closed wooden_cabinet", "blocking red_bar wooden_cabinet"],
            "put the yellow_cube into the wooden_cabinet",
            ["move_away(red_bar, wooden_cabinet)", "open(wooden_cabinet)", "pick(yellow_cube)",
             "place(yellow_cube, wooden_cabinet)"],
        ),
        (
            "cubes", "occupied", ["on yellow_cube crate"], "place the red_cube on the crate",
            ["move_away(yellow_cube, crate)", "pick(red_cube)", "place(red_cube, crate)"],
        ),
        (
            "sensor", "locked", ["closed stone_cabinet"], "open the stone_cabinet",
            ["open(stone_cabinet)"],
        ),
    ],
)  # fmt: skip
def test_a_language_model_plans_over_the_same_actions(
    world: str, task: str, seen: list[str], goal: str, expected: list[str]
) -> None:
    known = known_in(world, task)
    skills = affordance_domain(known, SKILLS)
    start = ConstraintSet.of(skills, known).after_observation({literal(one): True for one in seen})
    found = SkillPlanner(ScriptedModel(), skills, scene_text(known)).plan(
        goal, start.believed_statements, ()
    )
    assert isinstance(found, SkillPlan), found
    assert [str(skills.skill(one)) for one in found.calls] == expected


# ---- what an answer changes ---------------------------------------------------------------------

DESK = (
    ObjectDescription("desk", "desk", (Affordance.PUT_ON,)),
    ObjectDescription("drawer", "drawer", (Affordance.OPEN, Affordance.PUT_IN)),
    ObjectDescription("tray", "tray", (Affordance.PUT_IN,)),
    ObjectDescription("button", "button", (Affordance.PRESS,)),
    ObjectDescription("big_book", "book", (Affordance.PICK, Affordance.PUT_ON)),
    ObjectDescription("small_book", "book", (Affordance.PICK, Affordance.PUT_ON)),
    ObjectDescription("pen", "pen", (Affordance.PICK,)),
    ObjectDescription("lamp", "lamp"),
)


@pytest.mark.parametrize(
    ("before", "learned", "after"),
    [
        (["on pen desk", "handempty"], "holding pen", ["holding pen"]),
        (["holding pen"], "holding big_book", ["holding big_book"]),
        (["holding pen"], "not holding pen", ["handempty"]),
        (["holding pen"], "handempty", ["handempty"]),
        (["on pen desk"], "on pen big_book", ["on pen big_book"]),
        (["inside pen drawer"], "on pen desk", ["on pen desk"]),
        (["on pen desk"], "inside pen tray", ["inside pen tray"]),
        (["inside pen drawer"], "inside pen tray", ["inside pen tray"]),
        (["holding pen"], "on pen desk", ["on pen desk", "handempty"]),
        (["blocking pen drawer", "handempty"], "holding pen", ["holding pen"]),
        (["closed drawer"], "not closed drawer", ["unlocked drawer"]),
    ],
)
def test_what_an_answer_means(before: list[str], learned: str, after: list[str]) -> None:
    skills = affordance_domain(DESK, SKILLS)
    found = skills.lexicon.update_state(facts(*before), literal(learned), skills.rules(DESK))
    assert found == facts(*after)


# ---- other robots -------------------------------------------------------------------------------


def test_a_robot_at_a_desk_clears_a_book_and_presses_the_button() -> None:
    skills = affordance_domain(DESK, SKILLS)
    start = seen_open(skills) | facts(
        "closed drawer", "on pen small_book", "on small_book big_book"
    )
    assert calls(skills, DESK, start, "inside small_book drawer") == [
        "move_away(pen, small_book)", "open(drawer)", "pick(small_book)",
        "place(small_book, drawer)",
    ]  # fmt: skip
    locked = skills.lexicon.update_state(start, literal("not unlocked drawer"), skills.rules(DESK))
    assert calls(skills, DESK, locked, "not closed drawer") == ["press(button)", "open(drawer)"]
    assert calls(skills, DESK, seen_open(skills) | facts("inside pen drawer"), "closed drawer") == [
        "close(drawer)"
    ]


def test_a_wide_surface_takes_many_objects_and_a_narrow_one_takes_one() -> None:
    expected = ["pick(cup)", "place(cup, shelf)"]
    for takes_one, first in ((False, []), (True, ["move_away(jar, shelf)"])):
        known = (
            ObjectDescription("shelf", "shelf", (Affordance.PUT_ON,), takes_one=takes_one),
            ObjectDescription("cup", "cup", (Affordance.PICK,)),
            ObjectDescription("jar", "jar", (Affordance.PICK,)),
        )
        skills = affordance_domain(known, SKILLS)
        found = calls(skills, known, seen_open(skills) | facts("on jar shelf"), "on cup shelf")
        assert found == first + expected


def test_only_what_the_robot_offers_and_its_objects_allow_is_there() -> None:
    skills = affordance_domain(DESK, ("pick", "place", "pull", "stand", "dance"))
    assert {one.name for one in skills.domain.actions} == {
        "pick", "place_on", "stack_on", "place_in",
    }  # fmt: skip
    assert skills.required_skills == {"pick", "place"}
    assert skills.wait_action == Action("stand")
    names = {one.name for one in skills.domain.predicates}
    assert "pulled" not in names  # nothing can be pulled
    assert "unlocked" not in names  # nothing can unlock the drawer
    bare = affordance_domain((), SKILLS)
    assert bare.domain.actions == ()
    assert [one.name for one in bare.domain.predicates] == ["handempty"]
    assert affordance_domain((), ()).wait_action is None


def test_objects_of_one_kind_that_allow_different_uses_have_types_of_their_own() -> None:
    known = (
        ObjectDescription("old_box", "box", (Affordance.OPEN, Affordance.PUT_IN)),
        ObjectDescription("new_box", "box", (Affordance.PUT_IN,)),
        ObjectDescription("ball", "ball", (Affordance.PICK,)),
    )
    skills = affordance_domain(known, SKILLS)
    rules = skills.rules(known)
    assert rules.is_well_typed(Fact("closed", ("old_box",)))
    assert not rules.is_well_typed(Fact("closed", ("new_box",)))
    assert [str(one) for one in rules.facts("inside")] == [
        "inside(ball, old_box)", "inside(ball, new_box)",
    ]  # fmt: skip
    opening, *_ = skill_lines(skills)
    assert opening.takes == (("box",),)


def test_actions_are_described_in_words() -> None:
    skills = affordance_domain(DESK, SKILLS)
    said = skills.describe(Action("find_in", ("pen", "drawer")))
    assert said == "open the drawer to find the pen"
    for schema in skills.domain.actions:
        action = Action(schema.name, ("first", "second")[: len(schema.parameters)])
        assert all(name in skills.describe(action) for name in action.args)


@pytest.mark.skipif(find_downward() is None, reason="Fast Downward is not installed")
@pytest.mark.parametrize("engine", ["fast-downward", "search"])
def test_every_engine_plans_in_such_a_domain(engine: str) -> None:
    skills = affordance_domain(DESK, SKILLS)
    start = seen_open(skills) - facts("unlocked drawer") | facts("closed drawer", "on pen big_book")
    goal = all_of(literal("inside big_book drawer"), literal("inside pen tray"))
    found = plan(skills.domain, problem_of(skills, DESK, start, goal), engine)
    assert found.solved, found
    assert [skills.skill(one).name for one in found.plan].count("place") == 2
    assert len(found.plan) == 6


# ---- any objects --------------------------------------------------------------------------------

KINDS = ("cube", "crate", "object", "either", "weight sensor", "Weight-Sensor", "not", "", "größe")
NAMES = ("cube", "crate", "red_cube", "cabinet", "thing_7", "weight_sensor")

objects = st.builds(
    ObjectDescription,
    st.sampled_from(NAMES),
    st.sampled_from(KINDS),
    st.sets(st.sampled_from(Affordance)).map(lambda uses: tuple(sorted(uses))),
    takes_one=st.booleans(),
    pressed_by_weight=st.booleans(),
)
scenes = st.lists(objects, max_size=5, unique_by=lambda one: one.name).map(tuple)
offers = st.sets(st.sampled_from(SKILLS))


@settings(deadline=None, max_examples=150)
@given(scenes, offers)
def test_any_objects_give_a_domain_that_reads_back(
    known: tuple[ObjectDescription, ...], offered: set[str]
) -> None:
    skills = affordance_domain(known, offered)
    assert read_domain(write_domain(skills.domain)) == skills.domain
    assert skills.required_skills <= set(offered)
    entries = [entry.predicate for entry in skills.lexicon.entries]
    assert sorted(entries) == sorted(one.name for one in skills.domain.predicates)
    rules = skills.rules(known)
    assert all(rules.is_well_typed(fact) for fact in skills.init)
    assert {one.name for one in rules.objects} == {one.name for one in known}
    problem = problem_of(skills, known, skills.init, all_of(literal("handempty")))
    assert read_problem(write_problem(problem), skills.domain) == problem


@settings(deadline=None, max_examples=25)
@given(scenes, offers)
def test_any_objects_can_be_asked_about(
    known: tuple[ObjectDescription, ...], offered: set[str]
) -> None:
    assert_questions_read_back(known, offered)


@settings(deadline=None, max_examples=40)
@given(scenes, st.data())
def test_the_hand_is_empty_exactly_while_nothing_is_held(
    known: tuple[ObjectDescription, ...], data: st.DataObject
) -> None:
    """However a robot acts, its belief stays one that the predicates allow."""
    skills = affordance_domain(known, SKILLS)
    rules, state = skills.rules(known), skills.init
    every = [
        Action(schema.name, tuple(binding.values()))
        for schema in skills.domain.actions
        for binding in rules.bindings(schema.parameters)
    ]
    for _ in range(8):
        possible = [action for action in every if not rules.unmet_preconditions(action, state)]
        if not possible:
            break
        state = rules.successor(state, data.draw(st.sampled_from(possible)))
        held = [fact for fact in state if fact.predicate == "holding"]
        assert len(held) <= 1
        assert (Fact("handempty") in state) is not bool(held)
        assert all(
            rules.is_well_typed(fact) and len(set(fact.args)) == len(fact.args) for fact in state
        )
