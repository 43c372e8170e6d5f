"""The suites by name, and suites of your own, by their file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.loading import is_address, load_object

if TYPE_CHECKING:
    from regrasp.bench.suite import Suite

# ruff: noqa: PLC0415  -- the command line lists the names, and that must be quick

__all__ = ["MEASURES", "SUITES", "is_suite_file", "open_suite"]

SUITES: Mapping[str, str] = {
    "replan": "regrasp.bench.suites.replan:SUITE",
    "dkprompt": "regrasp.bench.suites.dkprompt:SUITE",
    "doremi-arm": "regrasp.bench.suites.doremi:ARM",
    "doremi-humanoid": "regrasp.bench.suites.doremi:HUMANOID",
    "copal-barman": "regrasp.bench.suites.copal:BARMAN",
    "copal-pizza": "regrasp.bench.suites.copal:PIZZA",
    "copal-blocks": "regrasp.bench.suites.copal:BLOCKS",
    "ialp": "regrasp.bench.suites.ialp:SUITE",
    "ialp-planning": "regrasp.bench.suites.ialp:PLANNING",
    "matrix": "regrasp.bench.suites.matrix:SUITE",
}
"""Every suite of methods and where it is, as MODULE:NAME."""

MEASURES: Mapping[str, str] = {
    "language": "what is made of instructions that nobody prepared, and of published sets",
    "motions": "does the robot do what a reward says, and say so; do bar, lock and kettle hold",
    "mpc": "plans per CPU-second, the share inside MuJoCo, and the same work in judo-rai",
    "predicates": "grounded predicates beside the truth, in random situations of the apartment",
    "startup": "import regrasp, regrasp --help, opening and resetting each world",
}
"""Every suite that measures a component, not methods, and what it measures."""


def is_suite_file(address: str) -> bool:
    """Whether a suite is one of the user's own, by `FILE.py`, `FILE.py:NAME` or `MODULE:NAME`."""
    return address.partition(":")[0] not in SUITES and is_address(address)


@cache
def open_suite(address: str) -> Suite:
    """The suite of that name, or one of the user's own; in a file without NAME it is `SUITE`.

    `NAME:KNOB=VALUE,…` is a suite with each task at each of these values.
    """
    from regrasp.bench.suite import Suite, read_values, vary

    name, _, varied = address.partition(":")
    own = is_suite_file(address)
    if not own and name not in SUITES:
        raise UnknownNameError("suite", name, [*SUITES, "FILE.py"])
    suite = load_object(address, "SUITE") if own else load_object(SUITES[name])
    if not isinstance(suite, Suite):
        raise RegraspError(
            f"{address} is no Suite; write SUITE = Suite(…), from regrasp.bench.suite."
        )
    if own or not varied:
        return suite
    knob, _, values = varied.partition("=")
    return vary(suite, knob, read_values(values))
