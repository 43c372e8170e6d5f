"""When is it enough? The paper's streak, our odds, and which of them is better at equal delay."""

from __future__ import annotations

import math
from statistics import NormalDist, fmean

import numpy as np
import pytest

from regrasp.core.errors import RegraspError
from regrasp.monitors.detectors import ConsecutiveDetector, ShiryaevDetector, ViolationDetector
from regrasp.perception.beliefs import Confusion


def after(evidence: ViolationDetector, *looks: bool | None) -> ViolationDetector:
    for so in looks:
        evidence = evidence.updated(so)
    return evidence


def test_a_streak_takes_k_noes_in_a_row() -> None:
    assert not after(ConsecutiveDetector(4), False, False, False).violated
    assert after(ConsecutiveDetector(4), False, False, False, False).violated
    assert not after(ConsecutiveDetector(4), False, False, True, False, False).violated
    assert after(ConsecutiveDetector(1), False).violated


def test_unknown_is_no_evidence() -> None:
    assert after(ConsecutiveDetector(2), False, None, False).violated
    assert not after(ConsecutiveDetector(2), None, None, None).in_doubt
    assert not after(ShiryaevDetector(), None, None, None).in_doubt


def test_doubt_begins_before_the_alarm_and_ends_with_a_good_look() -> None:
    for fresh in (ConsecutiveDetector(4), ShiryaevDetector()):
        assert not fresh.in_doubt
        worried = after(fresh, False, False, False)
        assert worried.in_doubt and not worried.violated
        assert not after(worried, True, True, True).in_doubt


def test_odds_follow_bayes_rule() -> None:
    confusion, hazard = Confusion(false_no=0.1, true_no=0.7), 0.02
    found = after(ShiryaevDetector(confusion, hazard), False, True)
    broken = hazard
    broken = broken * 0.7 / (broken * 0.7 + (1 - broken) * 0.1)
    broken += (1 - broken) * hazard
    broken = broken * 0.3 / (broken * 0.3 + (1 - broken) * 0.9)
    assert isinstance(found, ShiryaevDetector) and math.isclose(found.probability, broken)


def test_better_eyes_need_fewer_looks() -> None:
    def needed(confusion: Confusion) -> int:
        evidence, looks = ShiryaevDetector(confusion), 0
        while not evidence.violated:
            evidence, looks = evidence.updated(False), looks + 1
        return looks

    observer = (Confusion(0.001, 0.99), Confusion(0.05, 0.9), Confusion(0.3, 0.7))
    assert list(map(needed, observer)) == [2, 4, 12]


def test_eyes_that_are_certain_are_believed_at_once_and_those_that_waver_are_not() -> None:
    fresh = ShiryaevDetector(alarm_threshold=0.9)
    assert fresh.updated(False, 0.9997).violated
    assert not fresh.updated(False, 0.97).violated
    wavering: ViolationDetector = fresh
    for so in (False, True) * 20:
        wavering = wavering.updated(so, 0.7)
    assert not wavering.probably_violated
    assert not fresh.updated(False, 0.9997).updated(True, 0.9997).in_doubt


def test_a_confidence_is_worth_what_bayes_rule_says_and_never_everything() -> None:
    hazard, sure = 0.02, 0.8
    broken = hazard * sure / (hazard * sure + (1 - hazard) * (1 - sure))
    assert math.isclose(ShiryaevDetector(hazard=hazard).updated(False, sure).probability, broken)
    certain = ShiryaevDetector(hazard=hazard, max_confidence=0.99)
    assert certain.updated(False, 1.0) == certain.updated(False, 0.99)
    assert certain.updated(True, 1.0) == certain.updated(True, 0.99)


def test_answers_that_are_alike_count_for_less() -> None:
    looks = (False,) * 4
    assert (
        after(ShiryaevDetector(), *looks).violated
        and not after(ShiryaevDetector(trust=0.5), *looks).violated
    )


def test_a_confusion_is_measured_from_counts_and_never_certain() -> None:
    measured = Confusion.measured(tp=98, tn=9, fp=1, fn=2)
    assert measured.false_no == pytest.approx(2.5 / 101)
    assert measured.true_no == pytest.approx(9.5 / 11)
    flawless = Confusion.measured(tp=50, tn=50, fp=0, fn=0)
    assert 0 < flawless.false_no < flawless.true_no < 1


@pytest.mark.parametrize("rates", [(0.0, 0.9), (0.1, 1.0), (0.5, 0.4), (0.3, 0.3)])
def test_eyes_that_tell_nothing_or_all_are_refused(rates: tuple[float, float]) -> None:
    with pytest.raises(RegraspError, match="must say no more often"):
        Confusion(*rates)


# ---- equal delay, fewer false alarms -----------------------------------------------------------

EYES = Confusion(false_no=0.2, true_no=0.7)


def false_alarms(fresh: ViolationDetector, looks: int, seed: int) -> int:
    """How often it stops a skill in which nothing is wrong; after an alarm it begins anew."""
    evidence, alarms = fresh, 0
    for no in np.random.default_rng(seed).random(looks) < EYES.false_no:
        evidence = evidence.updated(not no)
        if evidence.violated:
            evidence, alarms = fresh, alarms + 1
    return alarms


def delays(fresh: ViolationDetector, breaks: int, seed: int) -> list[int]:
    """Looks from a break to the alarm, each after twenty looks at what was still so."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(breaks):
        evidence = fresh
        for no in rng.random(20) < EYES.false_no:
            evidence = evidence.updated(not no)
            evidence = fresh if evidence.violated else evidence
        looks = 0
        while not evidence.violated:
            evidence, looks = evidence.updated(rng.random() >= EYES.true_no), looks + 1
        found.append(looks)
    return found


def test_at_equal_delay_the_odds_give_fewer_false_alarms_than_four_in_a_row() -> None:
    """On simulated answers with the stated confusion: no later, and fewer beyond chance."""
    four, odds = ConsecutiveDetector(4), ShiryaevDetector(EYES, hazard=0.005, alarm_threshold=0.9)
    late, early = delays(four, 1500, 0), delays(odds, 1500, 1)
    error = math.sqrt((np.var(late) + np.var(early)) / 1500)
    assert fmean(early) <= fmean(late) + 2 * error
    looks = 60_000
    many, few = false_alarms(four, looks, 2), false_alarms(odds, looks, 3)
    assert many > 30  # enough to tell
    z = (many - few) / math.sqrt(many + few)  # of two Poisson counts that are alike
    assert 1 - NormalDist().cdf(z) < 0.001, (many, few)
