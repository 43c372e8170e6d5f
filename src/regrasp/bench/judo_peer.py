"""The same planning work in judo-rai: run by `regrasp bench mpc --judo PYTHON`, in that Python.

It needs judo, numpy and that environment's own MuJoCo (< 3.7), and from Regrasp only the cost
functions, which need no more. Both planners minimise the same cost on the same model from the same
states. Protocol over the pipe: one line in with a scene's name, one line of JSON out with the CPU
milliseconds (all threads) of a plan.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import judo.tasks.base as judo_base  # type: ignore[import-not-found]
import mujoco
import numpy as np
from judo.controller.controller import (  # type: ignore[import-not-found]
    Controller,
    ControllerConfig,
)
from judo.optimizers import (  # type: ignore[import-not-found]
    PredictiveSampling,
    PredictiveSamplingConfig,
)

from regrasp.bench.mpc_scenes import PeerTask, scene_cost
from regrasp.control.mpc import Rollouts
from regrasp.core.arrays import Array
from regrasp.core.codec import from_json

__all__ = ["main"]

# Its Task always downloads a mesh archive on creation.
judo_base.download_and_extract_meshes = lambda *_, **__: None


@dataclass
class _Config(judo_base.TaskConfig):  # type: ignore[misc]
    """Nothing to configure."""


class _Task(judo_base.Task):  # type: ignore[misc]
    """A scene of Regrasp as a task of judo."""

    name = "regrasp"
    config_t = _Config

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(str(folder / f"{name}.xml"))
        self.peer = from_json(PeerTask, json.loads((folder / f"{name}.json").read_text()))
        moments = np.load(folder / f"{name}.npz")
        self.states, self.knots = moments["states"], moments["knots"]
        model = self.model
        self._slices = {
            model.sensor(i).name: slice(a, a + d)
            for i, (a, d) in enumerate(zip(model.sensor_adr, model.sensor_dim, strict=True))
        }
        self._finger = int(model.joint("finger_left").qposadr[0])
        self.reset()
        self._cost = scene_cost(self.peer.scene, self.peer.affordances, model, self.data)

    def reset(self) -> None:
        """Reset to the first moment."""
        self.data.qpos[:] = self.states[0, : self.model.nq]
        self.data.qvel[:] = self.states[0, self.model.nq :]
        mujoco.mj_forward(self.model, self.data)

    def optimizer_warm_start(self) -> Array:
        """The first command of the first moment."""
        return np.array(self.knots[0, 0])

    def reward(
        self, states: Array, sensors: Array, controls: Array, system_metadata: Any = None
    ) -> Array:
        """Minus our cost, read at the same steps and summed in the same way."""
        k, nq = self.peer.stride, self.model.nq
        seen = Rollouts(
            self._slices,
            sensors[:, k - 1 :: k],
            states[:, k - 1 :: k, nq:],
            states[:, k - 1 :: k, self._finger],
            controls[:, k - 1 :: k],
        )
        per_step = self._cost(seen)
        total: Array = per_step.mean(axis=1) + per_step[:, -1]
        return -total


class _Planner:
    """judo's controller on one scene, with the share of its CPU time inside MuJoCo."""

    def __init__(self, folder: Path, name: str) -> None:
        self.task = _Task(folder, name)
        peer = self.task.peer
        config = PredictiveSamplingConfig(num_rollouts=peer.samples, num_nodes=peer.knots)
        self.controller = Controller(
            ControllerConfig(horizon=peer.horizon_s, spline_order="linear"),
            self.task,
            PredictiveSampling(config, self.task.nu),
        )
        self._physics = 0.0
        self._rollout = self.controller.rollout_backend.rollout
        self.controller.rollout_backend.rollout = self._timed

    def _timed(self, *args: Any, **options: Any) -> Any:
        started_s = time.process_time()
        result = self._rollout(*args, **options)
        self._physics += time.process_time() - started_s
        return result

    def measure(self) -> dict[str, Any]:
        """Plan once from every moment."""
        controller, total, self._physics = self.controller, 0.0, 0.0
        for state, knots in zip(self.task.states, self.task.knots, strict=True):
            controller.current_state = np.array(state)
            controller.nominal_knots = np.array(knots)
            controller.times = controller.time + controller.spline_timesteps
            controller.update_spline(controller.times, controller.nominal_knots)
            started_s = time.process_time()
            controller.update_action()
            total += time.process_time() - started_s
        plans = len(self.task.states)
        steps = controller.states.shape[0] * controller.states.shape[1]
        return {
            "plans": plans,
            "plan_ms": 1e3 * total / plans,
            "physics_ms": 1e3 * self._physics / plans,
            "steps": int(steps),
        }


def main(folder: Path) -> None:
    """Answer requests from stdin on stdout, until stdin closes."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # keep stdout for the answers
    np.random.seed(0)  # noqa: NPY002 - judo draws from the global generator
    about = {"method": f"judo-rai {version('judo-rai')}", "mujoco": mujoco.__version__}
    print(json.dumps(about), file=answers, flush=True)
    planners: dict[str, _Planner] = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in planners:
            planners[name] = _Planner(folder, name)
            planners[name].measure()  # the first measurement loads and allocates
        print(json.dumps(planners[name].measure()), file=answers, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
