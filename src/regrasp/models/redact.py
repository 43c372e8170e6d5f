"""API keys come from the environment only; `redact` removes them from any text that is written.

Errors, logs, traces and cassettes (recorded replies of a model) pass through `redact`. It also
removes a key that a server repeats in its reply, complete or partly masked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from regrasp.core.codec import JsonValue

__all__ = ["REDACTED", "redact", "redact_json"]

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
REDACTED = "[redacted"
"""The prefix of every replacement."""

_SHORTEST = 8  # shorter values ("none", "true") are not secrets, and would remove ordinary text

_PATTERNS = (
    (re.compile(r"\bsk-[A-Za-z0-9_*.\-]{8,}"), "[redacted key]"),
    (re.compile(r"\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*\-]{8,}", re.IGNORECASE), r"\1 [redacted]"),
    (re.compile(r"(?<=://)[^/\s@]+@"), "[redacted]@"),
)


def redact(text: str, env: Mapping[str, str] | None = None) -> str:
    """Return `text` without the secrets of the environment and without other text like a key."""
    return _redacted(text, _replacements(env))


def redact_json(value: JsonValue, env: Mapping[str, str] | None = None) -> JsonValue:
    """Redact every string inside `value`, keys of objects included."""
    replacements = _replacements(env)  # once: reading the environment is the slowest part

    def clean(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return _redacted(value, replacements)
        if isinstance(value, list):
            return [clean(item) for item in value]
        if isinstance(value, dict):
            return {_redacted(key, replacements): clean(item) for key, item in value.items()}
        return value

    return clean(value)


def _replacements(env: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """The secrets as they may occur in a text, the longest first, and their replacements."""
    env = os.environ if env is None else env
    secrets = {
        value: name
        for name, value in env.items()
        if _SECRET_NAME.search(name) and len(value.strip()) >= _SHORTEST
    }
    return [
        (text, f"[redacted {secrets[value]}]")
        for value in sorted(secrets, key=len, reverse=True)
        for text in {value, value.strip()}
    ]


def _redacted(text: str, replacements: list[tuple[str, str]]) -> str:
    for secret, replacement in replacements:
        text = text.replace(secret, replacement)
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text
