"""The mpc suite: the CPU time of a plan, the share of physics, and a comparison with judo-rai.

First our own controller runs each scene for some time. The moments at which it planned are kept:
the state and the present plan. Then our planner and the peer, in turns, plan once from each of
those moments, several times; the medians and their ratio are reported. CPU time of all threads is
counted, so the result depends neither on other load nor on the number of threads.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any, Self

import mujoco
import numpy as np

import regrasp
from regrasp.bench.mpc_scenes import SCENES, MpcScene, PeerTask, scene_cost
from regrasp.control.mpc import MpcPlanner, PlannerConfig, PlannerTiming
from regrasp.control.sampler import OPEN, PredictiveSampling
from regrasp.core.arrays import Array
from regrasp.core.codec import to_json
from regrasp.core.errors import RegraspError
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import CONTROL_DT, World

__all__ = ["DRIVE_S", "OurPlanner", "Peer", "PeerError", "PlanningCost", "planning_rows"]

DRIVE_S = 2.4
"""Simulated seconds of motion that provide the moments."""


class PeerError(RegraspError):
    """The peer could not be started or died; the text is its output."""


@dataclass(frozen=True, slots=True)
class PlanningCost:
    """CPU milliseconds of one plan, the part inside MuJoCo, and its physics steps."""

    plans: int
    plan_ms: float
    physics_ms: float
    steps: int


class OurPlanner:
    """Our planner on one scene, and the moments from which it plans."""

    def __init__(self, scene: MpcScene, seed: int = 0, drive_s: float = DRIVE_S) -> None:
        self.scene, self.config = scene, PlannerConfig()
        self.world = open_world(scene.world, scene.task, seed)
        self.planner = MpcPlanner(
            self.world.planning, np.random.default_rng(seed), PredictiveSampling(), self.config
        )
        world, planner = self.world, self.planner
        self.affordances = world.scene.affordances()
        self._cost = scene_cost(scene, self.affordances, world.planning, world.data)
        planner.recentre(world.data, OPEN)
        self.states: list[Array] = []
        self.knots: list[Array] = []
        while world.seconds < drive_s:
            self.states.append(np.concatenate([world.data.qpos, world.data.qvel]))
            self.knots.append(planner.knots.copy())
            planner.plan(world.data, self._cost)
            for step in range(self.config.replan):
                world.advance(planner.command(planner.control(step)))
            planner.shift(self.config.replan)

    def measure(self) -> PlanningCost:
        """Plan once from every moment."""
        planner, data, nq = self.planner, self.world.data, self.world.model.nq
        planner.timing = timing = PlannerTiming()
        total = 0.0
        for state, knots in zip(self.states, self.knots, strict=True):
            data.qpos[:], data.qvel[:] = state[:nq], state[nq:]
            mujoco.mj_forward(self.world.model, data)
            planner.knots = knots.copy()
            started_s = time.process_time()
            planner.plan(data, self._cost)
            total += time.process_time() - started_s
        plans = len(self.states)
        steps = planner.sampler.samples * self.config.horizon
        return PlanningCost(plans, 1e3 * total / plans, 1e3 * timing.physics / plans, steps)

    def write_task(self, folder: Path) -> None:
        """Write the scene for a peer: the planning model, the moments, and the rest as JSON."""
        name, config = self.scene.name, self.config
        (folder / f"{name}.xml").write_text(_planning_xml(self.world))
        knots = self.planner.command(np.stack(self.knots))
        np.savez(folder / f"{name}.npz", states=np.stack(self.states), knots=knots)
        horizon_s = config.horizon * CONTROL_DT
        task = PeerTask(
            self.scene, self.affordances, self.planner.sampler.samples, horizon_s, config.knots,
            config.stride,
        )  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(to_json(task)))

    def close(self) -> None:
        """Free the planner."""
        self.planner.close()


class Peer:
    """A judo-rai process in its own Python, connected by a pipe. A context manager."""

    def __init__(self, python: Path, folder: Path) -> None:
        # Put only this package on its path: our site-packages have another MuJoCo.
        package = folder / "path" / "regrasp"
        package.parent.mkdir()
        package.symlink_to(Path(regrasp.__file__).resolve().parent, target_is_directory=True)
        self._errors: IO[str] = (folder / "stderr").open("w+")
        command = [str(python), "-P", "-m", "regrasp.bench.judo_peer", str(folder)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                text=True, env={"PYTHONPATH": str(package.parent)},
            )  # fmt: skip
        except OSError as error:
            raise PeerError(f"cannot run {python}: {error.strerror}.") from error
        about = self._answer()
        self.method, self.mujoco = str(about["method"]), str(about["mujoco"])

    def measure(self, scene: str) -> PlanningCost:
        """One measurement on a scene that was written to its folder."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{scene}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # it died: reading gives the reason
        return PlanningCost(**self._answer())

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            last = (self._errors.read().strip().splitlines() or ["it printed nothing"])[-1]
            raise PeerError(
                f"judo-rai did not answer: {last}. --judo takes a Python that has judo-rai and "
                "mujoco < 3.7: python -m venv V && V/bin/pip install judo-rai 'mujoco<3.7'."
            )
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            if stream is not None:
                stream.close()


def planning_rows(
    judo: Path | None = None,
    repeats: int = 5,
    scenes: Sequence[MpcScene] = SCENES,
    *,
    drive_s: float = DRIVE_S,
    tick: Callable[[str], None] = lambda _: None,
) -> list[dict[str, Any]]:
    """One row for each scene and method; `tick(scene)` is called after each measurement."""
    with tempfile.TemporaryDirectory(prefix="regrasp-mpc-") as name, ExitStack() as stack:
        folder = Path(name)
        peer = stack.enter_context(Peer(judo, folder)) if judo else None
        rows: list[dict[str, Any]] = []
        for scene in scenes:
            planner = OurPlanner(scene, drive_s=drive_s)
            stack.callback(planner.close)
            planner.write_task(folder)
            rows += _scene_rows(planner, peer, repeats, tick)
        return rows


def _scene_rows(
    planner: OurPlanner, peer: Peer | None, repeats: int, tick: Callable[[str], None]
) -> list[dict[str, Any]]:
    scene, ours, theirs = planner.scene, list[PlanningCost](), list[PlanningCost]()
    planner.measure()  # the first measurement warms the caches
    for _ in range(repeats):
        ours.append(planner.measure())
        if peer:
            theirs.append(peer.measure(scene.name))
        tick(scene.name)
    rows = [_row(scene, "regrasp ps", mujoco.__version__, ours)]
    if peer:
        rows.append(_row(scene, f"{peer.method} ps", peer.mujoco, theirs))
        ratios = (a.plan_ms / b.plan_ms for a, b in zip(ours, theirs, strict=True))
        rows[0]["ratio_to_judo"] = median(ratios)
    return rows


def _row(
    scene: MpcScene, method: str, mujoco_version: str, measured: Sequence[PlanningCost]
) -> dict[str, Any]:
    plan_ms = median(m.plan_ms for m in measured)
    plans = sum(m.plans for m in measured)
    return {
        "task": scene.name,
        "method": method,
        "mujoco": mujoco_version,
        "episodes": len(measured),
        "succeeded": len(measured),
        "failed": 0,
        "broken": 0,
        "sim_s": plans * PlannerConfig().horizon * CONTROL_DT,
        "cpu_s": sum(m.plans * m.plan_ms for m in measured) / 1e3,
        "plans": plans,
        "steps_per_plan": measured[0].steps,
        "plan_ms": plan_ms,
        "plan_ms_range": [min(m.plan_ms for m in measured), max(m.plan_ms for m in measured)],
        "plans_per_cpu_s": 1e3 / plan_ms,
        "physics_share": median(m.physics_ms / m.plan_ms for m in measured),
        "outside_ms": median(m.plan_ms - m.physics_ms for m in measured),
        "ratio_to_judo": None,
    }


def _planning_xml(world: World) -> str:
    """The planning model as XML. The world keeps only the compiled model, so it is built again."""
    scene, _, _ = world._compile(planning=True, timestep=CONTROL_DT)
    xml: str = scene.spec.to_xml()
    return xml
