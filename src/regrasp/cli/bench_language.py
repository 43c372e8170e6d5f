"""`regrasp bench language`: from instructions to goals, on sets that were not made for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from regrasp.bench.goal_answers import GoalAnswer

__all__ = ["language"]

_Row = TypeVar("_Row")

SET_COLUMNS = (
    "set", "n", "exact", "interval", "f1", "answered", "wrong", "answered_at_95", "median_s",
)  # fmt: skip
_ANSWERS, _TABLE = "answers.jsonl", "table.json"
OWN_COLUMNS = (
    "expected", "n", "right", "interval", "acted_on_wrongly", "not_acted_on", "median_s", "cpu_s",
)  # fmt: skip


def language(
    sets: Annotated[
        list[Path] | None,
        typer.Argument(help="Files of instructions with goals (JSON lines); none: our own sixty."),
    ] = None,
    *,
    llm: Annotated[str, typer.Option("--llm", help="The language model.")] = "",
    vlm: Annotated[
        str, typer.Option("--vlm", help="The vision model that decides which objects are meant.")
    ] = "embedded",
    limit: Annotated[
        int, typer.Option(min=0, help="So many of each set, evenly spaced; 0 is all.")
    ] = 0,
    mistakes: Annotated[bool, typer.Option("--mistakes", help="Show every wrong goal.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Also write answers and the figure here.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Turn instructions into goals and compare them with the right ones; nothing moves.

    Without files: sixty instructions for all worlds that nobody prepared, read with both models. A
    file has `say`, `objects` and `goal` in each line (docs/understanding.md); its figures are over
    the best goal of each line, and `answered` and `wrong` are those at the robot's threshold.
    """
    from regrasp.cli.output import print_rows
    from regrasp.core.files import refuse_to_overwrite
    from regrasp.embedded.resolve import resolve_language

    if out is not None:
        refuse_to_overwrite(out / _ANSWERS, (b'{"set": "',), "a list of answers")
        refuse_to_overwrite(out / _TABLE, (b'{\n "suite": "language"',), "a table")
    llm = llm or options.default_language()
    model = resolve_language(llm)
    about = {"suite": "language", "llm": llm, "vlm": vlm}
    if not sets:
        own = _own(llm, vlm, limit, mistakes)
        print_rows(own, OWN_COLUMNS, as_json, f"regrasp bench language ({llm})", about)
        return
    from regrasp.bench.goal_answers import set_row

    found = {path.stem: _answers(path, model, limit, mistakes) for path in sets}
    rows = [set_row(name, answers) for name, answers in found.items()]
    print_rows(rows, SET_COLUMNS, as_json, f"regrasp bench language ({llm})", about)
    if out is not None:
        _write(out, found, rows, about)


def _answers(path: Path, model: Any, limit: int, mistakes: bool) -> list[GoalAnswer]:
    from dataclasses import replace

    from regrasp.bench.goal_answers import answer_set
    from regrasp.bench.goal_sets import read_set
    from regrasp.cli.output import print_note, progress

    read = read_set(path)
    chosen = replace(read, rows=_spread(read.rows, limit))
    with progress() as bar:
        task = bar.add_task(path.stem, total=len(chosen.rows))

        def watch(one: GoalAnswer) -> None:
            bar.advance(task)
            if mistakes and not one.score.exact:
                print_note(f"{one.say}\n  read: {'; '.join(one.goal) or 'declined'}")
                print_note(f"  right: {'; '.join(one.wanted)} ({one.confidence:.2f} sure)")

        return list(answer_set(chosen, model, watch))


def _spread(rows: Sequence[_Row], limit: int) -> tuple[_Row, ...]:
    """`limit` rows over the whole set: published sets are sorted by kinds of tasks."""
    if not 0 < limit < len(rows):
        return tuple(rows)
    return tuple(rows[number * len(rows) // limit] for number in range(limit))


def _own(llm: str, vlm: str, limit: int, mistakes: bool) -> list[dict[str, Any]]:
    from statistics import median

    from regrasp.bench.statistics import wilson
    from regrasp.bench.unprepared import Result, examine, read_unprepared
    from regrasp.cli.output import print_note, progress
    from regrasp.embedded.resolve import resolve_language
    from regrasp.episodes.vision import vision_factory

    model, vision = resolve_language(llm), vision_factory(vlm)
    asked = _spread(read_unprepared(), limit)
    results: dict[str, Counter[Result]] = {}
    times: dict[str, list[tuple[float, float]]] = {}
    with progress() as bar:
        task = bar.add_task("reading", total=len(asked))
        for one in asked:
            done = examine(one, model, vision)
            bar.advance(task)
            results.setdefault(str(one.expect), Counter())[done.result] += 1
            times.setdefault(str(one.expect), []).append((done.wall_s, done.cpu_s))
            if mistakes and done.result not in (Result.RIGHT, Result.REFUSED):
                print_note(f"{one.world}: {one.say}\n  {done.result}: {done.words}")
    results["all"] = sum(results.values(), Counter[Result]())
    times["all"] = [pair for pairs in list(times.values()) for pair in pairs]
    rows = []
    for expected, found in results.items():
        right, n = found[Result.RIGHT] + found[Result.REFUSED], found.total()
        low, high = wilson(right, n)
        wrong = found[Result.WRONG] + found[Result.ACTED]
        rows.append(
            {"expected": expected, "n": n, "right": right, "acted_on_wrongly": wrong,
             "interval": f"{low:.1%} to {high:.1%}", "not_acted_on": found[Result.NOT_ACTED],
             "median_s": median(wall for wall, _ in times[expected]),
             "cpu_s": median(cpu for _, cpu in times[expected])}
        )  # fmt: skip
    return rows


def _write(
    out: Path,
    found: Mapping[str, Sequence[GoalAnswer]],
    rows: Sequence[Mapping[str, Any]],
    about: Mapping[str, Any],
) -> None:
    """The answers as JSON lines, the table, and the figure of risk against coverage."""
    import json

    from regrasp.bench.report.risk import risk_figure
    from regrasp.cli.output import finite_json
    from regrasp.core.codec import to_json
    from regrasp.core.files import write_json, write_text

    lines = [
        json.dumps({"set": name, **one}, ensure_ascii=False)
        for name, answers in found.items()
        for one in (to_json(answer) for answer in answers)
        if isinstance(one, dict)
    ]
    write_text(out / _ANSWERS, "\n".join(lines) + "\n")
    write_json(out / _TABLE, finite_json({**about, "rows": list(rows)}))
    risk_figure(found, out)
