"""The judge's recipes: what must be in a drink or on a pizza, what may be, and how far off one is.

They come from the project's own recipe book, or from a file that the environment variable
`REGRASP_JUDGE_RECIPES` names: YAML in the form of the book, or JSON in the form of CoPAL's data,

    {"02.01 Some_Drink": {"ingredient": ["ice_cubes"], "liquid": ["gin"], "optional": ["mint"]}}

No agent reads them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.file_reading import UnreadableFileError, read_limited
from regrasp.core.json_text import JsonError, parse_json
from regrasp.core.yaml_text import YamlError, read_yaml_file

__all__ = [
    "RECIPES_VARIABLE", "JudgedRecipe", "RecipeDifference", "judged_recipe", "load_judged_recipes",
    "recipe_key",
]  # fmt: skip

RECIPES_VARIABLE = "REGRASP_JUDGE_RECIPES"
"""The environment variable with the path of the judge's recipes."""
DOUGH = "pizza_dough"
_SHIPPED = Path(__file__).parents[1] / "recipes"
_SUBSTANCE = re.compile(r"\w+")
_SUPERFLUOUS, _MISSING = 0.2, 1.0  # weights of equation (1)


@dataclass(frozen=True, slots=True)
class RecipeDifference:
    """How what was made differs from its recipe.

    `distance` is one term of equation (1) of CoPAL (Joublin et al., 2024): d = 0.2 s + 1.0 m, with
    s superfluous and m missing ingredients.
    """

    missing: frozenset[str]
    superfluous: frozenset[str]

    @property
    def distance(self) -> float:
        """0 for what is right."""
        return _SUPERFLUOUS * len(self.superfluous) + _MISSING * len(self.missing)


@dataclass(frozen=True, slots=True)
class JudgedRecipe:
    """`name` is a key; every one of `mandatory` must be there, and nothing but `optional` more."""

    name: str
    mandatory: frozenset[str]
    optional: frozenset[str] = frozenset()
    is_pizza: bool = False

    def difference(self, substances: Iterable[str]) -> RecipeDifference:
        """The difference of a vessel with these substances."""
        found = frozenset(substances)
        return RecipeDifference(self.mandatory - found, found - self.mandatory - self.optional)


def recipe_key(title: str) -> str:
    """A recipe's name as an argument of a fact: `02.03 Gin_and_Tonic` → `gin_and_tonic`."""
    plain = re.sub(r"^[\d.\s]+", "", title.lower().replace("'", ""))
    words = re.findall(r"[a-z0-9]+", plain)
    return "_".join(words[:-1] if len(words) > 1 and words[-1] == "pizza" else words)


def judged_recipe(name: str, *, pizza: bool, path: Path | str | None = None) -> JudgedRecipe:
    """The recipe of a drink or a pizza by its name or key."""
    known = {one.name: one for one in load_judged_recipes(path) if one.is_pizza is pizza}
    key = recipe_key(name)
    if key not in known:
        raise UnknownNameError("recipe of the judge", key, known)
    return known[key]


def load_judged_recipes(path: Path | str | None = None) -> tuple[JudgedRecipe, ...]:
    """The recipes of a file: `path`, else the environment's, else those of the project."""
    chosen = path or os.environ.get(RECIPES_VARIABLE)
    files = [Path(chosen)] if chosen else [_SHIPPED / "drinks.yaml", _SHIPPED / "pizzas.yaml"]
    return tuple(recipe for file in files for recipe in _load(file.resolve()))


@cache
def _load(file: Path) -> tuple[JudgedRecipe, ...]:
    try:
        if file.suffix == ".json":
            return tuple(_of_json(parse_json(read_limited(file))))
        return tuple(_of_yaml(read_yaml_file(file)))
    except (OSError, UnreadableFileError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise RegraspError(
            f"cannot read the judge's recipes {file}: {why}. Set {RECIPES_VARIABLE} to "
            "a YAML or JSON file of recipes, or unset it."
        ) from error
    except (JsonError, YamlError, TypeError, KeyError, AttributeError) as error:
        raise RegraspError(
            f"the judge's recipes {file} have another form than that of worlds/recipes.py: {error}"
        ) from error


def _of_json(found: Any) -> Iterator[JudgedRecipe]:
    for title, entry in found.items():
        needed = _substances([*entry["ingredient"], *entry["liquid"]])
        yield JudgedRecipe(
            recipe_key(title), needed - {DOUGH}, _substances(entry.get("optional", [])),
            DOUGH in needed,
        )  # fmt: skip


def _of_yaml(found: Any) -> Iterator[JudgedRecipe]:
    recipes = found["recipes"]
    if not isinstance(recipes, dict):
        raise TypeError("`recipes` is no mapping")
    for title, entry in recipes.items():
        into = entry.get("into", found.get("into"))
        yield JudgedRecipe(
            recipe_key(str(title)), _substances(entry["ingredients"]),
            _substances(entry.get("optional") or ()), into == "dough",
        )  # fmt: skip


def _substances(names: Iterable[str]) -> frozenset[str]:
    """Names in the spelling of the worlds: `sun-dried_tomatoes`, `sliced_lemon` are others'."""
    plain = [name.replace("-", "_") for name in names]
    if wrong := next((name for name in plain if not _SUBSTANCE.fullmatch(name)), None):
        raise TypeError(f"{wrong!r} is no substance; write e.g. lime_slice")
    return frozenset(re.sub(r"^sliced_(\w+)$", r"\1_slice", name) for name in plain)
