"""Groups of kinds and the colours: the small part of common sense that descriptions need."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["CATEGORIES", "COLOURS", "category_of"]

COLOURS = (
    "red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "black", "white", "grey",
)  # fmt: skip
"""The colours that a vision model is asked for."""


def _kinds(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FRUIT = _kinds(
    "apple banana orange pear peach plum lemon lime grape mango kiwi cherry melon strawberry "
    "pineapple"
)
_VEGETABLES = _kinds(
    "carrot tomato onion potato pepper cucumber pumpkin radish lettuce cabbage broccoli mushroom"
)
CATEGORIES: Mapping[str, frozenset[str]] = {
    "fruit": _FRUIT,
    "vegetable": _VEGETABLES,
    "food": _FRUIT
    | _VEGETABLES
    | _kinds("bread egg cheese sausage cookie cake pie sandwich pizza muffin donut"),
    "drink": _kinds("water milk juice tea coffee soda beer wine lemonade"),
    "dish": _kinds("plate bowl cup mug saucer glass jug pitcher"),
    "cutlery": _kinds("knife fork spoon teaspoon ladle"),
    "tool": _kinds("hammer wrench screwdriver pliers saw drill ruler"),
    "toy": _kinds("doll ball puzzle dice car duck teddy bear robot block"),
    "clothing": _kinds("shirt sock shoe hat glove scarf jacket coat belt trousers dress"),
    "furniture": _kinds("table chair sofa shelf desk cabinet bed stool dresser bench"),
    "container": _kinds("box basket bowl bucket bag crate jar bin carton can bottle"),
    "appliance": _kinds(
        "microwave oven fridge refrigerator dishwasher toaster kettle washer dryer stove"
    ),
    "electronics": _kinds(
        "phone laptop tablet keyboard mouse camera remote television charger radio"
    ),
}
"""Which kinds belong to a group; a group may hold another's kinds."""


def category_of(kind: str) -> tuple[str, ...]:
    """The groups that a kind belongs to."""
    return tuple(name for name, kinds in CATEGORIES.items() if kind in kinds)
