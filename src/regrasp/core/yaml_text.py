"""Read YAML that anyone may have written: every text gives plain values, or a `YamlError`.

Stricter than `yaml.safe_load`: at most `MAX_BYTES` (its reader takes seconds for a megabyte), no
aliases (a few lines of them stand for billions of values), no nesting deeper than `MAX_DEPTH`, and
no number of thousands of digits. Nothing in a file names a class.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from regrasp.core.errors import RegraspError
from regrasp.core.file_reading import read_limited

__all__ = ["MAX_BYTES", "MAX_DEPTH", "YamlError", "parse_yaml", "read_yaml_file"]

MAX_BYTES = 250_000
"""The largest file."""

MAX_DEPTH = 32
"""How deep lists and mappings may nest."""


class YamlError(RegraspError):
    """Text that is not YAML, or not YAML that is safe to read: what is wrong, in a few words."""


def read_yaml_file(path: Path) -> object:
    """The value of the one document in a file; YamlError or UnreadableFileError if it has none.

    FileNotFoundError where there is no file.
    """
    data = read_limited(path, MAX_BYTES)
    try:
        return parse_yaml(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise YamlError(f"from byte {error.start} on, it is not UTF-8 text") from None


def parse_yaml(text: str) -> object:
    """The value of a YAML text of one document."""
    import yaml  # noqa: PLC0415  -- only who reads recipes needs it

    try:
        return yaml.load(text, Loader=_loader())  # a kind of SafeLoader
    except YamlError:
        raise
    except yaml.YAMLError as error:
        raise YamlError(" ".join(str(error).split())) from None
    except (ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise YamlError(f"a value cannot be read ({error})") from None


@cache
def _loader() -> Any:
    """A SafeLoader that refuses aliases and deep nesting while it reads, not afterwards."""
    import yaml  # noqa: PLC0415

    class Loader(yaml.SafeLoader):  # type: ignore[misc,unused-ignore]
        depth = 0

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise YamlError("it has an alias (*); write the value again in its place")
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise YamlError(f"its values nest more than {MAX_DEPTH} deep")
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    return Loader
