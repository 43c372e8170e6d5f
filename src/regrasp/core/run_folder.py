"""Paths in a run's folder: a run's folder is data, and no path in it leads out of it.

A folder may come from anyone. A symbolic link in it could lead a reader to a private file, or a
writer to a file of the user's. So no link below a run's folder is followed, wherever it leads. The
folder itself, and what stands before it in its path, is what the user named; it may be a link.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from regrasp.core.errors import RegraspError

__all__ = ["LinkedFileError", "inside", "leads_out"]


class LinkedFileError(RegraspError):
    """A path in a run's folder that is a symbolic link, or leads out of the folder."""


def inside(folder: Path | str, name: str) -> Path:
    """The path of `name` (`images/x.png`) in a run's folder; LinkedFileError if it leads out."""
    root = Path(folder)
    path = root
    for part in _parts(root, name):
        path = path / part
        if path.is_symlink():
            raise LinkedFileError(
                f"{path} is a symbolic link. A run's folder is data, and links in it are not "
                "followed: put the file itself there, or remove the link."
            )
    return path


def leads_out(folder: Path | str, name: str) -> bool:
    """Whether `inside` refuses this path."""
    try:
        inside(folder, name)
    except LinkedFileError:
        return True
    return False


def _parts(root: Path, name: str) -> tuple[str, ...]:
    parts = PurePosixPath(name).parts
    if PurePosixPath(name).is_absolute() or ".." in parts:
        raise LinkedFileError(f"{name!r} leads out of the folder {root}, which is data.")
    return parts
