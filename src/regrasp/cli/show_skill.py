"""Show a running skill on stderr: a live line on a terminal, else one line for each stage."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from regrasp.cli.output import print_note, progress

if TYPE_CHECKING:
    from regrasp.core.trace import TraceEntry

__all__ = ["show_skill"]


@contextmanager
def show_skill() -> Iterator[Callable[[TraceEntry], None]]:
    """Yield a function that shows each trace entry as it is written."""
    from regrasp.core.event import Remark, SkillProgress

    stage = ""
    with progress() as bar:
        live = not bar.disable
        task = bar.add_task("starting", total=None)

        def show(entry: TraceEntry) -> None:
            nonlocal stage
            event = entry.event
            if isinstance(event, Remark):
                bar.console.print(event.text, markup=False, highlight=False)
            if not isinstance(event, SkillProgress):
                return
            if live:
                line = f"{entry.stamp.sim_s:5.1f} s  {event.stage}, {event.cost:.2f} to go"
                bar.update(task, description=line.replace("[", "("))
            elif event.stage != stage:
                print_note(f"{entry.stamp.sim_s:5.1f} s  {event.stage}")
            stage = event.stage

        yield show
