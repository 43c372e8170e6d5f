"""The judge of bar and pizza kitchen: contents, caps, switches and recipes. See `TwoArmJudge`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from regrasp.core.errors import UnknownNameError
from regrasp.core.fact import Fact
from regrasp.worlds.liquids import LEAST_ML
from regrasp.worlds.recipes import JudgedRecipe, RecipeDifference, judged_recipe
from regrasp.worlds.two_arms.judge import TwoArmJudge
from regrasp.worlds.two_arms.kitchen import KitchenWorld, doors_of

__all__ = ["KitchenJudge"]


class KitchenJudge(TwoArmJudge):
    """Predicates, with v for a vessel and s for a substance: those of `TwoArmJudge`, and

    capped(v), contains(v, s), empty(v), full(v), switched_on(x), baked(x); spilt(s): some of it is
    in no vessel; served(r): exactly one glass is on the tray, with everything of the drink r in it
    and nothing that is neither in the recipe nor optional; topped(r): the same for the dough and
    the pizza r. In a task with a recipe, ordered(r): it is this one; missing(s), superfluous(s): an
    ingredient that is wrong; stood_before(x, y): at the start x was in the way of y.
    """

    UNSEEN: ClassVar[tuple[str, ...]] = (
        *TwoArmJudge.UNSEEN, "contains", "spilt", "served", "topped", "ordered", "missing",
        "superfluous", "stood_before",
    )  # fmt: skip

    def __init__(self, world: KitchenWorld) -> None:
        super().__init__(world)
        self._kitchen, liquids = world, world.liquids
        self._predicates |= {
            "capped": liquids.capped,
            "contains": lambda v, s: liquids.amount(v, s) >= LEAST_ML,
            "empty": lambda v: liquids.volume(v) < LEAST_ML,
            "full": self._full,
            "switched_on": world.machines.switched_on,
            "baked": world.machines.baked,
            "spilt": lambda s: self.spilt().get(s, 0.0) >= LEAST_ML,
            "served": lambda r: self._is_right(judged_recipe(r, pizza=False)),
            "topped": lambda r: self._is_right(judged_recipe(r, pizza=True)),
            "ordered": lambda r: any(one.name == r for one in self._ordered),
            "missing": lambda s: any(s in self.difference(r).missing for r in self._ordered),
            "superfluous": lambda s: any(
                s in self.difference(r).superfluous for r in self._ordered
            ),
            "stood_before": lambda x, y: (x, y) in world.scene.stood_before,
        }

    def spilt(self) -> dict[str, float]:
        """The ml of each substance that were spilt."""
        return self._kitchen.liquids.spilt()

    def difference(self, recipe: JudgedRecipe) -> RecipeDifference:
        """How the drink on the tray, or the pizza, differs from a recipe.

        Of several glasses on the tray, the nearest to the recipe counts; without one everything is
        missing.
        """
        vessels = self._offered(recipe)
        found = [recipe.difference(self._substances(vessel)) for vessel in vessels]
        return min(found, key=lambda one: one.distance, default=recipe.difference(()))

    @property
    def _ordered(self) -> tuple[JudgedRecipe, ...]:
        """The recipe of the task, if it has one."""
        facts = (one.fact for one in self._world.goal.literals)
        kinds = {"served": False, "topped": True}
        return tuple(
            judged_recipe(fact.args[0], pizza=kinds[fact.predicate])
            for fact in facts
            if fact.predicate in kinds
        )

    def _is_right(self, recipe: JudgedRecipe) -> bool:
        return len(self._offered(recipe)) == 1 and self.difference(recipe).distance == 0.0

    def _offered(self, recipe: JudgedRecipe) -> list[str]:
        things = self._world.scene.things.values()
        if recipe.is_pizza:
            return [thing.name for thing in things if thing.kind == "dough"]
        glasses = (thing.name for thing in things if thing.kind == "glass")
        return [name for name in glasses if self.support(name) == "tray"]

    def _substances(self, vessel: str) -> set[str]:
        contents = self._kitchen.liquids.contents(vessel)
        return {substance for substance, ml in contents.items() if ml >= LEAST_ML}

    def _full(self, vessel: str) -> bool:
        if vessel not in self._kitchen.scene.vessels:
            raise UnknownNameError("vessel", vessel, self._kitchen.scene.vessels)
        return self._kitchen.liquids.is_full(vessel)

    def _joints(self, name: str) -> tuple[str, ...]:
        return doors_of(self._world.scene, name) or super()._joints(name)

    def _facts(self) -> Iterator[Fact]:
        yield from super()._facts()
        scene = self._world.scene
        yield from (Fact.of("open", place) for place in scene.insides if doors_of(scene, place))
        for vessel in scene.vessels.values():
            yield from (Fact.of(p, vessel.name) for p in ("capped", "empty", "full"))
            yield from (Fact.of("contains", vessel.name, s) for s in self._substances(vessel.name))
        for thing in scene.things.values():
            if f"{thing.name}_switch" in scene.joints:
                yield Fact.of("switched_on", thing.name)
            if thing.kind == "dough":
                yield Fact.of("baked", thing.name)
        yield from (Fact.of("spilt", substance) for substance in self.spilt())
        yield from (Fact.of("stood_before", *pair) for pair in sorted(scene.stood_before))
        for recipe in self._ordered:
            yield Fact.of("ordered", recipe.name)
            difference = self.difference(recipe)
            yield from (Fact.of("missing", one) for one in difference.missing)
            yield from (Fact.of("superfluous", one) for one in difference.superfluous)
