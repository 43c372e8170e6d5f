"""The apartment's domain: the seven actions of IALP carry each task from its start to its goal."""

from __future__ import annotations

import pytest

from regrasp.core.action import Action
from regrasp.core.fact import State, parse_literals
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.apartment import apartment_lexicon, apartment_skills
from regrasp.domains.apartment_words import GROUNDED
from regrasp.domains.lexicon import Access

KINDS = {
    "paper_box": "box", "pill_box": "box", "book": "book", "blue_jacket": "jacket",
    "blue_bucket": "bucket", "wooden_table": "table", "black_table": "table",
    "white_table": "table", "cloth_hanger": "stand", "drawer": "drawer", "bookshelf": "shelf",
    "door": "door", "person": "person",
}  # fmt: skip
KNOWN = tuple(ObjectDescription(name, kind) for name, kind in KINDS.items())


def state(*texts: str) -> State:
    return frozenset(literal.fact for literal in parse_literals(*texts))


START = state(
    "on(paper_box, wooden_table)", "on(blue_jacket, cloth_hanger)", "in(pill_box, drawer)",
    "on(book, black_table)", *(f"find({name})" for name in KINDS),
)  # fmt: skip
RULES = apartment_skills(START).rules(KNOWN)


def action(text: str) -> Action:
    name, *args = text.split()
    return Action(name, tuple(args))


def take(thing: str) -> list[str]:
    return [f"{skill} {thing}" for skill in ("move", "scan", "adjust", "grasp")]


def ready(place: str) -> list[str]:
    return [f"{skill} {place}" for skill in ("move", "scan", "adjust")]


PLANS = {
    "on(paper_box, black_table)": [
        *take("paper_box"), *ready("black_table"), "place paper_box black_table",
    ],
    "holding(blue_jacket)": [*take("blue_jacket"), "move door"],
    "holding(pill_box)": [*take("drawer"), "pull drawer", *take("pill_box"), "move person"],
    "on(book, bookshelf)": [*take("book"), *ready("bookshelf"), "insert book bookshelf"],
    "on(blue_bucket, white_table)": [
        *take("blue_bucket"), "lift blue_bucket", *ready("white_table"),
        "place blue_bucket white_table",
    ],
}  # fmt: skip


@pytest.mark.parametrize("goal", PLANS)
def test_the_seven_actions_and_adjust_reach_the_goal_of_each_task(goal: str) -> None:
    now = START
    for text in PLANS[goal]:
        assert not RULES.unmet_preconditions(action(text), now), text
        now = RULES.successor(now, action(text))
    assert state(goal) <= now


@pytest.mark.parametrize(
    ("done", "then", "unmet"),
    [
        ([], "grasp book", "at(book)"),
        (["move book"], "grasp book", "detected(book)"),
        (["move book", "scan book"], "grasp book", "reachable(book)"),
        (take("book"), "place book white_table", "at(white_table)"),
        (take("book"), "insert book bookshelf", "at(bookshelf)"),
        ([], "pull drawer", "holding(drawer)"),
    ],
)
def test_an_action_that_is_not_feasible_says_what_is_missing(
    done: list[str], then: str, unmet: str
) -> None:
    now = START
    for text in done:
        now = RULES.successor(now, action(text))
    missing = {str(one) for one in RULES.unmet_preconditions(action(then), now)}
    assert unmet in missing


def test_moving_on_makes_what_was_seen_uncertain_again() -> None:
    now = START
    for text in (*ready("book"), "move door"):
        now = RULES.successor(now, action(text))
    assert state("at(door)") <= now
    assert not state("at(book)", "detected(book)", "reachable(book)") & now


def test_six_predicates_are_grounded_and_four_are_asked() -> None:
    lexicon = apartment_lexicon()
    access = {entry.predicate: entry.access for entry in lexicon.entries}
    assert {name for name, how in access.items() if how is Access.GROUNDED} == set(GROUNDED)
    assert {name for name, how in access.items() if how is Access.SEEN} == {
        "on", "in", "holding", "opened",
    }  # fmt: skip
