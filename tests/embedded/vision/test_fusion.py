"""Answers of several frames: odds add up, unknown adds nothing, a majority is a majority."""

from __future__ import annotations

import math

import pytest

from regrasp.core.answer import Verdict
from regrasp.models.fusion import LIMIT, AnswerFilter, majority
from regrasp.models.vision import Answer


def heard(*answers: tuple[Verdict, float | None], start: AnswerFilter | None = None) -> Answer:
    belief = start or AnswerFilter()
    for verdict, sure in answers:
        belief = belief.after(Answer(verdict, str(verdict), sure))
    return belief.answer()


def test_nothing_heard_is_unknown() -> None:
    assert heard().verdict is Verdict.UNKNOWN
    assert heard((Verdict.UNKNOWN, 0.99), (Verdict.TEXT, 0.9)).verdict is Verdict.UNKNOWN


def test_odds_multiply() -> None:
    both = heard((Verdict.YES, 0.8), (Verdict.YES, 0.8))
    assert both.verdict is Verdict.YES
    assert both.confidence == pytest.approx(16 / 17)
    assert heard((Verdict.YES, 0.8), (Verdict.NO, 0.8)).confidence == pytest.approx(0.5)


def test_one_who_is_sure_outweighs_two_who_are_not() -> None:
    said = heard((Verdict.NO, 0.6), (Verdict.NO, 0.6), (Verdict.YES, 0.95))
    assert said.verdict is Verdict.YES
    assert majority([Answer(Verdict.NO), Answer(Verdict.NO), Answer(Verdict.YES)]).verdict is (
        Verdict.NO
    )


def test_no_single_answer_decides_for_ever() -> None:
    certain = heard((Verdict.YES, 1.0))
    assert certain.confidence == pytest.approx(1 / (1 + math.exp(-LIMIT)))
    assert heard((Verdict.YES, 1.0), (Verdict.NO, 0.999), (Verdict.NO, 0.9)).verdict is Verdict.NO


def test_what_may_change_is_forgotten() -> None:
    steady = heard((Verdict.YES, 0.99), *[(Verdict.UNKNOWN, None)] * 5)
    fading = heard(
        (Verdict.YES, 0.99), *[(Verdict.UNKNOWN, None)] * 5, start=AnswerFilter(stay=0.8)
    )
    assert steady.confidence == pytest.approx(0.99)
    assert fading.confidence is not None
    assert 0.5 < fading.confidence < 0.6


def test_a_tie_is_unknown() -> None:
    assert majority([]).verdict is Verdict.UNKNOWN
    assert majority([Answer(Verdict.YES), Answer(Verdict.NO)]).verdict is Verdict.UNKNOWN
    three = majority([Answer(Verdict.YES)] * 3 + [Answer(Verdict.NO)])
    assert (three.verdict, three.confidence) == (Verdict.YES, 0.75)
