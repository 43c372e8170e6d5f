"""Any method in any world: eight methods drive four robots, with no line for any of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeResult, EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory, world_setting
from regrasp.methods.registry import (
    METHODS,
    default_method,
    open_method,
    refusal,
    runnable,
)
from regrasp.worlds.registry import open_world, world_plan

LOOKING = ("replan", "dkprompt", "doremi", "inner-monologue", "cliport")
BLIND = ("saycan", "classical-planner")


def episode(world: str, task: str, method: str, out: Path) -> EpisodeResult:
    """With the oracle controller where there is one: physics of the arm is tested elsewhere."""
    place = WorldTask(world, task, 0, world_plan(world).oracle_robot)
    spec = EpisodeSpec(
        place, open_method(method), method, ScriptedModel(), oracle_factory(),
        recording=Recording(False, size=(32, 24)), limit_s=120.0,
    )  # fmt: skip
    return run_episode(spec, out)


CASES = [
    *(("tabletop", "pick-and-place", method) for method in (*LOOKING, *BLIND, "copal", "ialp")),
    *(("cubes", "occupied", method) for method in (*LOOKING[1:], *BLIND)),  # replan: test_runner.py
]


@pytest.mark.parametrize(("world", "task", "method"), CASES)
def test_every_method_drives_an_arm(world: str, task: str, method: str, tmp_path: Path) -> None:
    ended = episode(world, task, method, tmp_path)
    assert ended.claim.done and ended.done, ended.claim


@pytest.mark.parametrize("method", ["dkprompt", "classical-planner", "copal", "ialp"])
def test_a_household_is_a_domain_like_any_other(method: str, tmp_path: Path) -> None:
    ended = episode("household", "frozen-pie:situations=0", method, tmp_path)
    assert ended.claim.done and ended.done, ended.claim


@pytest.mark.parametrize("method", ["replan", "inner-monologue", "saycan"])
def test_a_sentence_that_a_planner_does_not_know_is_declined(method: str, tmp_path: Path) -> None:
    ended = episode("household", "frozen-pie:situations=0", method, tmp_path)
    assert not ended.done and (not ended.claim.done or method == "replan")


def test_a_lock_is_found_by_touch_and_opened_by_what_can_be_pulled(tmp_path: Path) -> None:
    for method in ("dkprompt", "inner-monologue", "ialp"):
        ended = episode("lever", "locked", method, tmp_path / method)
        assert ended.claim.done and ended.done, ended.claim
    ended = episode("lever", "locked", "classical-planner", tmp_path / "blind")
    assert ended.claim.done and not ended.done, "who never looks claims what is not true"


def test_ialp_takes_more_objects_where_those_of_the_task_do_not_do(tmp_path: Path) -> None:
    """The pie is named, the oven is not; the hands of the bar are constants of its domain."""
    for world, task in (("bar", "glass-on-tray"), ("walker_room", "move-box:p=0")):
        ended = episode(world, task, "ialp", tmp_path / world)
        assert ended.claim.done and ended.done, ended.claim


@pytest.mark.parametrize(
    ("world", "named"), [("cubes", "replan"), ("tabletop", "doremi"), ("household", "dkprompt")]
)
def test_where_no_method_is_named_one_fits(world: str, named: str) -> None:
    with world_setting(open_world(world), size=(16, 12)) as setting:
        assert default_method(setting.robot, setting.domain) == named
        assert named in runnable(setting.robot, setting.domain)


def test_a_method_that_cannot_work_says_why() -> None:
    with world_setting(open_world("tabletop"), size=(16, 12)) as setting:
        why = refusal("language-to-rewards", setting.robot, setting.domain)
        assert why == "language-to-rewards writes rewards, and ur5e has no skill follow_reward"
        can = runnable(setting.robot, setting.domain)
        assert set(METHODS) - set(can) == {"language-to-rewards"}
