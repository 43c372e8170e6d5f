"""Whether a person's sentence says its goal: every object and every state of it.

A recorded goal is what the robot did, and the sentence may leave a part of it out: "cook the
potato", where the potato also ended in the sink. Such a row teaches a model to invent. A word table
decides: the names that people often use for an object, and the words that hint at a state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

__all__ = ["says_goal"]

_STATES: Mapping[str, str] = {
    "sliced": r"slic|cut|chop|piece|section|half|halve|wedge|chunk|portion|part of",
    "cold": r"cold|chill|cool|refrigerat|fridge|freez|frozen|ice|icy",
    "hot": r"hot|heat|warm|microwav|cook|nuke|toast|boil",
    "clean": r"clean|wash|rins|wet|scrub|damp|dirt",
    "turned_on": r"turn|light|lamp|lit\b|switch|illuminat",
    "holding": r"examin|look|hold|pick|tak|carr|inspect|read|view|see\b|grab|get|bring|remov|lift"
    r"|gather|acquire|retriev|collect|observ|check|show|stud|admir|grasp|with|in hand|to the"
    r"|by the",
}
"""Parts of words that hint at a state; a relation needs none beside its two objects."""

_TOLD_STATES: Mapping[str, str] = {
    "sliced": r"slices?|sliced|slicing|cut|chop(?:ped)?",
    "cold": r"chill(?:ed)?|cold|cool(?:ed)?",
    "hot": r"hot|heat(?:ed)?|warm(?:ed)?|cook(?:ed)?|microwaved",
    "clean": r"clean(?:ed)?|wash(?:ed)?|rinsed?",
}
"""Words that ask for a state: a goal without it leaves out what the sentence says."""

_NAMES: Mapping[str, str] = {
    "counter_top": "counter countertop island",
    "dining_table": "table", "side_table": "table nightstand night|stand end|table bedside",
    "coffee_table": "table", "desk": "desk table", "tv_stand": "stand",
    "sink_basin": "sink basin", "sink": "sink basin", "bathtub_basin": "tub bath bathtub",
    "bathtub": "tub bath bathtub",
    "garbage_can": "trash garbage bin waste recycling recycle wastebasket throw",
    "cabinet": "cabinet cupboard", "fridge": "fridge refrigerator refrigerate",
    "desk_lamp": "lamp light", "floor_lamp": "lamp light", "soap_bar": "soap bar",
    "shelf": "shelf shelves shelving bookshelf rack", "credit_card": "card credit",
    "arm_chair": "chair armchair recliner seat", "sofa": "sofa couch loveseat settee",
    "key_chain": "key keys keychain", "cell_phone": "phone cellphone smartphone",
    "remote_control": "remote controller control", "dish_sponge": "sponge",
    "toilet_paper": "paper roll tube", "spray_bottle": "spray bottle",
    "soap_bottle": "soap bottle lotion dispenser pump",
    "butter_knife": "knife knives", "knife": "knife knives",
    "coffee_machine": "coffee|maker coffee|machine brewer coffeemaker",
    "cd": "cd cds disc disk", "newspaper": "newspaper paper news", "ladle": "ladle scoop spoon",
    "hand_towel": "towel cloth", "cloth": "cloth rag washcloth towel", "towel": "towel",
    "alarm_clock": "clock alarm", "tissue_box": "tissue", "pillow": "pillow cushion",
    "statue": "statue statuette figurine sculpture trophy figure", "watch": "watch",
    "stove_burner": "stove burner range", "laptop": "laptop computer lap|top notebook",
    "cart": "cart rack shelf", "vase": "vase jar urn", "ottoman": "ottoman foot|stool footstool "
    "foot|rest footrest stool", "pepper_shaker": "pepper",
    "salt_shaker": "salt", "wine_bottle": "wine bottle",
    "glassbottle": "bottle vase", "toilet_paper_hanger": "holder hanger roller dispenser",
    "tennis_racket": "racket racquet", "basket_ball": "basketball ball", "baseball_bat": "bat",
    "watering_can": "watering|can watering pitcher", "cup": "cup glass goblet mug",
    "mug": "mug cup", "plate": "plate dish", "bowl": "bowl dish", "pan": "pan skillet",
    "pot": "pot", "lettuce": "lettuce cabbage head", "bread": "bread loaf loaves toast",
    "box": "box carton", "book": "book magazine", "candle": "candle candlestick",
    "spatula": "spatula turner", "kettle": "kettle teapot tea|pot", "dresser": "dresser drawers "
    "chest tv|stand bureau", "toilet": "toilet", "bed": "bed", "microwave": "microwave",
    "safe": "safe vault", "drawer": "drawer", "plunger": "plunger",
}  # fmt: skip
"""What people often call an object; `|` joins two words. An object that is not listed is called by
the last word of its name."""

_SEVERAL = re.compile(r"\b(?:two|2|three|3|both|pair|couple|another|second|all|other|sets|each)\b")


def says_goal(said: str, facts: Iterable[tuple[str, Sequence[str]]]) -> bool:
    """Whether the words hint at every object, state and number of the facts, and at no other state.

    `facts` are concepts with their objects; `mug#2` is a second mug.
    """
    facts = tuple(facts)
    plain = " ".join(re.findall(r"[a-z0-9]+", said.lower()))
    seen: set[tuple[str, ...]] = set()
    reached = {concept for concept, _ in facts}
    for state, told in _TOLD_STATES.items():
        if state not in reached and re.search(rf"\b(?:{told})\b", plain):
            return False
    for concept, args in facts:
        if concept in _STATES and not re.search(rf"\b(?:{_STATES[concept]})", plain):
            return False
        names = tuple(arg.split("#")[0] for arg in args)
        if not all(_named(name).search(plain) for name in names):
            return False
        if (concept, *names) in seen and not _SEVERAL.search(plain):
            return False
        seen.add((concept, *names))
    return True


@cache
def _named(name: str) -> re.Pattern[str]:
    """Finds a name of the object, in the singular or the plural."""
    names = _NAMES.get(name, name.rpartition("_")[2]).split()
    words = "|".join(one.replace("|", " ") for one in names)
    return re.compile(rf"\b(?:{words})(?:e?s)?\b")
