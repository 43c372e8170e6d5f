"""A report as Markdown: for a repository, an issue, or the appendix of a paper."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from regrasp.bench.report.document import (
    Block,
    Cell,
    Code,
    Document,
    Episodes,
    Picture,
    ReportSection,
    Table,
    Text,
)
from regrasp.core.outcome import Outcome

__all__ = ["to_markdown"]

_MOST_LINKS = 20  # of one task and method; the HTML page has all
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def to_markdown(document: Document, figures: Collection[str]) -> str:
    """The report as Markdown; `figures` are the drawn ones, in `figures/`."""
    lines = [f"# {_plain(document.title)}", ""]
    for block in document.lead:
        lines += [*_block(block, figures), ""]
    for section in document.sections:
        lines += _section(section, figures)
    return "\n".join(lines).rstrip() + "\n"


def _section(section: ReportSection, figures: Collection[str]) -> Iterator[str]:
    yield f"## {_plain(section.title)}"
    yield ""
    for block in section.blocks:
        lines = list(_block(block, figures))
        if lines:
            yield from lines
            yield ""


def _block(block: Block, figures: Collection[str]) -> Iterator[str]:
    match block:
        case Text(text):
            yield _plain(text)
        case Code(text):
            yield from ("```", *text.splitlines(), "```")
        case Table():
            yield from _table(block)
        case Picture(name, caption):
            if name in figures:
                yield f"![{_plain(caption)}](figures/{name}.png)"
                yield ""
                yield f"*{_plain(caption)}* ([SVG](figures/{name}.svg))"
        case Episodes():
            yield from _episodes(block)


def _table(table: Table) -> Iterator[str]:
    yield _plain(table.caption)
    yield ""
    yield "| " + " | ".join(_plain(title) for title in table.head) + " |"
    numbers = len(table.head) - table.labels
    yield "|" + "---|" * table.labels + "---:|" * numbers
    for row in table.rows:
        yield "| " + " | ".join(map(_cell, row)) + " |"


def _cell(cell: Cell) -> str:
    main = f"**{_plain(cell.main)}**" if cell.strong and cell.main else _plain(cell.main)
    return f"{main} ({_plain(cell.small)})" if cell.small else main


def _episodes(block: Episodes) -> Iterator[str]:
    """Links to the episodes that did not succeed."""
    bad = [link for link in block.links if link.outcome is not Outcome.SUCCEEDED]
    if not bad:
        return
    shown = ", ".join(
        f"[{link.seed}](<{link.target}>){' (broken)' if link.outcome is Outcome.BROKEN else ''}"
        for link in bad[:_MOST_LINKS]
    )
    more = f" and {len(bad) - _MOST_LINKS} more" if len(bad) > _MOST_LINKS else ""
    yield f"- {_plain(block.method)}, {_plain(block.task)}: seed {shown}{more}"


def _plain(text: str) -> str:
    """Text on one line with all markup escaped."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
