"""Retired words do not come back in public names, commands or file names (docs/glossary.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import regrasp

PACKAGE = Path(regrasp.__file__).parent
ROOT = PACKAGE.parent.parent

RETIRED = (
    "eyes", "tongue", "ears", "told", "tell", "said", "deed", "deeds", "luck", "mishap",
    "quirk", "quirks", "quirky", "casting", "came", "gallery", "lesson", "lessons", "drill",
    "drills", "exam", "sitting", "handover", "unheeded", "noway",
)  # fmt: skip
"""Words of an earlier version for which the field has its own."""

KEPT = {
    # fields that older traces, results and data sets are read by
    ("core/event.py", "ShownMessage"),
    ("core/event.py", "said"),
    ("bench/record.py", "said"),
}
"""Names that stay, and where."""

LABORATORY = ("lab/language", "lab/vision")
"""Where `exam` and the like are still parameters of generators; only files and classes count."""


def words_of(name: str) -> set[str]:
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return {part.lower() for part in parts}


def public_names(file: Path) -> Iterator[str]:
    """Classes, functions, methods, dataclass fields and their parameters that anybody may use."""
    in_laboratory = file.relative_to(PACKAGE).as_posix().startswith(LABORATORY)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield node.name
            if in_laboratory:
                continue
            for item in node.body:
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
                    yield item.target.id
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name
            if not in_laboratory:
                yield from (a.arg for a in (*node.args.args, *node.args.kwonlyargs))


@pytest.mark.parametrize(
    "file", sorted(PACKAGE.rglob("*.py")), ids=lambda f: str(f.relative_to(PACKAGE))
)
def test_public_names_are_in_the_fields_words(file: Path) -> None:
    where = file.relative_to(PACKAGE).as_posix()
    assert not words_of(file.stem) & set(RETIRED)
    wrong = {
        name
        for name in public_names(file)
        if words_of(name) & set(RETIRED) and (where, name) not in KEPT
    }
    assert not wrong


def test_a_class_name_stands_for_one_thing() -> None:
    seen: dict[str, list[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                seen.setdefault(node.name, []).append(str(file.relative_to(PACKAGE)))
    assert {name: files for name, files in seen.items() if len(files) > 1} == {}


def test_docs_and_code_cite_papers_by_name() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    found = [str(f) for f in files if re.search(r"seed 00[0-4]|million numbers", f.read_text())]
    assert not found
