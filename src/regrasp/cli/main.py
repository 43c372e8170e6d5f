"""`regrasp`: the root of the command line.

A command is a function in its own file in this folder, added below. Such a file imports only typer
at its top and everything heavy inside the function, so that `regrasp --help` stays quick
(tests/cli/test_main.py checks that).
"""

from __future__ import annotations

import io
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from regrasp._version import __version__
from regrasp.cli import (
    bench,
    blame,
    chat,
    check,
    compare,
    demo,
    do,
    doctor,
    export,
    fork,
    models,
    plan,
    reachability,
    render,
    report,
    results,
    run,
    understand,
    view,
    worlds,
)
from regrasp.cli.ending import EXIT_BUG, ending, finish_stdout, open_descriptors
from regrasp.cli.json_stdout import reserve_stdout
from regrasp.cli.options import EXIT_INTERRUPTED
from regrasp.cli.output import print_error, print_note, print_text
from regrasp.cli.visible import visible
from regrasp.core.errors import RegraspError
from regrasp.core.loading import load_object

__all__ = ["app", "main"]

_JSON = "regrasp.json"  # in the meta data of a context: whether --json was given

LABORATORY = {
    "vision": "regrasp.lab.vision.command:app",
    "language": "regrasp.lab.language.command:app",
}
"""Commands of the laboratory: the only way into it from outside."""

RETIRED = {"eyes": "vision", "tongue": "language"}
"""Commands of the previous version, with their present names."""


class _Root(TyperGroup):
    """Turns what a command raises into one line on stderr and an exit code."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in RETIRED:
            new = RETIRED[args[0]]
            print_error(f"note: `regrasp {args[0]}` is now `regrasp {new}`; the old name will go.")
            args = [new, *args[1:]]
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        ctx.meta[_JSON] = "--json" in args
        return super().parse_args(ctx, args)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        with _plain_usage_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _plain_usage_errors(), reserve_stdout() if ctx.meta[_JSON] else nullcontext():
                return super().invoke(ctx)
        except (RegraspError, SystemExit) as error:  # nothing of ours raises SystemExit in there
            ended = ending(error)
            _report(ended.line, error, ctx.params.get("debug", False))
            raise typer.Exit(ended.code) from error
        except KeyboardInterrupt as error:
            _report("interrupted", error, ctx.params.get("debug", False))
            raise typer.Exit(EXIT_INTERRUPTED) from error


@contextmanager
def _plain_usage_errors() -> Iterator[None]:
    """A usage error repeats what was typed, which may be the name of a stranger's file."""
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):  # typer has its own copy of click's exceptions
            message = visible(error.format_message())
            error.format_message = lambda: message
        raise


def _report(line: str, error: BaseException, debug: bool) -> None:
    if debug:
        print_note("".join(traceback.format_exception(error)).rstrip())
    elif line:
        print_error(line)


app = typer.Typer(
    cls=_Root,
    name="regrasp",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"regrasp {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_print_version, help="Show the version."),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
) -> None:
    """Robots that follow plain-language instructions and recover when the world disagrees."""


for _command in (
    demo.demo, worlds.worlds, render.render, do.do, understand.understand, run.run, chat.chat,
    plan.plan, reachability.reachability,
    view.view, blame.blame, fork.fork, compare.compare, report.report, results.results,
    models.ask, doctor.doctor,
):  # fmt: skip
    app.command()(_command)
app.add_typer(bench.app, name="bench")
app.add_typer(export.app, name="export")
app.add_typer(check.app, name="check")
app.add_typer(models.app, name="models")
for _name, _address in LABORATORY.items():
    app.add_typer(cast("typer.Typer", load_object(_address)), name=_name)


def main() -> None:
    """Run the command line on `sys.argv` and exit; `--debug` may stand anywhere."""
    open_descriptors()
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal without Unicode shows codes
            stream.reconfigure(errors="backslashreplace")
    if debug:
        arguments = ["--debug", *(word for word in arguments if word != "--debug")]
    try:
        app(args=arguments, prog_name="regrasp")
    except SystemExit:
        if problem := finish_stdout(sys.stdout):
            print_error(problem)
            sys.exit(EXIT_BUG)
        raise
    except Exception as error:  # a bug of Regrasp: also one line
        ended = ending(error)
        _report(ended.line, error, debug)
        finish_stdout(sys.stdout)
        sys.exit(ended.code)


if __name__ == "__main__":
    main()
