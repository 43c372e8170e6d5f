"""The planning test of IALP: random observations, scored by the domain."""

from __future__ import annotations

import numpy as np

from regrasp.bench.observation_sets import observation_task, score_choice
from regrasp.core.action import Action
from regrasp.methods.ialp_choice import Impasse


def test_a_choice_is_scored_by_the_domain() -> None:
    given = observation_task("apartment", "insert-book")
    assert {one.name for one in given.rules.objects} == {"book", "black_table", "bookshelf"}
    draws = [given.draw(np.random.default_rng(seed)) for seed in range(12)]
    assert draws[0] == given.draw(np.random.default_rng(0))
    facts = sum(len(list(given.rules.facts(p.name))) for p in given.rules.domain.predicates)
    assert 0.35 < np.mean([len(one.init) for one in draws]) / facts < 0.65
    alert = Impasse(None, ())
    for drawn in draws:
        moves = [
            score_choice(given.rules, drawn, Action("move", (n,))) for n in ("book", "black_table")
        ]
        assert all(executable or not shortest for executable, shortest in moves)
    hopeless = [score_choice(given.rules, drawn, alert)[0] for drawn in draws]
    assert True in hopeless and False in hopeless  # to call a person is not always right
