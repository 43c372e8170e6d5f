"""`regrasp check robot FILE.py:NAME`: does this robot conform to the `Robot` protocol?"""

from __future__ import annotations

from typing import Annotated

import typer

from regrasp.cli.options import AsJson

__all__ = ["app"]

app = typer.Typer()


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
    from regrasp.cli.output import print_rows, print_text, progress
    from regrasp.cli.place import methods_for, own_robot
    from regrasp.core.action import Action
    from regrasp.core.conformance import check_robot

    place = own_robot(factory, "")
    with progress() as bar:
        bar.add_task(f"checking {factory}", total=None)
        checks = check_robot(place.make, Action(skill, tuple(args or ())) if skill else None)
    failed = [check for check in checks if not check.passed]
    rows = [{"check": c.name, "passed": c.passed, "what_to_do": c.advice} for c in checks]
    title = f"{factory}: {len(checks) - len(failed)} of {len(checks)} checks passed"
    methods = methods_for(place) if not failed else ()
    about = {"robot": factory, "passed": not failed, "methods": list(methods)}
    print_rows(rows, ["check", "passed", "what_to_do"], as_json, title, about)
    if methods and not as_json:
        print_text(f"methods that it can run: {', '.join(methods)}")
    if failed:
        raise typer.Exit(1)
