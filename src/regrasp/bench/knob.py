"""How much goes wrong in a task, as a number that can be varied: `TASK:NAME=VALUE,…`.

A world reads that number behind the name of its task; a suite says by a `Knob` what it means, so
that its tasks can be run at several values and a report can draw what comes of each.
"""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.errors import RegraspError

__all__ = ["Knob", "settings"]


@dataclass(frozen=True, slots=True)
class Knob:
    """A number from `least` to `most`; `label` says what of, `usual` is that of a task without."""

    name: str
    label: str
    usual: float
    least: float
    most: float

    def of(self, task: str | None) -> float:
        """What it is in a world's task, by the name of that."""
        return float(settings(task).get(self.name, self.usual))

    def set(self, task: str | None, value: float) -> str:
        """The name of a world's task with this number at `value`."""
        plain, _, _ = (task or "").partition(":")
        given = {**settings(task), self.name: f"{value:g}"}
        return f"{plain}:{','.join(f'{name}={text}' for name, text in given.items())}"

    def check(self, value: float) -> None:
        """Raise unless it can be `value`."""
        if not self.least <= value <= self.most:
            raise RegraspError(
                f"{self.name} goes from {self.least:g} to {self.most:g} ({self.label}), "
                f"not {value:g}."
            )


def settings(task: str | None) -> dict[str, str]:
    """What stands behind the colon of a task's name, by name."""
    pairs = (part.partition("=") for part in (task or "").partition(":")[2].split(","))
    return {name.strip(): value for name, sign, value in pairs if sign}
