"""The JSON form of frozen dataclasses: exact both ways, and errors that name the field."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.codec import CodecError, from_json, to_json
from regrasp.core.errors import RegraspError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Everything:
    text: str
    count: int
    size: float
    flag: bool
    nothing: None
    colour: Colour
    many: tuple[int, ...]
    pair: tuple[str, float]
    table: Mapping[str, tuple[float, ...]]
    maybe: Point | None
    value: float | str
    whole_or_real: int | float
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Ambiguous:
    which: Colour | str


@dataclass(frozen=True, slots=True)
class Unsupported:
    numbers: list[int]


@dataclass(frozen=True, slots=True)
class Percentage:
    value: float

    def __post_init__(self) -> None:
        if not 0 <= self.value <= 100:
            raise RegraspError("a percentage lies between 0 and 100")


finite = st.floats(allow_nan=False, allow_infinity=False)
whole = st.integers(-(2**63) + 1, 2**63 - 1)
points = st.builds(Point, finite, finite)
everything = st.builds(
    Everything,
    text=st.text(),
    count=whole,
    size=finite,
    flag=st.booleans(),
    nothing=st.none(),
    colour=st.sampled_from(Colour),
    many=st.lists(whole).map(tuple),
    pair=st.tuples(st.text(), finite),
    table=st.dictionaries(st.text(), st.lists(finite).map(tuple)),
    maybe=st.none() | points,
    value=finite | st.text(),
    whole_or_real=finite | whole,
    points=st.lists(points).map(tuple),
)

A_VALUE = Everything(
    text="hé",
    count=3,
    size=0.1,
    flag=True,
    nothing=None,
    colour=Colour.RED,
    many=(1, 2),
    pair=("a", 1.5),
    table={"k": (1.0, 2.0)},
    maybe=Point(1.0),
    value="far",
    whole_or_real=7,
    points=(Point(0.0), Point(1.0, 2.0)),
)


@settings(deadline=None)
@given(everything)
def test_a_value_survives_json_exactly(value: Everything) -> None:
    back = from_json(Everything, json.loads(json.dumps(to_json(value), allow_nan=False)))
    assert back == value
    assert repr(back) == repr(value)  # 1 and 1.0, 0.0 and -0.0 are told apart


def test_the_form_is_plain_json_in_the_order_of_the_fields() -> None:
    assert to_json(Point(1.0, -2.5)) == {"x": 1.0, "y": -2.5}
    assert list(to_json(A_VALUE)) == list(Everything.__dataclass_fields__)  # type: ignore[arg-type]


def test_numpy_scalars_that_are_floats_become_plain_floats() -> None:
    form = to_json(Point(np.float64(0.5), 2))
    assert form == {"x": 0.5, "y": 2.0}
    assert [type(v) for v in form.values()] == [float, float]  # type: ignore[union-attr]


def test_whole_numbers_written_by_other_tools_are_read_as_floats() -> None:
    assert repr(from_json(Point, {"x": 1, "y": 2})) == "Point(x=1.0, y=2.0)"


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        ({"size": math.nan}, "Everything.size", "not finite"),
        ({"size": math.inf}, "Everything.size", "not finite"),
        ({"size": 10**400}, "Everything.size", "too large"),
        ({"size": 2**53 + 1}, "Everything.size", "not exact"),
        ({"size": True}, "Everything.size", "expected a float, got bool True"),
        ({"count": 1.0}, "Everything.count", "expected an int"),
        ({"count": 10**400}, "Everything.count", "too large for 64 bits"),
        ({"text": 10**5000}, "Everything.text", "expected a string, got int"),
        ({"count": True}, "Everything.count", "expected an int"),
        ({"flag": 1}, "Everything.flag", "expected a bool"),
        ({"text": 3}, "Everything.text", "expected a string"),
        ({"nothing": 0}, "Everything.nothing", "expected null"),
        ({"many": [1, "2"]}, "Everything.many[1]", "expected an int, got str '2'"),
        ({"pair": ["a"]}, "Everything.pair", "expected 2 entries, got 1"),
        ({"table": {"k": [math.inf]}}, "Everything.table['k'][0]", "not finite"),
        ({"maybe": {"x": 1.0}}, "Everything.maybe.y", "missing"),
        ({"maybe": {"x": 1.0, "y": "up"}}, "Everything.maybe.y", "expected a float"),
        ({"maybe": 3}, "Everything.maybe", "expected object or null"),
        ({"value": None}, "Everything.value", "expected float or string"),
        ({"colour": "reed"}, "Everything.colour", "Valid: 'red', 'blue'"),
        ({"colur": "red"}, "Everything.colur", "unknown field. Did you mean 'colour'?"),
        ({"points": [{"x": 0.0, "y": 0.0}, 5]}, "Everything.points[1]", "expected an object"),
    ],
)
def test_reading_names_the_field_that_is_wrong(
    change: dict[str, object], path: str, says: str
) -> None:
    data = {**to_json(A_VALUE), **change}  # type: ignore[dict-item]
    with pytest.raises(CodecError) as caught:
        from_json(Everything, data)  # type: ignore[arg-type]
    assert caught.value.path == path
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (Point(math.nan), "Point.x"),
        (Point("up"), "Point.x"),  # type: ignore[arg-type]
        (Point(np.float32(1.0)), "Point.x"),  # type: ignore[arg-type]
        (Unsupported([1]), "Unsupported.numbers"),
        (np.zeros(3), "ndarray"),
        (object(), "object"),
    ],
)
def test_nothing_is_written_that_could_not_be_read_back(value: object, path: str) -> None:
    with pytest.raises(CodecError) as caught:
        to_json(value)
    assert caught.value.path == path


def test_a_missing_field_is_an_error_even_where_it_has_a_default() -> None:
    with pytest.raises(CodecError, match=r"Point\.y: missing"):
        from_json(Point, {"x": 1.0})


def test_a_union_that_json_cannot_tell_apart_is_refused() -> None:
    with pytest.raises(CodecError, match="could not tell them apart"):
        to_json(Ambiguous("red"))


def test_what_a_class_says_of_its_own_values_is_passed_on_with_the_path() -> None:
    with pytest.raises(CodecError, match="Percentage: a percentage lies between 0 and 100"):
        from_json(Percentage, {"value": 101.0})


def test_errors_can_cross_processes() -> None:
    error = pickle.loads(pickle.dumps(CodecError("Point.x", "missing")))
    assert (error.path, str(error)) == ("Point.x", "Point.x: missing")


def test_an_error_is_short_whatever_was_found() -> None:
    for found in ({"x" * 10**6: 1}, {"x": "y" * 10**6}, {"x": [[["z" * 99] * 99] * 99]}):
        with pytest.raises(CodecError) as caught:
            from_json(Point, {"x": 0.0, "y": 0.0, **found})  # type: ignore[dict-item]
        assert len(str(caught.value)) < 300
