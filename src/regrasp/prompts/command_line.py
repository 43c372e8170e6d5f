"""Commands as text: one line each, with what a command takes, does, makes and ends; and a failure.

    - pour(X bottle or bowl, Y glass), then ml: pour from the X into the Y; makes anything is in Y
    - get(X bottle, Y shelf, Z hand), last 1 may be left out: take the X; makes X is held by the Z

Unlike the line of a skill (`prompts.skills`), it does not say what a command needs: CoPAL's planner
learns that from feedback, and its checker knows it. Both texts read back to the same value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from regrasp.prompts.skills import read_kinds, write_kinds
from regrasp.prompts.text import one_line, quoted

__all__ = ["CommandLine", "FailedCommand"]

_LINE = re.compile(
    r"(?:- )?(\w+)\(([^()]*)\)(?:, last (\d) may be left out)?(?:, then (\w+))?: ([^;]*)(?:; (.*))?"
)
_FAILED = re.compile(
    r'(?:- )?failed ([^"]*): "([^"]*)"(?:, because "([^"]*)")?(?:, perhaps "([^"]*)")?'
)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command; `takes` has the kinds of object that each argument may be.

    `words` says what it does. `makes` and `ends` are sentences over X, Y and Z that it can make
    true or false. `unit` is that of the quantity after the objects, if it takes one; `optional`
    objects at the end may be left out.
    """

    name: str
    takes: tuple[tuple[str, ...], ...] = ()
    words: str = ""
    makes: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    unit: str = ""
    optional: int = 0

    @property
    def head(self) -> str:
        """Name and arguments, e.g. `pour(X bottle, Y glass), then ml`."""
        left_out = f", last {self.optional} may be left out" if self.optional else ""
        return f"{self.name}({write_kinds(self.takes)}){left_out}" + (
            f", then {self.unit}" if self.unit else ""
        )

    def __str__(self) -> str:
        facts = [f"makes {one}" for one in self.makes] + [f"ends {one}" for one in self.ends]
        return "; ".join((f"{self.head}: {one_line(self.words)}", *facts))

    @classmethod
    def read(cls, line: str) -> CommandLine | None:
        """The command that `str` wrote, or None if the line is not of that form."""
        match = _LINE.fullmatch(line)
        takes = read_kinds(match[2]) if match else None
        if match is None or takes is None:
            return None
        facts = [one.partition(" ") for one in (match[6] or "").split("; ") if one]
        makes, ends = (
            tuple(sentence for mark, _, sentence in facts if mark == wanted)
            for wanted in ("makes", "ends")
        )
        return cls(match[1], takes, match[5], makes, ends, match[4] or "", int(match[3] or 0))


@dataclass(frozen=True, slots=True)
class FailedCommand:
    """A command that failed: what went wrong and, where the planner is told, why and what to do."""

    command: str
    error: str
    reason: str = ""
    suggestion: str = ""

    def __str__(self) -> str:
        command = one_line(self.command).replace('"', "'")
        why = f", because {quoted(self.reason)}" if self.reason else ""
        how = f", perhaps {quoted(self.suggestion)}" if self.suggestion else ""
        return f"failed {command}: {quoted(self.error)}{why}{how}"

    @classmethod
    def read(cls, line: str) -> FailedCommand | None:
        """The failure that `str` wrote, or None if the line is not of that form."""
        match = _FAILED.fullmatch(line)
        return cls(match[1], match[2], match[3] or "", match[4] or "") if match else None
