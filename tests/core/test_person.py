"""Answers to a question: by number, by words, or none."""

from __future__ import annotations

import pytest

from regrasp.core.errors import RegraspError
from regrasp.core.person import Nobody, Prepared, chosen_option

OPTIONS = ("red_cube", "the yellow cube", "the large yellow box")


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("1", 0),
        (" 3 ", 2),
        ("red_cube", 0),
        ("the red cube", 0),
        ("Yellow cube.", 1),
        ("large", 2),
        ("", None),
        ("0", None),
    ],
)
def test_an_answer_is_a_number_or_words(answer: str, index: int | None) -> None:
    assert chosen_option(answer, OPTIONS) == index


@pytest.mark.parametrize("answer", ["4", "00", "blue", "yellow", "-1", "the", "?"])
def test_an_answer_that_names_no_option_is_refused_with_what_is_valid(answer: str) -> None:
    with pytest.raises(RegraspError, match=r"names no option: give a number from 1 to 3"):
        chosen_option(answer, OPTIONS)


def test_words_that_are_an_option_win_over_words_that_are_in_others() -> None:
    assert chosen_option("cube", ("red cube", "cube")) == 1


def test_prepared_answers_are_given_in_order_and_then_somebody_else_is_asked() -> None:
    person = Prepared(["2", "blue", "large"], then=Prepared(["1"]))
    assert [person.choose("Which one?", OPTIONS) for _ in range(5)] == [1, None, 2, 0, None]


def test_nobody_answers_nothing() -> None:
    assert Nobody().choose("Which one?", OPTIONS) is None
