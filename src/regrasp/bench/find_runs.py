"""Finding the run that was meant when a folder to resume is not there."""

from __future__ import annotations

import difflib
from pathlib import Path

from regrasp.bench.manifest import MANIFEST_FILE
from regrasp.core.errors import RegraspError

__all__ = ["no_run_to_resume"]

_NAMED = 5


def no_run_to_resume(folder: Path) -> RegraspError:
    """The error for a folder without a run, with the runs in it, or else beside it."""
    near = _runs(folder) or _runs(folder.absolute().parent)
    names = {path.name: path for path in near}
    close = difflib.get_close_matches(folder.name, names, n=_NAMED, cutoff=0.5)
    listed = list(dict.fromkeys([*close, *names]))[:_NAMED]
    where = folder if folder.is_dir() else folder.absolute().parent
    hint = f"Did you mean {names[close[0]]}? " if close else ""
    known = f"Runs there: {', '.join(listed)}. " if listed else f"There is no run in {where}. "
    return RegraspError(
        f"--resume: {folder} holds no run. {hint}{known}Without --resume a new run is begun."
    )


def _runs(folder: Path) -> list[Path]:
    """The runs of suites in a folder."""
    try:
        return sorted(path for path in folder.iterdir() if (path / MANIFEST_FILE).is_file())
    except OSError:
        return []
