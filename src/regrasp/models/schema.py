"""Does a value fit a JSON schema? Detects servers that ignore a requested schema.

The part of JSON Schema that our prompts use: type, enum, const, required, properties,
additionalProperties, items, minItems, maxItems, anyOf. Other keywords are not checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType

from regrasp.core.json_text import JsonError, parse_json
from regrasp.models.language import Json

__all__ = ["mismatch", "text_mismatch"]

_TYPES: Mapping[Json, type | UnionType] = {
    "null": NoneType,
    "integer": int,
    "number": int | float,
    "string": str,
    "array": Sequence,
    "object": Mapping,
    "boolean": bool,
}


def text_mismatch(text: str, schema: Mapping[str, Json]) -> str | None:
    """Why `text` is not JSON that fits `schema`, in a few words; None if it fits."""
    try:
        value = parse_json(text)
    except JsonError:
        return "it is not JSON"
    return mismatch(value, schema)


def mismatch(value: Json, schema: Json, path: str = "$") -> str | None:
    """The first place where `value` violates `schema`, e.g. `$.steps[0] is not a string`."""
    if not isinstance(schema, Mapping):
        return None if schema is not False else f"{path} must not be there"
    if "const" in schema and value != schema["const"]:
        return f"{path} is not {json.dumps(schema['const'])}"
    enum = schema.get("enum")
    if isinstance(enum, Sequence) and value not in enum:
        return f"{path} is none of {json.dumps(enum)}"
    options = schema.get("anyOf")
    if isinstance(options, Sequence) and all(mismatch(value, o, path) for o in options):
        return f"{path} fits none of the alternatives"
    if not _is_a(value, schema.get("type")):
        return f"{path} is not of type {json.dumps(schema['type'])}"
    if isinstance(value, Mapping):
        return _object_mismatch(value, schema, path)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _array_mismatch(value, schema, path)
    return None


def _object_mismatch(
    value: Mapping[str, Json], schema: Mapping[str, Json], path: str
) -> str | None:
    required = schema.get("required")
    for name in required if isinstance(required, Sequence) else ():
        if name not in value:
            return f"{path}.{name} is missing"
    known = schema.get("properties")
    known = known if isinstance(known, Mapping) else {}
    other = schema.get("additionalProperties", True)
    for name, item in value.items():
        if found := mismatch(item, known.get(name, other), f"{path}.{name}"):
            return found
    return None


def _array_mismatch(value: Sequence[Json], schema: Mapping[str, Json], path: str) -> str | None:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if isinstance(least, int) and len(value) < least:
        return f"{path} has fewer than {least} items"
    if isinstance(most, int) and len(value) > most:
        return f"{path} has more than {most} items"
    for i, item in enumerate(value):
        if found := mismatch(item, schema.get("items", True), f"{path}[{i}]"):
            return found
    return None


def _is_a(value: Json, kind: Json) -> bool:
    """Whether `value` is of the JSON type `kind`, or of one of the types in a list."""
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        return any(_is_a(value, one) for one in kind)
    if isinstance(value, bool):  # Python counts it as an integer
        return kind in (None, "boolean")
    if kind == "array" and isinstance(value, str):
        return False
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(kind, object))
