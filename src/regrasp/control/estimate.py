"""The controller's reading of the present state. It plays the role of the state estimator.

Only reports pass its values on through the `Robot` protocol.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from regrasp.core.arrays import Array

__all__ = ["StateEstimate", "sensor_slices"]


def sensor_slices(model: mujoco.MjModel) -> dict[str, slice]:
    """Where the values of each sensor stand in the sensor data, by name."""
    return {
        model.sensor(i).name: slice(a, a + d)
        for i, (a, d) in enumerate(zip(model.sensor_adr, model.sensor_dim, strict=True))
    }


@dataclass
class StateEstimate:
    """Named sensors, fingers and forces, read from the present state."""

    model: mujoco.MjModel
    data: mujoco.MjData

    def __post_init__(self) -> None:
        model = self.model
        self._slices = sensor_slices(model)
        self._finger = int(model.joint("finger_left").qposadr[0])
        self._finger_dof = int(model.joint("finger_left").dofadr[0])

    def __getitem__(self, sensor: str) -> Array:
        """(dim,) of a named sensor."""
        return np.array(self.data.sensordata[self._slices[sensor]])

    @property
    def fingers(self) -> float:
        """Half the opening between the fingers (m)."""
        return float(self.data.qpos[self._finger])

    @property
    def fingers_still(self) -> bool:
        """Whether the fingers have stopped moving."""
        return abs(float(self.data.qvel[self._finger_dof])) < 0.02

    @property
    def closing(self) -> bool:
        """Whether the fingers are commanded shut."""
        return float(self.data.ctrl[6]) < 0.0

    @property
    def speed(self) -> float:
        """How fast (m/s) the palm moves."""
        velocity = np.zeros(6)
        kind, palm = int(mujoco.mjtObj.mjOBJ_SITE), self.model.site("palm").id
        mujoco.mj_objectVelocity(self.model, self.data, kind, palm, velocity, 0)
        return float(np.linalg.norm(velocity[3:]))

    @property
    def force(self) -> float:
        """Force (N) the arm's impedance puts on the hand."""
        return float(np.linalg.norm(self.data.actuator_force[:3]))

    def distance(self, a: str, b: str) -> float:
        """Metres between two named points."""
        return float(np.linalg.norm(self[a] - self[b]))
