"""What a robot reported impossible binds checker, repair and search, until something is moved."""

from __future__ import annotations

from regrasp.core.action import Action
from regrasp.core.fact import Fact, State, parse_literals
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.formula import Atom
from regrasp.domains.refused_actions import refused_action, still_valid, without_refused
from regrasp.domains.skill_domain import problem_of
from regrasp.domains.two_hands import two_hands_domain
from regrasp.planners.classical import plan
from regrasp.planners.repair import PlanPurpose, PlanRepair

KNOWN = tuple(map(ObjectDescription, ("rum_bottle", "gin_bottle", "shelf", "tray", "table")))
START = ("on(rum_bottle, shelf)", "on(gin_bottle, table)")
SKILLS = two_hands_domain(frozenset(one.fact for one in parse_literals(*START)))
LEFT_SHORT = Feedback(
    FeedbackLevel.PHYSICAL, FailureCode.OUT_OF_REACH,
    "Could not get rum_bottle from shelf: the left_hand would stay 5 cm short.",
)  # fmt: skip


def after(state: State, *actions: Action) -> State:
    rules = SKILLS.rules(KNOWN)
    for one in actions:
        state = rules.successor(state, one)
    return state


def get(thing: str, place: str, hand: str = "left_hand") -> Action:
    return Action("get", (thing, place, hand))


def test_the_hand_that_the_robot_names_is_not_chosen_again() -> None:
    attempt = refused_action(
        SKILLS, get("rum_bottle", "shelf", "right_hand"), LEFT_SHORT, SKILLS.init
    )
    assert attempt.action == get("rum_bottle", "shelf", "left_hand")
    checker = PlanRepair(SKILLS, KNOWN).without((attempt,)).checker
    command = Action("get", ("rum_bottle", "shelf"))
    assert checker.complete(command, SKILLS.init) == get("rum_bottle", "shelf", "right_hand")
    wrong = checker.check(get("rum_bottle", "shelf"), SKILLS.init)
    assert wrong is not None and "5 cm short" in wrong.reason
    assert "right_hand" in wrong.suggestion


def test_a_repair_takes_the_thing_into_the_hand_that_reaches() -> None:
    held = after(SKILLS.init, get("gin_bottle", "table"))
    put = Action("put", ("gin_bottle", "tray"))
    short = Feedback(FeedbackLevel.PHYSICAL, FailureCode.OUT_OF_REACH, "The left_hand is short.")
    repair = PlanRepair(SKILLS, KNOWN).without((refused_action(SKILLS, put, short, held),))
    mended = repair.repair([put], held)
    assert mended.feedback is None
    assert [one.name for one in mended.actions] == ["put", "get", "put"]
    assert mended.actions[1].args[2] == "right_hand" and mended.actions[2] == put


def test_search_goes_round_what_was_in_the_way() -> None:
    hit = Feedback(
        FeedbackLevel.PHYSICAL, FailureCode.COLLISION, "gin_bottle is in the way.",
        evidence=(Evidence("would_hit", "gin_bottle"),),
    )  # fmt: skip
    held = after(SKILLS.init, get("rum_bottle", "shelf"))
    attempt = refused_action(SKILLS, Action("put", ("rum_bottle", "table")), hit, held)
    skills = without_refused(SKILLS, (attempt,), KNOWN)
    problem = problem_of(skills, KNOWN, held, Atom("on", ("rum_bottle", "table")))
    steps = plan(skills.domain, problem).plan
    assert steps[-1] == Action("put", ("rum_bottle", "table"))
    assert len(steps) > 1, "the other hand, or the gin elsewhere"
    assert still_valid((attempt,), Action("put", ("gin_bottle", "tray"))) == ()
    assert Fact.of("on", "gin_bottle", "table") in attempt.during


def test_what_the_other_hand_holds_is_in_the_way_whenever_it_holds_it() -> None:
    hit = Feedback(
        FeedbackLevel.PHYSICAL, FailureCode.COLLISION, "gin_bottle is in the way.",
        evidence=(Evidence("would_hit", "gin_bottle"),),
    )  # fmt: skip
    both = after(SKILLS.init, get("rum_bottle", "shelf"), get("gin_bottle", "table", "right_hand"))
    put, aside = (Action("put", (name, "tray")) for name in ("rum_bottle", "gin_bottle"))
    refused = (refused_action(SKILLS, put, hit, both),)
    assert still_valid(refused, aside) == refused, "the gin may be taken up again"
    checker = PlanRepair(SKILLS, KNOWN).without(refused).checker
    assert checker.check(put, both) is not None
    assert checker.check(put, after(both, aside)) is None


def test_where_any_place_will_do_a_refused_object_goes_elsewhere() -> None:
    held = after(SKILLS.init, get("gin_bottle", "table"))
    put = Action("put", ("gin_bottle", "tray"))
    in_way = Feedback(
        FeedbackLevel.PHYSICAL, FailureCode.COLLISION, "In the way.",
        evidence=(Evidence("would_hit", "rum_bottle"),),
    )  # fmt: skip
    repair = PlanRepair(SKILLS, KNOWN).without((refused_action(SKILLS, put, in_way, held),))
    anywhere = repair.repair([put], held, PlanPurpose(()))
    assert [str(one) for one in anywhere.actions] == ["put(gin_bottle, shelf)"]
    wanted = PlanPurpose((frozenset({"gin_bottle", "tray"}),))
    there = repair.repair([put], held, wanted)
    assert there.feedback is None and str(there.actions[-1]) == "put(gin_bottle, tray)"
    assert len(there.actions) > 1  # something is changed before the robot tries that again


def test_a_hand_is_freed_for_a_third_object_if_no_one_wants_what_it_holds() -> None:
    full = after(SKILLS.init, get("gin_bottle", "table"), get("rum_bottle", "shelf", "right_hand"))
    known = (*KNOWN, ObjectDescription("mint_bowl"))
    mender = PlanRepair(SKILLS, known)
    state, plan = (
        full | {Fact.of("on", "mint_bowl", "table")},
        [Action("get", ("mint_bowl", "table"))],
    )
    assert mender.repair(plan, state).feedback is not None  # what to put down is for the planner
    found = mender.repair(plan, state, PlanPurpose((), frozenset({"rum_bottle"})))
    assert [str(one) for one in found.actions] == [
        "put(rum_bottle, shelf)",
        "get(mint_bowl, table)",
    ]
