"""A progress bar whose descriptions and lines are plain text: no markup, no escape sequences.

It imports rich; `output.progress` opens it.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from regrasp.cli.visible import visible

__all__ = ["ProgressBar"]


class ProgressBar(Progress):
    """A bar on stderr if that is a terminal, removed at the end; use it with `with`."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        super().__init__(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )

    def add_task(self, description: str, *args: Any, **fields: Any) -> TaskID:
        """See `Progress.add_task`; the description is plain text."""
        return super().add_task(_line(description), *args, **fields)

    def update(self, task_id: TaskID, *, description: str | None = None, **fields: Any) -> None:
        """See `Progress.update`; the description is plain text."""
        shown = None if description is None else _line(description)
        super().update(task_id, description=shown, **fields)

    def note(self, text: str) -> None:
        """Print a text above the bar, or on stderr where there is none."""
        self.console.print(
            visible(text), markup=False, highlight=False, emoji=False, soft_wrap=True
        )


def _line(text: str) -> str:
    return visible(" ".join(text.split()))
