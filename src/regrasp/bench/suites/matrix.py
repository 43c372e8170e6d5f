"""Any method in any world: the methods of four papers and their baselines in all eleven worlds.

All methods run on the same seeds. A world is represented by one task, the bar by two, the household
by four; a task that accepts a disturbance has one. Every method gets a goal that was read from the
instruction by one reader. A method that cannot work on a robot is not run there, and the report
gives the reason.
"""

from __future__ import annotations

from regrasp.bench.record import Limits
from regrasp.bench.suite import Suite, SuiteMethod, SuiteTask

__all__ = ["SUITE"]

SUITE = Suite(
    name="matrix",
    summary="every method in every world, on the same seeds",
    tasks=(
        SuiteTask("cabinet-barred", "cabinet", "barred"),
        SuiteTask("kitchen-apple", "kitchen", "apple"),
        SuiteTask("lever-locked", "lever", "locked"),
        SuiteTask("cubes-occupied", "cubes", "occupied"),
        SuiteTask("sensor-locked", "sensor", "locked"),
        SuiteTask("household-water", "household", "boil-water"),
        SuiteTask("household-pie", "household", "frozen-pie"),
        SuiteTask("household-egg", "household", "halve-egg"),
        SuiteTask("household-firewood", "household", "store-firewood"),
        SuiteTask("tabletop-stack", "tabletop", "stack-in-order:p=0.05,n=2"),
        SuiteTask("walker-box", "walker_room", "move-box:p=0.02"),
        SuiteTask("bar-glass", "bar", "glass-on-tray"),
        SuiteTask("bar-gin", "bar", "pour-gin"),
        SuiteTask("pizza-salt", "pizza", "salt-on-tray"),
        SuiteTask("blocks-stack", "blocks", "stack"),
        SuiteTask("apartment-box", "apartment", "place-box", limit_s=400.0),
    ),
    methods=tuple(
        SuiteMethod(name, name, read_first=True)
        for name in (
            "replan",
            "dkprompt",
            "doremi",
            "copal",
            "ialp",
            "inner-monologue",
            "saycan",
            "classical-planner",
            "language-to-rewards",
        )
    ),
    by_world=True,
    episodes=5,
    limits=Limits(sim_s=120.0, calls=3000, wall_s=1800.0),
)
"""The suite."""
