"""Keys exist only in the environment: `redact` removes them from any text before it is written.

Errors, logs, traces and cassettes pass through `redact`. It also removes a key that a server echoes
back, whole or half-masked.
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
    """Return `text` without the secrets of the environment and without text shaped like a key."""
    return _without(_forms(env), text)


def redact_json(value: JsonValue, env: Mapping[str, str] | None = None) -> JsonValue:
    """Redact every string inside `value`, keys of objects included."""
    forms = _forms(env)  # once: reading the environment takes longer than all the rest

    def clean(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return _without(forms, value)
        if isinstance(value, list):
            return [clean(item) for item in value]
        if isinstance(value, dict):
            return {_without(forms, key): clean(item) for key, item in value.items()}
        return value

    return clean(value)


def _forms(env: Mapping[str, str] | None) -> list[tuple[str, str]]:
    """The forms of secrets in a text, the longest first, and their replacements."""
    env = os.environ if env is None else env
    secrets = {
        value: name
        for name, value in env.items()
        if _SECRET_NAME.search(name) and len(value.strip()) >= _SHORTEST
    }
    return [
        (form, f"[redacted {secrets[value]}]")
        for value in sorted(secrets, key=len, reverse=True)
        for form in {value, value.strip()}
    ]


def _without(forms: list[tuple[str, str]], text: str) -> str:
    for form, instead in forms:
        text = text.replace(form, instead)
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    return text
