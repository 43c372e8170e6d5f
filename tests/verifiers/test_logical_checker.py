"""The logical checker: error, reason and suggestion in words, in every domain."""

from __future__ import annotations

import itertools

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import parse_literals
from regrasp.core.feedback import FailureCode, FeedbackLevel
from regrasp.domains.kept import with_kept
from regrasp.domains.partial_state import PartialState
from regrasp.verifiers.logical_checker import LogicalChecker
from skill_domains import PLACES, facts

BAR = PLACES["two_hands"]()
FULL_HANDS = facts("holding(left_hand, gin_bottle); holding(right_hand, mint_bowl)") | (
    BAR.state
    - facts("free(left_hand); free(right_hand); on(gin_bottle, shelf); on(mint_bowl, table)")
)


def checker() -> LogicalChecker:
    return LogicalChecker(BAR.skills, BAR.known)


@pytest.mark.parametrize("name", PLACES)
def test_it_accepts_exactly_what_the_rules_accept(name: str) -> None:
    place = PLACES[name]()
    mine = LogicalChecker(place.skills, place.known)
    verdicts = set()
    for schema in place.skills.domain.actions:
        for binding in itertools.islice(mine.rules.bindings(schema.parameters), 60):
            action = Action(schema.name, tuple(binding.values()))
            found = mine.check(action, place.state)
            holds = mine.rules.holds(schema.precondition, place.state, binding)
            verdicts.add(holds)
            assert (found is None) is holds
            if found is None:
                after = mine.after(action, place.state)
                assert after == mine.rules.successor(place.state, action)
            else:
                assert (found.level, found.code) == (
                    FeedbackLevel.LOGICAL, FailureCode.UNMET_PRECONDITION
                )  # fmt: skip
                assert len(found.reason) > len(".")
    assert verdicts == {True, False}


@pytest.mark.parametrize(
    ("command", "reason", "suggestion"),
    [
        ("get rum_bottle from fridge", "fridge is not open", "open_door fridge would help"),
        ("get gin_bottle from table", "gin_bottle is not on table",
         "get gin_bottle from shelf (left_hand) can be done instead"),
        ("put tonic_bottle tray", "tonic_bottle is not held by the left_hand",
         "get tonic_bottle from table (left_hand) would help"),
        ("close_door fridge", "fridge is not open", "Leave it out"),
        ("get red_block from table", "blue_block is on red_block", "get blue_block from red_block"),
    ],
)  # fmt: skip
def test_reason_and_suggestion_are_in_words(command: str, reason: str, suggestion: str) -> None:
    action = checker().language.parse(command)
    assert isinstance(action, Action)
    found = checker().check(action, BAR.state)
    assert found is not None
    assert command in found.error
    assert reason in found.reason
    assert found.suggestion.startswith(suggestion)


def test_names_and_types_are_checked_first() -> None:
    for action, code in (
        (Action("grab", ("gin_bottle",)), FailureCode.UNKNOWN_NAME),
        (Action("open_door", ("cupboard",)), FailureCode.UNKNOWN_NAME),
        (Action("open_door", ("shelf",)), FailureCode.WRONG_TYPE),
    ):
        found = checker().check(action, BAR.state)
        assert found is not None and found.code is code


def test_an_object_that_is_left_out_is_the_first_that_will_do() -> None:
    get = Action("get", ("gin_bottle", "shelf"))
    one_free = BAR.state - facts("free(left_hand)")
    assert checker().complete(get, one_free).args[-1] == "right_hand"
    assert checker().after(get, one_free) >= facts("holding(right_hand, gin_bottle)")
    found = checker().check(get, FULL_HANDS)
    assert found is not None
    assert "left_hand is not free" in found.reason and "right_hand is not free" in found.reason


def test_a_quantity_does_not_concern_the_facts() -> None:
    poured = checker().after(Action("pour", ("mint_bowl", "first_glass", "30")), FULL_HANDS)
    assert facts("empty(first_glass)") <= FULL_HANDS - poured


def test_what_is_unknown_is_not_false() -> None:
    get = Action("get", ("rum_bottle", "fridge", "left_hand"))
    unknown = PartialState(BAR.state, facts("open(fridge)"))
    assert checker().check(get, BAR.state) is not None
    assert checker().check(get, unknown) is None
    assert checker().after(get, unknown).true >= facts("open(fridge)")


def test_a_plan_is_checked_step_by_step() -> None:
    spoken = checker().language
    plan = spoken.parse_plan(
        "open_door fridge\nget rum_bottle from fridge\nunscrew rum_bottle\n"
        "pour rum_bottle first_glass 40\npour gin_bottle first_glass 40\n"
    )
    assert isinstance(plan, tuple)
    assert checker().check_plan(plan[:4], BAR.state) is None
    fault = checker().check_plan(plan, BAR.state)
    assert fault is not None and fault.index == 4
    assert "gin_bottle is closed with its cap" in fault.feedback.reason


def test_what_must_be_kept_is_a_reason() -> None:
    skills = with_kept(BAR.skills, parse_literals("not moved(gin_bottle)"), BAR.known)
    found = LogicalChecker(skills, BAR.known).check(
        Action("get", ("gin_bottle", "shelf")), BAR.state
    )
    assert found is not None and "gin_bottle must not be moved" in found.reason
