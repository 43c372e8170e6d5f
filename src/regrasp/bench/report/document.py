"""A report independent of its format: sections of paragraphs, tables and pictures.

Text is plain text; the renderer escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from regrasp.core.outcome import Outcome

__all__ = [
    "Block",
    "Cell",
    "Code",
    "Document",
    "EpisodeLink",
    "Episodes",
    "Picture",
    "ReportSection",
    "Table",
    "Text",
]


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Lines of code."""

    text: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: the figure, and a smaller note with its basis."""

    main: str
    small: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under a head, each as long as the head; `caption` explains the table.

    The first `labels` columns are text, the others figures.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    labels: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure by its name: `figures/NAME.png` and `figures/NAME.svg`."""

    name: str
    caption: str


@dataclass(frozen=True, slots=True)
class EpisodeLink:
    """One episode: its seed, its outcome, its page or trace, and a line about it."""

    seed: int
    outcome: Outcome
    target: str
    about: str


@dataclass(frozen=True, slots=True)
class Episodes:
    """Every episode of a task and a method."""

    task: str
    method: str
    links: tuple[EpisodeLink, ...]


Block: TypeAlias = Text | Code | Table | Picture | Episodes
"""A block of a section."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A heading and its blocks."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Document:
    """The whole report."""

    title: str
    lead: Sequence[Block]
    sections: Sequence[ReportSection]
