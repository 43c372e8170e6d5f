"""The words of the made-up scenes, and which of them are kept for the exam.

A word of an exam list is in no lesson. Nonsense words are made of syllables, so that a model learns
to copy names rather than to know them; the eight tasks of our own worlds use everyday words that
are in the lessons, and their scenes are in neither.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

__all__ = ["COLOURS", "EXAM_WORDS", "LESSON_WORDS", "MATERIALS", "SYNONYMS", "Words"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


COLOURS = _words(
    "red green blue yellow orange purple pink brown black white grey cyan silver golden beige "
    "turquoise teal violet magenta"
)
MATERIALS = _words(
    "wooden metal plastic glass stone paper rubber leather steel copper ceramic cotton bamboo brass"
)
SYNONYMS = {
    "cabinet": ("cupboard", "closet"),
    "cube": ("block",),
    "mug": ("cup",),
    "kettle": ("teapot",),
    "fridge": ("refrigerator",),
    "crate": ("box",),
    "bar": ("rod", "stick"),
    "table": ("desk",),
    "lever": ("switch",),
    "bag": ("sack",),
    "broom": ("brush",),
    "sensor": ("scale",),
    "microwave": ("oven",),
}
"""What else people call a thing; the first word is the one that names use."""


@dataclass(frozen=True, slots=True)
class Words:
    """Nouns by what can be done to them, and adjectives."""

    things: tuple[str, ...]
    places: tuple[str, ...]
    stands: tuple[str, ...]
    switches: tuple[str, ...]
    adjectives: tuple[str, ...]
    syllables: tuple[str, ...]

    def noun(self, rng: random.Random, among: tuple[str, ...]) -> str:
        """A noun of a list, or now and then one that nobody has heard of."""
        if rng.random() < 0.12:
            return "".join(rng.choice(self.syllables) for _ in range(rng.choice((2, 2, 3))))
        return rng.choice(among)

    def name(self, rng: random.Random, noun: str) -> str:
        """A name of a thing: the noun, mostly with an adjective, seldom with a number."""
        draw = rng.random()
        if draw < 0.30:
            return noun
        if draw < 0.37:
            return f"{noun}_{rng.randint(1, 9)}"
        if draw < 0.44:
            return f"{rng.choice(self.adjectives)}_{rng.choice(COLOURS)}_{noun}"
        return f"{rng.choice((*COLOURS, *COLOURS, *MATERIALS, *self.adjectives))}_{noun}"


LESSON_WORDS = Words(
    things=_words(
        "cube block ball apple banana mug cup bottle can book box spoon fork plate bowl key phone "
        "toy sponge kettle pan lid hammer wrench screwdriver marker pencil eraser battery towel "
        "sock shoe glove hat candle vase jar tin egg carrot tomato onion potato bread lemon lime "
        "pear peach grape bar rod stick pole broom mop brush bucket bag sack basket parcel package "
        "envelope folder magazine newspaper laptop keyboard mouse cable charger lamp clock watch "
        "ring coin doll puzzle dice card pillow blanket cushion scarf shirt jacket belt boot "
        "slipper umbrella backpack bolt nut screw nail gear pipe tube rope chain brick tile plank "
        "board ruler scissors knife tongs spatula pitcher thermos flask saucer teapot jug carton "
        "pot stone rock shell leaf flower cactus melon mango kiwi plum cherry radish pepper "
        "cucumber pumpkin cheese sausage cookie muffin donut cake sandwich soap shampoo toothbrush "
        "mirror bandage pill syringe beaker vial sample chair stool duck robot_toy drum flute "
        "guitar camera tripod lens helmet racket bat puck trophy medal token disc cartridge "
        "tray_liner"
    ),
    places=_words(
        "cabinet drawer microwave fridge oven cupboard locker chest suitcase dishwasher toolbox "
        "safe closet trunk case bin washer dryer freezer hatch vault coffer hamper incubator "
        "letterbox crib kiln wagon compartment jewelry_box lunchbox sideboard dresser nightstand "
        "humidor casket bread_bin washing_machine file_cabinet glovebox"
    ),
    stands=_words(
        "table crate shelf tray counter desk stool mat pedestal rack bench_top stand pallet slab "
        "scale weight_sensor coaster plinth workbench trolley cart board_rest platter carpet "
        "cushion_seat sill ledge pad dock"
    ),
    switches=_words(
        "lever button switch knob pedal crank dial handle_bar valve wheel toggle trigger latch "
        "plunger joystick cord slider"
    ),
    adjectives=_words(
        "small large big little tall short round square old new heavy light striped dotted shiny "
        "dull soft hard left right front rear upper lower broken clean dirty empty spare cracked"
    ),
    syllables=_words("ba de ki lo mu fra gon tir vel zor quib snar plo wug"),
)
"""What lessons are made of."""

EXAM_WORDS = Words(
    things=_words(
        "remote stapler flashlight pineapple whisk ladle razor comb wallet notebook crayon "
        "eggplant zucchini walnut thimble spool dustpan hairdryer calculator protractor compass "
        "whistle "
        "harmonica skateboard sandal mitten necklace bracelet perfume corkscrew grater colander "
        "rolling_pin croissant pretzel avocado coconut broccoli celery turnip marble figurine "
        "tablet headset microphone speaker beanbag yo_yo kite anchor pulley magnet funnel pipette"
    ),
    places=_words(
        "wardrobe pantry mailbox cooler bureau crockery_box hutch strongbox footlocker autoclave "
        "showcase barrel aquarium"
    ),
    stands=_words("bench platform windowsill ottoman lectern turntable hearth podium grill"),
    switches=_words("rocker thumbwheel pushbutton throttle spigot hand_brake"),
    adjectives=_words("tiny huge wide narrow rusty polished fuzzy curved chipped portable"),
    syllables=_words("che vu nix dral opo stem yar bix hul tre"),
)
"""What only the exam uses."""
