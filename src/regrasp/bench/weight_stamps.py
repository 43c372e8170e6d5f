"""Figures in docs that no suite makes: each section says which weights they are of, or is older.

    <!-- weights vision-see.onnx=1fca5086 walker.npz=f0b1cce8 -->
    <!-- end weights -->

`regrasp results --readme` writes a line between the two if the package no longer ships these
weights. A section without a stamp has the word **Older** and a reason, a table of a report between
the markers of `readme_results`, or, where no weights take part, `<!-- measured by COMMAND -->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import regrasp
from regrasp.bench.naming import sha256

__all__ = ["doc_pages", "stamp_problems", "with_stamps"]

_STAMP = re.compile(
    r"<!-- weights (?P<files>[\w.= -]+?) -->\n(?P<note>.*?)<!-- end weights -->", re.DOTALL
)
_FIGURE = re.compile(r"\d+ of \d+|\d+/\d+|\d%")
_OTHERWISE = ("**Older", "<!-- results ", "<!-- measured by ")
_FOLDERS = ("embedded/weights", "control/weights")


def doc_pages(root: Path) -> list[Path]:
    """The pages of methods and models, where every figure has an origin."""
    folders = (root / "docs" / name for name in ("methods", "models"))
    return [page for folder in folders for page in sorted(folder.glob("*.md"))]


def with_stamps(text: str) -> str:
    """A page whose stamps say whether the package still ships their weights."""

    def written(found: re.Match[str]) -> str:
        stale = _stale(found["files"])
        note = f"**No longer what ships:** these figures are of other weights ({stale}).\n"
        head = f"<!-- weights {found['files']} -->\n"
        return f"{head}{note if stale else ''}<!-- end weights -->"

    return _STAMP.sub(written, text)


def stamp_problems(text: str, page: str) -> list[str]:
    """What is wrong with the figures of a page of docs; empty if nothing is."""
    found = [] if with_stamps(text) == text else [f"{page}: a stamp of weights is out of date"]
    for heading, section in _sections(text):
        stamped = _STAMP.search(section) or any(mark in section for mark in _OTHERWISE)
        rows = [line for line in section.splitlines() if line.startswith("|")]
        figures = [line for line in rows if _FIGURE.search(line)]
        if figures and not stamped:
            found.append(f"{page}, {heading}: figures of no weights: {figures[0][:60]}")
    return found


def _sections(text: str) -> Iterator[tuple[str, str]]:
    heading, lines = "", list[str]()
    for line in text.splitlines():
        if line.startswith("## "):
            yield heading, "\n".join(lines)
            heading, lines = line.removeprefix("## "), []
        lines.append(line)
    yield heading, "\n".join(lines)


def _stale(files: str) -> str:
    """The files of a stamp that the package ships otherwise, or no more."""
    shipped = _shipped()
    pairs = (pair.split("=") for pair in files.split())
    return ", ".join(name for name, digest in pairs if not shipped.get(name, "").startswith(digest))


@cache
def _shipped() -> dict[str, str]:
    package = Path(regrasp.__file__).parent
    files = (file for folder in _FOLDERS for file in (package / folder).iterdir())
    return {file.name: sha256([file]) for file in files if file.is_file()}
