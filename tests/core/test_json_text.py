"""JSON from strangers: what is read breaks no reader, and the rest is refused in a few words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.json_text import LARGEST_INT, MAX_DEPTH, JsonError, parse_json

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
whole = st.integers(-LARGEST_INT, LARGEST_INT)
plain = st.none() | st.booleans() | whole | st.floats(allow_nan=False, allow_infinity=False) | texts
values = st.recursive(plain, lambda v: st.lists(v) | st.dictionaries(texts, v), max_leaves=20)


@given(values)
@settings(deadline=None)
def test_ordinary_json_is_read_as_it_is(value: object) -> None:
    assert parse_json(json.dumps(value)) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


@given(st.binary(max_size=60) | st.text(max_size=60))
@settings(deadline=None, max_examples=300)
def test_any_text_is_read_or_refused(text: bytes | str) -> None:
    try:
        json.dumps(parse_json(text), allow_nan=False)
    except JsonError as error:
        assert 0 < len(str(error)) < 200


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("NaN", "NaN is no number"),
        ("[1, -Infinity]", "-Infinity is no number"),
        ("1e999", "not finite"),
        ("1" + "0" * 400, "does not fit in 64 bits"),
        ("-" + "9" * 5000, "does not fit in 64 bits"),
        (str(LARGEST_INT + 1), "does not fit in 64 bits"),
        ("[" * 100_000, "nests deeper"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nests deeper"),
        ('{"a":' * 200 + "1" + "}" * 200, "nests deeper"),
        (b"\xff", "not UTF-8"),
        (b"", "not JSON"),
        ("{} {}", "not JSON"),
    ],
)
def test_what_breaks_readers_is_refused(text: str | bytes, says: str) -> None:
    with pytest.raises(JsonError, match=says) as caught:
        parse_json(text)
    assert str(caught.value).startswith("not JSON")


def test_the_limits_themselves_are_read() -> None:
    assert parse_json(str(LARGEST_INT)) == LARGEST_INT
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    many = "[" + ",".join(["[]"] * 1000) + "]"
    assert len(parse_json(many)) == 1000  # type: ignore[arg-type]


def test_half_a_pair_becomes_a_question_mark() -> None:
    assert parse_json(r'["\ud800", "\ud83e\udd16", {"\udc00": 1}]') == ["?", "🤖", {"?": 1}]


def test_a_server_may_send_infinity() -> None:
    assert parse_json("[-Infinity]", finite=False) == [float("-inf")]
