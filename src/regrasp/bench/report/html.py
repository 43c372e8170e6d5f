"""A report as one page of HTML; it needs no other files except the linked episodes."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from importlib import resources

from regrasp.bench.report.document import (
    Block,
    Cell,
    Code,
    Document,
    EpisodeLink,
    Episodes,
    Picture,
    ReportSection,
    Table,
    Text,
)
from regrasp.core.outcome import Outcome
from regrasp.view.html import Html, el, join, page_mark

__all__ = ["to_html"]

_SIGNS = {Outcome.SUCCEEDED: "✓", Outcome.BROKEN: "!"}


def to_html(document: Document, figures: Mapping[str, bytes]) -> str:
    """The report as HTML; `figures` are the drawn ones, as SVG."""
    style = resources.files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    head = el(
        "head",
        el("meta", charset="utf-8"),
        page_mark(),
        el("meta", name="viewport", content="width=device-width"),
        el("title", document.title),
        Html(f"<style>{style}</style>"),
    )
    body = el(
        "body",
        el("h1", document.title),
        [_block(block, figures) for block in document.lead],
        el("nav", [el("a", s.title, href=f"#{_anchor(s)}") for s in document.sections]),
        [_section(section, figures) for section in document.sections],
    )
    return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"


def _section(section: ReportSection, figures: Mapping[str, bytes]) -> Html:
    return join(
        el("h2", section.title, id=_anchor(section)),
        [_block(block, figures) for block in section.blocks],
    )


def _anchor(section: ReportSection) -> str:
    return re.sub(r"[^a-z0-9]+", "-", section.title.lower()).strip("-")


def _block(block: Block, figures: Mapping[str, bytes]) -> Html | None:
    match block:
        case Text(text):
            return el("p", text)
        case Code(text):
            return el("pre", text)
        case Table():
            return _table(block)
        case Episodes():
            heading = el("p", el("b", block.method), f", {block.task}")
            return el("div", heading, [_chip(link) for link in block.links], cls="chips")
        case Picture(name, caption) if name in figures:
            data = base64.b64encode(figures[name]).decode("ascii")
            image = el("img", alt=caption, src=f"data:image/svg+xml;base64,{data}")
            return el("figure", image, el("figcaption", caption))
        case Picture():
            return None


def _table(table: Table) -> Html:
    kinds = ["n" if i >= table.labels else None for i in range(len(table.head))]
    head = [el("th", title, cls=kind) for title, kind in zip(table.head, kinds, strict=True)]
    rows = [
        el("tr", [el("td", _cell(c), cls=kind) for c, kind in zip(row, kinds, strict=True)])
        for row in table.rows
    ]
    found = el("table", el("thead", el("tr", head)), el("tbody", rows))
    return el("div", el("p", table.caption, cls="caption"), found, cls="scroll")


def _cell(cell: Cell) -> Html:
    main = el("b", cell.main) if cell.strong else cell.main
    return join(main, el("small", cell.small) if cell.small else None)


def _chip(link: EpisodeLink) -> Html:
    kind = link.outcome if link.outcome in _SIGNS else Outcome.FAILED
    text = f"{link.seed} {_SIGNS.get(link.outcome, '✗')}"
    return el("a", text, cls=str(kind), href=link.target, title=link.about)
