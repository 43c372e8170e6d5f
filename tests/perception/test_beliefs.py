"""What is made of answers: taken at their word, or weighed."""

from __future__ import annotations

import pytest

from regrasp.core.answer import Verdict
from regrasp.core.fact import Fact, Literal
from regrasp.models.vision import Answer
from regrasp.perception.beliefs import Ask, BayesianBelief, Confusion, first_answer

OPEN = Literal(Fact("open", ("door",)))


def saying(*answers: Answer) -> tuple[Ask, list[int]]:
    """Says these in turn, and keeps what it was asked."""
    asked: list[int] = []

    def ask(number: int) -> Answer:
        asked.append(number)
        return answers[min(number, len(answers) - 1)]

    return ask, asked


YES, NO, SKIP = (Answer(v) for v in (Verdict.YES, Verdict.NO, Verdict.UNKNOWN))


@pytest.mark.parametrize(("answer", "true"), [(YES, True), (NO, False), (SKIP, None)])
def test_crisp_takes_the_first_answer(answer: Answer, true: bool | None) -> None:
    ask, asked = saying(answer)
    assert first_answer(OPEN, ask) is true and asked == [0]


def test_a_yes_to_what_is_expected_is_enough() -> None:
    ask, asked = saying(YES)
    assert BayesianBelief()(OPEN, ask) is True and asked == [0]


def test_one_no_is_asked_again_and_outvoted() -> None:
    ask, asked = saying(NO, YES)
    assert BayesianBelief()(OPEN, ask) is True and asked == [0, 1, 2]


def test_two_noes_win() -> None:
    ask, asked = saying(NO, NO)
    assert BayesianBelief()(OPEN, ask) is False and asked == [0, 1]


def test_a_sure_no_wins_alone() -> None:
    ask, asked = saying(Answer(Verdict.NO, confidence=0.995))
    assert BayesianBelief()(OPEN, ask) is False and asked == [0]


def test_nobody_who_knows_changes_nothing() -> None:
    ask, asked = saying(SKIP)
    assert BayesianBelief(max_questions=2)(OPEN, ask) is None and asked == [0, 1]


def test_a_vision_model_known_to_miss_is_believed_less() -> None:
    """A no of a model that sees only half of what is open says little."""
    weak = BayesianBelief(
        max_questions=1, confusion={"open": Confusion(false_no=0.5, true_no=0.99)}
    )
    good = BayesianBelief(
        max_questions=1, confusion={"open": Confusion(false_no=0.01, true_no=0.99)}
    )
    assert weak(OPEN, saying(NO)[0]) is True
    assert good(OPEN, saying(NO)[0]) is False


def test_of_what_should_be_false_yes_and_no_change_places() -> None:
    """A model that sees only half of what is open misses it where it should not be."""
    closed = Literal(OPEN.fact, positive=False)
    weak = BayesianBelief(
        prior=0.3, max_questions=1, confusion={"open": Confusion(false_no=0.5, true_no=0.99)}
    )
    assert weak(closed, saying(YES)[0]) is False
    assert weak(closed, saying(NO)[0]) is False
    sharp = BayesianBelief(
        prior=0.3, max_questions=1, confusion={"open": Confusion(false_no=0.01, true_no=0.99)}
    )
    assert sharp(closed, saying(YES)[0]) is True
