"""Output of commands: a table or one JSON document on stdout; everything else on stderr.

This is the one place where text reaches the terminal. Escape sequences, markup and keys in it are
shown as plain text or removed (`visible`), whoever wrote them.

With `--json`, stdout holds exactly one document, `{…, "rows": […]}`, with every value in full.
Progress and errors go to stderr, so that `regrasp … --json | jq` always works.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from regrasp.cli.json_stdout import document_stream
from regrasp.cli.visible import visible, visible_json
from regrasp.core.redact import redact_json

if TYPE_CHECKING:
    from regrasp.cli.progress_bar import ProgressBar

__all__ = [
    "Row",
    "finite_json",
    "print_error",
    "print_json",
    "print_note",
    "print_pairs",
    "print_rows",
    "print_text",
    "progress",
    "shorten",
]

Row: TypeAlias = Mapping[str, Any]
"""One line of a table, by column: text, numbers, booleans, None, or lists and mappings of those."""

PIPE_WIDTH = 200
"""The width of a table, in columns, if stdout is no terminal."""


def print_rows(
    rows: Sequence[Row],
    columns: Sequence[str],
    as_json: bool,
    title: str,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Print `rows` to stdout: a table of `columns` under `title`, or one JSON document."""
    if as_json:
        print_json(rows, about)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in columns:
        numeric = any(_is_number(row.get(column)) for row in rows)
        header = Text(visible(column.replace("_", " ")))
        table.add_column(header, justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(_text(row.get(column)) for column in columns))
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    # A line of its own, so that a long path is not broken at the table's width; as text, because
    # `my_robot.py:robot: 23 of 23` would come out with an emoji for `:robot:`.
    console.print(Text(visible(title), style="bold"), soft_wrap=True)
    console.print(table)


def print_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Print two columns without lines to stdout: a name in bold, and a text."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for name, text in pairs:
        table.add_row(Text(visible(name)), Text(visible(text)))
    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(table)


def print_json(
    rows: Sequence[Row], about: Mapping[str, Any] | None = None, indent: int | None = 2
) -> None:
    """Print `{**about, "rows": rows}` to stdout: all keys of a row, also those no table shows.

    `about` has facts about the whole table, e.g. `{"suite": "motions"}`.
    """
    document = redact_json(finite_json({**(about or {}), "rows": rows}))
    text = visible_json(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=indent))
    print(text, file=document_stream())


def print_text(text: object, end: str = "\n") -> None:
    """Print a text to stdout: a result that is no table. It is there at once."""
    print(visible(text), end=end, flush=True)


def print_note(message: str) -> None:
    """Print a plain remark to stderr."""
    print(visible(message), file=sys.stderr)


def print_error(message: str) -> None:
    """Print one line to stderr, red where the terminal has colours."""
    from rich.console import Console
    from rich.text import Text

    line = Text(" ".join(visible(message).split()), style="red")
    Console(stderr=True).print(line, soft_wrap=True)


def progress() -> ProgressBar:
    """A progress bar on stderr if that is a terminal, removed at the end; use it with `with`."""
    from regrasp.cli.progress_bar import ProgressBar

    return ProgressBar()


def shorten(text: str, most: int) -> str:
    """The text, cut to `most` characters with an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: object) -> Any:
    from rich.text import Text

    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    # As `Text`, because a text would be read as markup.
    return Text(f"{value:.4g}" if isinstance(value, float) else visible(value))


def finite_json(value: Any) -> Any:
    """The value with null for every number that JSON cannot write."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): finite_json(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [finite_json(entry) for entry in value]
    return value
