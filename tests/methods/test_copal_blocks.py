"""CoPAL builds towers: what the robot reports of one block teaches a rule for all of them."""

from __future__ import annotations

import pytest
from symbolic_blocks import Stacked


@pytest.mark.parametrize("method", ["copal-physical", "copal-h1", "copal"])
@pytest.mark.parametrize("count", [3, 5])
def test_towers_are_built_within_five_new_plans(method: str, count: int) -> None:
    ran = [Stacked(method, count, seed) for seed in range(4)]
    assert all(one.solved and one.claim.done for one in ran)
    assert max(one.replans for one in ran) <= 5


def test_a_plan_that_failed_is_not_written_again() -> None:
    ran = Stacked("copal-physical", 3, 1)  # a block stands on the one that goes on top
    tried = [str(one) for one in ran.robot.tried]
    failed = next(one for one in tried if tried.count(one) > 1)
    between = tried[tried.index(failed) + 1 : len(tried) - tried[::-1].index(failed) - 1]
    assert ran.solved and between, "something was moved before the same command again"
