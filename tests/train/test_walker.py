"""What the walker is taught and examined with. What needs JAX, or MJX, is skipped without it."""

import sys
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
import pytest

from regrasp.control.gait import (
    GAIT_PERIOD_S,
    MAX_HEIGHT_M,
    MIN_COMMAND,
    MIN_HEIGHT_M,
    OBSERVATIONS,
    SPEEDS,
)
from regrasp.control.walking import MEMORY, LegController, WalkingPolicy
from regrasp.worlds.kit.walker import ARMS, BASE, HOME, LEGS
from standing_policy import standing

sys.path.append(str(Path(__file__).parents[2]))  # `train` is no part of the package

from train.walker.commands import ARM_DRAWS, COMMAND_DRAWS, arm_pose, command
from train.walker.examine import Ground, pushes, walks
from train.walker.mirror import done_otherwise, seen_otherwise


def test_commands_are_within_what_may_be_asked_and_only_the_tall_walk() -> None:
    draws = np.random.default_rng(0).random((500, COMMAND_DRAWS))
    asked = np.array([command(one) for one in draws])
    low, high = np.array(SPEEDS).T
    assert (asked[:, :3] >= low).all()
    assert (asked[:, :3] <= high).all()
    assert (asked[:, 3] >= MIN_HEIGHT_M).all()
    assert (asked[:, 3] <= MAX_HEIGHT_M).all()
    squats = asked[asked[:, 3] < MAX_HEIGHT_M]
    assert 0.2 < len(squats) / len(asked) < 0.4
    assert not squats[:, :2].any()
    fastest = np.abs(asked[:, :3]).max(axis=1)
    assert (fastest[fastest > 0] >= MIN_COMMAND).all()


def test_arms_are_mostly_alike() -> None:
    poses = np.array([arm_pose(one) for one in np.random.default_rng(1).random((300, ARM_DRAWS))])
    alike = (poses[:, :3] == poses[:, 3:]).all(axis=1).mean()
    assert 0.65 < alike < 0.85


def test_who_only_stands_does_not_fall_does_not_follow_and_is_knocked_over() -> None:
    found = walks(standing(), seed=0, seconds=8.0)
    assert found["falls"] == 0
    assert found["forward_m_s"] > 0.1
    assert pushes(standing(), seed=0, count=2, speed=2.0) == 0.0


def test_speed_is_measured_along_the_way_it_faces() -> None:
    ground = Ground(standing(), np.random.default_rng(0))
    ground.data.qpos[3:7] = [np.cos(np.pi / 4), 0, 0, np.sin(np.pi / 4)]  # it faces +y
    ground.data.qvel[:6] = [0.3, 0.5, 0, 0, 0, 0.7]
    mujoco.mj_forward(ground.model, ground.data)
    assert ground.measured[:3] == pytest.approx([0.5, -0.3, 0.7])


def test_in_the_mirror_the_body_does_the_same() -> None:
    ground, rng = Ground(standing(), np.random.default_rng(0)), np.random.default_rng(1)
    seen: list[np.ndarray] = []

    class Told(WalkingPolicy):
        def __call__(self, observed: np.ndarray) -> np.ndarray:
            seen.append(observed.copy())
            return next(actions)

    def walked(asked: list[float], actions_: list[np.ndarray], clock: float) -> np.ndarray:
        nonlocal actions
        actions = iter(actions_)
        ground.reset()
        memory = np.zeros(MEMORY)
        legs = LegController(
            ground.model, ground.data, Told([]), memory, LEGS, HOME[len(ARMS) :], BASE
        )
        legs.reset()
        memory[10] = clock
        for _ in range(len(actions_)):
            ground.data.ctrl[: len(HOME)] = [*HOME[: len(ARMS)], *legs.act(np.array(asked))]
            mujoco.mj_step(ground.model, ground.data, 20)
        return seen[-1]

    actions = iter(())
    told = list(rng.normal(0.0, 0.5, (8, 10)))
    one = walked([0.4, 0.2, 0.5, MAX_HEIGHT_M], told, 0.1)
    other = walked(
        [0.4, -0.2, -0.5, MAX_HEIGHT_M], [done_otherwise(a) for a in told], 0.1 + GAIT_PERIOD_S / 2
    )
    assert np.abs(one - other).max() > 0.1
    assert np.allclose(seen_otherwise(one), other, atol=1e-4)


# ---- with JAX ----------------------------------------------------------------------------------


def test_numpy_computes_what_jax_learnt(tmp_path: Path) -> None:
    jax = pytest.importorskip("jax")
    from train.walker.network import forward, load, new_networks, save

    networks = new_networks(jax.random.key(0))
    save(networks, tmp_path)
    seen = np.random.default_rng(0).normal(size=(20, OBSERVATIONS))
    policy = WalkingPolicy.load(tmp_path / "walker.npz")
    learnt = np.asarray(forward(networks.policy, seen.astype(np.float32)))
    assert np.abs(learnt).max() > 0.01
    assert np.allclose([policy(one) for one in seen], learnt, atol=1e-5)
    again = load(tmp_path / "learner.npz")
    assert all(map(np.array_equal, jax.tree.leaves(again), jax.tree.leaves(networks)))
    assert (tmp_path / "walker.npz").stat().st_size < 2_000_000


def test_it_learns_to_say_what_is_rewarded() -> None:
    jax = pytest.importorskip("jax")
    jp = jax.numpy
    from train.walker.network import PRIVILEGED, new_networks
    from train.walker.ppo import Learner, learning, next_rate

    class Guess(NamedTuple):
        goal: Any
        key: Any

    class Came(NamedTuple):
        reward: Any
        fell: Any
        over: Any
        error: Any

    class Echo:
        """Shows a number, and rewards whoever says it with every action."""

        def reset(self, key: Any) -> Guess:
            return Guess(jax.random.uniform(key, minval=-1.0), key)

        def observe(self, guess: Guess, noise: Any = None) -> Any:
            return jp.full(OBSERVATIONS, guess.goal)

        def privileged(self, guess: Guess, load: Any) -> Any:
            return jp.zeros(PRIVILEGED)

        def step(self, model: Any, guess: Guess, action: Any) -> tuple[Guess, Came]:
            key, again = jax.random.split(guess.key)
            reward = -((action - guess.goal) ** 2).mean()
            ended = jax.random.bernoulli(again, 0.2)
            return Guess(guess.goal, key), Came(reward, ended, ~ended, jp.zeros(4))

    a, b, c = jax.random.split(jax.random.key(0), 3)
    networks, rate = new_networks(a), 5e-4
    nothing = jax.tree.map(jp.zeros_like, networks)
    task: Any = Echo()
    guesses = jax.vmap(task.reset)(jax.random.split(b, 64))
    learner = Learner(networks, nothing, nothing, jp.zeros(()), guesses, c)
    iteration, rewards = learning(task, jp.zeros(1), None, jp.zeros((64, 1))), []
    for _ in range(30):
        learner, how = iteration(learner, jp.asarray(rate, jp.float32))
        rate = next_rate(rate, float(how.change))
        rewards.append(float(how.reward))
    assert np.mean(rewards[:3]) < -0.5  # a guess of 0 costs 1/3, and saying it with noise 1/4
    assert np.mean(rewards[-3:]) > -0.3


def test_jax_and_numpy_draw_the_same_commands() -> None:
    jp = pytest.importorskip("jax.numpy")
    for draws in np.random.default_rng(2).random((20, ARM_DRAWS)).astype(np.float32):
        some = draws[:COMMAND_DRAWS]
        assert np.allclose(command(jp.asarray(some)), command(some), atol=1e-6)
        assert np.allclose(arm_pose(jp.asarray(draws)), arm_pose(draws), atol=1e-6)


def test_a_policy_sees_the_same_in_training_and_afterwards() -> None:
    pytest.importorskip("mujoco.mjx")
    import jax
    from train.walker.bodies import plain_model
    from train.walker.task import Task

    plain = plain_model()
    walk = Task(plain).reset(jax.random.key(3))
    action = np.linspace(-1, 1, 10)
    asked = np.array([0.5, -0.1, 0.3, MAX_HEIGHT_M])
    quat = np.array([0.98, 0.05, 0.1, -0.15])
    data = mujoco.MjData(plain)
    data.qpos[:], data.qvel[:] = walk.data.qpos, walk.data.qvel
    data.qpos[3:7] = quat / np.linalg.norm(quat)
    walk = walk._replace(
        data=walk.data.replace(qpos=jax.numpy.asarray(data.qpos, jax.numpy.float32)),
        action=jax.numpy.asarray(action), command=jax.numpy.asarray(asked), clock=0.3,
        pace=jax.numpy.asarray(0.9 * asked[:3]),
    )  # fmt: skip
    seen = []

    class Watched(WalkingPolicy):
        def __call__(self, observed: np.ndarray) -> np.ndarray:
            seen.append(observed.copy())
            return action

    memory = np.array([*action, 0.3, MAX_HEIGHT_M, *(0.9 * asked[:3])])
    assert memory.shape == (MEMORY,)
    LegController(plain, data, Watched([]), memory, LEGS, HOME[len(ARMS) :], BASE).act(asked)
    assert np.allclose(Task(plain).observe(walk), seen[0], atol=1e-5)
