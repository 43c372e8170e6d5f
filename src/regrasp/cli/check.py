"""`regrasp check robot MODULE:NAME`: does this robot keep what the `Robot` seam promises?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regrasp.cli.options import AsJson
from regrasp.core.errors import RegraspError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["app"]

app = typer.Typer(help="Check that something of yours fits the seams of Regrasp.")


@app.callback()
def check() -> None:
    """Check that something of yours fits the seams of Regrasp."""


@app.command()
def robot(
    factory: Annotated[
        str, typer.Argument(metavar="MODULE:NAME", help="What, called with nothing, gives a robot.")
    ],
    *,
    skill: Annotated[
        str | None,
        typer.Option(
            "--skill", help="The skill to try; if not given, one that takes no arguments."
        ),
    ] = None,
    args: Annotated[
        list[str] | None, typer.Option("--arg", help="An argument of the skill; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a robot: what it must offer, its pictures, joints, clock, errors, and its skills.

    The robot moves. Exits with 0 if every check passes.
    """
    from regrasp.cli.output import emit, progress
    from regrasp.core.action import Action
    from regrasp.core.conformance import check_robot

    make = _load(factory)
    with progress() as bar:
        bar.add_task(f"checking {factory}", total=None)
        checks = check_robot(make, Action(skill, tuple(args or ())) if skill else None)
    failed = [check for check in checks if not check.passed]
    rows = [{"check": c.name, "passed": c.passed, "what_to_do": c.advice} for c in checks]
    title = f"{factory}: {len(checks) - len(failed)} of {len(checks)} checks passed"
    about = {"robot": factory, "passed": not failed}
    emit(rows, ["check", "passed", "what_to_do"], as_json, title, about)
    if failed:
        raise typer.Exit(1)


def _load(name: str) -> Callable[[], Any]:
    """Import what `MODULE:NAME` names; the present folder counts as a place for modules."""
    import importlib

    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise RegraspError(f"{name!r} is not MODULE:NAME, e.g. my_package.my_robot:make.")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.import_module(module)
    except Exception as error:  # whatever somebody else's module does when it is imported
        what = f"{type(error).__name__}: {error}"
        raise RegraspError(f"importing {module} failed with {what}.") from error
    if not hasattr(found, attribute):
        public = [n for n in dir(found) if not n.startswith("_")]
        raise UnknownNameError(f"name in {module}", attribute, public)
    factory = getattr(found, attribute)
    if not callable(factory):
        raise RegraspError(f"{name} cannot be called; name a function or class without arguments.")
    make: Callable[[], Any] = factory
    return make
