"""Any text gives a value or a typed error: every parser, fuzzed.

200 cases a parser here; 10,000 with `-m long`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prompt_table import PROMPTS, PromptFamily

from regrasp.prompts.parsing import Declined, ParseError, repair_message
from regrasp.prompts.sections import read_sections
from regrasp.prompts.visual_question_parser import parse_visual_question

FAMILIES = pytest.mark.parametrize("family", PROMPTS, ids=lambda family: family.name)
LABELS = (
    *("Thought:", "Cannot:", "Step:", "Reason:", "Question:", "Done:", "Next:", "Sentence:"),
    *("While:", "After:", "Done", "pick(", "place(", "is held by the robot", "is on", "is not on"),
    *("Answer:", "<step>", "</step>", "<reason>", "<thought>", "</thought>", "[start plan]", "```"),
    *("1.", "2)", "3:", "- ", "* ", ">", "#1", "yes", "no", "unknown", "none", "-1", "0", "999999"),
    *("reset_reward()", "execute_plan(", "minimize_l2_distance_reward(", '"palm"', ",", ")", "("),
    *("\n", "\n\n", "\r\n", "\t", "\x00", "\u2028", "\ufeff", "é", "🤖", "**", "_", "'", '"'),
    *("the", "with the same colour as the", "close to", "far from", "joint", "open", "closed"),
)


def pieces(family: PromptFamily) -> st.SearchStrategy[str]:
    """Text made of what replies to this prompt are made of, in any order, with any noise."""
    words = {w for answer in family.answers for w in re.findall(r"\S+|\n", answer)}
    names = set(re.findall(r"[a-z]+(?:_[a-z]+)+", family.example.render()))
    known = st.sampled_from(sorted({*words, *names, *LABELS}))
    joined = st.lists(known | st.text(max_size=8), max_size=30).map(" ".join)
    return st.text() | joined | st.sampled_from(family.answers).flatmap(mangled)


def mangled(answer: str) -> st.SearchStrategy[str]:
    """A good answer with a piece cut out, put twice, or replaced."""
    cut = st.tuples(st.integers(0, len(answer)), st.integers(0, len(answer)), st.text(max_size=6))
    return cut.map(lambda c: answer[: min(c[:2])] + c[2] + answer[max(c[:2]) :]) | cut.map(
        lambda c: answer[: max(c[:2])] + c[2] + answer[min(c[:2]) :]
    )


def check(family: PromptFamily, text: str) -> None:
    result = family.example.parse(text)
    again = family.example.parse(text)
    assert result == again
    if isinstance(result, ParseError):
        assert 0 <= result.span.start <= result.span.end <= len(text)
        assert result.found == text[result.span.start : result.span.end]
        assert result.hint
        message = repair_message(result)
        assert "\n" not in message
        assert result.hint in message
    elif isinstance(result, Declined):
        assert result.why
    else:
        expected = family.example.parse(family.answers[0])
        assert isinstance(result, type(expected)), (result, expected)


def fuzz(family: PromptFamily, cases: int) -> Callable[[], None]:
    @settings(
        max_examples=cases,
        deadline=None,
        database=None,
        derandomize=cases < 1000,
        suppress_health_check=list(HealthCheck),
    )
    @given(pieces(family))
    def run(text: str) -> None:
        check(family, text)

    return run


@FAMILIES
def test_a_parser_is_total(family: PromptFamily) -> None:
    fuzz(family, 200)()


@pytest.mark.long
@FAMILIES
def test_a_parser_is_total_over_ten_thousand_texts(family: PromptFamily) -> None:
    fuzz(family, 10_000)()


@FAMILIES
def test_huge_replies_are_read_in_a_moment(family: PromptFamily) -> None:
    for text in (
        "a" * 200_000,
        "1. " * 50_000,
        "\n- " * 50_000,
        "Reason: " * 30_000,
        "<step>" * 9999,
    ):
        check(family, text)


@given(st.text())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_reading_a_prompt_back_is_total(text: str) -> None:
    assert all(dataclasses.is_dataclass(section) for section in read_sections(text).values())
    parse_visual_question(text)
