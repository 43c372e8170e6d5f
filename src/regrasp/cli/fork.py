"""`regrasp fork`: restore a recorded run at a decision, and continue with a change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import AsJson, NamedSuite, NamedWorld, free_folder

__all__ = ["fork"]


def fork(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")],
    *,
    at: Annotated[
        int | None, typer.Option("--at", help="The event to fork at; without it, list them.")
    ] = None,
    llm: Annotated[str, typer.Option("--llm", help="Language model from there on.")] = "",
    vlm: Annotated[str, typer.Option("--vlm", help="Vision model from there on.")] = "",
    world: NamedWorld = "",
    method: Annotated[
        str, typer.Option("--method", help="FILE.py of its method, if the run is not one of yours.")
    ] = "",
    suite: NamedSuite = "",
    change: Annotated[
        list[str] | None,
        typer.Option("--set", help="prompt=TEXT, hint=TEXT or reply=TEXT; @FILE reads a file."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The new run's folder; one near RUN if not given.")
    ] = None,
    video: Annotated[bool, typer.Option(help="Film the run.")] = True,
    as_json: AsJson = False,
) -> None:
    """Restore the state at a decision of a run and continue with a change; both runs are kept.

    The run is replayed with the recorded replies up to --at, and each event is compared with the
    recorded one. Exits with 0 only if the judge finds the goal reached in the new branch.
    """
    from dataclasses import asdict

    from regrasp.bench.fork import decisions, new_fork_name
    from regrasp.bench.fork import fork as run_fork
    from regrasp.cli.output import print_json, print_rows, print_text, shorten
    from regrasp.cli.run_display import show_agent
    from regrasp.episodes.own_run import mark_own_run

    if at is None:
        rows = [asdict(decision) for decision in decisions(folder)]
        short = [{**row, "reply": shorten(" ".join(row["reply"].split()), 80)} for row in rows]
        columns = ["at", "sim_s", "purpose", "reply"]
        print_rows(rows if as_json else short, columns, as_json, "decisions to fork at")
        return
    target = out or free_folder(new_fork_name(folder, at))
    with show_agent() as display:
        ended = run_fork(
            folder, at, target, llm=llm, vlm=vlm, world=world, method=method, suite=suite,
            edits=_edits(change or []), video=video, watch=display.show,
        )  # fmt: skip
    mark_own_run(target)
    before = _verdict(folder)
    row = {
        "run": str(folder), "at": at, "fork": str(target), "done_before": before,
        "done": ended.done, "claimed": ended.claim.done, "claim": str(ended.claim.result),
        "reason": ended.claim.reason,
        "sim_s": ended.sim_s, "wall_s": ended.wall_s, "calls": ended.spent.calls,
        "tokens": ended.spent.tokens,
    }  # fmt: skip
    if as_json:
        print_json([row])
    else:
        words = {True: "done", False: "not done", None: "not judged"}
        print_text(f"before: {words[before]}; after: {words[ended.done]}. {ended.claim}")
        print_text(f"the branch: {target}")
    if not ended.succeeded:
        raise typer.Exit(1)


def _edits(given: list[str]) -> dict[str, str]:
    from regrasp.core.errors import RegraspError

    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise RegraspError(f"--set {text!r}: give NAME=TEXT, e.g. hint='pull the lever first'.")
        if value.startswith("@"):
            try:
                value = Path(value[1:]).read_text(encoding="utf-8")
            except OSError as error:
                raise RegraspError(f"cannot read {value[1:]}: {error.strerror}.") from error
            except UnicodeDecodeError as error:
                raise RegraspError(f"{value[1:]} is not text in UTF-8: {error}.") from error
        found[name.strip()] = value
    return found


def _verdict(folder: Path) -> bool | None:
    from regrasp.core.event import Judged
    from regrasp.core.trace import read_trace

    return next((e.done for e in read_trace(folder).events if isinstance(e, Judged)), None)
