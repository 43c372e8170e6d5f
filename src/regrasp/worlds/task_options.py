"""What may follow the colon of a task's name: a recipe, and what is not as the robot is told.

    make-drink:gin_and_tonic
    make-drink:mojito,empty=rum_bottle,locked=fridge
    make-drink:mojito,missing=mint_bowl

An empty vessel is told to be full. A missing thing is in neither the scene nor the inventory. The
door of a locked thing does not open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from regrasp.core.errors import RegraspError, UnknownNameError

__all__ = ["TaskOptions", "plain_task"]

_KEYS = ("empty", "missing", "locked")


def plain_task(name: str) -> str:
    """A task's name without its options."""
    return name.partition(":")[0]


@dataclass(frozen=True, slots=True)
class TaskOptions:
    """`recipe` is what is to be made, in the spelling of `recipe_key`; empty for the default."""

    recipe: str = ""
    empty: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()

    @classmethod
    def parse(cls, task: str) -> TaskOptions:
        """The options after the colon of a task's name."""
        options = cls()
        for part in filter(None, task.partition(":")[2].split(",")):
            key, equals, value = part.partition("=")
            if not equals and not options.recipe:
                options = replace(options, recipe=part)
            elif equals and key in _KEYS and value:
                options = options._with(key, value)
            else:
                raise RegraspError(
                    f"{part!r} is no option of a task; write a recipe, "
                    "empty=VESSEL, missing=THING or locked=THING, e.g. :mojito,empty=rum_bottle."
                )
        return options

    def _with(self, key: str, name: str) -> TaskOptions:
        match key:
            case "empty":
                return replace(self, empty=(*self.empty, name))
            case "missing":
                return replace(self, missing=(*self.missing, name))
            case _:
                return replace(self, locked=(*self.locked, name))

    def check(self, vessels: Iterable[str], things: Iterable[str], doors: Iterable[str]) -> None:
        """Raise UnknownNameError for a name that is not in the scene."""
        for kind, names, valid in (
            ("vessel with a substance", self.empty, tuple(vessels)),
            ("movable thing", self.missing, tuple(things)),
            ("thing with a door", self.locked, tuple(doors)),
        ):
            for name in names:
                if name not in valid:
                    raise UnknownNameError(kind, name, valid)
