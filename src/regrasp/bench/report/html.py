"""A report as one page of HTML; it needs no other files except the linked episodes."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

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
from regrasp.view.html import Html, el, join

__all__ = ["to_html"]

_STYLE = """
:root { --line: #d0d0d0; --quiet: #5a5a5a; --back: #fff; --fore: #1a1a1a; --head: #f5f5f3; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--fore); background: var(--back);
  max-width: 76rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .6rem; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .6rem; padding-top: .6rem;
  border-top: 1px solid var(--line); }
nav { font-size: .9rem; margin: 1rem 0; } nav a { margin-right: 1.1em; white-space: nowrap; }
a { color: #00507c; }
p { max-width: 52rem; }
pre { overflow-x: auto; padding: .7rem .9rem; background: var(--head); border-radius: 4px;
  font-size: .85rem; }
figure { margin: 1.4rem 0; } figure img { width: 100%; max-width: 62rem; height: auto; }
figcaption, .caption { color: var(--quiet); font-size: .85rem; max-width: 52rem; }
.caption { margin: 0 0 .4rem; }
.scroll { overflow-x: auto; margin: 1.2rem 0; }
table { border-collapse: collapse; font-size: .85rem; border-bottom: 1.5px solid var(--fore); }
thead th { border-top: 1.5px solid var(--fore); border-bottom: 1px solid var(--fore);
  font-weight: 600; vertical-align: bottom; }
th, td { padding: .3rem .7rem .3rem 0; text-align: left; vertical-align: top; }
td:first-child { white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; padding: .3rem .4rem; }
tbody tr:nth-child(even) { background: #fafaf8; }
small { display: block; color: var(--quiet); font-size: .75rem; white-space: nowrap; }
.chips { font-size: .8rem; line-height: 1.9; } .chips p { margin: .5rem 0 0; }
.chips a { display: inline-block; min-width: 2.6em; padding: 0 .35em; margin: 0 .15em .15em 0;
  text-align: center; text-decoration: none; border-radius: 3px; border: 1px solid; color: #111;
  font-variant-numeric: tabular-nums; }
.succeeded { background: #dcefe8; border-color: #009e73 !important; }
.failed { background: #fbe3d4; border-color: #d55e00 !important; font-weight: 600; }
.broken { background: #e8e8e8; border-color: #666 !important; font-style: italic; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } nav { display: none; }
  .scroll { overflow: visible; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
"""

_SIGNS = {Outcome.SUCCEEDED: "✓", Outcome.BROKEN: "!"}


def to_html(document: Document, figures: Mapping[str, bytes]) -> str:
    """The report as HTML; `figures` are the drawn ones, as SVG."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width"),
        el("title", document.title),
        Html(f"<style>{_STYLE}</style>"),
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
