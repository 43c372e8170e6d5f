"""Achievers and substitutes: found without grounding, they do what they are given for."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import Literal
from regrasp.domains.achievers import Achievers
from regrasp.domains.hands_and_doors import hands_of
from regrasp.domains.partial_state import PartialState
from regrasp.domains.substitutes import substitutes
from skill_domains import PLACES, facts


@pytest.mark.parametrize("name", PLACES)
def test_an_action_that_can_be_done_makes_the_literal_true(name: str) -> None:
    place = PLACES[name]()
    rules = place.skills.rules(place.known)
    achievers, state = Achievers(rules), PartialState(place.state)
    useful = 0
    for predicate in place.skills.domain.predicates:
        for fact in rules.facts(predicate.name):
            wanted = Literal(fact, fact not in place.state)
            for action in achievers.actions(wanted, state):
                schema, binding = rules.bind(action)
                if state.may_hold(rules, schema.precondition, binding):
                    useful += 1
                    after = state.after(rules, action).true
                    added = any(  # an action may add what it also deletes
                        e.positive and e.atom.predicate == fact.predicate for e in schema.effects
                    )
                    assert (fact in after) is wanted.positive or (not wanted.positive and added)
    assert useful


def test_what_the_facts_name_is_taken_and_what_they_leave_open_is_preferred() -> None:
    place = PLACES["two_hands"]()
    achievers = Achievers(place.skills.rules(place.known))
    taken = achievers.actions(
        Literal.of("holding", "left_hand", "gin_bottle"), PartialState(place.state)
    )
    assert taken == (Action("get", ("gin_bottle", "shelf", "left_hand")),)
    held = place.state - facts("free(left_hand); on(gin_bottle, shelf)")
    held |= facts("holding(left_hand, gin_bottle)")
    freed = achievers.actions(
        Literal.of("free", "left_hand"),
        PartialState(held),
        lambda binding, name: (name != "tray",),
    )
    assert freed[0] == Action("put", ("gin_bottle", "tray"))


@pytest.mark.parametrize(
    ("name", "action", "state", "expected"),
    [
        ("two_hands", Action("get", ("gin_bottle", "table", "left_hand")), "",
         Action("get", ("gin_bottle", "shelf", "left_hand"))),
        ("two_hands", Action("get", ("gin_bottle", "shelf", "left_hand")), "",
         Action("get", ("gin_bottle", "shelf", "right_hand"))),
        ("boil-water", Action("grasp_from_floor", ("mug", "floor")), "",
         Action("grasp_from_in", ("mug", "cabinet"))),
        ("walker", Action("pick_up_from_floor", ("big_box",)), "",
         Action("pick_up", ("big_box", "near_table"))),
    ],
)  # fmt: skip
def test_a_substitute_has_the_same_purpose(
    name: str, action: Action, state: str, expected: Action
) -> None:
    place = PLACES[name]()
    achievers = Achievers(place.skills.rules(place.known))
    hands = hands_of(place.skills.domain)
    found = substitutes(place.skills, achievers, hands, action, PartialState(place.state))
    assert expected in found
    assert {one.args[0] for one in found} == {action.args[0]}


def test_nothing_stands_for_a_destination_or_a_quantity() -> None:
    place = PLACES["two_hands"]()
    achievers, state = Achievers(place.skills.rules(place.known)), PartialState(place.state)
    hands = hands_of(place.skills.domain)
    for action in (
        Action("put", ("gin_bottle", "tray")),
        Action("pour", ("gin_bottle", "first_glass")),
    ):
        assert substitutes(place.skills, achievers, hands, action, state) == ()
