"""The part of JSON Schema that our prompts use."""

from __future__ import annotations

import pytest

from regrasp.models.language import Json
from regrasp.models.schema import mismatch, text_mismatch

PLAN: dict[str, Json] = {
    "type": "object",
    "properties": {
        "steps": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        "kind": {"enum": ["motion", "vision"]},
        "score": {"anyOf": [{"type": "number"}, {"type": "null"}]},
    },
    "required": ["steps"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    "value",
    [
        {"steps": ["a"]},
        {"steps": ["a", "b"], "kind": "vision", "score": 0.5},
        {"steps": ["a"], "score": None},
    ],
)
def test_what_fits(value: Json) -> None:
    assert mismatch(value, PLAN) is None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ([], "$ is not of type"),
        ({}, "$.steps is missing"),
        ({"steps": []}, "$.steps has fewer than 1"),
        ({"steps": ["a", "b", "c"]}, "$.steps has more than 2"),
        ({"steps": [1]}, "$.steps[0] is not of type"),
        ({"steps": ["a"], "kind": "x"}, "$.kind is none of"),
        ({"steps": ["a"], "score": "x"}, "$.score fits none"),
        ({"steps": ["a"], "more": 1}, "$.more must not be there"),
    ],
)
def test_what_does_not(value: Json, why: str) -> None:
    found = mismatch(value, PLAN)
    assert found is not None
    assert found.startswith(why)


@pytest.mark.parametrize(
    ("value", "kind", "fits"),
    [
        (True, "integer", False),
        (True, "boolean", True),
        (1, "boolean", False),
        (1.0, "integer", True),
        (1.5, "integer", False),
        (1, "number", True),
        (None, "null", True),
        ("a", "array", False),
        ("a", ["string", "null"], True),
    ],
)
def test_types(value: Json, kind: Json, fits: bool) -> None:
    assert (mismatch(value, {"type": kind}) is None) == fits


def test_text() -> None:
    assert text_mismatch("hello", {}) == "it is not JSON"
    assert text_mismatch("1", {"const": 2}) == "$ is not 2"
    assert text_mismatch("[" * 100_000, {}) == "it is not JSON"
