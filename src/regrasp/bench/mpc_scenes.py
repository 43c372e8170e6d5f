"""The mpc suite as data: the scenes on which planning is measured, and the planner's cost.

It is imported by Regrasp and, in an environment with another MuJoCo, by judo_peer.py. Therefore
this module and its imports may need no more than numpy and any MuJoCo 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco

from regrasp.control.affordance import Affordances
from regrasp.control.estimate import StateEstimate
from regrasp.control.mpc import Cost
from regrasp.control.stages import Stages

__all__ = ["SCENES", "MpcScene", "PeerTask", "scene_cost"]


@dataclass(frozen=True, slots=True)
class MpcScene:
    """A world and a motion in it: `joint` is moved to 1, or else `thing` is grasped."""

    name: str
    world: str
    task: str
    joint: str = ""
    thing: str = ""


SCENES = (
    MpcScene("door", "cabinet", "closed", joint="wooden_cabinet_left_door"),
    MpcScene("bar", "cabinet", "barred", thing="red_bar"),
    MpcScene("lever", "lever", "locked", joint="lever"),
)
"""Scenes with few, many, and few contacts."""


@dataclass(frozen=True, slots=True)
class PeerTask:
    """The data of a scene for a peer, as JSON beside the model (`.xml`) and the moments (`.npz`).

    `samples` roll-outs of `horizon_s` seconds with `knots` knots, costed at every `stride`-th step.
    """

    scene: MpcScene
    affordances: Affordances
    samples: int
    horizon_s: float
    knots: int
    stride: int


def scene_cost(
    scene: MpcScene, affordances: Affordances, model: mujoco.MjModel, data: mujoco.MjData
) -> Cost:
    """The cost of the scene's first stage, seen from the state of `data`."""
    stages = Stages(affordances, StateEstimate(model, data))
    if scene.joint:
        return stages.work_joint(affordances.joints[scene.joint], 1.0).cost
    return stages.grasp(affordances.things[scene.thing]).cost
