"""A published report (`docs/results/NAME/report.md`): its tables, and what it was made with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from regrasp.bench.used_code import CODE_FILE, read_code
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import read_limited

__all__ = ["PublishedReport", "PublishedTable", "as_published", "read_published"]

REPORT_FILE = "report.md"
_MADE = re.compile(r"^Made at commit ([0-9a-f]{7,40})\b", re.MULTILINE)
_EPISODES = re.compile(r"^## Episodes\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_SVG_LINK = re.compile(r" \(\[SVG\]\([^)]*\)\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]<>#|~])")
_CELL_END = re.compile(r"(?<!\\)\|")


def as_published(text: str, commit: str, name: str) -> str:
    """A report for docs/results: with its commit, without links into the folder of the run."""
    title, _, rest = text.partition("\n")
    rest = _SVG_LINK.sub("", _EPISODES.sub("", rest))
    return f"{title}\n\nMade at commit {commit} by `regrasp results {name}`.\n{rest}"


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A Markdown table: its head and its rows, with escapes removed."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class PublishedReport:
    """`sections` are the tables under each heading; `made` is its table of provenance.

    `code` are the modules of its run with their digests; empty for a report without.
    """

    path: Path
    commit: str
    sections: Mapping[str, tuple[PublishedTable, ...]]
    made: Mapping[str, str]
    code: Mapping[str, str] = field(default_factory=dict)

    @property
    def weights(self) -> dict[str, str]:
        """SHA-256 of each file of weights, by the file's name."""
        files = ((name, digest) for name, digest in self.made.items() if name.startswith("file "))
        return {name.removeprefix("file "): digest for name, digest in files}


def read_published(folder: Path) -> PublishedReport:
    """The report in a folder of docs/results."""
    path = folder / REPORT_FILE
    try:
        text = read_limited(path).decode("utf-8")
    except OSError as error:
        raise RegraspError(f"cannot read the report {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise RegraspError(f"the report {path} is not text in UTF-8: {error}.") from error
    sections: dict[str, list[PublishedTable]] = {"": []}
    for heading, lines in _sections(text):
        sections.setdefault(heading, []).extend(_tables(lines))
    made = {
        row[0]: row[1]
        for table in sections.get("How this was made", [])
        for row in table.rows
        if len(row) == 2
    }
    commit = _MADE.search(text)
    found = {heading: tuple(tables) for heading, tables in sections.items()}
    code = read_code(folder / CODE_FILE) if (folder / CODE_FILE).is_file() else {}
    return PublishedReport(path, commit[1] if commit else "", found, made, code)


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    heading, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith("## "):
            yield heading, lines
            heading, lines = line.removeprefix("## ").strip(), []
        else:
            lines.append(line)
    yield heading, lines


def _tables(lines: list[str]) -> Iterator[PublishedTable]:
    block: list[tuple[str, ...]] = []
    for line in (*lines, ""):
        if line.startswith("|"):
            block.append(_cells(line))
        elif block:
            if len(block) > 1:
                yield PublishedTable(block[0], tuple(block[2:]))
            block = []


def _cells(line: str) -> tuple[str, ...]:
    parts = _CELL_END.split(line.strip())[1:-1]
    return tuple(_ESCAPED.sub(r"\1", part.strip()) for part in parts)
