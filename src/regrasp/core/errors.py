"""Error messages: what failed, on which input, what would be valid, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from regrasp.core.redact import redact

__all__ = ["RegraspError", "UnknownNameError", "closest"]


_MOST_NAMES, _LONGEST_NAME = 60, 80  # that a message lists, and in characters


class RegraspError(Exception):
    """Base of every error raised on purpose; the command line prints it without a traceback.

    Its text holds no key of the environment, whoever wrote it.
    """

    def __str__(self) -> str:
        return redact(super().__str__())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


def closest(name: str, valid: Iterable[str]) -> str | None:
    """Return the valid name most similar to `name`, or None if none is similar."""
    found = difflib.get_close_matches(str(name).lower(), list(valid), n=1, cutoff=0.5)
    return found[0] if found else None


def _short(name: str) -> str:
    if not isinstance(name, str):  # a caller may pass anything
        return str(name)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _listed(names: tuple[str, ...]) -> str:
    """The names with commas; of very many, or of very long ones, the first."""
    shown = ", ".join(map(_short, names[:_MOST_NAMES])) or "none"
    return f"{shown} and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else shown


class UnknownNameError(RegraspError):
    """A name that is not in a closed list. The message gives the valid names and the closest."""

    def __init__(self, what: str, name: str, valid: Iterable[str]) -> None:
        self.what, self.name, self.valid = what, name, tuple(sorted(valid))
        self.closest = closest(name, self.valid)
        hint = f" Did you mean {self.closest!r}?" if self.closest else ""
        super().__init__(f"unknown {what} {_short(name)!r}.{hint} Valid: {_listed(self.valid)}.")

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[str, str, tuple[str, ...]]]:
        return (UnknownNameError, (self.what, self.name, self.valid))
