"""The recipe book: what it holds, what a user adds, and what is wrong with a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.planners.recipe_book import RecipeBook, load_recipes, shipped_recipes
from regrasp.prompts.recipe import Ingredient, Recipe

GOOD = """
into: mug
serve: [it is on tray]
recipes:
  hot cocoa:
    ingredients: {milk: 200, cocoa: 20}
    optional: {sugar: 10}
    also: [cocoa]
"""


def test_the_book_has_sixty_drinks_and_twenty_pizzas() -> None:
    kinds = [one.into for one in shipped_recipes().recipes]
    assert kinds.count("glass") == 60 and kinds.count("dough") == 20
    names = [name for one in shipped_recipes().recipes for name in one.names]
    assert len(set(names)) == len(names)


def test_a_recipe_reads_back_from_its_lines() -> None:
    for recipe in shipped_recipes().recipes:
        read = Recipe.read(recipe.name, recipe.lines())
        assert read is not None and read.lines() == recipe.lines()


def test_a_user_adds_and_replaces_recipes(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(GOOD.replace("hot cocoa", "mojito"), encoding="utf-8")
    book = shipped_recipes().with_file(file)
    assert book.look_up("Cocoa").into == book.look_up("a Mojito").into == "mug"
    assert book.look_up("cocoa").ingredients[-1] == Ingredient("sugar", 10.0, optional=True)
    assert shipped_recipes().look_up("mojito").into == "glass"


def test_an_unknown_recipe_is_an_error_with_the_closest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'mojito'"):
        shipped_recipes().look_up("mojitto")


def test_titles_are_those_that_use_something_that_is_here() -> None:
    book = shipped_recipes()
    assert "gin and tonic" in book.titles(["gin"]) and "mojito" not in book.titles(["gin"])
    assert book.titles(["red_block"]) == ()
    assert book.makeable(["gin", "vermouth"]) == ("martini",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("recipes: [", "not YAML"),
        ("- 1", "a mapping must stand here, not list"),
        (GOOD.replace("into: mug", "in: mug"), "Did you mean 'into'"),
        (GOOD.replace("into: mug\n", ""), "into must be a kind of vessel"),
        (GOOD.replace("milk: 200", "milk: a lot"), "milk needs an amount of 1 to 1000 ml"),
        (GOOD.replace("milk: 200", "milk: -5"), "milk needs an amount"),
        (GOOD.replace("milk: 200", "Whole Milk: 5"), "is no substance"),
        (GOOD.replace("{milk: 200, cocoa: 20}", "{}"), "has no ingredients"),
        (GOOD.replace("[it is on tray]", "it is on tray"), "a list of texts"),
    ],
)
def test_a_bad_file_says_where_and_what_would_be_right(
    text: str, problem: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(RegraspError, match=problem) as error:
        RecipeBook().with_file(file)
    assert str(file) in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RegraspError, match="cannot read the recipes"):
        load_recipes(tmp_path / "none.yaml")
