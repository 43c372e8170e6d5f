"""The words of the generated scenes, and those held out for the evaluation.

A held-out word is in no training example. Nearly half of the words in training are invented, from
syllables or from a large pool, so that a model learns to copy names rather than to know them. The
eight tasks of our own worlds use everyday words that are in the training data; their scenes are in
neither.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.embedded.rules.goals import verb_in
from regrasp.embedded.rules.words import phrases
from regrasp.lab.language.skill_names import HELD_OUT_SKILL_NAMES
from regrasp.prompts.scene import RESERVED

__all__ = [
    "COLOURS",
    "HELD_OUT_WORDS",
    "MATERIALS",
    "SYNONYMS",
    "TRAINING_WORDS",
    "Words",
    "is_held_out",
    "pool_of",
]  # fmt: skip


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
"""Synonyms; the first word is the one in names."""


@dataclass(frozen=True, slots=True)
class Words:
    """Nouns by affordance, adjectives, and the parts of invented words.

    A syllable is one of each of the parts of `syllables`; a word has as many syllables as one of
    `lengths`. `classes` are common names of several nouns, `gates` are passages, and `gone` is in
    no room. `odd` is the share of invented nouns, and of invented adjectives.
    """

    things: tuple[str, ...]
    places: tuple[str, ...]
    stands: tuple[str, ...]
    switches: tuple[str, ...]
    adjectives: tuple[str, ...]
    syllables: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...]
    gates: tuple[str, ...]
    gone: tuple[str, ...]
    lengths: tuple[int, ...]
    odd: tuple[float, float]
    pool: tuple[str, ...] = ()

    def coined(self, rng: random.Random) -> str:
        """An invented word: from the pool, from two of its words, or from syllables."""
        while True:
            if self.pool and rng.random() < 0.75:
                first, second = rng.choice(self.pool), rng.choice(self.pool)
                joined = first + second
                word = joined if len(joined) < 11 and rng.random() < 0.7 else first
            else:
                length = rng.choice(self.lengths)
                word = "".join(rng.choice(part) for part in self.syllables * length)
            if word not in RESERVED and (self is HELD_OUT_WORDS or not is_held_out(word)):
                return word

    def noun(self, rng: random.Random, among: tuple[str, ...]) -> str:
        """A noun of a list, or an invented one."""
        return self.coined(rng) if rng.random() < self.odd[0] else rng.choice(among)

    def name(self, rng: random.Random, noun: str) -> str:
        """A name of an object: the noun, mostly with an adjective, seldom with a number."""
        draw = rng.random()
        if draw < 0.30:
            return noun
        if draw < 0.37:
            return f"{noun}_{rng.randint(1, 9)}"
        if draw < 0.44:
            return f"{self._adjective(rng, self.adjectives)}_{rng.choice(COLOURS)}_{noun}"
        every = (*COLOURS, *COLOURS, *MATERIALS, *self.adjectives)
        return f"{self._adjective(rng, every)}_{noun}"

    def _adjective(self, rng: random.Random, among: tuple[str, ...]) -> str:
        return self.coined(rng) if rng.random() < self.odd[1] else rng.choice(among)


TRAINING_WORDS = Words(
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
        "table crate shelf tray counter desk stool mat pedestal rack worktop stand pallet slab "
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
    syllables=(
        _words(
            "b bl br c ch cl d dr f fl fr g gl gr h j k kn l m n p ph pl pr qu r s sc sh sk sl sm "
            "sn sp st str t th tr tw v w wh y z"
        ),
        _words("a e i o u a e i o u ai au ea ee oa oo ou y"),
        (*[""] * 20, *_words("b ck d ff g l m n nd ng nk nt p r rd s sh st t x")),
    ),
    classes=_words("item thing movable"),
    gates=_words("gate gate exit"),
    gone=_words(
        "dragon submarine castle rocket wizard pyramid helicopter volcano dinosaur tractor "
        "cathedral iceberg mermaid locomotive skyscraper elephant windmill pirate comet canoe "
        "glacier lighthouse robot_dog giraffe tank zeppelin snowman griffin phoenix bulldozer "
        "planet waterfall troll whale galaxy scarecrow parachute chariot igloo kangaroo"
    ),
    lengths=(1, 2, 2, 2, 3),
    odd=(0.45, 0.35),
)
"""The words of the training examples."""

HELD_OUT_WORDS = Words(
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
    syllables=(_words("che vu nix dral opo stem yar bix hul tre"),),
    classes=_words("article ware"),
    gates=_words("portal turnstile"),
    gone=_words("spaceship unicorn"),
    lengths=(2, 2, 3),
    odd=(0.12, 0.0),
)
"""The words that only the evaluation uses."""


def _kept() -> frozenset[str]:
    words = HELD_OUT_WORDS
    nouns = (*words.things, *words.places, *words.stands, *words.switches, *words.adjectives)
    verbs = (name for names in HELD_OUT_SKILL_NAMES.values() for name in names)
    every = (*nouns, *words.classes, *words.gates, *words.gone, *verbs)
    return frozenset(piece for name in every for piece in (name, *name.split("_")))


_KEPT = _kept()
_SPELT = " ".join(sorted(_KEPT))
_LIKE_KEPT = re.compile("|".join(sorted(word for word in _KEPT if len(word) > 3)))
_EXAM_NONSENSE = re.compile(f"(?:{'|'.join(HELD_OUT_WORDS.syllables[0])})+")


def is_held_out(word: str) -> bool:
    """Whether a word is held out: it contains a held-out word, is part of one, or of its syllables.

    A short held-out word, as "pin", may be in a longer word, and a short word in a held-out one.
    """
    return (
        word in _KEPT
        or (len(word) > 3 and word in _SPELT)
        or _LIKE_KEPT.search(word) is not None
        or _EXAM_NONSENSE.fullmatch(word) is not None
    )


def pool_of(words: Iterable[str]) -> tuple[str, ...]:
    """Those of `words` that can be names: not held out, and not read by a rule."""
    return tuple(
        word
        for word in dict.fromkeys(words)
        if re.fullmatch(r"[a-z]{3,9}", word)
        and not is_held_out(word)
        and word not in (*COLOURS, *MATERIALS, *RESERVED)
        and phrases(word)
        and verb_in(word) is None
    )
