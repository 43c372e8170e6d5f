"""The controller of one arm: planner, guard, and the results of earlier motions.

It works on the simulator's state, which plays the role of the robot's state estimator.
"""

from __future__ import annotations

from typing import Protocol

import mujoco
import numpy as np

from regrasp.control.affordance import Affordances
from regrasp.control.estimate import StateEstimate
from regrasp.control.guard import Guard
from regrasp.control.mpc import MpcPlanner, PlannerConfig
from regrasp.control.sampler import OPEN, PredictiveSampling, Sampler
from regrasp.control.stages import Stages
from regrasp.core.arrays import Array

__all__ = ["DT", "Controller", "Plant"]

DT = 0.01
"""Seconds between two commands to a plant."""


class Plant(Protocol):
    """The controlled system: a model and its state, a lighter model for planning, and a clock."""

    model: mujoco.MjModel
    data: mujoco.MjData
    planning: mujoco.MjModel

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        ...

    def advance(self, control: Array) -> None:
        """One control period (10 ms) under actuator commands (7,)."""
        ...


class Controller:
    """Planner, guard and the results of earlier motions, for one plant."""

    def __init__(
        self,
        plant: Plant,
        affordances: Affordances,
        rng: np.random.Generator,
        *,
        sampler: Sampler | None = None,
        config: PlannerConfig | None = None,
    ) -> None:
        self.plant = plant
        self.now = StateEstimate(plant.model, plant.data)
        self.stages = Stages(affordances, self.now)
        self.planner = MpcPlanner(
            plant.planning, rng, sampler or PredictiveSampling(), config or PlannerConfig()
        )
        self.guard = Guard()
        self.planner.recentre(plant.data, OPEN)
        self.last = self.planner.control(0)
        arm = [plant.model.joint(f"joint{i}").id for i in range(1, 8)]
        self._arm = range(min(arm), max(arm) + 1)

    def command(self, wanted: Array) -> None:
        """Send one command (7,) in plan coordinates through the guard; may raise `GuardTrip`."""
        self.last = self.guard.command(wanted, self.last, DT)
        self.plant.advance(self.planner.command(self.last))
        self.guard.watch(self.plant.model, self.plant.data, self._arm)

    def hold(self) -> None:
        """Plan to stay here."""
        self.planner.recentre(self.plant.data)
        self.planner.noise = 1.0

    def joints_at_limit(self) -> list[str]:
        """Arm joints within 0.03 rad of a stop."""
        model, data = self.plant.model, self.plant.data
        close = []
        for joint in self._arm:
            q = data.qpos[model.jnt_qposadr[joint]]
            if np.min(np.abs(model.jnt_range[joint] - q)) < 0.03:
                close.append(model.joint(joint).name)
        return close
