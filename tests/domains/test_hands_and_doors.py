"""Hands and doors are found from the effects of the actions, in every domain."""

from __future__ import annotations

import pytest
from random_problems import BLOCKS

from regrasp.domains.hands_and_doors import Hands, doors_of, hands_of
from regrasp.domains.pddl_read import read_domain
from skill_domains import PLACES


@pytest.mark.parametrize("name", PLACES)
def test_every_robot_has_hands(name: str) -> None:
    hands = hands_of(PLACES[name]().skills.domain)
    assert hands is not None
    assert (hands.free, hands.held) in {
        ("free", "holding"), ("handempty", "holding"), ("handempty", "inhand")
    }  # fmt: skip


def test_the_hand_is_an_argument_where_there_are_two() -> None:
    assert hands_of(PLACES["two_hands"]().skills.domain) == Hands("free", "holding", 0, 1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("two_hands", [("open", True, "open_door", "close_door")]),
        ("boil-water", [("closed", False, "open", "close")]),
        ("kitchen", [("closed", False, "open", "close")]),
        ("tabletop", []),
        ("walker", []),
    ],
)
def test_a_door_is_what_lets_objects_in_and_out(
    name: str, expected: list[tuple[str, bool, str, str]]
) -> None:
    doors = doors_of(PLACES[name]().skills)
    assert [(d.predicate, d.passable, d.opening, d.closing) for d in doors] == expected


def test_a_cap_is_no_door_and_a_clear_block_no_hand() -> None:
    assert all(one.predicate != "capped" for one in doors_of(PLACES["two_hands"]().skills))
    assert hands_of(BLOCKS) is None
    clear = read_domain("""(define (domain towers) (:requirements :typing) (:types block)
      (:predicates (on ?x ?y - block) (clear ?y - block))
      (:action stack :parameters (?x ?y - block) :precondition (clear ?y)
        :effect (and (on ?x ?y) (not (clear ?y))))
      (:action lift :parameters (?x ?y - block) :precondition (on ?x ?y)
        :effect (and (clear ?y) (not (on ?x ?y)))))""")
    assert hands_of(clear) is None
