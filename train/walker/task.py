"""The task: follow the command, do not fall. One world; `jax.vmap` makes it thousands.

What is drawn at random, so that the policy also holds in another simulator, with other arms and
other loads: pushes, arm movements, noise on what is observed, an action that comes a period late,
and (in `bodies.py`) loads and grip.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jp
import mujoco
import numpy as np
from mujoco import mjx
from train.walker.bodies import STEPS
from train.walker.commands import ARM_DRAWS, COMMAND_DRAWS, arm_pose, command

from regrasp.control.gait import (
    ACTION_LIMIT,
    ACTION_SCALE_RAD,
    ACTIONS,
    CONTROL_PERIOD_S,
    GAIT_PERIOD_S,
    MAX_ACCELERATION,
    MAX_HEIGHT_M,
    MAX_HEIGHT_RATE_M_S,
    MIN_COMMAND,
    MIN_WALKING_HEIGHT_M,
    observe,
    trunk_pitch_rad,
)
from regrasp.worlds.kit.walker import ARMS, HOME, SOLES, STAND_M

__all__ = ["EPISODE", "Outcome", "Task", "Walk"]

Array = Any

EPISODE = 1000
"""Actions until a world is reset: 20 s."""
_ARM_RAD_S = 2.0
_PUSH_M_S, _PUSH_EVERY, _COMMAND_EVERY, _ARMS_EVERY = 0.6, 150, 200, 100
_LIFT_M = 0.07  # of a swinging foot
_FALL = 2.0  # what a fall costs, beside all that would have come after
_NOISE = {"angles": 0.015, "speeds": 0.3, "gravity": 0.02, "gyro": 0.08}
_ARM, _LEG = slice(0, len(ARMS)), slice(len(ARMS), None)


class Walk(NamedTuple):
    """The state of one world."""

    data: mjx.Data
    action: Array  # (10,) the last one
    command: Array  # (4,)
    height: Array  # (1,) on its way to the commanded one
    pace: Array  # (3,) velocity, likewise
    arms: Array  # (6,) targets, on their way to arm_goal
    arm_goal: Array
    clock: Array  # s
    late: Array  # whether actions come a period late
    key: Array
    age: Array  # actions since it was reset


class Outcome(NamedTuple):
    """What came of an action."""

    reward: Array
    fell: Array
    over: Array  # its time is up
    error: Array  # (4,) forward, left, yaw rate, height


class Task:
    """Resets, observes and steps one world with the body `model`."""

    def __init__(self, plain: mujoco.MjModel) -> None:
        self._soles = np.array([plain.site(name).id for name in SOLES])
        self._home = jp.array(HOME)
        start = mujoco.MjData(plain)
        start.qpos[:] = [0, 0, STAND_M, 1, 0, 0, 0, *HOME]
        mujoco.mj_forward(plain, start)
        self._start = mjx.put_data(plain, start)

    def reset(self, key: Array) -> Walk:
        """Standing, arms anywhere, a command at hand."""
        key, a, b, c, d, e, f = jax.random.split(key, 7)
        arms = _drawn_pose(d)
        qpos = self._start.qpos.at[7:].set(jp.concatenate([arms, self._home[_LEG]]))
        qpos = qpos.at[13:].add(0.06 * jax.random.normal(a, (ACTIONS,)))
        qvel = 0.1 * jax.random.normal(b, self._start.qvel.shape)
        return Walk(
            data=self._start.replace(qpos=qpos, qvel=qvel),
            action=jp.zeros(ACTIONS), command=_drawn_command(c), arms=arms, arm_goal=arms,
            height=jp.full(1, MAX_HEIGHT_M, jp.float32), pace=jp.zeros(3),
            clock=GAIT_PERIOD_S * jax.random.uniform(e), late=jax.random.bernoulli(f), key=key,
            age=jp.zeros((), jp.int32),
        )  # fmt: skip

    def observe(self, walk: Walk, noise: Array | None = None) -> Array:
        """What the policy sees (42,), with noise if there is a key for it."""
        data = walk.data
        seen = {
            "angles": data.qpos[13:] - self._home[_LEG], "speeds": data.qvel[12:],
            "gravity": _down(data.qpos[3:7]), "gyro": data.qvel[3:6],
        }  # fmt: skip
        if noise is not None:
            for key, (name, value) in zip(jax.random.split(noise, 4), seen.items(), strict=True):
                seen[name] = value + _NOISE[name] * jax.random.normal(key, value.shape)
        velocity = _velocity(_accelerated(walk))
        return observe(
            action=walk.action, gait_phase=_gait_phase(walk.clock, velocity), velocity=velocity,
            height=walk.height, **seen,
        )  # fmt: skip

    def privileged(self, walk: Walk, load: Array) -> Array:
        """What the critic sees beside it (13,): velocity, height, feet, arms and load."""
        data = walk.data
        feet = data.site_xpos[self._soles, 2]
        return jp.concatenate(
            [_heading(data)[0], data.qvel[2:3], data.qpos[2:3] - walk.height, 5 * feet,
             0.5 * walk.arms, load]
        )  # fmt: skip

    def step(self, model: mjx.Model, walk: Walk, action: Array) -> tuple[Walk, Outcome]:
        """Act for one period."""
        key, a, b, c, d, e, f = jax.random.split(walk.key, 7)
        action = jp.clip(action, -ACTION_LIMIT, ACTION_LIMIT)
        push = jax.random.uniform(b, (2,), minval=-_PUSH_M_S, maxval=_PUSH_M_S)
        push = push * (jax.random.uniform(a) < 1 / _PUSH_EVERY)
        arms = walk.arms + _towards(walk.arm_goal, walk.arms, _ARM_RAD_S)
        height = walk.height + _towards(walk.command[3:], walk.height, MAX_HEIGHT_RATE_M_S)
        legs = self._home[_LEG] + ACTION_SCALE_RAD * jp.where(walk.late, walk.action, action)
        control = jp.concatenate([arms, legs])
        data = walk.data.replace(ctrl=control, qvel=walk.data.qvel.at[:2].add(push))
        data = jax.lax.fori_loop(0, STEPS, lambda _, now: mjx.step(model, now), data)
        after = walk._replace(
            data=data, action=action, height=height, pace=_accelerated(walk).pace, arms=arms,
            clock=walk.clock + CONTROL_PERIOD_S, key=key, age=walk.age + 1,
        )  # fmt: skip
        reward, error = self._reward(walk, after)
        down = _down(data.qpos[3:7])
        broken = jp.isnan(data.qpos).any() | jp.isnan(data.qvel).any()
        fell = (data.qpos[2] < height[0] - 0.17) | (down[2] > -0.5) | broken
        reward = jp.nan_to_num(reward) - _FALL * fell
        outcome = Outcome(reward, fell, after.age >= EPISODE, jp.nan_to_num(error))
        changed = jax.random.uniform(c) < 1 / _COMMAND_EVERY
        moved = jax.random.uniform(d) < 1 / _ARMS_EVERY
        return after._replace(
            command=jp.where(changed, _drawn_command(e), walk.command),
            arm_goal=jp.where(moved, _drawn_pose(f), walk.arm_goal),
        ), outcome

    def _reward(self, before: Walk, after: Walk) -> tuple[Array, Array]:
        """Follow the command; lift the feet with the clock; be upright, smooth and even."""
        data, asked = after.data, _velocity(after)
        moving = _moving(asked)
        velocity, spin = _heading(data)[0], data.qvel[3:6]
        down, lean = _down(data.qpos[3:7]), trunk_pitch_rad(after.height[0])
        legs, torque = data.qpos[13:], data.qfrc_actuator[12:]
        left, right = legs[:5], legs[5:]
        feet = jp.clip(data.site_xpos[self._soles, 2], 0.0, 0.2)
        wave = jp.sin(2 * jp.pi * after.clock / GAIT_PERIOD_S)
        lifted = _LIFT_M * moving * jp.maximum(jp.array([wave, -wave]), 0.0)
        high = data.qpos[2] - after.height[0]
        turned, missed = _heading(data)[1] - asked[2], ((velocity - asked[:2]) ** 2).sum()
        terms = (
            # Wide, to find the way; narrow, or it stands where little is asked.
            1.0 * jp.exp(-missed / 0.06) + 1.0 * jp.exp(-missed / 0.01),
            0.5 * jp.exp(-(turned**2) / 0.15) + 0.6 * jp.exp(-(turned**2) / 0.03),
            0.8 * jp.exp(-(high**2) / 0.003) - 10.0 * high**2,
            -1.5 * (down[0] - jp.sin(lean)) ** 2 - 6.0 * down[1] ** 2,
            -0.05 * (spin[:2] ** 2).sum() - 0.3 * data.qvel[2] ** 2,
            -0.02 * ((after.action - before.action) ** 2).sum(),
            -250.0 * ((feet - lifted) ** 2).sum(),
            -0.15 * (left[:2] ** 2 + right[:2] ** 2).sum(),
            -0.00005 * (torque**2).sum(),
            (1 - moving) * -0.3 * ((left - right) ** 2).sum(),
            (1 - moving) * -0.002 * (data.qvel[12:] ** 2).sum(),
            0.5,
        )  # fmt: skip
        error = jp.abs(jp.append(velocity - asked[:2], jp.array([turned, high])))
        return 0.1 * sum(terms), error


def _drawn_command(key: Array) -> Array:
    return command(jax.random.uniform(key, (COMMAND_DRAWS,)))


def _drawn_pose(key: Array) -> Array:
    return arm_pose(jax.random.uniform(key, (ARM_DRAWS,)))


def _accelerated(walk: Walk) -> Walk:
    """The velocity one period later, nearer to the command; 0 until it has stood up."""
    rising = (walk.command[3] >= MIN_WALKING_HEIGHT_M) & (walk.height[0] < MIN_WALKING_HEIGHT_M)
    goal = jp.where(rising, 0.0, walk.command[:3])
    most = CONTROL_PERIOD_S * jp.array(MAX_ACCELERATION)
    return walk._replace(pace=walk.pace + jp.clip(goal - walk.pace, -most, most))


def _velocity(walk: Walk) -> Array:
    """The velocity (3,) it is to have now."""
    return jp.where(jp.abs(walk.pace).max() < MIN_COMMAND, 0.0, walk.pace)


def _moving(velocity: Array) -> Array:
    return (jp.abs(velocity).max() > 0.0).astype(jp.float32)


def _gait_phase(seconds: Array, velocity: Array) -> Array:
    phase = 2 * jp.pi * seconds / GAIT_PERIOD_S
    return _moving(velocity) * jp.array([jp.sin(phase), jp.cos(phase)])


def _towards(goal: Array, now: Array, speed: float) -> Array:
    return jp.clip(goal - now, -speed * CONTROL_PERIOD_S, speed * CONTROL_PERIOD_S)


def _turn(quat: Array, vector: Array) -> Array:
    """`vector` turned by `quat` (w, x, y, z)."""
    return vector + 2 * jp.cross(quat[1:], jp.cross(quat[1:], vector) + quat[0] * vector)


def _down(quat: Array) -> Array:
    """Which way is down, in the frame of a body turned by `quat`."""
    return _turn(quat * jp.array([1.0, -1, -1, -1]), jp.array([0.0, 0, -1]))


def _heading(data: mjx.Data) -> tuple[Array, Array]:
    """Velocity (2,) along and across the way it faces, and the yaw rate."""
    ahead = _turn(data.qpos[3:7], jp.array([1.0, 0, 0]))[:2]
    ahead = ahead / (jp.linalg.norm(ahead) + 1e-6)
    vx, vy = data.qvel[0], data.qvel[1]
    along = jp.array([ahead[0] * vx + ahead[1] * vy, ahead[0] * vy - ahead[1] * vx])
    return along, _turn(data.qpos[3:7], data.qvel[3:6])[2]
