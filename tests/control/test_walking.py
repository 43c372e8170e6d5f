"""The legs' controller: what it computes, what it shows its policy, and what it remembers."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from regrasp.control import gait, walking
from regrasp.control.gait import (
    ACTION_LIMIT,
    ACTION_SCALE_RAD,
    ACTIONS,
    MAX_HEIGHT_M,
    MIN_HEIGHT_M,
    OBSERVATIONS,
)
from regrasp.control.guard import GuardTrip
from regrasp.control.walking import MEMORY, LegController, WalkingPolicy
from regrasp.core.errors import RegraspError
from regrasp.core.weights import DamagedWeightsError
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.kit.walker import ARMS, BASE, HOME, LEGS, STAND_M, add_walker

Array = npt.NDArray[np.float64]
LEG_HOME = np.array(HOME[len(ARMS) :])
STILL = np.array([0.0, 0.0, 0.0, MAX_HEIGHT_M])


class Watched(WalkingPolicy):
    """A policy that says what it is told to say, and keeps what it saw."""

    def __init__(self, says: float = 0.0) -> None:
        self.seen: list[Array] = []
        self._says = says

    def __call__(self, seen: Array) -> Array:
        self.seen.append(seen.copy())
        return np.full(ACTIONS, self._says)


def body() -> tuple[mujoco.MjModel, mujoco.MjData]:
    rng = np.random.default_rng(0)
    scene = Scene(layout=rng, look=rng, planning=True)
    scene.spec.nuserdata = MEMORY
    add_walker(scene)
    model = scene.compile()
    data = mujoco.MjData(model)
    data.qpos[:] = [0, 0, STAND_M, 1, 0, 0, 0, *HOME]
    mujoco.mj_forward(model, data)
    return model, data


def legs(policy: WalkingPolicy) -> tuple[LegController, mujoco.MjData]:
    model, data = body()
    made = LegController(model, data, policy, data.userdata, LEGS, LEG_HOME, BASE)
    made.reset()
    return made, data


def write_random(path: Path, sizes: tuple[int, ...] = (OBSERVATIONS, 16, 8, ACTIONS)) -> None:
    rng = np.random.default_rng(3)
    arrays = {}
    for n, shape in enumerate(pairwise(sizes)):
        arrays[f"{n}w"] = rng.normal(size=shape).astype(np.float32)
        arrays[f"{n}b"] = rng.normal(size=shape[1]).astype(np.float32)
    np.savez(path, **arrays)


def test_a_policy_in_a_file_is_its_layers_with_elu_between_them(tmp_path: Path) -> None:
    write_random(tmp_path / "walker.npz")
    seen = np.random.default_rng(4).normal(scale=0.1, size=OBSERVATIONS)
    kept = np.load(tmp_path / "walker.npz")
    x = seen
    for n in range(2):
        x = x @ kept[f"{n}w"] + kept[f"{n}b"]
        x = np.array([v if v > 0 else np.exp(v) - 1 for v in x])
    expected = np.clip(x @ kept["2w"] + kept["2b"], -ACTION_LIMIT, ACTION_LIMIT)
    said = WalkingPolicy.load(tmp_path / "walker.npz")(seen)
    assert np.allclose(said, expected, atol=1e-4)
    assert np.abs(said).max() <= ACTION_LIMIT


def test_a_policy_that_is_not_there_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(RegraspError, match=r"python -m train\.walker"):
        WalkingPolicy.load(tmp_path / "walker.npz")


def test_the_policy_of_the_package_is_verified_when_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    WalkingPolicy.load()
    other = tmp_path / "walker.npz"
    write_random(other)
    monkeypatch.setattr(walking, "WEIGHTS", other)
    with pytest.raises(DamagedWeightsError, match=r"SHA-256 .* Install the package again"):
        WalkingPolicy.load(other)


@pytest.mark.parametrize("command", [[0, 0, 0, np.nan], [0, 0, 0], "abcd", None, [1j] * 4])
def test_a_command_that_is_no_four_numbers_trips_the_guard(command: Any) -> None:
    with pytest.raises(GuardTrip, match="4 finite numbers"):
        legs(Watched())[0].act(command)


@pytest.mark.parametrize("place", [0, ACTIONS, ACTIONS + 1, ACTIONS + 3])
def test_a_damaged_memory_does_not_come_out(place: int) -> None:
    made, data = legs(WalkingPolicy.load())
    data.userdata[place] = np.nan
    with pytest.raises(GuardTrip, match="finite numbers"):
        made.act(np.array([0.3, 0.0, 0.0, MAX_HEIGHT_M]))


def test_a_policy_that_diverges_leaves_the_memory_as_it_was() -> None:
    made, data = legs(Watched(np.nan))
    before = data.userdata.copy()
    with pytest.raises(GuardTrip, match="finite numbers"):
        made.act(np.array([0.3, 0.0, 0.0, MAX_HEIGHT_M]))
    assert np.array_equal(data.userdata, before)


def test_it_sees_itself_stand_in_42_numbers() -> None:
    policy = Watched()
    made, data = legs(policy)
    data.qpos[data.model.joint("right_knee").qposadr[0]] += 0.3
    data.qvel[data.model.joint("left_leg_yaw").dofadr[0]] = 2.0
    data.qvel[3:6] = [0.5, 1.0, 1.5]
    data.userdata[ACTIONS + 2 :] = [0.4, 0.1, -0.2]  # it goes at that pace already
    made.act(np.array([0.4, 0.1, -0.2, MAX_HEIGHT_M]))
    (seen,) = policy.seen
    assert seen.shape == (OBSERVATIONS,)
    assert seen[8] == pytest.approx(0.3)  # angles: the fourth of the right leg
    assert seen[10] == pytest.approx(0.2)  # speeds, in tenths
    assert seen[30:33] == pytest.approx([0, 0, -1])  # down
    assert seen[33:35] == pytest.approx([0, 1])  # the clock, at its start
    assert seen[35:38] == pytest.approx([0.4, 0.1, -0.2])
    assert seen[38:41] == pytest.approx([0.1, 0.2, 0.3])  # turning, in fifths
    assert seen[41] == 0.0


def test_leaning_forward_is_down_along_x() -> None:
    policy = Watched()
    made, data = legs(policy)
    data.qpos[3:7] = [np.cos(0.1), 0, np.sin(0.1), 0]  # 0.2 rad about y
    made.act(STILL)
    assert policy.seen[0][30:33] == pytest.approx([np.sin(0.2), 0, -np.cos(0.2)])


def test_an_action_moves_the_targets_and_is_seen_the_next_time() -> None:
    policy = Watched(says=0.8)
    made, _ = legs(policy)
    assert np.allclose(made.act(STILL), LEG_HOME + 0.8 * ACTION_SCALE_RAD)
    made.act(STILL)
    assert np.allclose(policy.seen[0][20:30], 0.0)
    assert np.allclose(policy.seen[1][20:30], 0.8)


def test_it_sinks_slowly_and_walks_again_only_when_it_stands_tall() -> None:
    policy = Watched()
    made, _ = legs(policy)
    for _ in range(100):
        made.act(np.array([0.0, 0.0, 0.0, 0.0]))  # lower than it can
    heights = np.array([seen[41] / 5 + MAX_HEIGHT_M for seen in policy.seen])
    assert np.diff(heights).min() == pytest.approx(-0.005)
    assert heights[-1] == pytest.approx(MIN_HEIGHT_M)
    policy.seen.clear()
    for _ in range(80):
        made.act(np.array([0.5, 0.0, 0.0, MAX_HEIGHT_M]))
    speeds = [seen[35] for seen in policy.seen]
    assert speeds[0] == 0.0
    assert speeds[-1] == 0.5
    clocks = np.array([seen[33:35] for seen in policy.seen])
    assert np.allclose(np.linalg.norm(clocks, axis=1), np.array(speeds) > 0)


def test_what_is_too_slow_is_standing_still_and_what_is_too_fast_is_cut() -> None:
    policy = Watched()
    made, _ = legs(policy)
    made.act(np.array([0.05, 0.0, 0.05, MAX_HEIGHT_M]))
    for _ in range(60):
        made.act(np.array([5.0, -5.0, 5.0, MAX_HEIGHT_M]))
    assert np.allclose(policy.seen[0][33:38], 0.0)
    assert policy.seen[-1][35:38] == pytest.approx([0.8, -0.25, 0.8])


def test_a_velocity_is_approached_and_never_jumps() -> None:
    policy = Watched()
    made, _ = legs(policy)
    for asked in (0.8, -0.4):
        for _ in range(90):
            made.act(np.array([asked, 0.0, 0.0, MAX_HEIGHT_M]))
    speeds = np.array([seen[35] for seen in policy.seen])
    assert speeds[89] == pytest.approx(0.8)
    assert speeds[-1] == pytest.approx(-0.4)
    jumps = np.abs(np.diff(speeds))
    assert jumps.max() <= gait.MIN_COMMAND + gait.MAX_ACCELERATION[0] * gait.CONTROL_PERIOD_S
    assert (jumps > 0).sum() > 30


@pytest.mark.parametrize("wrong", [[0.1, np.nan, 0.0, 0.5], [0.1, 0.0, 0.5]])
def test_a_command_that_is_no_command_trips_the_guard(wrong: list[float]) -> None:
    made, data = legs(Watched())
    before = data.userdata.copy()
    with pytest.raises(GuardTrip, match="4 finite numbers"):
        made.act(np.array(wrong))
    assert np.array_equal(data.userdata, before)
