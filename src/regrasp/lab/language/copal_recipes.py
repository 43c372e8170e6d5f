"""Invented recipes for the lessons: their names, what goes in, and how they are served.

No name is that of a shipped recipe, and no recipe has exactly the ingredients of one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from regrasp.core.fact import Fact, Literal
from regrasp.lab.language.copal_words import RECIPE_HEADS, RECIPE_TAILS
from regrasp.lab.language.copal_worlds import CopalWorld
from regrasp.lab.language.vocabulary import Words
from regrasp.planners.recipe_book import shipped_recipes
from regrasp.prompts.recipe import Ingredient, Recipe

__all__ = ["IT", "InventedRecipe", "draw_recipe", "draw_titles", "recipe_name", "serving"]

IT = "it"
"""The vessel, in the sentences of serving."""

_AMOUNTS = (2, 5, 10, 15, 20, 25, 30, 40, 45, 50, 60, 80, 90, 100, 120, 150)


@cache
def _shipped() -> tuple[frozenset[str], frozenset[frozenset[str]]]:
    """The names of the shipped recipes, and the sets of their ingredients."""
    every = shipped_recipes().recipes
    names = frozenset(name for one in every for name in one.names)
    return names, frozenset(frozenset(i.substance for i in one.ingredients) for one in every)


def recipe_name(words: Words, rng: random.Random) -> str:
    """An invented name."""
    while True:
        head, tail = rng.choice(RECIPE_HEADS), rng.choice(RECIPE_TAILS)
        coined = words.coined(rng)
        name = rng.choice(
            (
                f"{head} {tail}",
                f"{head} {tail}",
                f"{tail} {head}",
                coined,
                f"{head} {coined}",
                f"{coined} {tail}",
                f"{tail} number {rng.randint(2, 9)}",
            )
        )
        if name not in _shipped()[0]:
            return name


def draw_titles(words: Words, rng: random.Random, *names: str) -> tuple[str, ...]:
    """A list of recipes that can be looked up, `names` among them."""
    many = rng.choice((1, 3, 6, 12, 25, 80))
    titles = [
        *dict.fromkeys((*names, *(recipe_name(words, rng) for _ in range(rng.randint(1, many)))))
    ]
    rng.shuffle(titles)
    return tuple(titles)


@dataclass(frozen=True, slots=True)
class InventedRecipe:
    """A recipe, and what its sentences of serving mean; `IT` is the vessel."""

    recipe: Recipe
    serve: tuple[Literal, ...]

    def serve_in(self, vessel: str) -> tuple[Literal, ...]:
        """What must be true of a vessel in the end."""
        return tuple(
            Literal(
                Fact(f.predicate, tuple(vessel if a == IT else a for a in f.args)), one.positive
            )
            for one in self.serve
            for f in (one.fact,)
        )


def draw_recipe(
    world: CopalWorld, words: Words, rng: random.Random, lacking: str = ""
) -> InventedRecipe:
    """A recipe of what the scene has; `lacking` goes in too, which it does not have."""
    state = world.skills.init
    here = [one.name for one in world.skills.objects if world.sources(one.name, state)]
    while True:
        names = rng.sample(here, min(len(here), rng.choice((1, 2, 2, 3, 3, 4, 5, 6))))
        if lacking:
            names.insert(rng.randrange(len(names) + 1), lacking)
        chosen = [Ingredient(one, float(rng.choice(_AMOUNTS))) for one in names]
        for _ in range(rng.choice((1, 1, 2)) if len(chosen) > 2 and rng.random() < 0.4 else 0):
            one = chosen.pop(0)
            chosen.append(Ingredient(one.substance, one.ml, optional=one.substance != lacking))
        if frozenset(names) not in _shipped()[1]:
            break
    serve = serving(world, rng)
    into = world.kind(world.roles["targets"][0])
    said = tuple(
        world.say(one.fact.predicate, *one.fact.args, positive=one.positive) for one in serve
    )
    return InventedRecipe(Recipe(recipe_name(words, rng), into, tuple(chosen), said), serve)


def serving(world: CopalWorld, rng: random.Random) -> tuple[Literal, ...]:
    """What must be true in the end, about `IT`."""
    ovens = [n for n in world.roles["containers"] if world.skills.kinds[world.kind(n)] == "oven"]
    if ovens and rng.random() < 0.75:
        oven = ovens[0]
        if ovens[0] == world.roles["containers"][0] and rng.random() < 0.3:
            return (Literal.of("baked", IT),)
        inside = Literal.of("inside", IT, oven)
        return inside, Literal.of("open", oven, positive=False), Literal.of("switched_on", oven)
    if rng.random() < 0.2:
        return ()
    return (Literal.of("on", IT, rng.choice(world.roles["surfaces"])),)
