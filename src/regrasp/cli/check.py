"""`regrasp check robot FILE.py:NAME`: does this robot conform to the `Robot` protocol?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from regrasp.cli.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["app"]

app = typer.Typer(help="Check that your own class conforms to a protocol of Regrasp.")


@app.callback()
def check() -> None:
    """Check that your own class conforms to a protocol of Regrasp."""


@app.command()
def robot(
    factory: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py:NAME", help="A callable without arguments that returns a robot."
        ),
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
    """Check a robot: its required members, images, joints, clock, errors and skills.

    The robot moves. Exits with 0 if every check passes.
    """
    from regrasp.cli.output import print_rows, progress
    from regrasp.cli.place import own_robot
    from regrasp.core.action import Action
    from regrasp.core.conformance import check_robot

    make = own_robot(factory, "").make
    with progress() as bar:
        bar.add_task(f"checking {factory}", total=None)
        checks = check_robot(make, Action(skill, tuple(args or ())) if skill else None)
    failed = [check for check in checks if not check.passed]
    rows = [{"check": c.name, "passed": c.passed, "what_to_do": c.advice} for c in checks]
    title = f"{factory}: {len(checks) - len(failed)} of {len(checks)} checks passed"
    methods = _methods(make) if not failed else ()
    about = {"robot": factory, "passed": not failed, "methods": list(methods)}
    print_rows(rows, ["check", "passed", "what_to_do"], as_json, title, about)
    if methods and not as_json:
        typer.echo(f"methods that it can run: {', '.join(methods)}")
    if failed:
        raise typer.Exit(1)


def _methods(make: Callable[[], Any]) -> tuple[str, ...]:
    """The methods that the robot can run."""
    from regrasp.episodes.setting import domain_of
    from regrasp.methods.registry import runnable

    made = make()
    try:
        return runnable(made, domain_of(made))
    finally:
        getattr(made, "close", lambda: None)()
