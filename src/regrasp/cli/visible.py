"""Text from outside as a terminal may show it: nothing in it is obeyed, and no key is in it.

Replies of a model, traces, servers and file names can hold escape sequences that set the title,
clear the screen or write to the clipboard, and marks that reverse the order of letters. Each such
letter is written as its code, `\\x1b`. Line breaks and tabs stay.
"""

from __future__ import annotations

import re

from regrasp.core.redact import redact

__all__ = ["visible", "visible_json"]

_OBEYED = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters but tab and line feed
    "\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff"  # order and breaks
    "\ud800-\udfff"  # bytes of a file name that are no text
    "\U000e0000-\U000e007f"  # tags: letters that no font shows
    "]"
)


def visible(text: object) -> str:
    """The text without keys, each letter that a terminal obeys as its code."""
    return _OBEYED.sub(_code, redact(str(text)))


def visible_json(document: str) -> str:
    """A JSON document with the same letters as JSON's own codes: it reads back the same."""
    return _OBEYED.sub(_json_code, document)


def _code(found: re.Match[str]) -> str:
    number = ord(found[0])
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def _json_code(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))
