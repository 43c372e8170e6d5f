"""The motions suite is sound: every program parses, every goal can be judged and is yet to come."""

from __future__ import annotations

import pytest

from regrasp.bench.episode import Episode, MotionResult, broken, episode_rows, motion_rows
from regrasp.bench.motions import MOTIONS, MotionTask, motion_task
from regrasp.control.rewards import parse_rewards
from regrasp.core.errors import UnknownNameError
from regrasp.core.outcome import Outcome
from regrasp.worlds.judge import WorldJudge
from regrasp.worlds.registry import open_world

EACH = pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.name)


@EACH
def test_its_program_speaks_of_its_world(motion: MotionTask) -> None:
    scene = open_world(motion.world, motion.task).scene
    program = parse_rewards(motion.program, objects=scene.things, joints=scene.joints)
    assert program.primary.primary


@EACH
@pytest.mark.parametrize("seed", [0, 1])
def test_its_goal_can_be_judged_and_is_false_at_the_start(motion: MotionTask, seed: int) -> None:
    judge = WorldJudge(open_world(motion.world, motion.task, seed))
    for claim in motion.goal:
        assert judge.holds(claim.fact.predicate, *claim.fact.args) is not claim.positive, str(claim)
    for claim in motion.noted:
        judge.holds(claim.fact.predicate, *claim.fact.args)


def test_names_are_used_once_and_found_however_spelt() -> None:
    assert len({motion.name for motion in MOTIONS}) == len(MOTIONS)
    assert motion_task("Open door") is motion_task("open-door")
    with pytest.raises(UnknownNameError, match="Did you mean 'open-door'"):
        motion_task("open-doors")


def test_the_papers_figures() -> None:
    papers = {m.name: str(m.paper) for m in MOTIONS if m.paper}
    assert papers == {
        "open-door": "100% of 20",
        "remove-bar": "100% of 20",
        "remove-kettle": "80% of 20",
        "pull-lever": "100% of 20",
    }


def test_controls_are_the_three_that_must_not_work() -> None:
    controls = [m.name for m in MOTIONS if not m.possible]
    assert controls == ["barred-door", "locked-door", "blocked-microwave"]


def result(
    seed: int, outcome: Outcome, *, reported_success: bool, did: bool, up: bool
) -> MotionResult:
    episode = Episode("remove-kettle", "ps", seed)
    noted = {"upright(kettle)": up}
    return MotionResult(episode, outcome, "why", reported_success, did, did, 4.0 + seed, 8.0, noted)


def test_a_row_counts_and_keeps_broken_apart() -> None:
    kettle = motion_task("remove-kettle")
    results = [
        result(0, Outcome.SUCCEEDED, reported_success=True, did=True, up=True),
        result(1, Outcome.FAILED, reported_success=True, did=False, up=False),
        result(2, Outcome.SUCCEEDED, reported_success=False, did=True, up=True),
        broken(Episode("remove-kettle", "ps", 3), "it hung"),
    ]
    (row,) = motion_rows([kettle], "ps", results)
    counts = (
        "episodes",
        "succeeded",
        "failed",
        "broken",
        "reported_success",
        "did",
        "wrong_reports",
    )
    assert [row[name] for name in counts] == [4, 2, 1, 1, 2, 2, 2]
    assert row["interval"] == [0.2077, 0.9385]  # 2 of 3: the broken one is not the method's
    assert (row["sim_s"], row["cpu_s"]) == (5.0, 8.0)
    assert row["cpu_per_sim"] == pytest.approx(24.0 / 15.0)
    assert row["say_do_gap"] == 0.0
    assert row["noted"] == {"upright(kettle)": 2}
    assert [(f["seed"], f["outcome"]) for f in row["failures"]] == [(1, "failed"), (3, "broken")]
    assert len(episode_rows(results)) == 4


def test_a_row_of_only_broken_episodes_knows_nothing() -> None:
    lost = broken(Episode("open-door", "ps", 0), "it hung")
    (row,) = motion_rows([motion_task("open-door")], "ps", [lost])
    assert (row["interval"], row["sim_s"], row["cpu_per_sim"]) == ([0.0, 1.0], None, None)
