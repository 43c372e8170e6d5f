"""A knob: the amount of disturbance in a task, as a number: `TASK:NAME=VALUE,…`.

A world reads the number after the name of its task. A suite describes it by a `Knob`, so that its
tasks can be run at several values and a report can plot the results against it.
"""

from __future__ import annotations

from dataclasses import dataclass

from regrasp.core.errors import RegraspError

__all__ = ["Knob", "settings"]


@dataclass(frozen=True, slots=True)
class Knob:
    """A number from `least` to `most`; `label` names it, `usual` is its default in a task."""

    name: str
    label: str
    usual: float
    least: float
    most: float

    def of(self, task: str | None) -> float:
        """The value in a world's task, read from the task's name."""
        return float(settings(task).get(self.name, self.usual))

    def set(self, task: str | None, value: float) -> str:
        """The name of a world's task with this knob at `value`."""
        plain, _, _ = (task or "").partition(":")
        given = {**settings(task), self.name: f"{value:g}"}
        return f"{plain}:{','.join(f'{name}={text}' for name, text in given.items())}"

    def check(self, value: float) -> None:
        """Raise if `value` is out of range."""
        if not self.least <= value <= self.most:
            raise RegraspError(
                f"{self.name} goes from {self.least:g} to {self.most:g} ({self.label}), "
                f"not {value:g}."
            )


def settings(task: str | None) -> dict[str, str]:
    """The settings after the colon of a task's name, by name."""
    pairs = (part.partition("=") for part in (task or "").partition(":")[2].split(","))
    return {name.strip(): value for name, sign, value in pairs if sign}
