"""A JSON form for frozen dataclasses, driven by their type hints, that round-trips exactly.

A field may hold: `str`, `int` (of 64 bits), `float` (finite), `bool`, `None`, a `StrEnum`,
`tuple[X, ...]`, a fixed `tuple[X, Y]`, `Mapping[str, X]`, another dataclass, or a union of those
in which no two members share a JSON form (so `float | str`, but not `str | SomeStrEnum`). Every
field is written and every field must be there when read. Both directions check the same rules, so
nothing is written that could not be read back. An error names the path of the field, e.g.
`SkillEnded.report.seconds`.
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import cache
from reprlib import Repr
from typing import Any, NoReturn, TypeVar

from regrasp.core.errors import RegraspError, closest
from regrasp.core.json_text import LARGEST_INT
from regrasp.core.json_value import JsonValue
from regrasp.core.redact import redact

__all__ = ["CodecError", "JsonValue", "from_json", "to_json"]

T = TypeVar("T")

_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 60
_SHORT.maxlevel = 2


class CodecError(RegraspError):
    """A value that has no exact JSON form, or JSON that is not the form of the type asked for."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path, self.problem = path, problem

    def __str__(self) -> str:
        return redact(f"{self.path}: {self.problem}")


def to_json(value: object) -> JsonValue:
    """Return the JSON form of a dataclass instance or plain value; CodecError if it has none."""
    return _encode(type(value), value, type(value).__name__)


def from_json(cls: type[T], data: JsonValue) -> T:
    """Build a `cls` from its JSON form; CodecError names the field that is missing or wrong."""
    value: T = _decode(cls, data, cls.__name__)
    return value


def _encode(hint: Any, value: Any, path: str) -> JsonValue:
    """Write `value`, which must have the type `hint`."""
    form = _form(hint, path)
    if form == "union":
        return _encode(_member(hint, value, path), value, path)
    if form == "array":
        if not isinstance(value, tuple):
            _reject(path, "a tuple", value)
        return [
            _encode(item, entry, f"{path}[{i}]")
            for i, (item, entry) in enumerate(zip(_items(hint, value, path), value, strict=True))
        ]
    if form == "object" and isinstance(hint, type):
        return _encode_fields(hint, value, path)
    if form == "object":
        if not isinstance(value, Mapping):
            _reject(path, "a mapping", value)
        kind = typing.get_args(hint)[1]
        return {
            _text(key, f"{path} key"): _encode(kind, entry, f"{path}[{key!r}]")
            for key, entry in value.items()
        }
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        if not isinstance(value, hint):
            _reject(path, f"a {hint.__name__}", value)
        return str(value)
    return _scalar(form, value, path)


def _decode(hint: Any, data: JsonValue, path: str) -> Any:
    """Read `data` as a value of the type `hint`."""
    form = _form(hint, path)
    if form == "union":
        return _decode(_member(hint, data, path), data, path)
    if form == "array":
        if not isinstance(data, list):
            _reject(path, "a list", data)
        return tuple(
            _decode(item, entry, f"{path}[{i}]")
            for i, (item, entry) in enumerate(zip(_items(hint, data, path), data, strict=True))
        )
    if form == "object":
        if not isinstance(data, dict):
            _reject(path, "an object", data)
        if isinstance(hint, type):
            return _decode_fields(hint, data, path)
        kind = typing.get_args(hint)[1]
        return {
            _text(key, f"{path} key"): _decode(kind, entry, f"{path}[{key!r}]")
            for key, entry in data.items()
        }
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        text = _text(data, path)
        if text not in {str(member) for member in hint}:
            valid = ", ".join(repr(str(member)) for member in hint)
            raise CodecError(path, f"{_SHORT.repr(text)} is not a {hint.__name__}. Valid: {valid}.")
        return hint(text)
    return _scalar(form, data, path)


def _encode_fields(cls: Any, value: object, path: str) -> dict[str, JsonValue]:
    known = _fields(cls)
    if type(value) is not cls:
        _reject(path, f"a {cls.__name__}", value)
    return {
        name: _encode(kind, getattr(value, name), f"{path}.{name}") for name, kind in known.items()
    }


def _decode_fields(cls: Any, data: Mapping[str, JsonValue], path: str) -> Any:
    known = _fields(cls)
    for name in data:
        if name not in known:
            near = closest(str(name), known)
            hint = f" Did you mean {near!r}?" if near else ""
            raise CodecError(
                f"{path}.{_SHORT.repr(name)[1:-1]}",
                f"unknown field.{hint} Valid: {', '.join(known) or 'none'}.",
            )
    for name in known:
        if name not in data:
            raise CodecError(f"{path}.{name}", "missing; every field must be written.")
    values = {name: _decode(kind, data[name], f"{path}.{name}") for name, kind in known.items()}
    try:
        return cls(**values)
    except (RegraspError, ValueError) as error:  # the class checks its own values
        raise CodecError(path, str(error)) from error


@cache
def _fields(cls: Any) -> dict[str, Any]:
    """Field name to resolved type hint, in the order of definition."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _form(hint: Any, path: str) -> str:
    """The JSON form that `hint` takes: null, bool, int, float, string, array, object or union."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return "union"
    if origin is tuple:
        return "array"
    if origin is Mapping and typing.get_args(hint)[0] is str:
        return "object"
    plain = {type(None): "null", bool: "bool", int: "int", float: "float", str: "string"}
    if hint in plain:
        return plain[hint]
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "string"
    if isinstance(hint, type) and is_dataclass(hint):
        return "object"
    raise CodecError(
        path,
        f"the type {hint} has no JSON form. Use str, int, float, bool, None, a StrEnum, "
        "tuple[X, ...], Mapping[str, X], a dataclass, or a union of those.",
    )


def _form_of_value(value: object) -> str:
    """The JSON form of a value or of its JSON, to pick the member of a union."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    for kind, form in ((int, "int"), (float, "float"), (str, "string"), (tuple | list, "array")):
        if isinstance(value, kind):
            return form
    return "object"


def _member(hint: Any, value: object, path: str) -> Any:
    """The member of the union `hint` that `value` has the form of; an error if two share a form."""
    found: dict[str, Any] = {}
    for member in typing.get_args(hint):
        form = _form(member, path)
        if form in found:
            raise CodecError(
                path,
                f"{found[form]} and {member} are both a JSON {form}, so reading could not tell "
                "them apart. Use one of them, or a dataclass with a tag.",
            )
        found[form] = member
    form = _form_of_value(value)
    if form == "int" and "int" not in found:
        form = "float"
    return found[form] if form in found else _reject(path, " or ".join(found), value)


def _items(hint: Any, values: tuple[Any, ...] | list[Any], path: str) -> tuple[Any, ...]:
    """The type of each entry of a tuple that has as many entries as `values`."""
    kinds = typing.get_args(hint)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return (kinds[0],) * len(values)
    if len(kinds) != len(values):
        raise CodecError(path, f"expected {len(kinds)} entries, got {len(values)}.")
    return kinds


def _scalar(form: str, value: Any, path: str) -> bool | int | float | str | None:
    if form == "null":
        return None if value is None else _reject(path, "null", value)
    if form == "bool":
        return value if isinstance(value, bool) else _reject(path, "a bool", value)
    if form == "string":
        return _text(value, path)
    if isinstance(value, bool) or not isinstance(value, int | float):
        _reject(path, "an int" if form == "int" else "a float", value)
    if form == "int":
        if not isinstance(value, int):
            _reject(path, "an int", value)
        if not -LARGEST_INT <= value <= LARGEST_INT:
            raise CodecError(path, "the number is too large for 64 bits.")
        return int(value)
    try:
        number = float(value)
    except OverflowError:
        raise CodecError(path, "the number is too large for a float.") from None
    if not math.isfinite(number):
        raise CodecError(path, f"{number} is not finite; JSON has no form for it.")
    if number != value:
        raise CodecError(path, f"{value} is not exact as a float.")
    return number


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        _reject(path, "a string", value)
    return str(value)


def _reject(path: str, expected: str, value: object) -> NoReturn:
    try:
        shown = _SHORT.repr(value)
    except ValueError:  # an int of more digits than Python writes
        shown = "..."
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise CodecError(path, f"expected {expected}, got {type(value).__name__} {shown}.")
