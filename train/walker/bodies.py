"""The walker on a plane, as MJX steps it: many bodies that differ in load and in grip."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jp
import mujoco
import numpy as np
from mujoco import mjx

from regrasp.control.gait import CONTROL_PERIOD_S
from regrasp.worlds.kit.scene import MOVABLE, Scene
from regrasp.worlds.kit.walker import BASE, HANDS, add_walker

__all__ = ["STEPS", "bodies", "plain_model"]

Array = Any
Bodies = Any  # an mjx.Model some of whose arrays have a world axis

_TIMESTEP_S = 0.004
STEPS = round(CONTROL_PERIOD_S / _TIMESTEP_S)
"""Physics steps to an action."""
_LOAD_KG, _TRUNK_KG, _GRIP = 1.5, (-0.5, 1.5), (0.5, 1.2)
_LOADED = 0.6  # share of the bodies that carry something


def plain_model() -> mujoco.MjModel:
    """One body, coarse steps, few solver iterations: what a GPU runs thousands of."""
    none = np.random.default_rng(0)
    scene = Scene(layout=none, look=none, planning=True, timestep=_TIMESTEP_S)
    scene.spec.worldbody.add_geom(
        name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1], **MOVABLE
    )
    add_walker(scene, soles_only=True)
    option = scene.spec.option
    option.integrator = mujoco.mjtIntegrator.mjINT_EULER
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP)
    option.cone, option.impratio = mujoco.mjtCone.mjCONE_PYRAMIDAL, 1
    option.solver = mujoco.mjtSolver.mjSOL_NEWTON
    option.iterations, option.ls_iterations = 3, 5
    return scene.spec.compile()


def bodies(
    plain: mujoco.MjModel, rng: np.random.Generator, worlds: int
) -> tuple[Bodies, Bodies, Array]:
    """`worlds` bodies, the axes to map over (for `jax.vmap`), and the load of each (worlds, 1).

    The load is in the hands, half in each, in kg; the trunk's mass varies too, and the grip is what
    the floor and the soles have.
    """
    model = mjx.put_model(plain)
    carried = rng.uniform(0.0, _LOAD_KG, worlds) * (rng.random(worlds) < _LOADED)
    mass = np.tile(plain.body_mass, (worlds, 1))
    mass[:, plain.body(BASE).id] += rng.uniform(*_TRUNK_KG, worlds)
    for hand in HANDS:
        mass[:, plain.body(hand).id] += carried / 2
    friction = np.tile(plain.geom_friction, (worlds, 1, 1))
    friction[:, :, 0] = rng.uniform(*_GRIP, (worlds, 1))
    varied = {"body_mass": mass, "geom_friction": friction}
    varied = {name: jp.asarray(value, jp.float32) for name, value in varied.items()}
    axes = jax.tree.map(lambda x: None, model).tree_replace(dict.fromkeys(varied, 0))
    return model.tree_replace(varied), axes, jp.asarray(carried[:, None], jp.float32)
