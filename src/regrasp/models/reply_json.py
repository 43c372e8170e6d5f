"""The JSON of a server's reply, with limits that keep every later step short.

The number of bytes alone is no limit: 3 MB of empty objects are a million values, each of which is
redacted and checked. So values are counted before they are parsed, and texts measured afterwards.
"""

from __future__ import annotations

from regrasp.core.json_text import parse_json
from regrasp.core.json_value import JsonValue
from regrasp.models.errors import ReplyTooLargeError

__all__ = ["MAX_TEXT", "MAX_VALUES", "parse_reply"]

MAX_VALUES = 500_000
"""The largest number of values in a reply: ten samples of 1,000 tokens with ten alternatives."""

MAX_TEXT = 1_000_000
"""The longest text in a reply, in characters."""


def parse_reply(body: bytes) -> JsonValue:
    """The value of a reply; JsonError if it is no JSON, ReplyTooLargeError beyond the limits.

    Numbers may be infinite or NaN, as some servers write the log-probability of "never".
    """
    marks = sum(body.count(mark) for mark in (b",", b"[", b"{"))  # at least one for each value
    if marks > MAX_VALUES:
        raise ReplyTooLargeError(
            f"the reply has more than {MAX_VALUES} values and is not read; ask for fewer samples, "
            "or check what answers there."
        )
    data = parse_json(body, finite=False)
    if len(body) > MAX_TEXT and _longest_text(data) > MAX_TEXT:
        raise ReplyTooLargeError(
            f"the reply has a text of more than {MAX_TEXT} characters and is not read; ask for "
            "fewer tokens."
        )
    return data


def _longest_text(data: JsonValue) -> int:
    if isinstance(data, str):
        return len(data)
    if isinstance(data, list):
        return max(map(_longest_text, data), default=0)
    if isinstance(data, dict):
        return max((max(len(key), _longest_text(value)) for key, value in data.items()), default=0)
    return 0
