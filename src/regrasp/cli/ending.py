"""How a command ends: the line on stderr for what it raised, and the exit code."""

from __future__ import annotations

import os
import sys
import traceback
from dataclasses import dataclass
from typing import TextIO

from regrasp.core.errors import RegraspError
from regrasp.core.users_code import UserCodeError, describe_error, is_users, users_place

__all__ = [
    "EXIT_BUG",
    "EXIT_REFUSED",
    "CommandEnding",
    "ending",
    "finish_stdout",
    "open_descriptors",
]

EXIT_REFUSED = 2
EXIT_BUG = 1


@dataclass(frozen=True, slots=True)
class CommandEnding:
    """The line on stderr, if any, and the exit code."""

    line: str
    code: int


def ending(error: BaseException) -> CommandEnding:
    """The ending of a command that raised `error`: refused, the user's, the machine's, or a bug."""
    if isinstance(error, RegraspError):
        where = "" if isinstance(error, UserCodeError) else users_place(error)
        return CommandEnding(f"error: {error}{f' (from {where})' if where else ''}", EXIT_REFUSED)
    if isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError):
        return CommandEnding("", EXIT_BUG)  # Rich exits when nobody reads its output any more
    if isinstance(error, SystemExit) or is_users(error):
        return CommandEnding(f"error: your code failed: {describe_error(error)}.", EXIT_REFUSED)
    if isinstance(error, OSError) and error.strerror:
        file = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return CommandEnding(
            f"error: {file}{error.strerror}. Check that the path is right, that you may read and "
            "write there, and that the disk has space.",
            EXIT_REFUSED,
        )
    if isinstance(error, MemoryError):
        return CommandEnding("error: there is not enough memory; give it less to do.", EXIT_BUG)
    what = f"{type(error).__name__}: {error}"
    if _is_opengl_error(error):
        backend = os.environ.get("MUJOCO_GL", "")
        line = f"error: MuJoCo cannot load the OpenGL that MUJOCO_GL={backend} names ({what}). "
        return CommandEnding(line + "Unset MUJOCO_GL; `regrasp doctor` shows more.", EXIT_BUG)
    return CommandEnding(f"internal error: {what} (--debug shows where)", EXIT_BUG)


def open_descriptors() -> None:
    """Open what the shell closed (`>&-`) as the null device.

    Else the next file that is opened would be stdout, and get what is printed.
    """
    for descriptor, name in ((0, "stdin"), (1, "stdout"), (2, "stderr")):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(descriptor, "w" if descriptor else "r", closefd=False))


def finish_stdout(stream: TextIO) -> str:
    """Write out what is buffered for stdout; why that failed, or empty. A closed pipe is no fault.

    After a failure the stream leads nowhere, so that the end of the process does not try again.
    """
    try:
        stream.flush()
    except OSError as error:
        with open(os.devnull, "w") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), stream.fileno())
        if isinstance(error, BrokenPipeError):
            return ""
        return f"error: cannot write to stdout: {error.strerror}. The output is not complete."
    return ""


def _is_opengl_error(error: BaseException) -> bool:
    """Whether the error came from `import mujoco` as it loaded the OpenGL of MUJOCO_GL."""
    modules = [f.f_globals.get("__name__", "") for f, _ in traceback.walk_tb(error.__traceback__)]
    return any(m.startswith("mujoco.") and m.endswith(".gl_context") for m in modules)
