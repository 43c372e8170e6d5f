"""Random scenes for instructions: objects by role, and the forms that their goals may take."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from regrasp.core.object_description import ObjectDescription, kind_of
from regrasp.lab.language.vocabulary import COLOURS, MATERIALS, Words
from regrasp.prompts.goal import GoalForm
from regrasp.prompts.scene import SceneDescription

__all__ = ["CONCEPTS", "Concept", "InstructionWorld", "make_world", "world_of"]


@dataclass(frozen=True, slots=True)
class Concept:
    """A fact that can be asked for: the roles of its objects, its sentence, names of predicates.

    `opposite` is the concept that is true exactly if this one is false.
    """

    roles: tuple[str, ...]
    sentence: str
    names: tuple[str, ...]
    opposite: str = ""


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
    "clean": _concept("item", "X is clean", "clean washed", "stained"),
    "stained": _concept("item", "X is stained", "stained dirty", "clean"),
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
}
"""Every concept by the name that frames use."""

_ROLE_WORDS = {
    "item": (
        "apple banana orange pear lemon carrot tomato potato bread egg cookie cheese mug cup bottle "
        "can book box bowl plate knife fork spoon pan pot lid jar vase candle towel sponge cloth "
        "pillow shirt sock shoe hat doll ball duck puzzle block cube pen pencil marker key phone "
        "laptop tablet remote watch coin card letter magazine newspaper bag basket bucket hammer "
        "wrench screwdriver tape brush comb soap toothbrush medicine battery cable charger camera "
        "glove scarf jacket umbrella statue plant flower rope tile brick disc peg ring bolt gear"
    ),
    "surface": (
        "table desk shelf counter tray crate chair stool bed sofa floor rack mat bench cart stand "
        "countertop nightstand windowsill pallet platform plate workbench dresser armchair carpet"
    ),
    "container": (
        "cabinet drawer fridge microwave oven box basket bin bowl bag sink cupboard chest closet "
        "crate safe dishwasher bucket jar suitcase locker toolbox wardrobe freezer hamper bathtub"
    ),
    "openable": "cabinet drawer fridge microwave oven door window box chest cupboard safe gate book",
    "machine": (
        "lamp light radio television fan stove toaster kettle oven microwave computer heater faucet "
        "coffee_maker washing_machine printer dishwasher air_conditioner"
    ),
    "switch": "button lever switch knob handle pedal cord dial latch",
    "vessel": "mug cup bowl bottle glass kettle pot vase bucket jug pan bathtub sink teapot",
    "liquid": "water milk juice tea coffee oil soup soda",
    "room": "kitchen bedroom bathroom hall office garage garden cellar living_room corridor",
}
_ROLES = {role: tuple(words.split()) for role, words in _ROLE_WORDS.items()}


@dataclass(frozen=True, slots=True)
class InstructionWorld:
    """Objects with their roles, and the predicate of every concept that can be expressed."""

    objects: tuple[ObjectDescription, ...]
    roles: Mapping[str, frozenset[str]]
    predicates: Mapping[str, str]

    @property
    def scene(self) -> SceneDescription:
        """The objects as a prompt lists them."""
        return SceneDescription(self.objects)

    def having(self, *wanted: str) -> tuple[str, ...]:
        """Names of the objects that can play all these roles; `any` is not a liquid or a room."""
        return tuple(
            name
            for name, roles in self.roles.items()
            if all(not roles & {"liquid", "room"} if r == "any" else r in roles for r in wanted)
        )

    def kind(self, name: str) -> str:
        """The kind of an object."""
        return next(one.kind for one in self.objects if one.name == name)

    @property
    def forms(self) -> tuple[GoalForm, ...]:
        """The forms of the concepts that have objects here, in the order of `predicates`."""
        made = []
        for concept, predicate in self.predicates.items():
            takes = tuple(self._kinds(role) for role in CONCEPTS[concept].roles)
            if all(takes):
                made.append(GoalForm(predicate, takes, CONCEPTS[concept].sentence))
        return tuple(made)

    def _kinds(self, role: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(self.kind, self.having(role))))

    def express(self, concept: str, positive: bool) -> tuple[str, bool] | None:
        """The predicate of a concept and its sign, or None; an opposite will do."""
        for name, sign in ((concept, positive), (CONCEPTS[concept].opposite, not positive)):
            if name in self.predicates and all(map(self.having, CONCEPTS[name].roles)):
                return self.predicates[name], sign
        return None


def make_world(rng: random.Random, words: Words) -> InstructionWorld:
    """A scene of 2 to 24 objects, some of the same kind, with 3 to 14 concepts."""
    taken: set[str] = set()
    names: dict[str, set[str]] = {}
    kinds: dict[str, str] = {}

    def add(role: str, noun: str = "", style: str = "") -> str:
        noun = noun or (words.coined(rng) if rng.random() < 0.3 else rng.choice(_ROLES[role]))
        for _ in range(20):
            name = _name(rng, words, noun, style)
            if name not in taken:
                taken.add(name)
                names[name] = {r for r, listed in _ROLES.items() if noun in listed} | {role}
                kinds[name] = kind_of(name) if kind_of(name).isalpha() else noun
                return noun
        return noun

    size = rng.choice((1, 1, 2, 2, 3, 4, 6))
    for _ in range(rng.randint(1, 1 + size)):
        noun = add("item")
        if rng.random() < 0.45:
            style = rng.choice(("colour", "colour", "number", "material"))
            for _ in range(rng.choice((1, 1, 2, 3))):
                add("item", noun, style)
    for role, share in (("surface", 0.9), ("container", 0.8), ("openable", 0.4), ("machine", 0.35),
                        ("switch", 0.2), ("vessel", 0.3)):  # fmt: skip
        for _ in range(rng.randint(1, 1 + size // 2)):
            if rng.random() < share:
                noun = add(role)
                if rng.random() < 0.2:
                    add(role, noun, rng.choice(("colour", "number", "material")))
    if rng.random() < 0.25:
        for _ in range(rng.randint(1, 3)):
            add("liquid")
    if rng.random() < 0.25:
        for _ in range(rng.randint(1, 4)):
            add("room")
    objects = [ObjectDescription(name, kind=kinds[name]) for name in names]
    rng.shuffle(objects)
    return InstructionWorld(
        tuple(objects),
        {name: frozenset(roles) for name, roles in names.items()},
        _predicates(rng, words),
    )


def world_of(
    objects: Iterable[str], concepts: Iterable[str], rng: random.Random, words: Words
) -> InstructionWorld:
    """A scene with these objects, each in every role, and at least these concepts."""
    listed = list(dict.fromkeys(objects))
    rng.shuffle(listed)
    roles = frozenset(set(_ROLES) - {"liquid", "room"})
    drawn = _predicates(rng, words, tuple(concepts))
    return InstructionWorld(
        tuple(ObjectDescription(name, kind=name) for name in listed),
        dict.fromkeys(listed, roles),
        drawn,
    )


def _predicates(
    rng: random.Random, words: Words, needed: tuple[str, ...] = ()
) -> Mapping[str, str]:
    """Concepts with their predicates; of two opposites mostly only one."""
    common = ("on", "inside", "closed", "holding", "beside", "open", "turned_on")
    share = rng.choice((0.12, 0.25, 0.4))
    drawn = [c for c in CONCEPTS if c in needed or rng.random() < (0.7 if c in common else share)]
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
