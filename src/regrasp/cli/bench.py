"""`regrasp bench`: list the suites, run one, and show the results of a run."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from regrasp.bench.suite_registry import SUITES
from regrasp.cli import (
    bench_folder,
    bench_language,
    bench_measures,
    bench_predicates,
    bench_suite,
)
from regrasp.cli.options import AsJson
from regrasp.cli.output import print_error

__all__ = ["app"]


RETIRED = {"unprepared": "language"}
"""Names of suites that work for one more version, and their new names."""


class _Suites(TyperGroup):
    """Accepts the name or file of a suite in place of a subcommand: `regrasp bench replan`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in RETIRED:
            new = RETIRED[args[0]]
            print_error(f"note: `bench {args[0]}` is now `bench {new}`; the old name will go.")
            args = [new, *args[1:]]
        if args and args[0] not in self.commands:
            args = ["suite", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_Suites,
    help=f"Run a benchmark suite ({', '.join(SUITES)}, or a FILE.py); without one, list them.",
)


@app.callback(invoke_without_command=True)
def bench(ctx: typer.Context, as_json: AsJson = False) -> None:
    """List the suites."""
    if ctx.invoked_subcommand is not None:
        return
    from regrasp.bench.suite_registry import MEASURES, open_suite
    from regrasp.cli.output import print_rows

    found = {name: open_suite(name).summary for name in SUITES} | dict(MEASURES)
    rows = [{"suite": name, "measures": what} for name, what in found.items()]
    print_rows(rows, ["suite", "measures"], as_json, "regrasp bench")


app.command(hidden=True)(bench_suite.suite)
app.command()(bench_language.language)
app.command()(bench_measures.motions)
app.command()(bench_measures.mpc)
app.command()(bench_measures.startup)
app.command()(bench_predicates.predicates)
app.command()(bench_predicates.descriptions)
app.command()(bench_folder.show)
app.command()(bench_folder.rebuild)
