"""The kinds of objects in questions, by world, and the questions about each kind.

They determine the vocabulary of the embedded vision model, and the questions that it can answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from regrasp.embedded.vision.known import KnownQuestions, QuestionScope, of_roles
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.prompts.visual_question import ANYTHING
from regrasp.worlds.appearances import block_paints
from regrasp.worlds.bar import scene as bar
from regrasp.worlds.blocks.problems import MOST_BLOCKS
from regrasp.worlds.kit.look import PALETTE
from regrasp.worlds.kit.two_arms import HANDS
from regrasp.worlds.pizza import scene as pizza

__all__ = [
    "HELD_OUT_PAIRS", "HOUSEHOLD", "KNOWN", "TINTS", "TWO_HANDS", "ObjectFamily", "family_of",
    "questions_in",
]  # fmt: skip

HELD_OUT_PAIRS = frozenset(
    {
        ("purple", "cube"),
        ("cyan", "cube"),
        ("orange", "kettle"),
        ("white", "kettle"),
        ("blue", "crate"),
        ("pink", "crate"),
        ("yellow", "apple"),
        ("black", "mug"),
        ("green", "bar"),
        ("purple", "cabinet"),
        ("blue", "bottle"),
    }
)
"""Pairs of colour and kind that are held out: each is in training, never both together."""

_MATERIALS = ("wooden", "stone", "tiled")
TINTS = (*PALETTE, *_MATERIALS)
"""The words that can precede a kind in a name."""


@dataclass(frozen=True, slots=True)
class ObjectFamily:
    """Worlds whose objects are of the same kinds, present or not.

    `own` are the colours of kinds with a fixed colour, `plain` the kinds whose colour is neither
    asked nor named, `materials` the kinds named by a material instead of a colour. `called` are
    other names of some kinds, `alike` the group of kinds among which yes and no are balanced.
    """

    kinds: tuple[str, ...]
    asked: tuple[QuestionScope, ...]
    plain: tuple[str, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    materials: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    called: Mapping[str, str] = field(default_factory=dict)
    alike: Mapping[str, str] = field(default_factory=dict)


_LOOSE = ("cube", "apple", "orange", "banana", "kettle", "mug", "bottle", "bar")
_FIXED = ("crate", "cabinet", "microwave", "counter", "lever", "weight sensor")
_SIDED, _SINGLE = ("left door", "right door", "left handle", "right handle"), ("door", "handle")
_ARM = ObjectFamily(
    kinds=(*_LOOSE, *_FIXED),
    asked=of_roles(
        loose=_LOOSE,
        fixed=_FIXED,
        parts=(
            *(f"cabinet {part}" for part in (*_SIDED, *_SINGLE)),
            *(f"microwave {part}" for part in _SINGLE),
        ),
        doors=("cabinet", "microwave"),
        tops=("crate", "counter", "weight sensor"),
        driven=("lever",),
        plain=("counter", "microwave"),
    ),
    plain=("microwave",),
    own={"orange": "orange", "banana": "yellow"},
    materials={"cabinet": {"brown": "wooden", "grey": "stone"}},
)

_TABLETOP = ObjectFamily(
    kinds=("block", "fixture", "table"),
    asked=(
        *of_roles(loose=("block",), fixed=("fixture",), tops=("fixture", "table")),
        QuestionScope(("seen",), ("table",)),
    ),
    plain=("table",),
)

_COLOURED = ("mug", "bottle", "stick", "container")
_ITEMS = (
    "mug",
    "bottle",
    "stick",
    "pie",
    "hard boiled egg",
    "carving knife",
    "toy duck",
    "toy car",
)
_DOORS, _TOPS = ("cabinet", "refrigerator", "microwave", "oven"), ("countertop", "table", "floor")
_LEVEL, _INTO = ("countertop", "table"), (*_DOORS, "container")
_ACTIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("grasp_from_on", (*_ITEMS, "container"), _LEVEL),
    ("grasp_from_in", _ITEMS, _INTO),
    ("grasp_from_floor", _ITEMS, ("floor",)),
    ("placein", _ITEMS, _INTO),
    ("placeon", (*_ITEMS, "container"), _LEVEL),
    ("placefloor", (*_ITEMS, "container"), ("floor",)),
    ("fillsink", ("sink",), ("water",)),
    ("fill", ("mug",), ("sink",)),
    ("open", _DOORS, ()),
    ("close", _DOORS, ()),
    ("turnon_microwave", ("microwave",), ("mug",)),
    ("turnon_oven", ("oven",), ("pie",)),
    ("cut", ("hard boiled egg",), ("carving knife",)),
)
"""The questions about each action: whether it can be done to these objects, and whether it was.

No image shows whether an object can be found, only that it was found.
"""
HOUSEHOLD = ObjectFamily(
    kinds=(*_ITEMS, "container", *_DOORS, *_TOPS, "sink"),
    asked=(
        QuestionScope(("seen",), (*_ITEMS, "container", *_DOORS, *_TOPS, "sink")),
        QuestionScope(("open", "closed", "state"), _DOORS),
        QuestionScope(("colour",), _COLOURED),
        QuestionScope(("held",), (*_ITEMS, "container", ANYTHING)),
        QuestionScope(("on",), (*_ITEMS, "container"), _TOPS),
        QuestionScope(("inside",), _ITEMS, (*_DOORS, "container")),
        QuestionScope(("filled", "empty"), ("mug", "sink")),
        QuestionScope(("turned_on", "turned_off"), ("microwave", "oven")),
        QuestionScope(("cooked", "raw"), ("water", "pie")),
        QuestionScope(("hot", "cold", "frozen", "thawed"), ("pie",)),
        QuestionScope(("halved", "whole"), ("hard boiled egg",)),
        QuestionScope(("success find",), (*_ITEMS, "container", *_DOORS, *_TOPS, "sink")),
        *(QuestionScope((f"affordance {do}", f"success {do}"), a, b) for do, a, b in _ACTIONS),
    ),
    plain=tuple(kind for kind in (*_ITEMS, *_DOORS, *_TOPS, "sink") if kind not in _COLOURED),
)

_WALKER = ObjectFamily(
    kinds=("box", "table", "gate"),
    asked=(
        QuestionScope(("seen",), ("box", "table", "gate")),
        QuestionScope(("colour",), ("box",)),
        QuestionScope(("held",), ("box", ANYTHING)),
        QuestionScope(("on",), ("box",), ("table", "floor")),
        QuestionScope(("at",), ("table", "gate")),
        QuestionScope(("clear", "obstacle"), ("left", "right")),
    ),
    plain=("gate",),
)


def _spelt(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") for name in names)


_BOTTLES = _spelt(dict.fromkeys((*bar.SHELVED, *bar.COLD, *pizza.BOTTLES)))
_BOWLS, _GLASSES = _spelt((*bar.BOWLS, *pizza.BOWLS)), _spelt((*bar.GLASSES, bar.CUP))
_DOUGH, _SHAKER = _spelt((pizza.DOUGH, bar.MIXER))
_BLOCKS = tuple(f"b{number}" for number in range(1, MOST_BLOCKS + 1))
_PAINTED = {name: f"{one.colour} block" for name, one in block_paints(_BLOCKS).items()
            if not one.cross}  # fmt: skip
_VESSELS = (*_BOTTLES, *_BOWLS, *_GLASSES, _DOUGH)
_SURFACES, _CONTAINERS = ("table", "shelf", "tray", _SHAKER), ("fridge", "oven")
_ANY_BLOCK = (*_BLOCKS, "block")
_HANDS = _spelt(HANDS)
TWO_HANDS = ObjectFamily(
    kinds=(*_VESSELS, *_BLOCKS, *_SURFACES, *_CONTAINERS),
    asked=(
        QuestionScope(("seen",), (*_VESSELS, *_ANY_BLOCK, *_SURFACES, *_CONTAINERS)),
        QuestionScope(("open", "closed", "state"), _CONTAINERS),
        QuestionScope(("held",), (*_VESSELS, *_ANY_BLOCK, ANYTHING)),
        QuestionScope(("on",), _VESSELS, _SURFACES),
        QuestionScope(("on",), _ANY_BLOCK, (*_ANY_BLOCK, "table")),
        QuestionScope(("inside",), _VESSELS, _CONTAINERS),
        QuestionScope(("inside",), (*_VESSELS, *_ANY_BLOCK, ANYTHING), _HANDS),
        QuestionScope(("inside",), (ANYTHING,), _VESSELS),
        QuestionScope(("colour",), tuple(_PAINTED)),
        QuestionScope(("capped", "uncapped"), _BOTTLES),
        QuestionScope(("filled", "empty"), _VESSELS),
        QuestionScope(("turned_on", "turned_off"), (_SHAKER, "oven")),
        QuestionScope(("cooked", "raw"), (_DOUGH,)),
    ),
    plain=(*_VESSELS, *_BLOCKS, *_SURFACES, *_CONTAINERS),
    called=_PAINTED,
    alike=dict.fromkeys(_BOTTLES, "bottle")
    | dict.fromkeys(_BOWLS, "bowl")
    | dict.fromkeys(_GLASSES, "glass")
    | dict.fromkeys(_BLOCKS, "block"),
)
"""The bar, the pizza kitchen and the blocks world: a thing's name is that of its appearance."""


_FAMILIES = {"tabletop": _TABLETOP, "household": HOUSEHOLD, "walker_room": _WALKER} | dict.fromkeys(
    ("bar", "pizza", "blocks"), TWO_HANDS
)
"""The family of each world; that of all others is the arm's."""


def family_of(world: str) -> ObjectFamily:
    """The family of a world by its name."""
    return _FAMILIES.get(world, _ARM)


def questions_in(worlds: Iterable[str]) -> KnownQuestions:
    """The questions about rooms of some worlds: what a model trained in them can answer."""
    families = [family_of(world) for world in worlds]
    order = (_ARM, *_FAMILIES.values())
    there = {id(one): one for one in order if any(one is family for family in families)}
    return KnownQuestions(TINTS, tuple(asked for one in there.values() for asked in one.asked))


KNOWN = questions_in(PICTURED_WORLDS)
"""The questions about all rooms."""
