"""Whether a recorded run is this user's own, and which world its states are of.

`regrasp run` and `regrasp do` mark a run that names code outside Regrasp: its world or its method.
The mark is of the first event and of the files that those names lead to from here.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from regrasp.core.errors import RegraspError
from regrasp.core.event import RunStarted, event_to_json
from regrasp.core.loading import is_address
from regrasp.core.named_again import untrusted
from regrasp.core.ownership import anchored, is_own, mark_own
from regrasp.core.trace import TraceEntry, read_trace
from regrasp.worlds.registry import is_world_file

__all__ = ["mark_own_run", "trusted_method", "trusted_world"]


def mark_own_run(folder: Path) -> None:
    """Mark the run in `folder`, which this user has just made, if it names code of the user's."""
    start = _start(folder)
    if start is not None and _code(start):
        mark_own(_content(start))


def trusted_world(folder: Path, recorded: str, named: str = "", known: Collection[str] = ()) -> str:
    """The world to open for the run in `folder`: `named` by the user, or the `recorded` one.

    UntrustedNameError if the user named none, and the recorded world is neither part of Regrasp,
    nor in `known`, nor of a run of the user's own.
    """
    if named:
        return named
    if not is_world_file(recorded) or recorded in known or _names(folder, recorded):
        return recorded
    raise untrusted(folder, "world", recorded, "--world FILE.py:NAME")


def trusted_method(folder: Path, recorded: str, named: str = "") -> str:
    """The method to run again, as `trusted_world` does for a world."""
    if named or not is_address(recorded) or _names(folder, recorded):
        return named or recorded
    raise untrusted(folder, "method", recorded, "--method FILE.py:NAME")


def _names(folder: Path, code: str) -> bool:
    """Whether the run is the user's own and names this code."""
    start = _start(folder)
    return start is not None and code in _code(start) and is_own(_content(start))


def _start(folder: Path) -> TraceEntry | None:
    try:
        entries = read_trace(folder).entries
    except RegraspError:
        return None
    return next((entry for entry in entries if isinstance(entry.event, RunStarted)), None)


def _code(start: TraceEntry) -> tuple[str, ...]:
    event = start.event
    assert isinstance(event, RunStarted)
    world = (event.world,) if is_world_file(event.world) else ()
    return (*world, *((event.method,) if is_address(event.method) else ()))


def _content(start: TraceEntry) -> bytes:
    event = {"wall_s": start.stamp.wall_s, **event_to_json(start.event)}
    return json.dumps(["run", event, [anchored(name) for name in _code(start)]]).encode()
