"""What a robot is asked to do."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Action", "SkillSpec"]


@dataclass(frozen=True, slots=True)
class Action:
    """A named skill applied to arguments, e.g. `Action("open", ("microwave",))`."""

    name: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})"


@dataclass(frozen=True, slots=True)
class SkillSpec:
    """A skill that a robot offers: its name, the names of its arguments, and what it does."""

    name: str
    parameters: tuple[str, ...]
    summary: str

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.parameters)}): {self.summary}"
