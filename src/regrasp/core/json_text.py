"""Read JSON that anyone may have written: every text gives a value, or a `JsonError`.

Stricter than `json.loads`, whose values can break their readers. Numbers are finite, and integers
fit in 64 bits. Values nest at most `MAX_DEPTH` deep. Half a surrogate pair, which no file takes,
becomes a question mark.
"""

from __future__ import annotations

import json
import math
import re
from typing import NoReturn

from regrasp.core.errors import RegraspError
from regrasp.core.json_value import JsonValue

__all__ = ["LARGEST_INT", "MAX_DEPTH", "JsonError", "parse_json", "whole_characters"]

MAX_DEPTH = 64
"""How deep lists and objects may nest."""

LARGEST_INT = 2**63 - 1
"""The largest integer, and the smallest with a minus sign before it."""

_HALF_PAIR = re.compile(r"\\u[dD][89abcdefABCDEF]")


class JsonError(RegraspError):
    """Text that is not JSON, or not JSON that is safe to read: what is wrong, in a few words."""


def parse_json(text: str | bytes, *, finite: bool = True) -> JsonValue:
    """The value of a JSON text in UTF-8; JsonError if it has none.

    Without `finite`, NaN and infinite numbers are read too: some servers send them.
    """
    try:
        whole = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        value: JsonValue = (_DECODER if finite else _LENIENT).decode(whole)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError as error:
        raise JsonError(f"not JSON (from byte {error.start} on, it is not UTF-8 text)") from None
    except json.JSONDecodeError as error:
        raise JsonError(f"not JSON ({error.msg} at character {error.pos})") from None
    if whole.count("[") + whole.count("{") > MAX_DEPTH:
        _check_depth(value)
    return _whole_strings(value) if _HALF_PAIR.search(whole) else value


def whole_characters(text: str) -> str:
    """Text that can be written to a file: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _integer(text: str) -> int:
    number = int(text) if len(text) <= 20 else LARGEST_INT + 1
    if not -LARGEST_INT <= number <= LARGEST_INT:
        shown = text if len(text) <= 24 else f"{text[:20]}…"
        raise JsonError(f"not JSON that is read (the number {shown} does not fit in 64 bits)")
    return number


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonError(f"not JSON that is read (the number {text[:24]} is not finite)")
    return number


def _no_number(text: str) -> NoReturn:
    raise JsonError(f"not JSON ({text} is no number of JSON)")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_finite, parse_constant=_no_number)
_LENIENT = json.JSONDecoder(parse_int=_integer)


def _check_depth(value: JsonValue) -> None:
    level: list[list[JsonValue] | dict[str, JsonValue]]
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(MAX_DEPTH):
        level = [
            entry
            for outer in level
            for entry in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(entry, list | dict)
        ]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> JsonError:
    return JsonError(f"not JSON that is read (it nests deeper than {MAX_DEPTH} lists and objects)")


def _whole_strings(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return whole_characters(value)
    if isinstance(value, list):
        return [_whole_strings(entry) for entry in value]
    if isinstance(value, dict):
        return {whole_characters(key): _whole_strings(entry) for key, entry in value.items()}
    return value
