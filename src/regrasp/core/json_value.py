"""The type of JSON data."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["JsonValue"]

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
"""What `json.loads` returns."""
