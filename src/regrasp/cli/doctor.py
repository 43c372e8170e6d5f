"""`regrasp doctor`: list what is installed, what is missing, and how to install it."""

from __future__ import annotations

import typer

from regrasp.cli.options import AsJson

__all__ = ["doctor"]


def doctor(as_json: AsJson = False) -> None:
    """Check this machine: Python, packages, physics, OpenGL, video, and what each is needed for.

    Exits with 0 if the core works; optional parts may be missing.
    """
    from regrasp.cli.checks import core_works, examine
    from regrasp.cli.output import print_rows, print_text, progress

    with progress() as bar:
        bar.add_task("looking at this machine", total=None)
        checks = examine()
    works = core_works(checks)
    rows = [
        {
            "check": check.name,
            "status": check.status,
            "found": check.found,
            "needed_for": check.needed_for,
            "fix": check.fix,
        }
        for check in checks
    ]
    print_rows(rows, ["check", "status", "found"], as_json, "regrasp doctor", {"core_works": works})
    if not as_json:
        for check in checks:
            if check.fix:
                print_text(f"{check.name}: {check.fix}. It is for {check.needed_for}.")
        print_text("The core works." if works else "The core does not work: see above.")
    if not works:
        raise typer.Exit(1)
