"""API keys come from the environment only; `redact` removes them from any text that is written.

Errors, logs, traces, pages, cassettes (recorded replies of a model) and requests to a server pass
through `redact`. A secret is removed wherever at least `FRAGMENT` characters of it stand together:
complete, cut, or broken by white space and backslashes (a key with line breaks, a key in a JSON or
`repr` text). So it does not matter whether a text was cut before.

Redact a text before cutting it all the same (`excerpt`): fewer characters are not recognised.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from regrasp.core.json_value import JsonValue

__all__ = ["FRAGMENT", "REDACTED", "excerpt", "keep_secret", "redact", "redact_json"]

FRAGMENT = 8
"""So many characters of a secret in a row are removed. Shorter values are not secrets."""

_STEP = FRAGMENT // 2
_PIECE = FRAGMENT - _STEP + 1

REDACTED = "[redacted"
"""The prefix of every replacement."""

_SECRET_NAME = re.compile(
    r"(^|_)(API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?(_|\d|$)", re.IGNORECASE
)
_URL_PASSWORD = re.compile(r"://[^/\s:@]*:([^/\s@]+)@")
_PLACEHOLDERS = frozenset({"sk-no-key-required", "no-key-required", "not-needed", "placeholder"})
"""What people set where a server needs no key: ordinary words, which must stay in texts."""

_PATTERNS = (
    (("sk-",), re.compile(r"\bsk-[A-Za-z0-9_*.\-]{8,}"), "[redacted key]"),
    (
        ("bearer", "basic"),
        re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=*\-]{8,}", re.I | re.ASCII),
        r"\1 [redacted]",
    ),
    (("://",), re.compile(r"(?<=://)[^/\s@]+@"), "[redacted]@"),
)
"""Text like a key: what it holds, which is quick to find, its form, and its replacement."""
_ESCAPE = re.compile(r"\\[nrt]|\\")

_declared: set[str] = set()


def keep_secret(variable: str) -> None:
    """Treat the value of this environment variable as a secret, whatever its name."""
    _declared.add(variable)


def redact(text: str, env: Mapping[str, str] | None = None) -> str:
    """Return `text` without the secrets of the environment and without other text like a key."""
    return _redacted(text, _secrets(env))


def excerpt(text: str, most: int) -> str:
    """The start of `text` on one line: redacted first, then cut to `most` characters."""
    line = " ".join(redact(text).split())
    return line if len(line) <= most else line[:most] + "…"


def redact_json(value: JsonValue, env: Mapping[str, str] | None = None) -> JsonValue:
    """Redact every string inside `value`, keys of objects included."""
    secrets = _secrets(env)  # once: reading the environment is the slowest part

    def clean(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return _redacted(value, secrets)
        if isinstance(value, list):
            return [clean(item) for item in value]
        if isinstance(value, dict):
            return {_redacted(key, secrets): clean(item) for key, item in value.items()}
        return value

    return clean(value)


class _Fragments:
    """All fragments of a secret.

    A fragment of 8 letters holds 5 letters that begin at a multiple of 4 in the secret. So in a
    long text a quarter of all searches finds the places where a fragment can be.
    """

    def __init__(self, secret: str) -> None:
        starts = range(len(secret) - FRAGMENT + 1)
        self._all = frozenset(secret[i : i + FRAGMENT] for i in starts)
        aligned = range(0, len(secret) - _PIECE + 1, _STEP) if starts else ()
        self._pieces = {secret[i : i + _PIECE] for i in aligned}

    def are_in(self, text: str) -> bool:
        """Whether any fragment stands in the text."""
        return any(True for _ in self._places(text))

    def covered(self, text: str) -> set[int]:
        """The positions of all letters of the text that belong to a fragment."""
        return {i for start in self._places(text) for i in range(start, start + FRAGMENT)}

    def _places(self, text: str) -> Iterator[int]:
        """Where a fragment begins."""
        for start in range(len(text)) if len(text) <= len(self._all) else self._likely(text):
            if text[start : start + FRAGMENT] in self._all:
                yield start

    def _likely(self, text: str) -> Iterator[int]:
        for piece in self._pieces:
            at = text.find(piece)
            while at >= 0:
                yield from range(max(0, at - _STEP + 1), at + 1)
                at = text.find(piece, at + 1)


@dataclass(frozen=True, slots=True)
class _Secret:
    """A secret: its fragments as they stand, and without breaks."""

    whole: _Fragments
    unbroken: _Fragments


@functools.lru_cache(maxsize=64)
def _secret(value: str) -> _Secret:
    return _Secret(_Fragments(value), _Fragments(_joined(value)))


def _secrets(env: Mapping[str, str] | None) -> list[tuple[str, _Secret]]:
    """The variables of the environment that hold a secret, the longest value first."""
    env = os.environ if env is None else env
    values: dict[str, str] = {}
    for name, value in env.items():
        if len(value) < FRAGMENT:
            continue
        if name in _declared or _is_secret_name(name):
            if _is_secret(value, env):
                values[value] = name
        elif "@" in value and (found := _URL_PASSWORD.search(value)) and len(found[1]) >= FRAGMENT:
            values[found[1]] = name
    return [(values[value], _secret(value)) for value in sorted(values, key=len, reverse=True)]


@functools.lru_cache(maxsize=1024)
def _is_secret_name(name: str) -> bool:
    return _SECRET_NAME.search(name) is not None


def _is_secret(value: str, env: Mapping[str, str]) -> bool:
    """Whether it is long enough, and no placeholder, name of a variable or path of a file."""
    value = value.strip()
    if len(value) < FRAGMENT or value in _PLACEHOLDERS or value in env:
        return False
    return not (value[0] in "/~." and Path(value).expanduser().exists())


def _redacted(text: str, secrets: list[tuple[str, _Secret]]) -> str:
    before, joined = text, _joined(text)
    for variable, secret in secrets:
        if secret.whole.are_in(text) or secret.unbroken.are_in(joined):
            text = _without(text, secret, f"{REDACTED} {variable}]")
            joined = _joined(text)
    lower = text.lower()
    for parts, pattern, replacement in _PATTERNS:
        if any(part in lower for part in parts):
            text = pattern.sub(replacement, text)
    # A replacement, or what it now stands beside, can spell a fragment: then delete. Ends, because
    # every round makes the text shorter.
    while text != before and any(secret.whole.are_in(text) for _, secret in secrets):
        for _, secret in secrets:
            text = _without(text, secret, "")
    return text


def _without(text: str, secret: _Secret, replacement: str) -> str:
    """The text with every run of fragments of the secret replaced."""
    hidden = secret.whole.covered(text)
    places = _unbroken(text)
    for first, last in _runs(secret.unbroken.covered(_joined(text))):
        hidden.update(range(places[first], places[last] + 1))
    for first, last in reversed(list(_runs(hidden))):
        text = text[:first] + replacement + text[last + 1 :]
    return text


def _joined(text: str) -> str:
    """The text without white space, and without backslashes and the line breaks they stand for."""
    if "\\" in text:
        text = _ESCAPE.sub("", text)
    return "".join(text.split())


def _unbroken(text: str) -> list[int]:
    """The positions of the letters that `_joined` keeps."""
    kept = list(range(len(text)))
    for gap in _ESCAPE.finditer(text):
        kept[gap.start() : gap.end()] = [-1] * (gap.end() - gap.start())
    return [i for i in kept if i >= 0 and not text[i].isspace()]


def _runs(positions: set[int]) -> Iterator[tuple[int, int]]:
    """The first and last position of each run of neighbours, in order."""
    first = last = -2
    for position in sorted(positions):
        if position > last + 1:
            if last >= 0:
                yield first, last
            first = position
        last = position
    if last >= 0:
        yield first, last
