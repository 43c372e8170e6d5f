"""Read a JSON file as one value of a dataclass, with an error that names the file."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from regrasp.core.codec import CodecError, JsonValue, from_json
from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import read_limited
from regrasp.core.json_text import JsonError, parse_json

__all__ = ["DocumentError", "decode_document", "read_json_file"]

T = TypeVar("T")


class DocumentError(RegraspError):
    """A file that does not hold the expected value: the file, what is wrong, and what to do."""


def read_json_file(path: Path, remedy: str) -> JsonValue:
    """The JSON value in a file; DocumentError ends with `remedy`.

    FileNotFoundError where there is no file, UnreadableFileError where it is none.
    """
    try:
        return parse_json(read_limited(path))
    except JsonError as error:
        raise DocumentError(f"{path} is damaged: {error}. {remedy}") from error


def decode_document(cls: type[T], data: JsonValue, path: Path, remedy: str) -> T:
    """The value of `cls` that `data`, read from the file `path`, describes."""
    try:
        return from_json(cls, data)
    except CodecError as error:
        raise DocumentError(f"{path} is damaged: {error} {remedy}") from error
