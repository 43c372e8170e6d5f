"""The look of what is poured: the colour of every liquid and loose solid of the bar and kitchen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from regrasp.core.errors import UnknownNameError

__all__ = ["SUBSTANCE_COLOURS", "mixed_colour"]

Rgb = tuple[float, float, float]

SUBSTANCE_COLOURS: Mapping[str, Rgb] = {
    # drinks
    "bitters": (0.45, 0.12, 0.10),
    "brandy": (0.66, 0.34, 0.10),
    "coca_cola": (0.16, 0.08, 0.06),
    "cranberry_juice": (0.74, 0.07, 0.22),
    "gin": (0.62, 0.82, 0.88),
    "ginger_beer": (0.86, 0.74, 0.42),
    "grenadine": (0.86, 0.05, 0.12),
    "milk": (0.97, 0.97, 0.94),
    "pineapple_juice": (0.96, 0.83, 0.22),
    "rum": (0.58, 0.29, 0.12),
    "simple_syrup": (0.88, 0.82, 0.62),
    "soda_water": (0.72, 0.86, 0.96),
    "tequila": (0.88, 0.77, 0.35),
    "tomato_juice": (0.80, 0.17, 0.10),
    "tonic_water": (0.66, 0.80, 0.98),
    "triple_sec": (0.97, 0.62, 0.16),
    "vermouth": (0.56, 0.14, 0.20),
    "vodka": (0.78, 0.84, 0.90),
    "whiskey": (0.77, 0.44, 0.11),
    # what goes into a drink by the piece
    "basil": (0.13, 0.42, 0.14),
    "fresh_herbs": (0.33, 0.55, 0.20),
    "ice_cubes": (0.80, 0.92, 0.99),
    "lemon_slice": (0.98, 0.90, 0.24),
    "lime_slice": (0.58, 0.80, 0.20),
    "mint": (0.22, 0.66, 0.36),
    "orange_slice": (0.98, 0.56, 0.10),
    "rosemary": (0.28, 0.40, 0.30),
    "salt": (0.95, 0.95, 0.95),
    "sugar_cubes": (0.90, 0.84, 0.74),
    # sauces
    "bbq_sauce": (0.35, 0.12, 0.07),
    "olive_oil": (0.72, 0.70, 0.16),
    "peppers": (0.22, 0.20, 0.19),
    "pesto_sauce": (0.30, 0.45, 0.12),
    "tomato_sauce": (0.78, 0.13, 0.08),
    # toppings
    "anchovies": (0.42, 0.38, 0.40),
    "artichoke_hearts": (0.62, 0.66, 0.42),
    "bacon": (0.72, 0.30, 0.26),
    "black_olives": (0.13, 0.10, 0.16),
    "feta_cheese": (0.96, 0.95, 0.90),
    "fresh_basil_leaves": (0.16, 0.48, 0.15),
    "fresh_tomatoes": (0.88, 0.22, 0.14),
    "garlic": (0.93, 0.88, 0.78),
    "goat_cheese": (0.97, 0.93, 0.86),
    "grilled_chicken": (0.80, 0.58, 0.34),
    "ham": (0.94, 0.60, 0.60),
    "italian_seasoning": (0.42, 0.46, 0.26),
    "mozzarella_cheese": (0.98, 0.96, 0.86),
    "mushrooms": (0.72, 0.62, 0.52),
    "parmesan_cheese": (0.95, 0.86, 0.56),
    "pepperoni_slices": (0.74, 0.16, 0.14),
    "pineapple_chunks": (0.97, 0.84, 0.30),
    "provolone_cheese": (0.95, 0.82, 0.46),
    "red_onion": (0.56, 0.16, 0.42),
    "ricotta_cheese": (0.98, 0.97, 0.93),
    "sausage": (0.52, 0.26, 0.20),
    "spinach_leaves": (0.10, 0.36, 0.14),
    "sun_dried_tomatoes": (0.58, 0.12, 0.08),
}
"""Red, green and blue, each 0 to 1."""


def mixed_colour(parts: Iterable[tuple[str, float]]) -> Rgb:
    """The colour of a mixture, given the ml of each substance: their mean by volume."""
    red = green = blue = total = 0.0
    for substance, ml in parts:
        if substance not in SUBSTANCE_COLOURS:
            raise UnknownNameError("substance", substance, SUBSTANCE_COLOURS)
        r, g, b = SUBSTANCE_COLOURS[substance]
        red, green, blue, total = red + ml * r, green + ml * g, blue + ml * b, total + ml
    return (red / total, green / total, blue / total) if total > 0.0 else (0.5, 0.5, 0.5)
