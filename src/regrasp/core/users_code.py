"""Code of the user's: worlds, suites, methods and robots that are named by FILE.py or MODULE.

What goes wrong in it is named as the user's, with file and line. `sys.exit` in it is an error and
never a success: only the command line ends a command.
"""

from __future__ import annotations

import sysconfig
import traceback
from pathlib import Path

from regrasp.core.errors import RegraspError

__all__ = ["UserCodeError", "describe_error", "is_users", "register_users_file", "users_place"]

_OURS = Path(__file__).resolve().parents[1]
_LIBRARIES = tuple(Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "purelib"))

_folders: set[Path] = set()
_files: set[Path] = set()


class UserCodeError(RegraspError):
    """An error in the user's own code: which, and where."""


def register_users_file(path: Path) -> None:
    """Remember that this file is the user's, and with it what stands in its folder."""
    found = path.resolve()
    if _OURS in found.parents:
        return
    _files.add(found)
    if not _is_library(found):  # the folder of an installed package has many others
        _folders.add(found.parent)


def users_place(error: BaseException) -> str:
    """Where in the user's code an error came from: `my_robot.py, line 12, in step`; else empty."""
    frames = list(traceback.walk_tb(error.__traceback__))
    for frame, line in reversed(frames):
        path = Path(frame.f_code.co_filename)
        if path.suffix == ".py" and _is_users_file(path):
            return f"{path.name}, line {line}, in {frame.f_code.co_name}"
    return ""


def is_users(error: BaseException) -> bool:
    """Whether an error came from the user's code: raised there, or by what that called."""
    return bool(users_place(error))


def describe_error(error: BaseException) -> str:
    """What was raised and, if it came from the user's code, where: `KeyError: 3 (in my.py, …)`."""
    place = users_place(error)
    if isinstance(error, SystemExit):
        what = f"sys.exit({error.code!r}) was called"
    elif isinstance(error, SyntaxError) and error.filename:
        what = f"SyntaxError: {error.msg}"
        place = f"{Path(error.filename).name}, line {error.lineno}"
    else:
        what = f"{type(error).__name__}: {error}"
    return f"{what} (in {place})" if place else what


def _is_users_file(path: Path) -> bool:
    found = path.resolve()
    if found in _files:
        return True
    if _OURS in found.parents or _is_library(found):
        return False
    return any(folder in found.parents for folder in _folders)


def _is_library(path: Path) -> bool:
    return any(folder in path.parents for folder in _LIBRARIES)
