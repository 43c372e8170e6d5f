"""Progress of a run of many episodes on stderr: a bar on a terminal, else a line at intervals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regrasp.bench.record import EpisodeRecord
    from regrasp.core.outcome import Outcome

__all__ = ["count_episodes", "progress_line"]

_LINE_EVERY_S = 30.0


@contextmanager
def count_episodes(what: str, total: int) -> Iterator[Callable[[EpisodeRecord], None]]:
    """Yield a function that counts each record: rate, failures, and remaining time."""
    from regrasp.cli.output import print_note, progress
    from regrasp.core.outcome import Outcome

    begun = last = time.monotonic()
    counts = dict.fromkeys(Outcome, 0)
    with progress() as bar:
        task = bar.add_task(f"{what}: {total} episodes", total=total)

        def count(record: EpisodeRecord) -> None:
            nonlocal last
            counts[record.outcome] += 1
            if record.outcome is Outcome.BROKEN:
                line = f"{record.key}: broken. {record.reason}"
                bar.console.print(line, markup=False, highlight=False, soft_wrap=True)
            now = time.monotonic()
            line = progress_line(what, total, counts, now - begun)
            bar.update(task, advance=1, description=line)
            if bar.disable and (now - last > _LINE_EVERY_S or sum(counts.values()) == total):
                last = now
                print_note(line)

        yield count


def progress_line(what: str, total: int, counts: dict[Outcome, int], seconds: float) -> str:
    """The progress in one line."""
    from regrasp.core.outcome import Outcome

    done = sum(counts.values())
    rate = done / seconds if seconds > 0 else 0.0
    left = (total - done) / rate if rate else 0.0
    return (
        f"{what}: {done}/{total}, {counts[Outcome.SUCCEEDED]} succeeded, "
        f"{counts[Outcome.FAILED]} failed, {counts[Outcome.BROKEN]} broken; "
        f"{60 * rate:.1f} a minute, {_span(left)} left"
    )


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes / 60:.1f} h"
