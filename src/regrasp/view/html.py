"""HTML built from values. Text that is not `Html` is always escaped.

`el("p", "a < b", cls="quiet")` is `<p class="quiet">a &lt; b</p>`. Nothing else builds
markup, so text from a trace cannot become markup.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from regrasp._version import __version__

__all__ = ["PAGE_MARKS", "Child", "Html", "el", "join", "page_mark"]

PAGE_MARKS = (b'<meta name="generator" content="regrasp ', b"img-src data:; media-src data: file:")
"""What only a page of Regrasp has at its start; the second is of older pages."""


class Html(str):
    """Text that is HTML already. Only this file and constants in the code create it."""

    __slots__ = ()


Child: TypeAlias = "str | Iterable[Child] | None"
"""The content of an element: text, HTML, None, or several of those."""

_VOID = frozenset({"img", "meta"})


def el(tag: str, *children: Child, **attributes: str | int | float | bool | None) -> Html:
    """An element. `cls` is its class, `data_at` its `data-at`; None and False leave one out."""
    words = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        called = "class" if name == "cls" else name.rstrip("_").replace("_", "-")
        words.append(called if value is True else f'{called}="{escape(str(value), quote=True)}"')
    opening = f"<{' '.join(words)}>"
    return Html(opening if tag in _VOID else f"{opening}{join(*children)}</{tag}>")


def page_mark() -> Html:
    """The element of a page's head by which Regrasp knows its own pages."""
    return el("meta", name="generator", content=f"regrasp {__version__}")


def join(*children: Child) -> Html:
    """The children in order, each text escaped."""
    return Html("".join(_each(children)))


def _each(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Html):
            yield child
        elif isinstance(child, str):
            yield escape(child, quote=True)
        else:
            yield from _each(child)
