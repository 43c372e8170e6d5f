"""Result files: whole or absent under their name, without keys, and never over a user's own file.

A file is written under another name in the same folder (`.NAME.*.part`) and then renamed. A killed
process leaves the older file or none. Text and JSON pass through `redact`.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from regrasp.core.errors import RegraspError
from regrasp.core.json_value import JsonValue
from regrasp.core.redact import redact, redact_json

__all__ = [
    "atomic_file",
    "atomic_folder",
    "atomic_path",
    "refuse_to_overwrite",
    "write_json",
    "write_text",
]

_LOOKED_AT = 2048  # bytes at the start of a file that show its kind


@contextmanager
def atomic_path(target: Path, *, sync: bool = True) -> Iterator[Path]:
    """A free path beside `target`; the file there replaces it when the block ends without an error.

    With `sync` the content is on the disk before the new name is. An OSError is the caller's; the
    draft is removed in any case.
    """
    if target.exists() and not target.is_file():
        raise RegraspError(f"{target} is no ordinary file, so it is not replaced: name another.")
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        yield draft
        if sync:
            with draft.open("rb") as written:
                os.fsync(written.fileno())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


@contextmanager
def atomic_file(target: Path) -> Iterator[IO[bytes]]:
    """A file beside `target` that replaces it when the block ends without an error."""
    with atomic_path(target) as draft, draft.open("xb") as out:
        yield out


@contextmanager
def atomic_folder(target: Path) -> Iterator[Path]:
    """A new folder beside `target`, which it becomes when the block ends without an error.

    `target` is new or an empty folder.
    """
    if target.exists() and not (target.is_dir() and not any(target.iterdir())):
        raise RegraspError(f"{target} is there already and not empty: name another, or remove it.")
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        draft.mkdir(parents=True)
        yield draft
        draft.replace(target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def write_text(target: Path, text: str) -> None:
    """Write a text without its keys, in UTF-8."""
    with atomic_file(target) as out:
        out.write(redact(text).encode("utf-8", "backslashreplace"))


def write_json(target: Path, value: object, indent: int | None = 1) -> None:
    """Write one JSON document without its keys, and a line break.

    `value` is anything that `json.dumps` takes.
    """
    plain: JsonValue = json.loads(json.dumps(value, allow_nan=False))
    text = json.dumps(redact_json(plain), indent=indent)
    with atomic_file(target) as out:
        out.write(text.encode() + b"\n")


def refuse_to_overwrite(target: Path, marks: tuple[bytes, ...], what: str) -> None:
    """Raise unless `target` is new, empty, or holds one of the `marks` of `what` at its start."""
    if not target.exists():
        return
    if not target.is_file():
        raise RegraspError(f"{target} is no ordinary file, so it is not replaced: name another.")
    try:
        with target.open("rb") as file:
            start = file.read(_LOOKED_AT)
    except OSError as error:
        raise RegraspError(f"cannot read {target}: {error.strerror}.") from error
    if start and not any(mark in start for mark in marks):
        raise RegraspError(
            f"{target} is there already and is not {what} that Regrasp wrote, so it is not "
            "overwritten. Name another file, or remove this one."
        )
