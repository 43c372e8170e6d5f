"""What the scripted commander learns from the reason of a failure."""

from __future__ import annotations

from regrasp.embedded.rules.learned_rules import LearnedRule, learn
from regrasp.prompts.command_line import CommandLine, FailedCommand

_GET = CommandLine(
    "get", (("block",), ("block", "table"), ("hand",)), "take the X",
    makes=("X is held by the Z",), ends=("X is on Y", "the Z is free"), optional=1,
)  # fmt: skip
_PUT = CommandLine(
    "put", (("block",), ("block", "table")), "put the X down",
    makes=("X is on Y", "the Z is free"), ends=("X is held by the Z",),
)  # fmt: skip
_OBJECTS = {"table": "table", "left_hand": "hand", "right_hand": "hand"} | dict.fromkeys(
    ("b2", "b3", "b4"), "block"
)
_STOOD = (("b4", "b4 is on b3"),)


def _learned(known: set[str]) -> LearnedRule:
    failed = FailedCommand(
        "get(b3, b2)", "Could not get b3 from b2: b4 is in the way.",
        "With the right_hand from above, the right_link6 would hit the b4.",
    )  # fmt: skip
    commands = {line.name: line for line in (_GET, _PUT)}
    (rule,) = learn([failed], commands, _OBJECTS, frozenset(known), _STOOD)
    return rule


def test_what_a_hand_holds_and_is_in_the_way_is_put_down_not_searched_for_where_it_stood() -> None:
    rule = _learned({"b4 is held by the left_hand", "b3 is on b2"})

    assert rule == LearnedRule("get", set_aside=("b4",), objects=("b3", "b2"))


def test_how_a_block_was_in_the_way_becomes_a_rule_for_all_of_them() -> None:
    assert _learned({"b4 is on b3", "b3 is on b2"}) == LearnedRule(
        "get", clear=("anything is on X",)
    )
