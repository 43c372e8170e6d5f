"""A sentence says its goal if it hints at every object, state and number of it."""

from __future__ import annotations

import pytest

from regrasp.lab.language.human_wording import says_goal


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("Put a chilled tomato on the table.", [("on", ("tomato", "side_table")), ("cold", ("tomato",))]),
        ("throw the apple away", [("inside", ("apple", "garbage_can"))]),
        ("Move both phones to the couch", [("on", ("cell_phone#1", "sofa")), ("on", ("cell_phone#2", "sofa"))]),
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
        ("put a fork in the sink", [("inside", ("fork#1", "sink")), ("inside", ("fork#2", "sink"))]),
        ("put salt in the drawer", [("inside", ("pepper_shaker", "drawer"))]),
    ],
)  # fmt: skip
def test_a_goal_with_more_or_less_than_the_words_is_not_said(
    said: str, facts: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert not says_goal(said, facts)
