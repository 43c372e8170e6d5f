"""A sentence says its goal if it hints at every object, state and number of it."""

from __future__ import annotations

import pytest

from regrasp.lab.language.human_wording import says_goal


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("Put a cold egg on the table", [("on", ("egg", "side_table")), ("cold", ("egg",))]),
        ("throw the apple away", [("inside", ("apple", "garbage_can"))]),
        ("Both pens to the couch!", [("on", ("pen#1", "sofa")), ("on", ("pen#2", "sofa"))]),
        ("look at the box under the lamp", [("holding", ("box",)), ("turned_on", ("desk_lamp",))]),
    ],
)  # fmt: skip
def test_a_whole_goal_is_said(said: str, facts: list[tuple[str, tuple[str, ...]]]) -> None:
    assert says_goal(said, facts)


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("cook the potato", [("hot", ("potato",)), ("on", ("potato", "counter_top"))]),
        ("put the apple in the sink", [("inside", ("apple", "sink")), ("cold", ("apple",))]),
        ("put a clean fork in the sink", [("inside", ("fork", "sink"))]),
        ("put a fork on the bed", [("on", ("fork#1", "bed")), ("on", ("fork#2", "bed"))]),
        ("put salt in the drawer", [("inside", ("pepper_shaker", "drawer"))]),
    ],
)  # fmt: skip
def test_a_goal_with_more_or_less_than_the_words_is_not_said(
    said: str, facts: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert not says_goal(said, facts)
