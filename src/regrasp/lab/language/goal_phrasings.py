"""Phrasings for a condition, a room or several objects; and names of predicates.

`{x}` is the object of the request, `{y}` a place or a tool, `{q}` a room, `{c}` any object of a
kind, `{s}` a stand. The lists that begin with `EXAM_` are used in the evaluation only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "CHAINS", "CONDITIONS", "EXAM_CHAINS", "EXAM_INDOORS", "EXAM_IT_IN", "EXAM_IT_ON",
    "EXAM_LIQUIDS", "EXAM_OUTDOOR_ROOMS", "EXAM_PREDICATES", "EXAM_ROOMS", "EXAM_TO_ROOM",
    "INDOORS", "IT_IN", "IT_ON", "LIQUIDS", "OUTDOOR_ROOMS", "PREDICATES", "ROOMS", "SAME",
    "TO_ROOM", "ConditionWays",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConditionWays:
    """Requests for a condition; `wanted` are conditions that fulfil them, the best first.

    False means that the condition must not hold.
    """

    wanted: tuple[tuple[str, bool], ...]
    taught: tuple[str, ...]
    examined: tuple[str, ...]


CONDITIONS: tuple[ConditionWays, ...] = (
    ConditionWays(
        (("cooked", True), ("hot", True)),
        (
            "cook the {x}", "please cook the {x}", "bake the {x}", "roast the {x} in the {y}",
            "the {x} needs to be cooked", "cook the {x} in the {y}", "I want the {x} cooked",
            "boil the {x}", "get the {x} cooked with the {y}", "fry the {x} for dinner",
            "see to it that the {x} is cooked", "could you boil the {x} in the {y}?",
            "prepare the {x} so that one can eat it warm",
        ),
        ("grill the {x}", "have the {x} cooked", "let the {x} simmer in the {y}"),
    ),
    ConditionWays(
        (("hot", True), ("cooked", True)),
        (
            "heat the {x}", "heat up the {x}", "warm up the {x} in the {y}", "make the {x} hot",
            "the {x} should be hot", "I like the {x} hot", "please get the {x} warm",
            "bring heat to the {x}", "the {x} is cold, warm it", "heat the {x} with the {y}",
        ),
        ("reheat the {x}", "I need the {x} to be hot", "warm the {x} through"),
    ),
    ConditionWays(
        (("cold", True), ("hot", False)),
        (
            "cool the {x}", "cool down the {x}", "make the {x} cold", "the {x} should be cold",
            "the {x} is too hot, cool it", "get the {x} cold in the {y}", "I want the {x} cold",
        ),
        ("chill the {x}", "let the {x} lose its heat"),
    ),
    ConditionWays(
        (("frozen", True),),
        (
            "freeze the {x}", "make the {x} frozen", "I want the {x} frozen",
            "get the {x} frozen in the {y}", "the {x} should be frozen",
        ),
        ("have the {x} frozen solid",),
    ),
    ConditionWays(
        (("thawed", True), ("frozen", False)),
        (
            "thaw the {x}", "the {x} should not be frozen any more", "get the ice off the {x}",
            "let the {x} thaw", "unfreeze the {x}", "I need the {x} thawed",
        ),
        ("defrost the {x}", "the {x} must not stay frozen"),
    ),
    ConditionWays(
        (("halved", True), ("sliced", True), ("cut", True)),
        (
            "cut the {x} in half", "cut the {x} into two halves", "split the {x} in two",
            "make two halves of the {x} with the {y}", "I want the {x} halved",
            "the {x} should be in two halves", "cut the {x} in two equal parts",
        ),
        ("divide the {x} into halves", "bisect the {x}"),
    ),
    ConditionWays(
        (("sliced", True), ("cut", True), ("halved", True)),
        (
            "slice the {x}", "cut the {x}", "cut up the {x} with the {y}", "I want the {x} sliced",
            "make slices of the {x}", "please cut the {x} into pieces", "the {x} should be cut",
        ),
        ("chop the {x}", "carve the {x} with the {y}"),
    ),
    ConditionWays(
        (("filled", True), ("full", True)),
        (
            "fill the {x}", "fill up the {x}", "fill the {x} at the {y}", "make the {x} full",
            "the {x} should be full", "I want the {x} filled", "pour the {x} full",
            "please fill the {x} with the {y}",
        ),
        ("top up the {x}", "have the {x} filled at the {y}"),
    ),
    ConditionWays(
        (("filled", False), ("full", False)),
        (
            "pour out the {x}", "the {x} should not be full any more", "drain the {x}",
            "pour away what is in the {x}", "tip the {x} out over the {y}",
        ),
        ("let the {x} run out",),
    ),
    ConditionWays(
        (("turned on", True), ("switched on", True)),
        (
            "turn on the {x}", "turn the {x} on", "switch on the {x}", "switch the {x} on",
            "start the {x}", "the {x} should be on", "I want the {x} running",
            "get the {x} going", "make the {x} run", "power up the {x}",
        ),
        ("power on the {x}", "have the {x} switched on", "let the {x} run"),
    ),
    ConditionWays(
        (("turned on", False), ("switched on", False)),
        (
            "turn off the {x}", "turn the {x} off", "switch off the {x}", "stop the {x}",
            "the {x} should be off", "I want the {x} off", "the {x} must not run any more",
            "make the {x} stop", "power down the {x}",
        ),
        ("power off the {x}", "have the {x} switched off"),
    ),
    ConditionWays(
        (("clean", True), ("dirty", False), ("stained", False)),
        (
            "clean the {x}", "wash the {x}", "wash the {x} in the {y}", "make the {x} clean",
            "the {x} should be clean", "get the dirt off the {x}", "wipe the {x} with the {y}",
            "the {x} is dirty, wash it",
        ),
        ("rinse the {x}", "scrub the {x} clean"),
    ),
)  # fmt: skip
"""Every condition that can be asked for."""

TO_ROOM = (
    "bring the {x} to the {q}", "take the {x} into the {q}", "the {x} belongs in the {q}",
    "carry the {x} over to the {q}", "I want the {x} in the {q}", "put the {x} in the {q}",
    "move the {x} to the {q}", "the {x} should be somewhere in the {q}", "get the {x} into the {q}",
    "the {q} is where the {x} should be", "could you bring the {x} into the {q}?",
)  # fmt: skip
EXAM_TO_ROOM = ("transport the {x} to the {q}", "the {x} must end up in the {q}")

INDOORS = (
    "get the {x} indoors", "bring the {x} into the house", "take the {x} inside the house",
    "the {x} should not stay outside", "it will rain: the {x} must come in", "carry the {x} inside",
    "fetch the {x} in from outside", "bring the {x} in", "bring in the {x}", "take in the {x}",
)  # fmt: skip
"""Requests for the one room that is not outdoors."""
EXAM_INDOORS = ("move the {x} indoors, please", "let the {x} come in from the cold")

ROOMS = (
    "bedroom", "office", "garage", "cellar", "attic", "workshop", "bathroom", "lounge", "studio",
    "corridor", "playroom", "storeroom", "lobby", "classroom",
)  # fmt: skip
EXAM_ROOMS = ("library", "basement", "parlour", "entrance", "salon")
OUTDOOR_ROOMS = ("yard", "terrace", "balcony", "patio", "lawn", "backyard", "street", "meadow")
EXAM_OUTDOOR_ROOMS = ("veranda", "courtyard", "orchard")
LIQUIDS = ("milk", "juice", "soup", "tea", "coffee", "oil", "sauce", "lemonade")
EXAM_LIQUIDS = ("cider", "broth", "vinegar")

CHAINS = (
    "put the {x} in {c} on the {s}", "pack the {x} into {c} on the {s}",
    "store the {x} in {c} and put that on the {s}", "bring the {x} together in {c} on the {s}",
    "the {x} should be in {c}, and that one on the {s}", "on the {s} I want {c} with the {x} in it",
    "{c} with the {x} in it belongs on the {s}",
    "take {c}, put the {x} in it and set it on the {s}",
    "sort the {x} into {c} that stands on the {s}",
)  # fmt: skip
"""Requests for a container of a kind that stands somewhere in the end."""
EXAM_CHAINS = (
    "gather the {x} in {c} on the {s}", "have the {x} end up in {c} which is on the {s}",
)  # fmt: skip

IT_ON = (
    "put it on the {y}", "place it on the {y}", "set it down on the {y}", "leave it on the {y}",
    "it goes on the {y}", "lay it on top of the {y}",
)  # fmt: skip
IT_IN = (
    "put it in the {y}", "place it inside the {y}", "store it in the {y}", "it goes in the {y}",
    "drop it into the {y}", "move it into the {y}",
)  # fmt: skip
"""Requests that follow another one about the same object."""
EXAM_IT_ON = ("rest it upon the {y}",)
EXAM_IT_IN = ("deposit it in the {y}",)

SAME = {
    "colour": "same_colour", "size": "same_size", "shape": "same_shape",
    "material": "same_material",
}  # fmt: skip
"""The names of a comparison of two objects."""

PREDICATES: Mapping[str, tuple[str, ...]] = {
    "X is on Y": ("on", "on", "ontop", "on_top_of", "lies_on", "upon_top", "onfloor", "supported"),
    "X is inside Y": ("inside", "inside", "in", "within", "contained", "stored_in"),
    "X is next to Y": ("next_to", "nextto", "beside", "near", "by"),
    "X is held by the robot": ("holding", "inhand", "held", "grasped", "in_gripper"),
    "X is closed": ("closed", "closed", "shut", "is_closed"),
    "X is open": ("open", "open", "opened", "is_open"),
    "X is in view": ("inview", "visible", "seen", "in_view"),
    "X is in sight": ("visible", "in_sight", "seen", "found"),
    "X is locked": ("locked", "is_locked"),
    "X is blocking Y": ("blocking", "blocks", "obstructs"),
    "X is in the room Y": ("inroom", "in_room", "room_of"),
    "the robot is at X": ("at", "robot_at", "standing_at", "reached"),
    "the hand of the robot is empty": ("handempty", "hand_empty", "free_hand", "gripper_empty"),
    "X is turned on": ("turnedon", "toggled_on", "running", "turned_on", "powered"),
}
"""Names of a predicate by its sentence; for other sentences their last words are the name."""

EXAM_PREDICATES: Mapping[str, tuple[str, ...]] = {
    "X is on Y": ("rests_on", "placed_on"),
    "X is inside Y": ("inside_of", "enclosed"),
    "X is next to Y": ("adjacent",),
    "X is held by the robot": ("carried", "has"),
    "X is closed": ("door_shut",),
    "X is open": ("door_open",),
    "X is in view": ("observed",),
    "X is in sight": ("spotted",),
    "X is turned on": ("active",),
}
