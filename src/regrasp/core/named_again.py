"""Names that come out of a run's folder count only if they name nothing outside Regrasp.

A manifest, a trace or the header of states may name a file of Python, a server or a file to write.
A stranger may have written it, so such a name is refused until the user gives it on the command
line, or the run is the user's own (`ownership.py`).
"""

from __future__ import annotations

from pathlib import Path

from regrasp.core.errors import RegraspError

__all__ = ["UntrustedNameError", "untrusted"]

_LONGEST = 200  # characters of a name in a message


class UntrustedNameError(RegraspError):
    """A run's folder names something outside Regrasp, and the user has not named it."""


def untrusted(folder: Path | str, what: str, name: str, option: str) -> UntrustedNameError:
    """The error: `folder` names the `what` `name`; `option` is how the user can name it."""
    shown = name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
    return UntrustedNameError(
        f"{folder} names the {what} {shown!r}, which is not part of Regrasp, and this run "
        "has no mark of yours: a run's folder is data, so nothing that it names is run, asked or "
        f"written. If you know and trust it, name it yourself: {option}."
    )
