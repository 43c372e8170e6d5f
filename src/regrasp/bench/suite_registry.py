"""The suites by name, each a module with a `SUITE`; and suites of your own, by their file."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from regrasp.core.errors import RegraspError, UnknownNameError

if TYPE_CHECKING:
    from regrasp.bench.suite import Suite

# ruff: noqa: PLC0415  -- the command line lists the names, and that must be quick

__all__ = ["SUITES", "is_suite_file", "open_suite"]

SUITES: Mapping[str, str] = {
    "replan": "regrasp.bench.suites.replan",
    "unprepared": "regrasp.bench.suites.unprepared",
    "dkprompt": "regrasp.bench.suites.dkprompt",
    "doremi-arm": "regrasp.bench.suites.doremi_arm",
    "doremi-humanoid": "regrasp.bench.suites.doremi_humanoid",
    "matrix": "regrasp.bench.suites.matrix",
}
"""Every suite of methods and the module that holds it."""


def is_suite_file(address: str) -> bool:
    """Whether a suite is named by its file."""
    return address.endswith(".py")


@cache
def open_suite(address: str) -> Suite:
    """The suite of that name, or the `SUITE` of that Python file.

    `NAME:KNOB=VALUE,…` is a suite with each task at each of these values (knob.py).
    """
    if is_suite_file(address):
        return _from_file(Path(address))
    name, _, varied = address.partition(":")
    if name not in SUITES:
        raise UnknownNameError("suite", name, [*SUITES, "FILE.py"])
    suite: Suite = importlib.import_module(SUITES[name]).SUITE
    if not varied:
        return suite
    from regrasp.bench.vary import read_values, vary

    knob, _, values = varied.partition("=")
    return vary(suite, knob, read_values(values))


def _from_file(path: Path) -> Suite:
    import importlib.util

    from regrasp.bench.suite import Suite

    if not path.is_file():
        raise RegraspError(f"there is no suite {path}; give a Python file that holds a SUITE.")
    spec = importlib.util.spec_from_file_location(f"regrasp_suite_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise RegraspError(f"{path} cannot be imported; give a Python file that holds a SUITE.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    suite = getattr(module, "SUITE", None)
    if not isinstance(suite, Suite):
        raise RegraspError(f"{path} holds no SUITE; write SUITE = Suite(…), from regrasp.bench.")
    return suite
