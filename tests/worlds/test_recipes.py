"""The judge's recipes: two forms of files, one spelling, and the distance of equation (1)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.worlds.recipes import (
    RECIPES_VARIABLE,
    JudgedRecipe,
    judged_recipe,
    load_judged_recipes,
    recipe_key,
)

PUNCH = JudgedRecipe("punch", frozenset({"rum", "milk"}), frozenset({"ice_cubes"}))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", "[" * 100_000),
        ("a.json", '{"x": {"ingredient": 5, "liquid": []}}'),
        ("a.json", '{"x": {"ingredient": [NaN], "liquid": []}}'),
        ("a.yaml", "recipes: {x: !!python/name:os.system ''}"),
        ("a.yaml", 'recipes: {x: {ingredients: {"r\\e[2J": 5}}}'),
        ("a.yaml", "a: &a [x]\nrecipes: {x: {ingredients: *a}}"),
        ("a.yaml", "recipes: {x: 2001-99-99}"),
    ],
)
def test_a_hostile_file_is_one_clear_error(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    with pytest.raises(
        RegraspError, match=r"the judge's recipes .*a\.(json|yaml) have another form"
    ):
        load_judged_recipes(file)


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("09.07 Some_Fine_Drink", "some_fine_drink"),
        ("Planter's Punch", "planters_punch"),
        ("01.02 Plain_Pizza", "plain"),
        ("gin and tonic", "gin_and_tonic"),
    ],
)
def test_a_title_becomes_an_argument_of_a_fact(title: str, key: str) -> None:
    assert recipe_key(title) == key


@pytest.mark.parametrize(
    ("found", "distance"),
    [
        ({"rum", "milk"}, 0.0),
        ({"rum", "milk", "ice_cubes"}, 0.0),
        ({"rum"}, 1.0),
        ({"rum", "milk", "salt"}, 0.2),
        ({"salt", "mint"}, 2.4),
        (set(), 2.0),
    ],
)
def test_missing_is_worse_than_superfluous(found: set[str], distance: float) -> None:
    assert PUNCH.difference(found).distance == pytest.approx(distance)


def test_a_file_in_the_form_of_the_papers_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "recipes.json"
    drink = {"ingredient": ["mint"], "liquid": ["rum"], "optional": ["sliced_lemon"]}
    pizza = {"ingredient": ["pizza_dough", "sun-dried_tomatoes"], "liquid": []}
    file.write_text(json.dumps({"02.01 Odd_Drink": drink, "01.01 Odd_Pizza": pizza}))
    monkeypatch.setenv(RECIPES_VARIABLE, str(file))
    assert judged_recipe("odd drink", pizza=False) == JudgedRecipe(
        "odd_drink", frozenset({"mint", "rum"}), frozenset({"lemon_slice"})
    )
    made = judged_recipe("odd", pizza=True)
    assert made.mandatory == {"sun_dried_tomatoes"} and made.is_pizza


def test_the_project_has_its_own_drinks_and_pizzas() -> None:
    recipes = load_judged_recipes()
    assert len({one.name for one in recipes if not one.is_pizza}) >= 50
    assert len({one.name for one in recipes if one.is_pizza}) >= 15
    assert all(one.mandatory and not one.mandatory & one.optional for one in recipes)


def test_errors_name_the_file_or_the_closest_recipe(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="'mojito'"):
        judged_recipe("mojitto", pizza=False)
    with pytest.raises(RegraspError, match="cannot read"):
        load_judged_recipes(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("[1]")
    with pytest.raises(RegraspError, match="another form"):
        load_judged_recipes(tmp_path / "bad.json")
