"""Sampling model-predictive control over `mujoco.rollout`.

At every replanning step the candidates of a `Sampler` are rolled out from the present state on the
planning model, a cost is computed from the sensors, and the plan moves towards the better ones:
minimise  J = mean_t c(x_t, u_t) + c(x_T, u_T)   subject to  x_{t+1} = f(x_t, u_t).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import mujoco
import numpy as np
from mujoco import rollout

from regrasp.control.estimate import sensor_slices
from regrasp.control.sampler import PredictiveSampling, Sampler
from regrasp.core.arrays import Array

__all__ = ["Cost", "MpcPlanner", "PlannerConfig", "PlannerTiming", "Rollouts"]

_STATE = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)


@dataclass(frozen=True, slots=True)
class PlannerConfig:
    """Horizon (control steps of 10 ms), knots, steps between replannings, and the hand's leash.

    Costs are read at every `stride`-th step. `leash` (m) keeps targets near the palm, so that the
    impedance never pulls harder than the hand can follow.
    """

    horizon: int = 60
    knots: int = 4
    replan: int = 8
    stride: int = 3
    leash: float = 0.22
    twist: float = 1.9
    threads: int = 1


@dataclass(slots=True)
class PlannerTiming:
    """CPU seconds spent sampling, inside MuJoCo, and in costs; and how many plans."""

    sample: float = 0.0
    physics: float = 0.0
    cost: float = 0.0
    plans: int = 0


@dataclass(slots=True)
class Rollouts:
    """What a cost reads: N candidates at T of their steps.

    `sensors` (N, T, S) is sliced by name; `velocity` (N, T, nv); `control` (N, T, 7) as in knots.
    """

    slices: dict[str, slice]
    sensors: Array
    velocity: Array
    fingers: Array
    control: Array

    def __getitem__(self, sensor: str) -> Array:
        """(N, T, dim) of a named sensor."""
        return self.sensors[..., self.slices[sensor]]


Cost = Callable[[Rollouts], Array]  # gives (N, T)


@dataclass
class MpcPlanner:
    """Keeps a plan and improves it. One planner per world; it is not shared between threads."""

    model: mujoco.MjModel
    rng: np.random.Generator
    sampler: Sampler = field(default_factory=PredictiveSampling)
    config: PlannerConfig = field(default_factory=PlannerConfig)
    timing: PlannerTiming = field(default_factory=PlannerTiming)
    noise: float = 1.0

    def __post_init__(self) -> None:
        model, cfg, n = self.model, self.config, self.sampler.samples
        self._data = [mujoco.MjData(model) for _ in range(max(1, cfg.threads))]
        self._pool = rollout.Rollout(nthread=cfg.threads if cfg.threads > 1 else 0)
        self._state = np.zeros(mujoco.mj_stateSize(model, _STATE))
        self._states = np.zeros((n, cfg.horizon, self._state.size))
        self._sensors = np.zeros((n, cfg.horizon, model.nsensordata))
        self._slices = sensor_slices(model)
        steps = np.arange(cfg.horizon)
        at = np.linspace(0, cfg.horizon - 1, cfg.knots)
        self._basis = np.stack([np.interp(steps, at, e) for e in np.eye(cfg.knots)], axis=1)
        self._knot_times = at * model.opt.timestep
        self._finger = 1 + int(model.joint("finger_left").qposadr[0])
        self._velocity = slice(1 + model.nq, 1 + model.nq + model.nv)
        forward = np.zeros(9)
        mujoco.mju_quat2Mat(forward, model.site("forward").quat)
        self._forward = forward.reshape(3, 3)
        self.knots = np.zeros((cfg.knots, 7))

    def recentre(self, data: mujoco.MjData, fingers: float | None = None) -> None:
        """Plan to stay where the palm is; keep the finger command unless one is given."""
        here = np.empty(7)
        here[:3] = data.site("palm").xpos
        here[3:6] = data.actuator_length[3:6]
        here[6] = data.ctrl[6] if fingers is None else fingers
        self.knots = np.tile(here, (self.config.knots, 1))

    def plan(self, data: mujoco.MjData, cost: Cost) -> float:
        """Improve the plan from the state of `data` (any model of the same layout); its cost."""
        started_s = time.process_time()
        cfg = self.config
        candidates = self.sampler.propose(self.knots, self.rng, self.noise)
        palm = data.site("palm").xpos
        candidates[..., :3] = np.clip(candidates[..., :3], palm - cfg.leash, palm + cfg.leash)
        candidates[..., 3:6] = np.clip(candidates[..., 3:6], -cfg.twist, cfg.twist)
        control = self._basis @ candidates
        mujoco.mj_getState(self.model, data, self._state, _STATE)
        commands = self.command(control)
        sampled = time.process_time()
        self._pool.rollout(
            self.model, self._data, self._state[None], commands, state=self._states,
            sensordata=self._sensors, initial_warmstart=data.qacc_warmstart[None],
        )  # fmt: skip
        rolled = time.process_time()
        k = cfg.stride
        states = self._states[:, k - 1 :: k]
        seen = Rollouts(
            self._slices,
            self._sensors[:, k - 1 :: k],
            states[..., self._velocity],
            states[..., self._finger],
            control[:, k - 1 :: k],
        )
        per_step = cost(seen)
        costs = per_step.mean(axis=1) + per_step[:, -1]
        costs[~np.isfinite(costs)] = 1e9
        self.knots = self.sampler.choose(candidates, costs)
        ended = time.process_time()
        timing = self.timing
        timing.sample += sampled - started_s
        timing.physics += rolled - sampled
        timing.cost += ended - rolled
        timing.plans += 1
        return float(costs.min())

    def control(self, step: int) -> Array:
        """(7,) plan coordinates at `step` control steps into the plan."""
        at: Array = self._basis[min(step, self.config.horizon - 1)] @ self.knots
        return at

    def command(self, control: Array) -> Array:
        """(…, 7) plan coordinates as actuator commands: positions turn into the forward frame."""
        commands = control.copy()
        commands[..., :3] = control[..., :3] @ self._forward
        return commands

    def shift(self, steps: int) -> None:
        """Move the plan `steps` control steps ahead, holding its end."""
        later = self._knot_times + steps * self.model.opt.timestep
        self.knots = np.stack(
            [np.interp(later, self._knot_times, column) for column in self.knots.T], axis=1
        )

    def close(self) -> None:
        """Stop the roll-out threads."""
        self._pool.close()
