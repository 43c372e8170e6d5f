"""Answers of the vision model against the ground truth, and how long a right answer takes."""

from __future__ import annotations

import pytest
from made_up import broken, failed, record

from regrasp.bench.answer_scores import (
    Delays,
    QuestionScore,
    Rate,
    score_checks,
    score_claims,
    wrong_claims,
)
from regrasp.bench.record import CheckedAnswer
from regrasp.bench.statistics import wilson
from regrasp.core.claim import ClaimResult


def said(predicate: str, *answers: str, question: str = "") -> tuple[CheckedAnswer, ...]:
    """Checks a second apart; each is what was said and what was so, `yes/no`."""
    return tuple(
        CheckedAnswer(predicate, question or f"{predicate}?", *answer.split("/"), float(second))
        for second, answer in enumerate(answers)
    )


def test_answers_are_counted_by_predicate() -> None:
    checks = (
        *said("seen", "yes/yes", "yes/yes", "yes/no", "no/no", "no/yes"),
        *said("open", "no/no"),
    )
    scores = {score.name: score for score in score_checks([record(checks=checks)])}
    assert list(scores) == ["open", "seen", "all"]
    seen = scores["seen"]
    assert (seen.tp, seen.tn, seen.fp, seen.fn, seen.asked) == (2, 1, 1, 1, 5)
    assert (seen.tpr, seen.tnr) == (Rate(2, 3), Rate(1, 2))
    assert (seen.ppv, seen.npv) == (Rate(2, 3), Rate(1, 2))
    everything = scores["all"]
    assert (everything.tn, everything.asked) == (2, 6)


def test_unknown_is_neither_right_nor_wrong() -> None:
    (score,) = score_checks([record(checks=said("seen", "unknown/yes", "unknown/no", "yes/yes"))])
    assert (score.unknown, score.no_truth, score.asked) == (2, 0, 3)
    assert score.tpr == Rate(1, 1)
    assert score.tnr.value is None


def test_what_has_no_truth_is_not_scored() -> None:
    (score,) = score_checks([record(checks=said("other", "yes/unknown", "unknown/unknown"))])
    assert (score.no_truth, score.asked) == (2, 2)
    assert score.delays == Delays()
    assert {rate.n for rate in (score.tpr, score.tnr, score.ppv, score.npv)} == {0}


def test_rates_have_intervals() -> None:
    assert Rate(9, 10).value == 0.9
    assert Rate(9, 10).interval == wilson(9, 10)
    assert Rate(0, 0).value is None
    assert Rate(0, 0).interval == (0.0, 1.0)


@pytest.mark.parametrize(
    ("answers", "seconds", "missed"),
    [
        (("yes/yes", "yes/yes"), (0.0,), 0),
        (("no/yes", "unknown/yes", "yes/yes"), (2.0,), 0),
        (("no/yes", "no/yes"), (), 1),
        # true at once; then it changes, is said late; then it changes back and is never said
        (("no/no", "no/yes", "yes/yes", "yes/no"), (0.0, 1.0), 1),
        (("yes/unknown", "yes/yes"), (0.0,), 0),
    ],
)
def test_delay_counts_from_when_a_truth_was_first_asked_about(
    answers: tuple[str, ...], seconds: tuple[float, ...], missed: int
) -> None:
    (score,) = score_checks([record(checks=said("on", *answers))])
    assert score.delays == Delays(seconds, missed)
    assert [s for _, s in score.delays.late] == [s for s in seconds if s]


def test_each_question_and_each_episode_has_delays_of_its_own() -> None:
    first = (*said("on", "no/yes", question="a?"), *said("on", "yes/yes", question="b?"))
    (score,) = score_checks([record(checks=first), record(seed=1, checks=said("on", "yes/yes"))])
    assert score.delays == Delays((0.0, 0.0), 1)


def test_broken_episodes_say_nothing() -> None:
    assert score_checks([broken()]) == ()
    assert score_claims([broken()]) == QuestionScore(0, 0, 0, 0, "done")


def test_the_last_word_is_a_classifier_too() -> None:
    records = [
        record(seed=0),
        record(seed=1, claimed=False),
        failed(seed=2),
        failed(seed=3, claimed=True),
        failed(seed=4, claimed=True),
    ]
    score = score_claims(records)
    assert (score.tp, score.fn, score.tn, score.fp) == (1, 1, 1, 2)
    assert score.ppv == Rate(1, 3)


def test_wrong_claims_are_counted_by_whether_the_goal_was_seen() -> None:
    seen, not_seen = str(ClaimResult.SEEN), str(ClaimResult.NOT_SEEN)
    records = [
        record(seed=0, claim=seen),
        record(seed=1, claim=not_seen),
        failed(seed=2, claimed=True, claim=seen),
        failed(seed=3, claimed=True, claim=not_seen),
        failed(seed=4, claimed=True, claim=not_seen),
        failed(seed=5, claim="not done"),
        failed(seed=6, claimed=True),  # of an earlier version
        broken(seed=7),
    ]
    assert wrong_claims(records, ClaimResult.SEEN) == Rate(1, 2)
    assert wrong_claims(records, ClaimResult.NOT_SEEN) == Rate(2, 3)
