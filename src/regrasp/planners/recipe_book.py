"""The recipe book: drinks and pizzas that ship with the package, and those of a user's file.

It stands in for the world knowledge of a large language model. A planner consults it as a tool: it
gives the name of a recipe and gets its lines (`prompts.recipe`). The files are YAML:

    into: glass                 # the kind of vessel
    serve: [it is on tray]      # what must be true at the end
    recipes:
      mojito: {ingredients: {rum: 50, mint: 10}, optional: {ice_cubes: 60}, also: [mochito]}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.yaml_text import YamlError, read_yaml_file
from regrasp.prompts.recipe import Ingredient, Recipe

__all__ = ["RecipeBook", "load_recipes", "shipped_recipes"]

_SHIPPED = Path(__file__).parents[1] / "recipes"
_FILE_FIELDS = ("into", "serve", "recipes")
_RECIPE_FIELDS = ("ingredients", "optional", "also", "into", "serve")
_SUBSTANCE = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class RecipeBook:
    """Recipes; of two with the same name the later one counts."""

    recipes: tuple[Recipe, ...] = ()

    def with_file(self, path: Path | str) -> RecipeBook:
        """The book with the recipes of a user's file added."""
        return RecipeBook((*self.recipes, *load_recipes(path)))

    def look_up(self, name: str) -> Recipe:
        """The recipe of a name; UnknownNameError gives the closest."""
        wanted = _plain(name)
        for recipe in reversed(self.recipes):
            if wanted in map(_plain, recipe.names):
                return recipe
        raise UnknownNameError("recipe", name, (one.name for one in self.recipes))

    def named_in(self, sentence: str) -> Recipe | None:
        """The recipe that a sentence names, the longest name first; None if it names none."""
        said = f" {_plain(sentence)} "
        named = [
            (len(_plain(name)), recipe)
            for recipe in self.recipes
            for name in recipe.names
            if f" {_plain(name)} " in said
        ]
        return max(reversed(named), key=lambda one: one[0])[1] if named else None

    def titles(self, substances: Iterable[str]) -> tuple[str, ...]:
        """The names of the recipes that use one of `substances`, other names included.

        Empty where the robot has nothing of any recipe: then the book is of no use there.
        """
        here = frozenset(substances)
        found = (
            name
            for recipe in self.recipes
            if any(one.substance in here for one in recipe.ingredients)
            for name in recipe.names
        )
        return tuple(dict.fromkeys(found))

    def makeable(self, substances: Iterable[str]) -> tuple[str, ...]:
        """The names of the recipes for which everything that is not optional is there."""
        here = frozenset(substances)
        return tuple(
            recipe.name
            for recipe in self.recipes
            if all(one.optional or one.substance in here for one in recipe.ingredients)
        )


@cache
def shipped_recipes() -> RecipeBook:
    """The recipes of the package: `recipes/drinks.yaml` and `recipes/pizzas.yaml`."""
    files = (_SHIPPED / "drinks.yaml", _SHIPPED / "pizzas.yaml")
    return RecipeBook(tuple(recipe for file in files for recipe in load_recipes(file)))


def load_recipes(path: Path | str) -> tuple[Recipe, ...]:
    """The recipes of a file; RegraspError names what is wrong in it, and what would be right."""
    file = Path(path)
    try:
        found = read_yaml_file(file)
    except OSError as error:
        raise RegraspError(f"cannot read the recipes {file}: {error.strerror}.") from error
    except YamlError as error:
        raise RegraspError(f"the recipes {file} are not YAML in UTF-8: {error}.") from error
    return tuple(_recipes(_fields(found, _FILE_FIELDS, str(file)), str(file)))


def _recipes(found: Mapping[str, object], where: str) -> Iterator[Recipe]:
    for name, entry in _mapping(found.get("recipes"), f"{where}: recipes").items():
        place = f"{where}: {name}"
        fields = {**{key: found.get(key) for key in ("into", "serve")}}
        fields |= _fields(entry, _RECIPE_FIELDS, place)
        into = fields.get("into")
        if not isinstance(into, str) or not _SUBSTANCE.fullmatch(into):
            raise RegraspError(
                f"{place}: into must be a kind of vessel such as glass, not {into!s:.60}."
            )
        main = tuple(_ingredients(fields.get("ingredients"), False, f"{place}: ingredients"))
        if not main:
            raise RegraspError(f"{place} has no ingredients; write them as {{rum: 50, mint: 10}}.")
        asked = tuple(_ingredients(fields.get("optional") or {}, True, f"{place}: optional"))
        serve, also = (_texts(fields.get(key), f"{place}: {key}") for key in ("serve", "also"))
        yield Recipe(str(name), into, (*main, *asked), serve, also)


def _ingredients(found: object, optional: bool, where: str) -> Iterator[Ingredient]:
    for substance, ml in _mapping(found, where).items():
        if not _SUBSTANCE.fullmatch(substance):
            raise RegraspError(f"{where}: {substance!r} is no substance; write e.g. lime_slice.")
        if not isinstance(ml, int | float) or isinstance(ml, bool) or not 0 < ml <= 1000:
            raise RegraspError(
                f"{where}: {substance} needs an amount of 1 to 1000 ml, not {ml!s:.60}."
            )
        yield Ingredient(substance, float(ml), optional)


def _fields(found: object, known: tuple[str, ...], where: str) -> Mapping[str, object]:
    fields = _mapping(found, where)
    for name in fields:
        if name not in known:
            raise RegraspError(f"{where}: {UnknownNameError('field', str(name), known)}")
    return fields


def _mapping(found: object, where: str) -> Mapping[str, object]:
    if not isinstance(found, dict):
        raise RegraspError(f"{where}: a mapping must stand here, not {type(found).__name__}.")
    return {str(key): value for key, value in found.items()}


def _texts(found: object, where: str) -> tuple[str, ...]:
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise RegraspError(f"{where}: a list of texts must stand here, e.g. [it is on tray].")
    return tuple(found)


def _plain(name: str) -> str:
    """A name without case, articles and punctuation."""
    words = re.findall(r"[a-z0-9]+", name.lower().replace("'", ""))
    return " ".join(word for word in words if word not in ("a", "an", "the"))
