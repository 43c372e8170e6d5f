"""Seeded damage to texts and files: bits, slices, tokens, and JSON values of the wrong kind."""

from __future__ import annotations

import json
import random
from typing import Any

__all__ = ["mutated"]

TOKENS = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"1" + b"0" * 400, b"-" + b"9" * 5000,
    b"18446744073709551616", b"9223372036854775808", b"-9223372036854775808", b"-0", b"0.1e-999",
    b"null", b"true", b"false", b'"', b"'", b"\\", b"\\ud800", b"\\u0000", b"\\udc00\\ud800",
    b"\x00", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\t", b"",
    b"{", b"}", b"[", b"]", b"(", b")", b",", b":", b";", b"=", b"?", b"-", b"#", b"```",
    b"[" * 100, b'{"a":' * 100, b"(" * 100, b"[[]," * 50, b"()" * 50, b"not " * 50, b"-" * 200,
    b"../../../etc/passwd", b"/dev/zero", b"FILE.py:NAME", b"http://x:99999", b"\x1b]0;x\x07",
    b"9" * 30, b"1e308", b"episodes", b"kind", b"schema", b"sim_s", b"draw", b"choices", b"define",
    b"forall", b"exists", b":action", b"either", b"np.", b"execute_plan(", b"__class__", b"lambda:",
    "é".encode(), "🤖".encode(), b" ", "²".encode(), b"Answer: yes", b"Cannot: ",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**62, -(2**62), 10**12, 0.0, -0.5, 1e308, 1e-308, 3.7e15,
    "", "0", "x", "\x00", "é" * 40, "a" * 3000, "../..", [], {}, [[]], [None], [0] * 300, ["x"],
    {"": None}, {"kind": "noted"}, {"a": {"b": {"c": []}}},
)  # fmt: skip


def mutated(dice: random.Random, seeds: tuple[bytes, ...]) -> bytes:
    """One of `seeds`, damaged one to four times."""
    data = dice.choice(seeds)
    for _ in range(dice.randint(1, 4)):
        data = dice.choice(_KINDS)(dice, data, seeds)
    return data[:400_000]


def _span(dice: random.Random, data: bytes, most: int = 40) -> tuple[int, int]:
    start = dice.randint(0, len(data))
    return start, min(len(data), start + dice.randint(0, most))


def _flip(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    if not data:
        return data
    found = bytearray(data)
    found[dice.randrange(len(found))] ^= 1 << dice.randrange(8)
    return bytes(found)


def _cut(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    start, end = _span(dice, data)
    return data[:start] + data[end:]


def _truncate(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    return data[: dice.randint(0, len(data))]


def _repeat(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    start, end = _span(dice, data)
    return data[:start] + data[start:end] * dice.choice((2, 3, 20, 400)) + data[end:]


def _insert(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    start, end = _span(dice, data, dice.choice((0, 0, 3, 12)))
    return data[:start] + dice.choice(TOKENS) + data[end:]


def _splice(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    other = dice.choice(seeds)
    return data[: dice.randint(0, len(data))] + other[dice.randint(0, len(other)) :]


def _swap_lines(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    lines = data.split(b"\n")
    i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def _wrong_value(dice: random.Random, data: bytes, seeds: tuple[bytes, ...]) -> bytes:
    """Replace a value of a line of JSON by one of another kind, or remove or rename a field."""
    lines = data.split(b"\n")
    at = dice.randrange(len(lines))
    try:
        whole = json.loads(lines[at] if len(lines) < 50 or data[:1] != b"{" else data)
    except (ValueError, RecursionError):
        return _insert(dice, data, seeds)
    text = json.dumps(_replaced(dice, whole)).encode()
    return b"\n".join([*lines[:at], text, *lines[at + 1 :]])


def _replaced(dice: random.Random, value: Any) -> Any:
    inner = (
        list(value)
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else ()
    )
    if not inner or dice.random() < 0.2:
        return dice.choice(VALUES)
    key = dice.choice(inner)
    if isinstance(value, dict) and dice.random() < 0.1:
        found = dict(value)
        moved = found.pop(key)
        return found if dice.random() < 0.5 else {**found, str(key) + "x": moved}
    value[key] = _replaced(dice, value[key])
    return value


_KINDS = (
    _flip, _cut, _truncate, _repeat, _insert, _insert, _splice, _swap_lines, _wrong_value,
    _wrong_value, _wrong_value,
)  # fmt: skip
