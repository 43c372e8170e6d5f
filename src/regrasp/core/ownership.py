"""Which runs are this user's own: marks and seals that only the user's state folder can give.

A run's folder is data and may come from anyone. What it names (code, servers, files) counts only if
the user names it again, or if the run is the user's own: the command that made it left a mark in
the user's state folder. What Regrasp itself reads back from a run's folder, such as a cache, has a
seal: an HMAC-SHA-256 with a key that never leaves the state folder.

The state folder is $REGRASP_STATE, else $XDG_STATE_HOME/regrasp, else ~/.local/state/regrasp. Where
it cannot be written, nothing is marked, sealed or believed, and everything else works.
"""

from __future__ import annotations

import hmac
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

__all__ = ["anchored", "is_own", "mark_own", "seal", "state_dir", "user_key"]

_KEY_BYTES = 32
_MARKS = "own"


def state_dir() -> Path | None:
    """The state folder of this user; None where there is no home to keep one in."""
    if own := os.environ.get("REGRASP_STATE"):
        return Path(own)
    if shared := os.environ.get("XDG_STATE_HOME"):
        return Path(shared) / "regrasp"
    try:
        return Path.home() / ".local" / "state" / "regrasp"
    except RuntimeError:
        return None


def mark_own(content: bytes) -> None:
    """Remember that `content`, which names things, was written by a command of this user."""
    folder, name = state_dir(), seal(user_key(), content)
    if folder is None or not name:
        return
    with suppress(OSError):
        (folder / _MARKS).mkdir(parents=True, exist_ok=True)
        (folder / _MARKS / name).touch()


def is_own(content: bytes) -> bool:
    """Whether `content` was marked."""
    folder, name = state_dir(), seal(user_key(), content)
    return folder is not None and bool(name) and (folder / _MARKS / name).is_file()


def user_key() -> bytes:
    """The key that seals what this user writes; empty where none can be kept."""
    folder = state_dir()
    return _key(folder) if folder is not None else b""


def seal(key: bytes, content: bytes) -> str:
    """The seal of `content` with the user's key, in hex; empty without a key."""
    return hmac.digest(key, content, "sha256").hex() if key else ""


def anchored(name: str) -> str:
    """What `name` leads to from the current folder: the same text may lead elsewhere elsewhere.

    A mark of content that names `world.py` holds only where that is the same file.
    """
    module, colon, attribute = name.partition(":")
    if module.endswith(".py"):
        return f"{Path(module).resolve()}{colon}{attribute}"
    return f"{name} in {Path.cwd()}"


@cache
def _key(folder: Path) -> bytes:
    """The key in a state folder, made when there is none; empty if it can be neither."""
    path = folder / "key"
    draft = folder / f".key.{os.getpid()}.{os.urandom(4).hex()}"
    with suppress(OSError):
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.touch(mode=0o600)
            draft.write_bytes(os.urandom(_KEY_BYTES))
            with suppress(FileExistsError):
                os.link(draft, path)  # unlike a rename it does not replace another process's key
    with suppress(OSError):
        draft.unlink(missing_ok=True)
    try:
        key = path.read_bytes()
    except OSError:
        return b""
    return key if len(key) == _KEY_BYTES else b""
