"""The layout that all prompts share: titled sections of one-line data, written and read back.

    Goal: find the green_apple
    Objects:
    - microwave: microwave; can open, put in; joint microwave_door by microwave_handle
    - kettle: kettle; can pick

Any model reads it as text; `read_sections` is what the scripted model and the tests read it with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["PromptSection", "bullets", "layout", "numbered", "read_sections", "section", "titled"]

_TITLE = re.compile(r"([A-Z][A-Za-z ]{0,30}):(?: (.*))?")


@dataclass(frozen=True, slots=True)
class PromptSection:
    """The content of a section: on the title's line, and on the lines below it."""

    value: str
    lines: tuple[str, ...] = ()

    @property
    def items(self) -> tuple[str, ...]:
        """The lines without their bullets or numbers."""
        return tuple(re.sub(r"^(?:- |\d+\. )", "", line) for line in self.lines)


def titled(title: str, value: str) -> str:
    """A section of one line."""
    return f"{title}: {value}"


def section(title: str, lines: Iterable[str]) -> str:
    """A section of many lines; `none` on the title's line if there are none."""
    body = "\n".join(lines)
    return f"{title}:\n{body}" if body else f"{title}: none"


def layout(*parts: str) -> str:
    """The text of a prompt: its sections one below the other."""
    return "\n".join(parts)


def bullets(items: Iterable[str]) -> tuple[str, ...]:
    """Each item as a line that starts with `- `."""
    return tuple(f"- {item}" for item in items)


def numbered(items: Iterable[str]) -> tuple[str, ...]:
    """Each item as a line that starts with its number, from 1."""
    return tuple(f"{i}. {item}" for i, item in enumerate(items, 1))


def read_sections(text: str) -> dict[str, PromptSection]:
    """Read a rendered prompt back; the first section of a title wins, other text is left out."""
    found: dict[str, tuple[str, list[str]]] = {}
    body: list[str] = []
    for line in text.split("\n"):
        if match := _TITLE.fullmatch(line):
            body = []
            found.setdefault(match[1], (match[2] or "", body))
        elif line.strip():
            body.append(line)
    return {title: PromptSection(value, tuple(lines)) for title, (value, lines) in found.items()}
