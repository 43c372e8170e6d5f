"""The oracle vision model of a world without an episode."""

from __future__ import annotations

import numpy as np

from regrasp.episodes.oracle_vision import OracleVision, VisionErrors
from regrasp.episodes.setting import world_setting
from regrasp.worlds.world import World


def open_oracle_vision(
    world: World, errors: VisionErrors | None = None, rng: np.random.Generator | None = None
) -> OracleVision:
    with world_setting(world) as setting:
        return OracleVision(world, setting.domain, setting.robot.knowledge(), errors, rng)
