"""`regrasp plan`: find a plan for a PDDL problem, or explain why there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import AsJson

__all__ = ["plan"]


def plan(
    domain: Annotated[Path, typer.Argument(help="A PDDL domain.", metavar="DOMAIN.pddl")],
    problem: Annotated[
        Path, typer.Argument(help="A problem of that domain.", metavar="PROBLEM.pddl")
    ],
    *,
    engine: Annotated[
        str, typer.Option("--engine", help="auto, fast-downward, or search (built in).")
    ] = "auto",
    seconds: Annotated[float, typer.Option(min=0.1, help="Time limit.")] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Find a plan; exits with 0 only if there is one.

    Actions cost 1 each, and the plan is a shortest one unless the problem is large. It has been
    checked step by step against the domain.
    """
    from regrasp.cli.output import print_json, print_note, print_text
    from regrasp.domains.pddl_read import load_domain, load_problem
    from regrasp.planners.classical import plan as find_plan

    known = load_domain(domain)
    found = find_plan(known, load_problem(problem, known), engine, seconds)
    rows = [
        {"step": number, "action": action.name, "args": list(action.args)}
        for number, action in enumerate(found.plan, 1)
    ]
    if as_json:
        about = {"outcome": found.outcome, "engine": found.engine, "message": found.message}
        print_json(rows, {**about, "wall_s": found.wall_s})
    else:
        for row, action in zip(rows, found.plan, strict=True):
            print_text(f"{row['step']:3}  {action}")
        why = f": {found.message}" if found.message else ""
        print_note(f"{found.outcome} by {found.engine} in {found.wall_s:.2f} s{why}")
    if not found.solved:
        raise typer.Exit(1)
