"""The meaning of an HTTP status, and the feature that a refusal is about."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime

from regrasp.core.codec import JsonValue
from regrasp.core.json_text import JsonError, parse_json
from regrasp.core.redact import excerpt, redact, redact_json
from regrasp.models.errors import RateLimitedError, RejectedError, ServerError
from regrasp.models.transport import HttpReply
from regrasp.models.wire import Feature

__all__ = ["check_status", "missing_feature", "retry_after_s"]

_TRANSIENT = (408, 409, 425)  # request time-out, conflict, too early: the same request may succeed
_SHOWN = 400  # characters of a server's own explanation that go into our error

_LACKING = re.compile(
    r"unsupported|not (\w+ )?(support|allow|permit|availab|implement|enabled)"
    r"|n.t (\w+ )?(support|allow|accept)"
    r"|(unrecogni[sz]ed|unknown|unexpected|invalid|extra) (request )?"
    r"(arg|param|field|key|option|input|name|property)"
    r"|must be between|must be 1\b|disabled|forbidden"
)
_ABOUT = {
    Feature.MAX_TOKENS: (re.compile(r"max_completion_tokens"), "max_tokens"),
    Feature.LOGPROBS: (re.compile(r"logprobs|log.?prob"), "logprobs"),
    Feature.SCHEMA: (re.compile(r"response_format|json_schema|structured"), "response_format"),
    Feature.GRAMMAR: (re.compile(r"\bgrammar\b"), "grammar"),
    Feature.SEED: (re.compile(r"\bseed\b"), "seed"),
    Feature.TEMPERATURE: (re.compile(r"\btemperature\b"), "temperature"),
    Feature.SAMPLES: (re.compile(r"['\"`]n['\"`]|\bn\b ?(=|>|must|should|is|:)|\bsamples\b"), "n"),
}


def check_status(reply: HttpReply, name: str, key_env: str) -> None:
    """Raise the error for a status other than 2xx; each error says what to do."""
    status = reply.status
    if 200 <= status < 300:
        return
    why = _explanation(reply.body)
    after = retry_after_s(reply.headers)
    if status == 429:
        wait = f"; it asks to wait {after:.0f} s" if after is not None else ""
        raise RateLimitedError(f"{name} is rate-limited (HTTP 429){wait}: {why}", after)
    if status >= 500 or status in _TRANSIENT:
        raise ServerError(f"{name} failed by its own account (HTTP {status}): {why}", after)
    if status in (401, 403):
        advice = f"put a valid key in {key_env}"
    elif status == 404:
        advice = "check the address (it usually ends in /v1) and the model's name"
    elif 300 <= status < 400:
        advice = f"use the address it points to: {redact(reply.headers.get('location', 'none'))}"
    else:
        advice = "change the request"
    raise RejectedError(f"{name} refused (HTTP {status}): {why} To do: {advice}.", status)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After header, which holds a number or a date; None where it is neither.

    Some hosted APIs add `retry-after-ms`, which is exact.
    """
    exact, value = headers.get("retry-after-ms", ""), headers.get("retry-after", "").strip()
    if not (exact or value):
        return None
    try:
        seconds = float(exact) / 1000 if exact else float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - time.time()
        except (ValueError, TypeError, IndexError, OverflowError, OSError):
            return None  # what it raises differs between versions of Python
    return max(0.0, seconds) if math.isfinite(seconds) else None


def missing_feature(error: RejectedError, body: Mapping[str, JsonValue]) -> Feature | None:
    """The feature of `body` that the server says it lacks; None for another reason."""
    message = str(error).lower()
    if error.status not in (400, 404, 415, 422, 501) or not _LACKING.search(message):
        return None
    for feature, (pattern, field) in _ABOUT.items():
        if field in body and pattern.search(message):
            return feature
    return None


def _explanation(body: bytes) -> str:
    """The server's own error message, short and without secrets."""
    text = body[:20_000].decode("utf-8", "replace")
    data: JsonValue = text
    with suppress(JsonError):
        data = parse_json(text)
    if isinstance(data, dict):
        inner = data.get("error", data)
        if isinstance(inner, dict):
            inner = inner.get("message", inner.get("detail", inner))
        data = inner
    message = excerpt(data if isinstance(data, str) else json.dumps(redact_json(data)), _SHOWN)
    return f"{message.rstrip('.')}." if message else "it says no more."
