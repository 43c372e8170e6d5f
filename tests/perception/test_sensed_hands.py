"""What is in which hand, by the force in the hands after a skill."""

from __future__ import annotations

import pytest

from regrasp.core.fact import Fact, Literal, State
from regrasp.core.feedback import Evidence, FailureCode, Feedback, FeedbackLevel
from regrasp.core.robot import JointReading
from regrasp.perception.sensed_hands import SensedHands, loaded_hands
from skill_domains import PLACES

HELD, EMPTY = True, False
LEFT_GIN = Fact.of("holding", "left_hand", "gin_bottle")
RIGHT_GIN = Fact.of("holding", "right_hand", "gin_bottle")


def corrected(
    held: State, left: bool, right: bool, *candidates: str, report: Feedback | None = None
) -> list[Literal]:
    place = PLACES["two_hands"]()
    hands = SensedHands.of(place.skills.rules(place.known))
    assert hands is not None
    sensed = {"left_hand": left, "right_hand": right}
    return list(hands.corrections(held, sensed, candidates, report))


@pytest.mark.parametrize(
    ("left", "right", "found"),
    [
        (HELD, EMPTY, []),
        (EMPTY, HELD, [Literal(RIGHT_GIN)]),  # it changed hands
        (EMPTY, EMPTY, [Literal(LEFT_GIN, False)]),  # it was lost
    ],
)
def test_a_thing_in_a_hand_stays_changes_hands_or_is_lost(
    left: bool, right: bool, found: list[Literal]
) -> None:
    assert corrected(frozenset({LEFT_GIN}), left, right) == found


def test_a_hand_that_is_unexpectedly_full_holds_what_the_action_was_about() -> None:
    assert corrected(frozenset(), EMPTY, HELD, "gin_bottle") == [Literal(RIGHT_GIN)]
    assert corrected(frozenset(), EMPTY, HELD) == []  # nobody knows what it holds
    still = frozenset({LEFT_GIN})
    assert corrected(still, HELD, HELD, "gin_bottle") == []  # that one is in the other hand


def test_what_the_robot_says_of_a_hand_has_priority() -> None:
    said = (Evidence("left_hand", "mint_bowl"), Evidence("right_hand", ""))
    full = Feedback(FeedbackLevel.PHYSICAL, FailureCode.NOT_GRASPED, "Full.", evidence=said)
    mint = Fact.of("holding", "left_hand", "mint_bowl")
    found = corrected(frozenset({LEFT_GIN}), HELD, EMPTY, "gin_bottle", report=full)
    assert Literal(mint) in found


def test_a_load_of_more_than_a_gram_is_a_thing() -> None:
    read = JointReading(("left_load", "right_load"), (310.0, 0.2), (0, 0), (0, 0))
    assert loaded_hands(read, ("left_hand", "right_hand")) == {
        "left_hand": True,
        "right_hand": False,
    }
    assert loaded_hands(JointReading((), (), (), ()), ("left_hand",)) == {}
    grip = JointReading(("vacuum",), (1.0,), (0.0,), (0.0,))
    assert loaded_hands(grip, ("",)) == {"": True}  # a robot with one hand without a name
