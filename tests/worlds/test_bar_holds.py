"""The bar holds the doors against any pull of the hand, in physics, not by decree."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from regrasp.worlds.registry import open_world

STIFFNESS, DAMPING, STRONGEST = 1200.0, 120.0, 120.0  # N/m, Ns/m, N: the arm's own impedance


@pytest.mark.parametrize(
    ("name", "task", "seed", "holds"),
    [
        ("cabinet", "barred", 0, True),
        ("cabinet", "barred", 1003, True),
        ("cabinet", "closed", 0, False),
        ("cabinet", "closed", 1003, False),
        ("kitchen", "apple", 0, True),
    ],
)
def test_a_hand_that_pulls_and_jerks(name: str, task: str, seed: int, holds: bool) -> None:
    """A target that runs ahead of the handle in random directions for 6 s, mostly outwards."""
    world = open_world(name, task, seed)
    outwards = -world.data.body("wooden_cabinet").xmat.reshape(3, 3)[:, 0]
    model, data, rng = world.model, world.data, np.random.default_rng(seed)
    site = model.site("wooden_cabinet_left_handle").id
    body, velocity, widest = int(model.site_bodyid[site]), np.zeros(6), 0.0
    for step in range(3000):
        if step % 150 == 0:
            lead, pull = np.zeros(3), outwards + rng.normal(0.0, 0.4, 3)
            pull *= rng.uniform(0.2, 1.0) if rng.random() > 0.15 else -0.5
        lead = np.clip(lead + 0.3 * model.opt.timestep * pull, -0.1, 0.1)
        kind = int(mujoco.mjtObj.mjOBJ_SITE)
        mujoco.mj_objectVelocity(model, data, kind, site, velocity, 0)
        force = STIFFNESS * lead - DAMPING * velocity[3:]
        force *= min(1.0, STRONGEST / max(float(np.linalg.norm(force)), 1e-9))
        data.qfrc_applied[:] = 0.0
        at = data.site(site).xpos
        mujoco.mj_applyFT(model, data, force, np.zeros(3), at, body, data.qfrc_applied)
        mujoco.mj_step(model, data)
        widest = max(widest, world.fraction("wooden_cabinet_left_door"))
    assert (widest < 0.17) is holds, widest
