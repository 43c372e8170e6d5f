"""No 8 characters of a key in a row survive, however a text was cut, broken or encoded."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regrasp.core.codec import CodecError, JsonValue
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.redact import FRAGMENT, excerpt, keep_secret, redact, redact_json

KEYS = st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), min_size=8, max_size=80
).filter(lambda key: len(key.strip()) >= FRAGMENT and key.strip()[0] not in "/~.")
ORDINARY_KEYS = st.text("abcdefgh0123456789-_+/=", min_size=12, max_size=60).map(lambda k: f"k{k}")


def fragments(key: str) -> set[str]:
    return {key[i : i + FRAGMENT] for i in range(len(key) - FRAGMENT + 1)}


def leaks(text: str, key: str) -> list[str]:
    return [fragment for fragment in fragments(key) if fragment in text]


@given(KEYS, st.text(), st.text(), st.data())
def test_any_part_of_a_key_is_removed(
    key: str, before: str, after: str, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(key)))
    last = data.draw(st.integers(first, len(key)))
    text = before + key[first:last] + after + key
    assert not leaks(redact(text, {"A_KEY": key}), key)


@given(KEYS, st.data())
def test_a_text_that_was_cut_first_shows_no_part(key: str, data: st.DataObject) -> None:
    text = f"your key is {key}, and again {key}"
    cut = data.draw(st.integers(0, len(text)))
    assert not leaks(redact(text[:cut], {"A_KEY": key}), key)
    assert not leaks(redact(text[cut:], {"A_KEY": key}), key)


@given(KEYS)
def test_a_key_inside_json_or_repr_is_removed(key: str) -> None:
    for text in (json.dumps({"is": key}), json.dumps([key], ensure_ascii=False), repr(key)):
        assert not leaks(redact(text, {"A_KEY": key}), key)
    assert not leaks(json.dumps(redact_json({key: [key]}, {"A_KEY": key}), ensure_ascii=False), key)


@given(
    ORDINARY_KEYS,
    st.lists(st.sampled_from(["\n", " ", "\r\n  ", "\\n", "\\"]), max_size=8),
    st.data(),
)
def test_a_key_that_is_broken_over_lines_is_removed(
    key: str, breaks: list[str], data: st.DataObject
) -> None:
    text = key
    for gap in breaks:
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + gap + text[at:]
    shown = redact(f"<{text}>", {"A_KEY": key})
    joined = "".join(shown.replace("\\n", "").replace("\\", "").split())
    assert not leaks(joined, key)


def test_a_key_of_several_lines() -> None:
    key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----"
    shown = redact(f"bad: {key!r} and {' '.join(key.split())}", {"PEM_KEY": key})
    assert shown == "bad: '[redacted PEM_KEY]' and [redacted PEM_KEY]"


def test_names_the_variable() -> None:
    env = {"MY_TOKEN": "abcdefgh1234", "HOME": "/home/someone"}
    assert redact("x abcdefgh1234 /home/someone", env) == "x [redacted MY_TOKEN] /home/someone"


def test_longer_secrets_first() -> None:
    env = {"A_KEY": "abcdefgh", "B_KEY": "abcdefghijkl"}
    assert redact("abcdefghijkl", env) == "[redacted B_KEY]"


def test_short_values_are_no_secrets() -> None:
    assert redact("it is true", {"A_KEY": "true"}) == "it is true"


def test_what_is_set_where_no_key_is_needed_is_no_secret() -> None:
    assert redact("is required", {"A_KEY": "sk-no-key-required"}) == "is required"
    assert (
        redact("set OPENAI_API_KEY", {"OPENAI_API_KEY": "OPENAI_API_KEY"}) == "set OPENAI_API_KEY"
    )


def test_the_path_of_a_file_is_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "credentials.json"
    file.touch()
    assert (
        redact(f"in {tmp_path}", {"GOOGLE_APPLICATION_CREDENTIALS": str(file)}) == f"in {tmp_path}"
    )


def test_a_variable_can_be_declared_a_secret() -> None:
    env = {"ACCESS_OF_MINE": "abcdefgh1234"}
    assert redact("abcdefgh1234", env) == "abcdefgh1234"
    keep_secret("ACCESS_OF_MINE")
    assert redact("abcdefgh1234", env) == "[redacted ACCESS_OF_MINE]"


def test_the_password_of_a_proxy_is_a_secret() -> None:
    assert redact(
        "it said hunter2hunter2", {"https_proxy": "http://me:hunter2hunter2@proxy:80"}
    ) == ("it said [redacted https_proxy]")


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect key: sk-abc***********xyz.",
        "Authorization: Bearer abc.def-ghi",
        "http://me:pass@h/",
    ],
)
def test_what_looks_like_a_key(text: str) -> None:
    assert "[redacted" in redact(text, {})


def test_inside_json() -> None:
    env = {"A_KEY": "abcdefgh"}
    value: JsonValue = {"abcdefgh": ["abcdefgh", 1, None]}
    assert redact_json(value, env) == {"[redacted A_KEY]": ["[redacted A_KEY]", 1, None]}


def test_an_excerpt_is_redacted_before_it_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "0123456789abcdef")
    for most in range(60):
        assert not leaks(excerpt("the key is 0123456789abcdef, or was", most), "0123456789abcdef")


@pytest.mark.parametrize(
    "error",
    [
        RegraspError("no 0123456789abcdef"),
        UnknownNameError("key", "0123456789abcdef", ["a"]),
        CodecError("0123456789abcdef", "0123456789abcdef"),
    ],
)
def test_no_error_of_ours_shows_a_key(error: RegraspError, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "0123456789abcdef")
    assert not leaks(f"{error} {error!r}", "0123456789abcdef")


def test_a_long_text_takes_little_time() -> None:
    env = {"A_KEY": "sk-" + "x9Yk2q" * 26, "B_TOKEN": "ghp_" + "q8Z1" * 10}
    text = "the robot opens the microwave and " * 30_000  # 1 MB
    began = time.process_time()
    redact(text, env)
    assert time.process_time() - began < 2.0
