"""A cache of JSON Lines in a run's folder, of which only our own lines are believed.

    {"seal":"8c1f…","trace":"episodes/one/a/0","stamp":[…],…}

Each line begins with its seal (core/ownership.py), an HMAC of the rest of the line and of the
file's path with a key from the user's state folder. A line that was forged, changed, copied from
another folder or cut off is skipped. Where there is no key, nothing is kept.
"""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import LineReader, UnreadableFileError
from regrasp.core.files import atomic_file
from regrasp.core.ownership import seal, user_key
from regrasp.core.run_folder import LinkedFileError, inside

__all__ = ["Line", "SealedLines"]

Line: TypeAlias = dict[str, Any]
"""One line: the path of its `trace`, and what is kept of it."""

_HEAD = '{"seal":"'
_SEAL_END = len(_HEAD) + 64  # a seal is 64 hexadecimal digits
_TEXT = _SEAL_END + len('",')


class SealedLines:
    """The file `name` in the run's folder `root`. `skipped` counts lines that were not ours."""

    def __init__(self, root: Path, name: str) -> None:
        self._root, self._name = root, name
        self.skipped = 0
        self._key, self._place = user_key(), f"{os.path.realpath(root)}/{name}\n".encode()

    def read(self) -> dict[str, Line]:
        """The last line for each trace."""
        path = inside(self._root, self._name)
        try:
            read = [line.decode("ascii", errors="replace") for line in LineReader(path, "cache")]
        except FileNotFoundError:
            return {}
        except UnreadableFileError as error:
            raise RegraspError(f"{error} It is a cache: remove it.") from error
        lines = [line for line in read if line]
        ours = [f"{{{line[_TEXT:]}" for line in lines if self._is_ours(line)]
        self.skipped = len(lines) - len(ours)
        rows: list[Line] = json.loads(f"[{','.join(ours)}]")  # all at once is faster
        return {row["trace"]: row for row in rows}

    def append(self, row: Line) -> None:
        """Add a line; if that fails, its trace is read again next time."""
        with suppress(OSError, LinkedFileError):
            path = inside(self._root, self._name)
            with path.open("ab") as file:
                cut = file.tell() and not _ends_with_newline(path)
                file.write(b"\n" * bool(cut) + self._sealed(row))

    def keep(self, traces: Collection[str]) -> None:
        """Rewrite the file with one line for each of `traces`."""
        kept = [row for trace, row in self.read().items() if trace in traces]
        with suppress(OSError), atomic_file(self._root / self._name) as file:
            file.writelines(map(self._sealed, kept))

    def remove(self) -> None:
        """Remove the file."""
        path = self._root / self._name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RegraspError(f"cannot remove the cache {path}: {error.strerror}.") from error

    def _is_ours(self, line: str) -> bool:
        if not line.startswith(_HEAD):
            return False
        found, expected = line[len(_HEAD) : _SEAL_END], self._seal(line[_TEXT:].encode())
        return bool(expected) and hmac.compare_digest(found.encode(), expected.encode())

    def _seal(self, text: bytes) -> str:
        return seal(self._key, self._place + text)

    def _sealed(self, row: Line) -> bytes:
        text = json.dumps(row, separators=(",", ":"))[1:].encode()
        found = self._seal(text)
        return f'{_HEAD}{found}",'.encode() + text + b"\n" if found else b""


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
