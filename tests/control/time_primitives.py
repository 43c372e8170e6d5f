"""Time how long the primitives of `get` are ranked in the bar: every vessel of two seeds.

    python tests/control/time_primitives.py

CPU seconds of one core. It is a measurement, not a test.
"""

from __future__ import annotations

import statistics
import time

from regrasp.control.hand_skills import grasp_primitives
from regrasp.worlds.registry import open_world
from regrasp.worlds.two_arms.robot import TwoArmRobot
from regrasp.worlds.two_arms.world import TwoArmWorld


def main() -> None:
    """Print the mean and the largest time, and how many primitives there were."""
    rows = []
    for seed in (1, 2):
        world = open_world("bar", None, seed)
        assert isinstance(world, TwoArmWorld)
        arms = TwoArmRobot(world, size=(64, 48))._arms
        arms.begin()
        for name in sorted(set(world.scene.vessels) & arms.movable):
            before = time.process_time()
            trials = grasp_primitives(arms, name, None)
            rows.append((time.process_time() - before, len(trials), trials[0].feasible))
    for kind, chosen in (
        ("one can run", [row for row in rows if row[2]]),
        ("none can run", [row for row in rows if not row[2]]),
    ):
        times = sorted(row[0] for row in chosen)
        most = times[int(0.95 * (len(times) - 1))]
        print(
            f"{kind}: {len(chosen)} commands of {statistics.mean(row[1] for row in chosen):.0f} "
            f"primitives, {statistics.mean(times):.2f} s on average, 95% within {most:.2f} s"
        )


if __name__ == "__main__":
    main()
