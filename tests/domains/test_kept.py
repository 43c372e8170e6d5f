"""What must stay as it is: no action of the changed domain makes a kept literal false."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from regrasp.core.action import Action
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Literal, State, parse_literals
from regrasp.core.goal import parse_goal
from regrasp.core.object_description import Affordance, ObjectDescription
from regrasp.domains.affordances import affordance_domain
from regrasp.domains.household import TYPES, household_problem, household_skills
from regrasp.domains.kept import broken_literals, kept_statement, with_kept
from regrasp.domains.lexicon import Access, Lexicon, PredicateWords
from regrasp.domains.pddl_read import read_domain, read_problem
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.domains.rules import Rules, validate
from regrasp.domains.skill_domain import SkillDomain, problem_of
from regrasp.domains.tabletop import tabletop_domain
from regrasp.domains.walker import walker_domain
from regrasp.embedded.scripted import ScriptedModel
from regrasp.planners.classical import PlanningOutcome, PlanResult, plan
from regrasp.planners.downward import find_downward
from regrasp.planners.goals import goal_condition
from regrasp.planners.skill_planner import SkillPlanner, skill_lines
from regrasp.prompts.scene import scene_text
from regrasp.prompts.skill_plan import SkillPlan
from regrasp.prompts.skills import SkillLine

ENGINES = ("search", "fast-downward") if find_downward() else ("search",)


@dataclass(frozen=True)
class Place:
    """A domain, what its robot knows, and what is true at first."""

    skills: SkillDomain
    known: tuple[ObjectDescription, ...]
    state: State

    def keeping(self, *texts: str) -> Place:
        kept = with_kept(self.skills, parse_literals(*texts), self.known)
        return Place(kept, self.known, self.state)

    def rules(self) -> Rules:
        return self.skills.rules(self.known)

    def plan(self, *goal: str, engine: str = "search") -> PlanResult:
        condition = goal_condition(parse_goal(goal), self.skills, self.known)
        problem = problem_of(self.skills, self.known, self.state, condition)
        found = plan(self.skills.domain, problem, engine, seconds=60)
        assert not found.solved or validate(self.skills.domain, problem, found.plan).valid
        return found

    def calls(self, *goal: str) -> list[str]:
        found = self.plan(*goal)
        assert found.solved, found
        return list(map(str, found.plan))


def facts(*texts: str) -> State:
    return frozenset(one.fact for one in parse_literals(*texts))


def _blocks() -> Place:
    blocks = tuple(
        ObjectDescription(f"{colour}_block", "block", (Affordance.PICK, Affordance.PUT_ON))
        for colour in ("red", "green", "blue")
    )
    fixed = tuple(
        ObjectDescription(name, kind, (Affordance.PUT_ON,))
        for name, kind in (("stand", "fixture"), ("desk", "table"))
    )
    state = facts("handempty()", "on(green_block, red_block)", "on(red_block, desk)",
                  "on(blue_block, desk)")  # fmt: skip
    return Place(tabletop_domain(), (*blocks, *fixed), state)


def _kitchen() -> Place:
    known = (
        ObjectDescription("mug", "mug", (Affordance.PICK,)),
        ObjectDescription("bottle", "bottle", (Affordance.PICK,)),
        ObjectDescription("cabinet", "cabinet", (Affordance.OPEN, Affordance.PUT_IN)),
        ObjectDescription("shelf", "shelf", (Affordance.PUT_ON,)),
        ObjectDescription("lever", "lever", (Affordance.PULL,)),
    )
    offered = ("open", "close", "pull", "pick", "place", "move_away", "rest")
    skills = affordance_domain(known, offered)
    return Place(skills, known, skills.init | facts("visible(mug)", "visible(bottle)"))


def _room() -> Place:
    known = (
        ObjectDescription("white_table", "table", (Affordance.PUT_ON,)),
        ObjectDescription("gray_table", "table", (Affordance.PUT_ON,)),
        ObjectDescription("red_box", "box", (Affordance.PICK,)),
        ObjectDescription("blue_box", "box", (Affordance.PICK,)),
    )
    skills = walker_domain()
    boxes = facts("on(red_box, white_table)", "on(blue_box, gray_table)")
    return Place(skills, known, skills.init | boxes)


def _home(task: str) -> Place:
    problem = household_problem(task)
    rooms = tuple(one.name for one in problem.objects if one.type == "room")
    kinds = {type_name: kind for kind, type_name in TYPES.items()}
    known = tuple(
        ObjectDescription(one.name, kinds[one.type]) for one in problem.objects if one.type in kinds
    )
    return Place(household_skills(problem.init, rooms), known, problem.init)


STACKS = """
(define (domain stacks) (:requirements :strips :typing) (:types block)
  (:predicates (above ?x ?y - block) (grounded ?x - block) (free ?x - block) (gripped ?x - block)
               (lidded ?x - block))
  (:action grip :parameters (?x - block) :precondition (and (free ?x) (grounded ?x))
    :effect (and (gripped ?x) (not (free ?x)) (not (grounded ?x))))
  (:action stack :parameters (?x ?y - block) :precondition (and (gripped ?x) (free ?y))
    :effect (and (above ?x ?y) (free ?x) (not (free ?y)) (not (gripped ?x))))
  (:action shut :parameters (?x - block) :effect (lidded ?x)))
"""

TRUCKS = """
(define (domain trucks) (:requirements :adl) (:types parcel truck city)
  (:predicates (parked ?t - truck ?c - city) (lies ?p - parcel ?c - city)
               (in ?p - parcel ?t - truck)
               (whole ?p - parcel) (heavy ?p - parcel))
  (:action load :parameters (?p - parcel ?t - truck ?c - city)
    :precondition (and (lies ?p ?c) (parked ?t ?c))
    :effect (in ?p ?t))
  (:action drive :parameters (?t - truck ?from ?to - city) :precondition (parked ?t ?from)
    :effect (and (not (parked ?t ?from)) (parked ?t ?to)
                 (forall (?p - parcel)
                   (when (in ?p ?t) (and (not (lies ?p ?from)) (lies ?p ?to))))
                 (forall (?p ?q - parcel)
                   (when (and (in ?p ?t) (in ?q ?t) (heavy ?q) (not (= ?p ?q)))
                     (not (whole ?p)))))))
"""


def own_place(text: str, kinds: dict[str, str], *true: str) -> Place:
    """A domain of a user's own, with predicates that nobody has heard of."""
    domain = read_domain(text)
    words = []
    for one in domain.predicates:
        second = " {b}" if len(one.parameters) > 1 else ""
        question = f"Is the {{a}} {one.name}{second}?"
        statement = f"{{a}} is {{not}}{one.name}{second}"
        words.append(PredicateWords(one.name, Access.SEEN, statement, (question,)))
    skills = SkillDomain(
        Lexicon(domain, tuple(words)), {one.name: one.name for one in domain.types}
    )
    known = tuple(ObjectDescription(name, kind) for name, kind in kinds.items())
    return Place(skills, known, facts(*true))


def _stacks() -> Place:
    true = ("free(one)", "free(two)", "grounded(one)", "grounded(two)")
    return own_place(STACKS, {"one": "block", "two": "block"}, *true)


def _trucks() -> Place:
    kinds = {"letter": "parcel", "anvil": "parcel", "van": "truck", "rome": "city", "oslo": "city"}
    true = ("lies(letter, rome)", "lies(anvil, rome)", "parked(van, rome)", "whole(letter)",
            "whole(anvil)", "heavy(anvil)")  # fmt: skip
    return own_place(TRUCKS, kinds, *true)


PLACES = {
    "tabletop": _blocks(), "affordances": _kitchen(), "walker": _room(),
    "household": _home("frozen-pie"), "stacks": _stacks(), "trucks": _trucks(),
}  # fmt: skip


# ---- plans ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("place", "keep", "goal"),
    [
        ("tabletop", "not moved(green_block)", "on(red_block, stand)"),
        ("tabletop", "on(green_block, red_block)", "on(red_block, stand)"),
        ("tabletop", "handempty()", "on(blue_block, stand)"),
        ("affordances", "closed(cabinet)", "inside(mug, cabinet)"),
        ("affordances", "not moved(mug)", "inside(mug, cabinet)"),
        ("affordances", "not inside(mug, cabinet)", "inside(mug, cabinet)"),
        ("walker", "not moved(red_box)", "on(red_box, gray_table)"),
        ("household", "closed(refrigerator)", "hot(pie)"),
        ("household", "not moved(refrigerator)", "hot(pie)"),
    ],
)
def test_no_plan_because_a_kept_fact_forbids_it(
    place: str, keep: str, goal: str, engine: str
) -> None:
    assert PLACES[place].plan(goal, engine=engine).solved
    found = PLACES[place].keeping(keep).plan(goal, engine=engine)
    assert found.outcome is PlanningOutcome.UNSOLVABLE


@pytest.mark.parametrize(
    ("place", "keep", "goal"),
    [
        ("tabletop", "not moved(red_block)", "on(blue_block, green_block)"),
        ("tabletop", "not moved(green_block)", "on(blue_block, green_block)"),
        ("affordances", "not moved(bottle)", "inside(mug, cabinet)"),
        ("affordances", "not moved(shelf)", "on(mug, shelf)"),
        ("walker", "not moved(gray_table)", "on(red_box, gray_table)"),
        ("walker", "not moved(blue_box)", "on(red_box, gray_table)"),
        ("household", "not moved(pie)", "turnedon(oven)"),
        ("household", "not moved(floor)", "hot(pie)"),
    ],
)
def test_what_breaks_nothing_is_planned_as_before(place: str, keep: str, goal: str) -> None:
    before = PLACES[place]
    if goal == "turnedon(oven)":
        inside = before.state - facts("inside(pie, refrigerator)") | facts("inside(pie, oven)")
        before = Place(before.skills, before.known, inside)
    assert before.keeping(keep).calls(goal) == before.calls(goal)


def test_a_longer_plan_is_found_where_the_shortest_one_is_forbidden() -> None:
    short = _blocks().calls("not on(green_block, red_block)")
    assert short == ["pick(green_block)"]
    kept = _blocks().keeping("not on(green_block, blue_block)", "not on(green_block, desk)")
    assert kept.calls("not on(green_block, red_block)", "handempty()") == [
        "pick(green_block)", "place(green_block, stand)",
    ]  # fmt: skip


def test_what_may_open_when_it_is_closed_again_may_not_where_it_is_kept_closed() -> None:
    goal = ("on(mug, shelf)", "closed(cabinet)")
    inside = Place(
        _kitchen().skills, _kitchen().known, _kitchen().state | facts("inside(mug, cabinet)")
    )
    assert "open(cabinet)" in inside.calls(*goal)
    assert not inside.keeping("closed(cabinet)").plan(*goal).solved


# ---- exactly the choices that would break it --------------------------------------------------


@pytest.mark.parametrize(
    ("place", "literals"),
    [
        ("tabletop", ["on(green_block, red_block)", "not on(blue_block, stand)", "handempty()",
                      "not holding(red_block)"]),
        ("affordances", ["closed(cabinet)", "visible(mug)", "not inside(mug, cabinet)",
              "not closed(cabinet)", "not pulled(lever)"]),
        ("walker", ["at(white_table)", "not at(gray_table)", "on(red_box, white_table)"]),
        ("household", ["inview(pie)", "not inview(oven)", "frozen(pie)", "not hot(pie)",
                       "not onfloor(pie, floor)"]),
        ("stacks", ["free(two)", "grounded(one)", "not above(one, two)", "not lidded(one)"]),
        ("trucks", ["whole(letter)", "lies(letter, rome)", "not lies(anvil, oslo)",
                    "parked(van, rome)", "not in(letter, van)"]),
    ],
)  # fmt: skip
def test_an_action_is_forbidden_exactly_where_it_makes_the_literal_false(
    place: str, literals: list[str]
) -> None:
    given = PLACES[place]
    rules = given.rules()
    actions = [
        Action(schema.name, tuple(binding.values()))
        for schema in given.skills.domain.actions
        for binding in rules.bindings(schema.parameters)
    ]
    for text in literals:
        (literal,) = parse_literals(text)
        kept = given.keeping(text)
        guarded, left = kept.rules(), {one.name for one in kept.skills.domain.actions}
        assert sorted(guarded.objects, key=str) == sorted(rules.objects, key=str)
        rng, state, forbidden = np.random.default_rng(3), given.state, 0
        for _ in range(60):
            possible = [one for one in actions if not rules.unmet_preconditions(one, state)]
            for action in possible:
                true, after = ((literal.fact in one) is literal.positive
                               for one in (state, rules.successor(state, action)))  # fmt: skip
                allowed = action.name in left and not guarded.unmet_preconditions(action, state)
                if true:
                    assert allowed is after, f"{action} keeping {literal}"
                    forbidden += not allowed
            if not possible:
                break
            state = rules.successor(state, possible[rng.integers(len(possible))])
        assert forbidden, f"nothing was forbidden for {literal}"


# ---- not moved -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "left_alone", "forbidden", "allowed"),
    [
        ("tabletop", "red_block", ["pick(red_block)", "place(red_block, stand)"],
         ["pick(green_block)", "place(green_block, red_block)"]),
        ("affordances", "cabinet", ["open(cabinet)", "close(cabinet)", "find_in(mug, cabinet)"],
         ["place_in(mug, cabinet)", "pull(lever)", "pick(mug)"]),
        ("affordances", "mug", ["pick(mug)", "place_on(mug, shelf)", "move_away(mug, cabinet)"],
         ["find_in(mug, cabinet)", "open(cabinet)", "pick(bottle)"]),
        ("affordances", "lever", ["pull(lever)"], ["open(cabinet)"]),
        ("walker", "gray_table", [], ["go_to(gray_table)", "put_down(red_box, gray_table)"]),
        ("household", "oven", ["open(oven)", "turnon_oven(oven, pie)"],
         ["find(oven)", "placein(pie, oven)"]),
        ("household", "pie", ["grasp_from_in(pie, oven)", "placein(pie, oven)"],
         ["find(pie)", "open(oven)", "turnon_oven(oven, pie)"]),
    ],
)  # fmt: skip
def test_what_is_left_alone_is_not_moved_opened_or_pressed(
    place: str, left_alone: str, forbidden: list[str], allowed: list[str]
) -> None:
    kept = PLACES[place].keeping(f"not moved({left_alone})")
    rules = kept.rules()
    for text in (*forbidden, *allowed):
        name, _, args = text.removesuffix(")").partition("(")
        action = Action(name, tuple(args.split(", ")))
        broken = name not in {one.name for one in kept.skills.domain.actions} or bool(
            broken_literals(kept.skills, rules, action, kept.state)
        )
        assert broken is (text in forbidden), text


def test_in_a_domain_of_ones_own_a_place_is_not_moved_by_what_is_put_there() -> None:
    kept = _stacks().keeping("not moved(two)")
    assert kept.calls("above(one, two)") == ["grip(one)", "stack(one, two)"]
    for goal in ("above(two, one)", "gripped(two)", "lidded(two)"):
        assert _stacks().plan(goal).solved
        assert not kept.plan(goal).solved


def test_what_is_carried_along_is_moved_too() -> None:
    given = _trucks()
    loaded = Place(given.skills, given.known, given.state | facts("in(letter, van)"))
    assert given.keeping("not moved(letter)").plan("lies(anvil, oslo)").solved
    assert loaded.plan("lies(anvil, oslo)").solved
    assert not loaded.keeping("not moved(letter)").plan("lies(anvil, oslo)").solved


# ---- literals ---------------------------------------------------------------------------------


def test_a_variable_keeps_every_object_of_its_kind() -> None:
    kept = _room().keeping("not moved(?box)")
    assert kept.skills.kept == parse_literals("not moved(red_box)", "not moved(blue_box)")
    assert not kept.plan("on(blue_box, white_table)").solved
    assert kept.plan("at(gray_table)").solved


def test_nothing_to_keep_leaves_the_domain_as_it_is() -> None:
    given = _blocks()
    assert with_kept(given.skills, (), given.known) is given.skills


def test_literals_are_kept_in_addition_to_earlier_ones() -> None:
    kept = _kitchen().keeping("closed(cabinet)").keeping("not moved(bottle)")
    assert kept.skills.kept == parse_literals("closed(cabinet)", "not moved(bottle)")
    assert not kept.plan("not closed(cabinet)").solved
    assert not kept.plan("holding(bottle)").solved


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not moved(botle)", "Did you mean 'bottle'"),
        ("not moved(?botle)", "Did you mean 'bottle'"),
        ("sings(mug)", "unknown predicate"),
        ("closed(cabinet, mug)", "closed takes 1 objects"),
        ("moved(mug)", "write not moved"),
    ],
)
def test_what_the_domain_cannot_express_is_refused(text: str, message: str) -> None:
    with pytest.raises((RegraspError, UnknownNameError), match=message):
        _kitchen().keeping(text)


def test_a_broken_literal_is_named_in_words() -> None:
    kept = _kitchen().keeping("closed(cabinet)", "not moved(bottle)")
    rules = kept.rules()

    def words(*call: str) -> list[str]:
        action = Action(call[0], call[1:])
        broken = broken_literals(kept.skills, rules, action, kept.state)
        return [kept_statement(kept.skills, one) for one in broken]

    assert words("open", "cabinet") == ["this must stay true: cabinet is closed"]
    assert words("pick", "bottle") == ["bottle must not be moved"]
    assert words("pick", "mug") == []


# ---- texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
def test_the_changed_domain_is_written_and_read_back(place: str) -> None:
    given = PLACES[place]
    name = given.known[0].name
    kept = given.keeping(f"not moved({name})")
    text = write_domain(kept.skills.domain)
    assert read_domain(text) == kept.skills.domain
    assert ":adl" in text
    goal = goal_condition(parse_goal(["not " + str(min(given.state))]), kept.skills, kept.known)
    problem = problem_of(kept.skills, kept.known, kept.state, goal)
    assert read_problem(write_problem(problem), kept.skills.domain) == problem


KEPT = {
    "tabletop": ["not moved(red_block)", "on(blue_block, desk)"],
    "affordances": ["closed(cabinet)", "visible(mug)", "not moved(bottle)"],
    "walker": ["at(white_table)", "not moved(red_box)"],
    "household": ["inview(pie)", "not moved(oven)", "not hot(pie)"],
    "stacks": ["not moved(one)", "free(two)"],
    "trucks": ["whole(letter)", "not moved(van)"],
}


@pytest.mark.parametrize("place", PLACES)
def test_lines_of_skills_read_as_before(place: str) -> None:
    kept = PLACES[place].keeping(*KEPT[place])
    before = {line.name: line for line in skill_lines(PLACES[place].skills)}
    for line in skill_lines(kept.skills):
        assert "=" not in str(line) and "?" not in str(line)
        known = before[line.name]
        assert (SkillLine.read(str(line)) == line) is (SkillLine.read(str(known)) == known)
        assert (line.takes, line.makes, line.ends) == (known.takes, known.makes, known.ends)
        assert set(known.needs) <= set(line.needs) and set(known.bars) <= set(line.bars)
    assert {line.name for line in skill_lines(kept.skills)} <= set(before)


def test_a_condition_on_the_state_is_a_sentence_of_its_own() -> None:
    (line,) = (one for one in skill_lines(_kitchen().keeping("visible(mug)").skills)
               if one.name == "close")  # fmt: skip
    assert "mug is inside X" in line.bars


def test_a_language_planner_still_plans_in_the_changed_domain() -> None:
    kept = _blocks().keeping("not moved(red_block)", "not on(blue_block, green_block)")
    planner = SkillPlanner(ScriptedModel(), kept.skills, scene_text(kept.known))
    known = tuple(kept.skills.lexicon.statement(Literal(one)) for one in sorted(kept.state))
    found = planner.plan("place the blue_block on the stand", known, ())
    assert isinstance(found, SkillPlan)
    assert list(map(str, found.calls)) == ["pick(blue_block)", "place(blue_block, stand)"]


def test_an_action_that_always_breaks_a_kept_literal_is_left_out() -> None:
    kept = _blocks().keeping("handempty()")
    assert [one.name for one in kept.skills.domain.actions] == ["set_aside", "place"]
