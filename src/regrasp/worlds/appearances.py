"""What the things of the bar, the pizza kitchen and the blocks world look like.

A camera must be able to tell a gin bottle from a rum bottle, and b7 from b17. Real bottles have
labels; these have two bands of colour and a cap, bowls have staves of one or two colours, glasses a
rim, blocks a colour and perhaps a cross. No two things of a kind look alike, in any of the worlds.
Colours are those of the palette; they are part of a thing's identity and are never repainted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = [
    "BOTTLE_LABELS", "BOWL_STAVES", "GLASS_RIMS", "BlockPaint", "BottleLabel", "block_paints",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class BottleLabel:
    """The upper and the lower band of a label, and the cap."""

    upper: str
    lower: str
    cap: str


BOTTLE_LABELS: Mapping[str, BottleLabel] = {
    "bbq_sauce": BottleLabel("brown", "black", "red"),
    "bitters": BottleLabel("white", "brown", "yellow"),
    "brandy": BottleLabel("black", "orange", "black"),
    "coca_cola": BottleLabel("red", "white", "red"),
    "cranberry_juice": BottleLabel("red", "pink", "green"),
    "gin": BottleLabel("green", "white", "blue"),
    "ginger_beer": BottleLabel("yellow", "green", "black"),
    "grenadine": BottleLabel("pink", "purple", "white"),
    "milk": BottleLabel("white", "blue", "blue"),
    "olive_oil": BottleLabel("green", "brown", "yellow"),
    "peppers": BottleLabel("black", "red", "grey"),
    "pesto_sauce": BottleLabel("green", "black", "white"),
    "pineapple_juice": BottleLabel("yellow", "orange", "green"),
    "rum": BottleLabel("black", "yellow", "white"),
    "salt": BottleLabel("cyan", "white", "white"),
    "simple_syrup": BottleLabel("white", "pink", "green"),
    "soda_water": BottleLabel("blue", "cyan", "grey"),
    "tequila": BottleLabel("orange", "green", "yellow"),
    "tomato_juice": BottleLabel("green", "red", "green"),
    "tomato_sauce": BottleLabel("red", "yellow", "green"),
    "tonic_water": BottleLabel("yellow", "blue", "yellow"),
    "triple_sec": BottleLabel("orange", "white", "black"),
    "vermouth": BottleLabel("purple", "white", "black"),
    "vodka": BottleLabel("white", "black", "red"),
    "whiskey": BottleLabel("brown", "orange", "black"),
}
"""By substance."""

BOWL_STAVES: Mapping[str, tuple[str, str]] = {
    "anchovies": ("black", "blue"),
    "artichoke_hearts": ("cyan", "cyan"),
    "bacon": ("pink", "red"),
    "basil": ("green", "white"),
    "black_olives": ("black", "black"),
    "feta_cheese": ("blue", "blue"),
    "fresh_basil_leaves": ("green", "black"),
    "fresh_herbs": ("green", "yellow"),
    "fresh_tomatoes": ("red", "red"),
    "garlic": ("white", "white"),
    "goat_cheese": ("purple", "white"),
    "grilled_chicken": ("brown", "brown"),
    "ham": ("pink", "pink"),
    "ice_cubes": ("blue", "white"),
    "italian_seasoning": ("green", "red"),
    "lemon_slice": ("yellow", "yellow"),
    "lime_slice": ("green", "green"),
    "mint": ("cyan", "black"),
    "mozzarella_cheese": ("red", "white"),
    "mushrooms": ("brown", "white"),
    "orange_slice": ("orange", "orange"),
    "parmesan_cheese": ("yellow", "white"),
    "pepperoni_slices": ("red", "black"),
    "pineapple_chunks": ("yellow", "black"),
    "provolone_cheese": ("orange", "white"),
    "red_onion": ("purple", "purple"),
    "ricotta_cheese": ("cyan", "white"),
    "rosemary": ("purple", "green"),
    "sausage": ("brown", "yellow"),
    "spinach_leaves": ("blue", "yellow"),
    "sugar_cubes": ("pink", "white"),
    "sun_dried_tomatoes": ("orange", "blue"),
}
"""By substance: the colours of a bowl's staves, in turn."""

GLASS_RIMS: Mapping[str, str] = {
    "first_glass": "red",
    "second_glass": "green",
    "third_glass": "blue",
    "fourth_glass": "yellow",
    "fifth_glass": "purple",
}


@dataclass(frozen=True, slots=True)
class BlockPaint:
    """The colour of a block and of the cross on it; without a cross, `cross` is empty."""

    colour: str
    cross: str = ""


_PLAIN = tuple(
    BlockPaint(colour)
    for colour in (
        "red", "green", "blue", "yellow", "orange", "purple", "cyan", "pink", "brown", "white",
    )
)  # fmt: skip
_LIGHT = ("yellow", "orange", "cyan", "pink", "white")
_PAINTS = (
    *_PLAIN,
    *(BlockPaint(one.colour, "black" if one.colour in _LIGHT else "white") for one in _PLAIN),
)
_NUMBERED = re.compile(r"b([1-9]\d*)")


def block_paints(names: Sequence[str]) -> dict[str, BlockPaint]:
    """The paint of each block, at most 20: of b7 the seventh, whatever the scene.

    Blocks with other names are painted in the order of their names.
    """
    numbers = {name: found[1] for name in names if (found := _NUMBERED.fullmatch(name))}
    if len(numbers) < len(names) or any(int(one) > len(_PAINTS) for one in numbers.values()):
        return {name: _PAINTS[k % len(_PAINTS)] for k, name in enumerate(sorted(names))}
    return {name: _PAINTS[int(number) - 1] for name, number in numbers.items()}
