"""YAML of strangers: plain values, or one clear error, and nothing runs."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import UnreadableFileError
from regrasp.core.yaml_text import MAX_BYTES, YamlError, parse_yaml, read_yaml_file

BOMB = "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(3))


def test_plain_values_are_read() -> None:
    text = "into: glass\nrecipes:\n  mojito: {ingredients: {rum: 50}, also: [mochito]}\n"
    assert parse_yaml(text) == {
        "into": "glass",
        "recipes": {"mojito": {"ingredients": {"rum": 50}, "also": ["mochito"]}},
    }


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a {x: *a}",
        "a: " + "[" * 100_000,
        "a: " + "{a: " * 3000,
        "a: 2001-99-99",
        "a: !!timestamp abc",
        "a: 1" + "0" * 5000,
        "!!python/object/apply:os.system ['touch planted']",
        "a: 1\n---\nb: 2",
        "{<<: [1, 2]}",
        "? [a]\n: 1",
        "\x00",
    ],
)
def test_a_hostile_text_is_refused_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(YamlError):
        parse_yaml(text)
    assert time.process_time() - began < 2.0
    assert not Path("planted").exists()


def test_a_file_is_limited_and_regular(tmp_path: Path) -> None:
    large, pipe, latin = tmp_path / "large.yaml", tmp_path / "pipe.yaml", tmp_path / "latin.yaml"
    large.write_text("a: 1\n" * (MAX_BYTES // 5 + 1))
    latin.write_bytes(b"a: \xff")
    for path in (large, Path("/dev/zero")):
        with pytest.raises(UnreadableFileError, match=str(path)):
            read_yaml_file(path)
    with pytest.raises(YamlError, match="UTF-8"):
        read_yaml_file(latin)
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(RegraspError, match="a pipe"):
            read_yaml_file(pipe)
