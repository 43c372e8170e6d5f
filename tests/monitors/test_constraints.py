"""The constraint set follows from the domain, and comes out as the paper's tables have it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fake_tabletop import FakeTabletop
from regrasp.core.action import Action
from regrasp.core.fact import Fact, Literal
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.household import household_lexicon
from regrasp.domains.lexicon import Access, Lexicon, PredicateWords
from regrasp.domains.pddl_read import read_domain
from regrasp.domains.skill_domain import SkillDomain
from regrasp.domains.tabletop import tabletop_domain
from regrasp.domains.walker import walker_domain
from regrasp.monitors.constraints import ConstraintSet, RejectedConstraint


def holding(block: str) -> Literal:
    return Literal(Fact("holding", (block,)))


def on(block: str, place: str) -> Literal:
    return Literal(Fact("on", (block, place)))


def call(name: str, *args: str) -> Action:
    return Action(name, args)


START = ConstraintSet.of(tabletop_domain(), FakeTabletop().knowledge())
PICK, PLACE = call("pick", "red_block"), call("place", "red_block", "fixture")
PLACED = START.after(PICK).after(PLACE)


# ---- table 8: manipulation ---------------------------------------------------------------------


def test_picking_adds_holding_after_the_skill() -> None:
    assert START.literals == START.schedule(PICK).before_release == ()
    assert START.after(PICK).literals == (holding("red_block"),)


def test_placing_adds_on_after_the_skill_and_pops_holding() -> None:
    assert PLACED.literals == (on("red_block", "fixture"),)


def test_holding_is_watched_until_the_hand_lets_go_and_on_once_it_draws_back() -> None:
    schedule = START.after(PICK).schedule(PLACE)
    assert schedule.before_release == (holding("red_block"),)
    assert schedule.during_release == ()
    assert schedule.after_effect == (on("red_block", "fixture"),)
    assert schedule.timing is not None and schedule.timing.deleted_at == "release"


def test_without_a_word_of_when_it_lets_go_holding_is_not_watched_while_placing() -> None:
    silent = replace(tabletop_domain(), timing={})
    schedule = ConstraintSet.of(silent, FakeTabletop().knowledge()).after(PICK).schedule(PLACE)
    assert schedule.before_release == () and schedule.timing is None


def test_what_stands_is_watched_while_the_next_block_comes() -> None:
    tower = PLACED.after(call("pick", "green_block"))
    schedule = tower.schedule(call("place", "green_block", "red_block"))
    assert schedule.before_release == (on("red_block", "fixture"), holding("green_block"))
    assert schedule.after_effect == (on("red_block", "fixture"), on("green_block", "red_block"))


def test_taking_a_block_away_pops_where_it_was_before_the_skill() -> None:
    schedule = PLACED.schedule(PICK)
    assert schedule.before_release == () and schedule.after_effect == (holding("red_block"),)
    assert PLACED.after(PICK).literals == (holding("red_block"),)


# ---- tables 1 and 5: doors, walking ------------------------------------------------------------


def household(*names: str) -> ConstraintSet:
    types = {"mug": "vessel", "cabinet": "receptacle", "table": "surface"}
    skills = SkillDomain(household_lexicon().with_access(Access.SEEN, "inhand"), kinds=types)
    return ConstraintSet.of(skills, [ObjectDescription(name, name) for name in names])


def test_opening_adds_open_and_closing_takes_its_place() -> None:
    shut = Literal(Fact("closed", ("cabinet",)))
    opened = Literal(Fact("closed", ("cabinet",)), False)
    start = household("cabinet")
    after = start.after(call("open", "cabinet"))
    assert after.literals == (opened,)
    assert after.skills.lexicon.question_for(opened).text == "Is the cabinet open?"
    assert after.after(call("close", "cabinet")).literals == (shut,)
    assert after.schedule(call("close", "cabinet")).before_release == (
        Literal(Fact("inview", ("cabinet",))),
    )


def test_placing_pops_holding_and_nothing_says_that_it_is_not_held() -> None:
    start = household("mug", "table").after(call("grasp_from_on", "mug", "table"))
    assert Literal(Fact("inhand", ("mug",))) in start.literals
    after = start.after(call("placeon", "mug", "table"))
    assert {one.fact.predicate for one in after.literals} == {"ontop"}


WALKER = read_domain(
    """(define (domain walker)
      (:types place box - object)
      (:predicates (clear) (at ?p - place) (holding ?b - box))
      (:action goto :parameters (?p - place) :precondition (clear)
        :effect (and (at ?p) (forall (?q - place) (when (not (= ?q ?p)) (not (at ?q))))))
      (:action pick :parameters (?b - box ?p - place) :precondition (at ?p)
        :effect (holding ?b)))"""
)
WORDS = Lexicon(
    WALKER,
    (
        PredicateWords("clear", Access.SEEN, "the way is {not}clear", ("Is the way clear?",)),
        PredicateWords(
            "at", Access.ASSUMED, "the robot is {not}at {a}", ("Is the robot at the {a}?",)
        ),
        PredicateWords(
            "holding", Access.SEEN, "{a} is {not}held", ("Is the robot holding the {a}?",)
        ),
    ),
)


def test_walking_keeps_the_way_clear_while_it_lasts_and_the_box_all_along() -> None:
    skills = SkillDomain(WORDS, kinds={"box": "box", "table": "place"})
    known = [ObjectDescription("yellow_box", "box"), ObjectDescription("white_table", "table")]
    start, clear = ConstraintSet.of(skills, known), Literal(Fact("clear"))
    walk = call("goto", "white_table")
    assert start.schedule(walk).before_release == (clear,)
    assert start.after(walk).literals == ()
    carrying = start.after(walk).after(call("pick", "yellow_box", "white_table"))
    assert carrying.literals == (holding("yellow_box"),)
    assert carrying.schedule(walk).before_release == (holding("yellow_box"), clear)


# ---- what is seen, and what is proposed --------------------------------------------------------


def test_what_broke_is_popped_and_believed() -> None:
    dropped = START.after(PICK).after_violation((holding("red_block"),))
    assert dropped.literals == ()
    assert dropped.believed_statements == ("the hand of the robot is empty",)
    fallen = PLACED.after_violation((on("red_block", "fixture"),))
    assert fallen.literals == () and Fact("on", ("red_block", "fixture")) not in fallen.state


@pytest.mark.parametrize(
    "said",
    [
        "green_block is on table",
        "Is the green block on the table?",
        "The green_block is on the table.",
    ],
)
def test_a_proposal_in_the_words_of_the_lexicon_is_watched(said: str) -> None:
    wider = START.with_proposed(said)
    assert isinstance(wider, ConstraintSet)
    assert wider.literals == (on("green_block", "table"),)
    assert wider.schedule(PICK).before_release == (on("green_block", "table"),)
    assert wider.schedule(call("pick", "green_block")).before_release == (
        on("green_block", "table"),
    )
    assert wider.with_proposed(said) == wider


def test_a_proposal_lasts_until_an_action_undoes_it() -> None:
    wider = START.with_proposed("green_block is not on red_block")
    assert isinstance(wider, RejectedConstraint)  # there is no question that asks for that
    kept = PLACED.with_proposed("red_block is held by the robot")
    assert isinstance(kept, ConstraintSet)
    assert holding("red_block") in kept.after(call("pick", "green_block")).literals
    assert holding("red_block") not in kept.after(PICK).after(PLACE).literals


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("everything is fine", "say one of: {a} is held by the robot"),
        ("purple_block is on table", "with a and b among red_block"),
        ("table is on red_block", "say one of"),
        ("the hand of the robot is empty", "eyes cannot be asked whether"),
        ("", "say one of"),
    ],
)
def test_any_other_proposal_is_refused_with_the_reason(said: str, why: str) -> None:
    refused = START.with_proposed(said)
    assert isinstance(refused, RejectedConstraint)
    assert why in refused.why and "cannot be watched" in str(refused)


# ---- what is only concluded --------------------------------------------------------------------


def test_what_follows_from_a_no_is_believed_and_known_to_be_unseen() -> None:
    known = (ObjectDescription("red_box", "box"), ObjectDescription("gray_table", "table"))
    start = ConstraintSet.of(walker_domain(), known).after(call("go_to", "gray_table"))
    held = start.after_observation({holding("red_box"): True})
    floor, table = on("red_box", "floor"), on("red_box", "gray_table")
    fallen = held.after_violation((holding("red_box"),))
    assert fallen.inferred == (floor,) and floor.fact in fallen.state
    gone = fallen.after_violation((floor,))
    assert gone.inferred == (table,) and table.fact in gone.state
    assert fallen.after(call("pick_up_from_floor", "red_box")).inferred == ()
    looked = gone.after_observation({floor: True, table: False})
    assert floor.fact in looked.state and table.fact not in looked.state
    assert looked.inferred == ()
