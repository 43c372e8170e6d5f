"""The pages of docs/prompts, made from the table of prompts.

    python tests/prompts/prompt_pages.py docs/prompts

A test compares the committed pages with the output.
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

from prompt_table import PROMPTS, PromptFamily

from regrasp.prompts.parsing import ParseError

__all__ = ["pages", "write_pages"]


def pages() -> dict[str, str]:
    """Every page by its file name: one per family, and the index."""
    made = {f"{family.name}.md": _page(family) for family in PROMPTS}
    return {"README.md": _index(), **made}


def write_pages(folder: Path) -> tuple[Path, ...]:
    """Write the pages into `folder` and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages().items():
        path = folder / name
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return tuple(written)


_NOTE = "<!-- Made by `python tests/prompts/prompt_pages.py docs/prompts`; do not edit. -->"
_INDEX = f"""{_NOTE}

# Prompts

Every question that Regrasp asks a language or vision model. Each has typed inputs,
a head that never changes, a text made of the inputs, a GBNF grammar where the answer
has a form, and a parser that is total: any reply gives a value, `Declined` or a
`ParseError` whose hint is sent back once. What was perceived stands between quotes,
on one line, with nothing in it that could end the quotation: it is data.

Where each comes from: the figure of the paper's appendix, or the section where it
has none.

| prompt | from | asks |
|---|---|---|
"""


def _index() -> str:
    rows = (
        f"| [{family.name}]({family.name}.md) | {family.paper} {family.figure} | {family.asks} |\n"
        for family in PROMPTS
    )
    return _INDEX + "".join(rows)


def _page(family: PromptFamily) -> str:
    prompt = family.example
    module = inspect.getmodule(type(prompt))
    source = f"src/{module.__name__.replace('.', '/')}.py" if module else ""
    grammar = prompt.grammar()
    lines = [
        _NOTE,
        "",
        f"# {family.name}",
        "",
        f"{family.asks} ({family.paper}, {family.figure})",
        "",
        inspect.cleandoc(type(prompt).__doc__ or ""),
        "",
        f"Source: `{source}`, class `{type(prompt).__name__}`.",
        "",
        "## Head",
        "",
        *_block(prompt.HEAD),
        "## Example",
        "",
        *_block(prompt.render()),
        "## Answers",
        "",
    ]
    for reply in family.answers:
        lines += [*_block(reply), f"is read as `{_shown(prompt.parse(reply))}`", ""]
    lines += ["A reply that cannot be read, and the repair hint for it:", ""]
    refused = prompt.parse("")
    hint = refused.hint if isinstance(refused, ParseError) else "none: any text is an answer"
    lines += [f"> {hint}", ""]
    if grammar is not None:
        lines += ["## Grammar", "", "The grammar of the example (GBNF).", "", *_block(grammar)]
    return "\n".join(lines).rstrip() + "\n"


def _block(text: str) -> list[str]:
    return ["```text", text.rstrip("\n"), "```", ""]


def _shown(value: object) -> str:
    """A value on one line, without the paths of enums."""
    if isinstance(value, str):
        return repr(str(value))
    return " ".join(str(value).split()).replace("`", "'")


if __name__ == "__main__":
    for page in write_pages(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/prompts")):
        print(page)
