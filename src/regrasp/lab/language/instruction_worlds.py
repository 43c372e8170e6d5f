"""Random scenes for instructions: objects by role, and the forms that their goals may take."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from regrasp.core.object_description import ObjectDescription, kind_of
from regrasp.lab.language.instruction_themes import THEMES
from regrasp.lab.language.vocabulary import COLOURS, HELD_OUT_WORDS, MATERIALS, Words
from regrasp.prompts.goal import GoalForm
from regrasp.prompts.scene import SceneDescription

__all__ = [
    "CONCEPTS", "HELD_OUT_NOUNS", "VERBS", "Concept", "InstructionWorld", "compound_nouns",
    "make_world", "world_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Concept:
    """A fact that can be asked for: the roles of its objects, its sentence, names of predicates.

    `opposite` is the concept that is true exactly if this one is false.
    """

    roles: tuple[str, ...]
    sentence: str
    names: tuple[str, ...]
    opposite: str = ""

    @property
    def of_person(self) -> bool:
        """Whether it is about the person: `P` in its sentence is the person."""
        return self.sentence.startswith("P ")


VERBS: Mapping[str, tuple[str, str]] = {
    name: (verb, done)
    for name, verb, done in (
        line.split("/") for line in (
            "peeled/peel/peeled", "painted/paint/painted", "sewn/sew up/sewn up",
            "sharpened/sharpen/sharpened", "measured/measure/measured",
            "repaired/repair/repaired", "labelled/label/labelled",
            "wrapped/wrap up/wrapped up", "inflated/inflate/inflated",
            "stirred/stir/stirred", "shaken/shake/shaken", "crushed/crush/crushed",
            "sanded/sand down/sanded down", "drilled/drill a hole into/drilled",
            "welded/weld/welded", "stamped/stamp/stamped", "photographed/photograph/photographed",
            "scanned/scan/scanned", "tied_up/tie up/tied up", "tightened/tighten/tightened",
            "weighed/weigh/weighed",
            "signed/sign/signed", "rolled_up/roll up/rolled up", "crumpled/crumple/crumpled",
            "varnished/varnish/varnished",
            "tested/test/tested", "marked/mark/marked", "melted/melt/melted",
            "braided/braid/braided", "engraved/engrave/engraved",
            "knitted/knit/knitted",
        )
    )
}  # fmt: skip
"""Special work by the name of its concept: the verb, and what is then true of its object.

Most scenes have no form for it; there it is impossible.
"""


def _concept(roles: str, sentence: str, names: str, opposite: str = "") -> Concept:
    return Concept(tuple(roles.split()), sentence, tuple(names.split()), opposite)


CONCEPTS: Mapping[str, Concept] = {
    "on": _concept("item surface", "X is on Y", "on ontop on_top_of placed_on rests_on"),
    "inside": _concept("item container", "X is inside Y", "inside in contained_in stored_in"),
    "under": _concept("item surface", "X is under Y", "under below beneath"),
    "beside": _concept("item any", "X is beside Y", "beside nextto next_to near close_to"),
    "left_of": _concept("item any", "X is to the left of Y", "left_of on_the_left_of"),
    "right_of": _concept("item any", "X is to the right of Y", "right_of on_the_right_of"),
    "in_front_of": _concept("item any", "X is in front of Y", "in_front_of before"),
    "behind": _concept("item any", "X is behind Y", "behind at_the_back_of"),
    "between": _concept("item any any", "X is between Y and Z", "between amid"),
    "touching": _concept("item any", "X touches Y", "touching in_contact"),
    "attached": _concept("item any", "X is attached to Y", "attached fixed_to fastened"),
    "in_room": _concept("item room", "X is in the room Y", "in_room inroom located_in"),
    "holding": _concept("item", "the robot holds X", "holding in_hand held grasped"),
    "handempty": _concept("", "the robot's hand is empty", "handempty hand_free gripper_empty"),
    "blocking": _concept("item any", "X is blocking Y", "blocking in_the_way_of obstructs"),
    "handed": _concept("item", "X has been given to the person", "handed delivered given"),
    "closed": _concept("openable", "X is closed", "closed shut", "open"),
    "open": _concept("openable", "X is open", "open opened", "closed"),
    "locked": _concept("openable", "X is locked", "locked bolted", "unlocked"),
    "unlocked": _concept("openable", "X is unlocked", "unlocked released", "locked"),
    "turned_on": _concept("machine", "X is turned on", "turned_on toggled_on switched_on powered"),
    "plugged_in": _concept("machine", "X is plugged in", "plugged_in connected"),
    "hot": _concept("item", "X is hot", "hot heated warm"),
    "cold": _concept("item", "X is cold", "cold cooled chilled"),
    "cooked": _concept("item", "X is cooked", "cooked done_cooking"),
    "frozen": _concept("item", "X is frozen", "frozen icy"),
    "clean": _concept("any", "X is clean", "clean washed", "stained"),
    "stained": _concept("any", "X is stained", "stained dirty", "clean"),
    "dusty": _concept("any", "X is dusty", "dusty covered_in_dust"),
    "soaked": _concept("item", "X is soaked with water", "soaked wet", "dry"),
    "dry": _concept("item", "X is dry", "dry dried", "soaked"),
    "sliced": _concept("item", "X is sliced", "sliced cut halved"),
    "filled": _concept("vessel", "X is filled", "filled full", "empty"),
    "filled_with": _concept("vessel liquid", "X is filled with Y", "filled_with contains has"),
    "empty": _concept("vessel", "X is empty", "empty emptied", "filled"),
    "folded": _concept("item", "X is folded", "folded folded_up"),
    "upright": _concept("item", "X stands upright", "upright standing"),
    "pressed": _concept("switch", "X is pressed", "pressed pushed"),
    "pulled": _concept("switch", "X is pulled", "pulled drawn"),
    "robot_at": _concept("any", "the robot is at X", "robot_at at arrived close"),
    "visible": _concept("item", "X can be seen", "visible in_sight found"),
    "on_floor": _concept("item ground", "X is on the floor Y", "onfloor on_floor on_the_floor"),
    "sitting": _concept("", "P sits", "sitting seated sits"),
    "lying": _concept("", "P lies", "lying lying_down lies"),
    "person_holds": _concept("item", "P holds X", "holds holding has_in_hand holds_rh"),
    "facing": _concept("any", "P faces X", "facing faces looking_at"),
    "person_near": _concept("any", "P is close to X", "close near close_to"),
    "person_on": _concept("any", "P is on X", "person_on rests_upon"),
    "person_in": _concept("any", "P is in X", "person_in person_inside"),
    **{name: _concept("item", f"X is {done}", name) for name, (_, done) in VERBS.items()},
}
"""Every concept by the name that frames use."""

_ROLE_WORDS = {
    "item": (
        "apple banana orange pear lemon carrot tomato potato bread egg cookie cheese mug cup "
        "bottle can book box bowl plate knife fork spoon pan pot lid jar vase candle towel "
        "sponge cloth pillow shirt sock shoe hat doll ball duck puzzle block cube pen pencil "
        "marker key phone laptop tablet remote watch coin card letter magazine newspaper bag "
        "basket bucket hammer wrench screwdriver tape brush comb soap toothbrush medicine "
        "battery cable charger camera glove scarf jacket umbrella statue plant flower rope tile "
        "brick disc peg ring bolt gear"
    ),
    "surface": (
        "table desk shelf counter tray crate chair stool bed sofa floor rack mat bench cart stand "
        "countertop nightstand windowsill pallet platform plate workbench dresser armchair carpet"
    ),
    "container": (
        "cabinet drawer fridge microwave oven box basket bin bowl bag sink cupboard chest closet "
        "crate safe dishwasher bucket jar suitcase locker toolbox wardrobe freezer hamper bathtub"
    ),
    "openable": (
        "cabinet drawer fridge microwave oven door window box chest cupboard safe gate book"
    ),
    "machine": (
        "lamp light radio television fan stove toaster kettle oven microwave computer heater "
        "faucet coffee_maker washing_machine printer dishwasher air_conditioner"
    ),
    "switch": "button lever switch knob handle pedal cord dial latch",
    "vessel": "mug cup bowl bottle glass kettle pot vase bucket jug pan bathtub sink teapot",
    "liquid": "water milk juice tea coffee oil soup soda",
    "ground": "floor",
    "tool": "sponge cloth rag towel brush mop broom soap detergent duster bucket napkin scraper",
    "seat": "chair sofa stool bench armchair couch bed cushion",
    "room": "kitchen bedroom bathroom hall office garage garden cellar living_room corridor",
}
_ROLES = {role: tuple(words.split()) for role, words in _ROLE_WORDS.items()}
HELD_OUT_NOUNS: Mapping[str, tuple[str, ...]] = {
    role: tuple(words.split())
    for role, words in {
        "item": (
            "stapler flashlight pineapple whisk wallet eggplant zucchini walnut thimble protractor "
            "compass harmonica skateboard mitten necklace corkscrew grater colander croissant "
            "broccoli celery turnip headset microphone kite anchor pulley magnet pipette"
        ),
        "surface": "lectern turntable hearth",
        "container": "cooler strongbox footlocker autoclave showcase barrel",
        "openable": "cooler strongbox footlocker autoclave showcase",
        "machine": "autoclave turntable hairdryer headset",
        "switch": "rocker thumbwheel pushbutton throttle spigot",
        "vessel": "barrel cooler",
        "tool": "dustpan mitten magnet",
    }.items()
}
"""Nouns of the evaluation by role, which no frame and no training scene has.

Rooms, liquids, floors, and furniture with named parts keep their nouns.
"""


@cache
def compound_nouns() -> frozenset[str]:
    """Nouns of two words, which are said whole: "washing machine"."""
    more = json.loads(
        (Path(__file__).parent / "frames" / "en_activities_1.json").read_text("utf-8")
    )
    told = [
        noun for entry in more for text in entry["things"].values() for noun in text.split()[1:]
    ]
    themed = (noun for roles in THEMES.values() for nouns in roles.values() for noun in nouns)
    listed = (noun for nouns in _ROLES.values() for noun in nouns)
    return frozenset(noun for noun in (*told, *themed, *listed) if "_" in noun)


_PERSONS = ("person", "character", "me", "user", "human", "agent", "resident")
_MODIFIERS = (
    "coffee", "tea", "kitchen", "garden", "paint", "tool", "bread", "wine", "shoe", "hair",
    "paper", "pencil", "laundry", "picnic", "travel", "sport", "school", "office", "party",
    "camping", "baking", "soup", "salad", "fruit", "cereal", "dog", "baby", "guest", "spare",
    "folding", "winter", "corner", "bedside", "double",
)  # fmt: skip
_PARTS: tuple[tuple[tuple[str, ...], tuple[str, ...], str, tuple[str, ...]], ...] = (
    (("cabinet", "dresser", "desk", "nightstand", "chest", "sideboard", "cupboard", "workbench"),
     ("top", "middle", "bottom"), "drawer", ("container", "openable")),
    (("cabinet", "desk", "wardrobe", "cart"), ("left", "right"), "drawer",
     ("container", "openable")),
    (("wardrobe", "cabinet", "cupboard", "locker", "fridge"), ("left", "right"), "door",
     ("openable",)),
    (("shelf", "rack", "bookcase", "stand", "cart", "fridge"), ("top", "middle", "bottom"),
     "shelf", ("surface",)),
    (("rack", "bookcase", "shelf", "pallet"), ("upper", "lower"), "level", ("surface",)),
    (("stove", "cooker", "hob"), ("front", "back"), "burner", ("surface", "machine")),
    (("stove", "cooker", "range"), ("left", "right"), "burner", ("surface", "machine")),
    (("toolbox", "organizer", "suitcase", "backpack", "bag", "tray", "box", "caddy"),
     ("left", "right", "front", "back"), "compartment", ("container",)),
    (("bag", "jacket", "backpack", "apron"), ("front", "side", "inner"), "pocket", ("container",)),
)  # fmt: skip
"""Which objects have which parts: owners, places of the parts, their noun and their roles."""


@dataclass(frozen=True, slots=True)
class InstructionWorld:
    """Objects with their roles, and the predicate of every concept that can be expressed.

    `person` is the name of the person where predicates take it as an argument. `owners` has the
    object to which a part belongs.
    """

    objects: tuple[ObjectDescription, ...]
    roles: Mapping[str, frozenset[str]]
    predicates: Mapping[str, str]
    person: str = ""
    owners: Mapping[str, str] = field(default_factory=dict)

    @property
    def scene(self) -> SceneDescription:
        """The objects as a prompt lists them."""
        return SceneDescription(self.objects)

    def having(self, *wanted: str) -> tuple[str, ...]:
        """Names of the objects that can play all these roles; `any` is not a liquid or a room."""
        return tuple(
            name
            for name, roles in self.roles.items()
            if all(not roles & _NO_THING if r == "any" else r in roles for r in wanted)
        )

    @property
    def forms(self) -> tuple[GoalForm, ...]:
        """The forms of the concepts that have objects here, in the order of `predicates`."""
        made = []
        kinds = {one.name: one.kind for one in self.objects}
        taken: dict[str, tuple[str, ...]] = {}
        for concept, predicate in self.predicates.items():
            roles, sentence = CONCEPTS[concept].roles, CONCEPTS[concept].sentence
            if CONCEPTS[concept].of_person and self.person:
                roles = ("person", *roles)
                sentence = sentence.replace("X", "Y").replace("P ", "X ", 1)
            for role in roles:
                if role not in taken:
                    taken[role] = tuple(dict.fromkeys(kinds[name] for name in self.having(role)))
            takes = tuple(taken[role] for role in roles)
            if all(takes):
                made.append(GoalForm(predicate, takes, sentence.replace("P ", "the person ", 1)))
        return tuple(made)

    def express(self, concept: str, positive: bool) -> tuple[str, bool] | None:
        """The predicate of a concept and its sign, or None; an opposite will do."""
        other = CONCEPTS[concept].opposite
        choices = [(concept, positive), (other, not positive)]
        choices += [("clean", not positive)] if concept == "dusty" else []
        choices += [("dusty", not positive)] if concept == "clean" else []
        choices += [("dusty", positive)] if concept == "stained" else []
        choices += [("holding", positive)] if concept == "person_holds" else []
        for name, sign in choices:
            if name in self.predicates and all(map(self.having, CONCEPTS[name].roles)):
                return self.predicates[name], sign
        return None


_NO_THING = {"liquid", "room", "person"}


def make_world(
    rng: random.Random,
    words: Words,
    plain: bool = False,
    needed: Sequence[tuple[str, str, int]] = (),
    concepts: tuple[str, ...] = (),
    person: bool = False,
    coloured: bool = False,
) -> InstructionWorld:
    """A scene of 2 to 45 objects, some of the same kind, with 3 to 14 concepts.

    `needed` lists roles with a noun ("" for any) and how many of it there must be. `plain` names
    have one adjective or number at most, so that every language can say them. With `coloured`,
    needed objects of one noun differ by their colours.
    """
    themed = rng.random() < 0.45 and words is not HELD_OUT_WORDS
    theme = rng.choice(sorted(THEMES)) if themed else ""
    maker = _WorldMaker(rng, words, "plain" if plain else rng.choice(_STYLES), theme=theme)
    for role, noun, count in needed:
        maker.several(role, noun, count, coloured and count > 1)
    size = rng.choice((0, 0, 1, 2) if needed else (1, 1, 2, 2, 3, 4, 6, 9))
    for _ in range(rng.randint(0 if needed else 1, 1 + size)):
        alike = rng.choice((1, 1, 2, 3)) if rng.random() < 0.45 else 0
        maker.several("item", "", 1 + alike)
    for role, share in (("surface", 0.9), ("container", 0.8), ("openable", 0.4), ("machine", 0.35),
                        ("switch", 0.2), ("vessel", 0.3), ("ground", 0.25),
                        ("tool", 0.25)):  # fmt: skip
        for _ in range(rng.randint(1, 1 + min(size, 6) // 2)):
            if rng.random() < share * (0.5 if needed else 1.0):
                maker.several(role, "", 2 if rng.random() < 0.2 else 1)
    if maker.style in ("long", "numbered") and rng.random() < 0.45:
        for _ in range(rng.choice((1, 1, 2))):
            maker.owner_with_parts()
    for role in ("liquid", "room"):
        share = 0.7 if role == "liquid" and theme == "bar" else 0.1 if needed else 0.25
        if rng.random() < share:
            for _ in range(rng.randint(1, 4)):
                maker.add(role)
    named = ""
    if person and rng.random() < 0.5:
        named = words.coined(rng) if rng.random() < 0.15 else rng.choice(_PERSONS)
        maker.names[named], maker.kinds[named] = {"person"}, named
    if len(maker.names) > 45:
        return make_world(rng, words, plain, needed, concepts, person, coloured)
    objects = [ObjectDescription(name, kind=maker.kinds[name]) for name in maker.names]
    rng.shuffle(objects)
    return InstructionWorld(
        tuple(objects),
        {name: frozenset(roles) for name, roles in maker.names.items()},
        _predicates(rng, words, concepts, person),
        named,
        maker.owners,
    )


_STYLES = ("plain", "plain", "plain", "numbered", "numbered", "long", "long")


@dataclass(slots=True)
class _WorldMaker:
    """Names for objects: in one style for a scene, as the author of a data set would."""

    rng: random.Random
    words: Words
    style: str
    names: dict[str, set[str]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    theme: str = ""
    nouns: Mapping[str, tuple[str, ...]] = field(init=False)
    """The nouns of every role."""

    def __post_init__(self) -> None:
        self.nouns = {**_ROLES, **THEMES.get(self.theme, {})}
        if self.words is HELD_OUT_WORDS:
            self.nouns = {**_ROLES, **HELD_OUT_NOUNS}

    def several(self, role: str, noun: str, count: int, coloured: bool = False) -> None:
        """Objects of one noun, told apart by one kind of word."""
        noun = self.add(role, noun, "colour" if coloured else "")
        apart = self.rng.choice(("colour", "colour", "number", "material"))
        apart = "colour" if coloured else apart
        for _ in range(count - 1):
            self.add(role, noun, apart)

    def add(self, role: str, noun: str = "", apart: str = "") -> str:
        rng = self.rng
        odd = not self.theme and rng.random() < (0.2 if self.style == "numbered" else 0.3)
        noun = noun or (self.words.coined(rng) if odd else rng.choice(self.nouns[role]))
        whole = rng.random() < 0.4
        for attempt in range(20):
            name = self.name(noun, apart, role) if attempt < 15 else f"{noun}_{rng.randint(1, 40)}"
            if name not in self.names:
                self.put(name, {r for r, listed in self.nouns.items() if noun in listed} | {role})
                if whole and self.style != "plain":
                    self.kinds[name] = "_".join(w for w in name.split("_") if not w.isdigit())
                return noun
        return noun

    def put(self, name: str, roles: set[str]) -> None:
        self.names[name] = roles
        self.kinds[name] = kind_of(name)

    def name(self, noun: str, apart: str, role: str) -> str:
        rng, words = self.rng, self.words
        if self.style == "plain" or role in ("liquid", "room"):
            return _name(rng, words, noun, apart)
        if self.style == "numbered":
            front = rng.random() < 0.2
            body = f"{rng.choice(_MODIFIERS)}_{noun}" if front and not apart else noun
            taken = sum(name.rpartition("_")[0] == body for name in self.names)
            return f"{body}_{taken + 1}"
        fronts = [
            words.coined(rng) if rng.random() < 0.35 else "",
            rng.choice(words.adjectives) if rng.random() < 0.25 else "",
            rng.choice(COLOURS[:11]) if apart == "colour" or rng.random() < 0.3 else "",
            rng.choice(MATERIALS) if apart == "material" or rng.random() < 0.2 else "",
            rng.choice(_MODIFIERS) if rng.random() < 0.3 else "",
        ]
        number = apart == "number" or rng.random() < 0.45
        end = [str(rng.randint(1, 4))] if number else []
        return "_".join([*filter(None, fronts), noun, *end])

    def owner_with_parts(self) -> None:
        """Furniture whose parts have names of their own."""
        rng = self.rng
        owners, places, noun, roles = rng.choice(_PARTS)
        owner = rng.choice(owners)
        front = rng.choice(
            (rng.choice(COLOURS[:11]), rng.choice(MATERIALS), rng.choice(_MODIFIERS), "")
        )
        number = f"_{rng.randint(1, 3)}" if rng.random() < 0.6 else ""
        body = f"{front}_{owner}{number}" if front else f"{owner}{number}"
        listed = places if rng.random() < 0.7 else tuple(rng.sample(places, 2))
        parts = [f"{body}_{place}_{noun}" for place in listed]
        if body in self.names or any(part in self.names for part in parts):
            return
        top = rng.random() < 0.3
        self.put(body, {"furniture"} if top or "surface" in roles else {"surface"})
        for part in parts:
            self.put(part, set(roles))
        if top:
            self.put(f"{body}_top_side", {"surface"})
            parts.append(f"{body}_top_side")
        self.owners |= dict.fromkeys(parts, body)


def world_of(
    objects: Iterable[str], concepts: Iterable[str], rng: random.Random, words: Words
) -> InstructionWorld:
    """A scene with these objects, each in every role, and at least these concepts."""
    listed = list(dict.fromkeys(objects))
    rng.shuffle(listed)
    roles = frozenset(set(_ROLES) - _NO_THING)
    drawn = _predicates(rng, words, tuple(concepts))
    return InstructionWorld(
        tuple(ObjectDescription(name, kind=re.sub(r"_\d+$", "", name)) for name in listed),
        dict.fromkeys(listed, roles),
        drawn,
    )


def _predicates(
    rng: random.Random, words: Words, needed: tuple[str, ...] = (), person: bool = False
) -> Mapping[str, str]:
    """Concepts with their predicates; of two opposites mostly only one."""
    unfit = {name for name, c in CONCEPTS.items() if c.of_person and name not in needed}
    unfit |= {"holding", "handempty", "handed"} - set(needed) if person else set()
    common = ("on", "inside", "closed", "holding", "beside", "open", "turned_on")
    share = rng.choice((0.12, 0.25, 0.4))
    chances = {**dict.fromkeys(common, 0.7), **dict.fromkeys(VERBS, 0.015)}
    drawn = [
        c
        for c in CONCEPTS
        if c in needed or (c not in unfit and rng.random() < chances.get(c, share))
    ]
    drawn = drawn or ["on"]
    rng.shuffle(drawn)
    kept: list[str] = []
    for concept in drawn:
        other = CONCEPTS[concept].opposite
        if concept in needed or other not in kept or rng.random() < 0.15:
            kept.append(concept)
    taken: set[str] = set()
    found = {}
    for concept in kept:
        names = [name for name in CONCEPTS[concept].names if name not in taken]
        plain = rng.random() < 0.9 and names
        name = (names[0] if rng.random() < 0.5 else rng.choice(names)) if plain else ""
        while not name or name in taken:
            name = words.coined(rng)
        taken.add(name)
        found[concept] = name
    return found


def _name(rng: random.Random, words: Words, noun: str, style: str) -> str:
    style = style or rng.choice(("", "", "", "colour", "colour", "material", "number", "adjective"))
    if style == "colour":
        return f"{rng.choice(COLOURS[:11])}_{noun}"
    if style == "material":
        return f"{rng.choice(MATERIALS)}_{noun}"
    if style == "number":
        return f"{noun}_{rng.randint(1, 5)}"
    if style == "adjective":
        odd = rng.random() < 0.4
        return f"{words.coined(rng) if odd else rng.choice(words.adjectives)}_{noun}"
    return noun
