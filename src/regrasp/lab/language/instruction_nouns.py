"""How people call objects: a noun, a synonym, a part of the name, a part of a piece of furniture.

An object has one name, which the goal uses, and many wordings. What is not there has words too, and
makes the reply a refusal.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from functools import cache

from regrasp.core.goal_description import Term
from regrasp.core.kinds_of_things import CATEGORIES, COLOURS, category_of
from regrasp.core.object_description import is_of_kind, kind_endings
from regrasp.lab.language.instruction_worlds import InstructionWorld, compound_nouns
from regrasp.lab.language.translations import translated
from regrasp.lab.language.vocabulary import MATERIALS, SYNONYMS, Words
from regrasp.prompts.goal import DeclineReason

__all__ = ["Noun", "NounSpeaker", "RetryError", "spoken_noun"]

_SAME_THING = (
    "sofa couch settee", "television tv telly", "fridge refrigerator icebox",
    "phone telephone cellphone mobile", "bin trashcan wastebasket dustbin", "carpet rug",
    "stove cooker range", "faucet tap", "bathtub tub bath", "closet wardrobe", "jug pitcher",
    "computer pc", "lamp light", "jacket coat", "trousers pants", "painting picture", "cloth rag",
    "towel cloth", "mug cup", "glass tumbler", "pan skillet", "pot saucepan",
    "newspaper paper", "magazine journal", "suitcase luggage", "backpack rucksack", "bag sack",
    "box carton", "cupboard cabinet", "desk table", "countertop counter",
    "remote clicker", "plant houseplant", "sandal shoe", "medicine pills",
    "detergent soap", "hamper basket", "stool seat", "chair seat", "bench seat", "monitor screen",
    "laptop computer", "washer washing_machine", "coffee_maker coffee_machine", "sheet bedsheet",
    "blanket cover", "marker felt_pen", "can tin", "candle taper", "letter envelope",
    "bowl dish", "plate dish", "kettle teapot", "knob dial", "lever handle", "button switch",
    "cookie biscuit", "soda pop", "lock bolt", "dresser chest", "puzzle jigsaw", "doll toy",
    "platform podium", "crate box", "hall hallway", "cellar basement", "garden yard",
    "office study", "corridor hallway", "shirt tee", "cap hat", "cushion pillow", "clamp vise",
    "wrench spanner", "flask bottle", "carafe decanter", "tumbler glass", "goblet wineglass",
    "worktop countertop", "cutting_board chopping_board", "bookcase bookshelf", "curtain drape",
    "airconditioner air_conditioner", "heater radiator", "bulb light", "photo picture",
    "nightstand bedside_table", "sneaker shoe", "spectacles eyeglasses", "rubbish trash garbage",
    "bin trash_can garbage_can", "plaster bandage", "binder folder", "freezer deep_freezer",
    "hose pipe", "spade shovel", "secateurs shears", "stool footstool", "pail bucket",
    "cistern tank", "dryer tumble_dryer", "vacuum hoover", "toaster toasting_machine",
    "mailbox letterbox", "trolley cart", "purse handbag", "sweater jumper", "sweets candy",
)  # fmt: skip
_PART_SYNONYMS = {
    "top": ("top", "top", "upper", "uppermost"), "bottom": ("bottom", "bottom", "lower", "lowest"),
    "middle": ("middle", "middle", "center"), "compartment": ("compartment", "section"),
    "front": ("front",), "back": ("back", "rear"), "burner": ("burner", "hot plate"),
}  # fmt: skip
_ARTICLES = {"en": ("the", "the", "the", "the", "that", "this", "my"),
             "de": ("der", "die", "das", "den", "dem"),
             "fr": ("le", "la", "l'"), "es": ("el", "la"), "zh": ()}  # fmt: skip
_SAME_IN_PLURAL = (
    "scissors", "shears", "glasses", "keys", "goggles", "headphones", "tweezers", "pliers",
    "trousers", "pants", "clothing", "furniture", "cutlery", "electronics", "food",
)  # fmt: skip
_PLURALS = {"de": ("", "n", "en", "e", "er", "s"), "fr": ("s", ""), "es": ("s", "es")}


@dataclass(frozen=True, slots=True)
class Noun:
    """A term and its words."""

    term: Term
    words: str


class RetryError(Exception):
    """This draw does not fit into this world."""


@dataclass(slots=True)
class NounSpeaker:
    """Names the objects of one scene in one language."""

    world: InstructionWorld
    rng: random.Random
    vocabulary: Words
    language: str
    refusal: str = ""
    """The reply, if some words cannot be done."""

    def of_kind(self, kind: str) -> list[str]:
        """The objects that a kind's word fits."""
        return [o.name for o in self.world.objects if is_of_kind(o.name, o.kind, kind)]

    def adjective(self) -> Noun:
        """A colour."""
        colour = self.rng.choice(COLOURS)
        return Noun(colour, self.colour_word(colour))

    def named(self, *roles: str, taken: set[str] | None = None) -> Noun:
        """One object by name, as people say it."""
        rng = self.rng
        names = [n for n in self.world.having(*roles) if n not in (taken or ())]
        if not names:
            raise RetryError
        name = rng.choice(names)
        part = self.part_that_opens(name) if "openable" in roles and rng.random() < 0.3 else ""
        return Noun(name, self.definite(part or self.called(name), name))

    def one_of_kind(self, kind: str) -> Noun:
        """One object of a kind of which there are several, by name."""
        found = self.of_kind(kind)
        if len(found) < 2:
            raise RetryError
        name = self.rng.choice(found)
        return Noun(name, self.definite(self.called(name), name))

    def called(self, name: str) -> str:
        """The words for an object, without article."""
        rng = self.rng
        kind = spoken_noun(name)
        alike = [o.name for o in self.world.objects if kind in kind_endings(o.name)]
        if rng.random() < 0.05:
            return name
        if len(alike) == 1 and rng.random() < 0.5 and name not in self.world.owners:
            if (other := self.other_noun(kind)) and rng.random() < 0.5:
                return self.spoken(other)
            if (group := self.only_of_its_group(kind)) and rng.random() < 0.1:
                return self.spoken(group)
            return self.spoken(kind)
        if self.language == "en":
            words_of_part = self.part_words(name)
            said = words_of_part or self.short_words(name)
            noun = kind.replace("_", " ")
            other = self.other_noun(kind)
            if other and not words_of_part and said.endswith(f" {noun}") and rng.random() < 0.2:
                return said.removesuffix(noun) + other.replace("_", " ")
            return said
        return self.translated_name(name, kind, len(alike) == 1)

    def translated_name(self, name: str, kind: str, alone: bool) -> str:
        """A name word by word; in French and Spanish a colour mostly follows its noun."""
        rng = self.rng
        *words, number = name.split("_") if name[-1].isdigit() else (*name.split("_"), "")
        if alone and rng.random() < 0.8:
            number = ""
        fronts = words[: len(words) - len(kind.split("_"))]
        said = [self.colour_word(word) if word in COLOURS else self.spoken(word) for word in fronts]
        after = self.language in ("fr", "es") and rng.random() < 0.85
        parts = [self.spoken(kind), *said] if after else [*said, self.spoken(kind)]
        between = "" if self.language == "zh" else " "
        return between.join(filter(None, (*parts, number)))

    def other_noun(self, kind: str) -> str:
        """Another word for a kind, which no name here has; "" if there is none."""
        if self.language != "en":
            return ""  # a word has several translations
        free = [w for w in _synonyms(kind) if all(w not in o.name for o in self.world.objects)]
        return self.rng.choice(free) if free else ""

    def only_of_its_group(self, kind: str) -> str:
        """ "Fruit" for the only fruit here; "" if it has no group or is not alone in it."""
        for group in category_of(kind):
            here = [o for o in self.world.objects if set(kind_endings(o.name)) & CATEGORIES[group]]
            if len(here) == 1 and not self.of_kind(group) and group != "dish":
                return group
        return ""

    def part_that_opens(self, name: str) -> str:
        """ "The door" of the only thing that opens; "" where it is not clear."""
        opens = self.world.having("openable")
        if opens != (name,) or self.language != "en":
            return ""
        words = {word for one in self.world.objects for word in one.name.split("_")}
        part = self.rng.choice(("door", "door", "lid", "doors"))
        return "" if part in words else part

    def short_words(self, name: str) -> str:
        """Words of a name that fit no other object: "paint brush" for old_paint_brush_1."""
        rng = self.rng
        words = name.split("_")
        plain = [word for word in words if not word.isdigit()]
        head = spoken_noun(name).split("_")
        fronts = plain[: -len(head)]
        others = [
            set(o.name.split("_"))
            for o in self.world.objects
            if o.name != name and kind_endings(o.name)[0] == plain[-1]
        ]
        choices = [plain]
        for size in range(len(fronts)):
            choices += [[*front, *head] for front in itertools.combinations(fronts, size)]
        unique = [c for c in choices if not any(set(c) <= other for other in others)]
        if unique and not (len(unique) == len(choices) and rng.random() < 0.04):
            least = min(map(len, unique))
            short = [c for c in unique if len(c) == least]
            return " ".join(rng.choice(short) if rng.random() < 0.5 else rng.choice(unique))
        if words == plain:
            return " ".join(plain)
        number = words[-1] if words[-1].isdigit() else next(w for w in words if w.isdigit())
        body = " ".join(plain)
        return rng.choice(
            (f"{body} {number}", f"{body} {number}", f"{body}{number}", f"{body} number {number}")
        )

    def part_words(self, name: str) -> str:
        """ "Bottom drawer of the white cabinet"; "" if the object is no part."""
        rng = self.rng
        owner = self.world.owners.get(name)
        if owner is None:
            return ""
        place, noun = name.removeprefix(f"{owner}_").split("_")
        if noun == "side":
            return f"top of the {self.short_words(owner)}"
        said = " ".join(rng.choice(_PART_SYNONYMS.get(w, (w,))) for w in (place, noun))
        same = [o for o in self.world.owners if o.endswith(f"_{place}_{noun}")]
        if len(same) == 1 and rng.random() < 0.35:
            return said
        body = self.short_words(owner)
        if rng.random() < 0.2:
            return f"{body}'s {said}"
        if rng.random() < 0.15:
            return f"{body} {said}"
        joint = rng.choice(("of", "of", "in", "on") if noun != "level" else ("of",))
        return f"{said} {joint} the {body}"

    def colour_word(self, colour: str) -> str:
        """A colour in the language of this person; orange is also a fruit."""
        key = "orange colour" if colour == "orange" and self.language != "en" else colour
        return translated(key, self.language, self.rng)

    def spoken(self, noun: str) -> str:
        """A noun in the language of this person."""
        return translated(noun.replace("_", " "), self.language, self.rng)

    def definite(self, words: str, name: str) -> str:
        """With an article, where the language has one."""
        rng = self.rng
        articles = _ARTICLES[self.language]
        if "_" in words or not articles or rng.random() < 0.06:
            return words
        if "liquid" in self.world.roles[name] and rng.random() < 0.5:
            return words
        return f"{rng.choice(articles)} {words}"

    def plural(self, noun: str) -> str:
        """The plural of a noun; only roughly in languages other than English."""
        if self.language == "zh":
            return noun
        if self.language != "en":
            return noun + self.rng.choice(_PLURALS[self.language])
        if noun in _SAME_IN_PLURAL:
            return noun
        if noun.endswith(("s", "x", "ch", "sh")):
            return noun + "es"
        if noun.endswith("y") and noun[-2:-1] not in "aeiou":
            return noun[:-1] + "ies"
        if noun in ("knife", "shelf"):
            return noun.replace("fe", "f")[:-1] + "ves"
        return noun + "s"

    def missing(self, roles: tuple[str, ...]) -> Noun:
        """Something that is not here, which makes the reply a refusal."""
        rng = self.rng
        names = [word for o in self.world.objects for word in (*o.name.split("_"), o.kind)]
        draw = rng.random()
        if draw < 0.2 and (near := self.near_miss(roles)):
            words = near
        elif draw < 0.5:
            things = [n for n in self.world.having(*roles) if n not in self.world.owners]
            coloured = [n for n in things if set(n.split("_")) & set(COLOURS)]
            if not coloured:
                raise RetryError
            kind = spoken_noun(rng.choice(coloured))
            alike = self.of_kind(kind)
            if any(not set(n.split("_")) & set(COLOURS) for n in alike):
                raise RetryError
            colour = rng.choice([c for c in COLOURS if not any(c in n for n in alike)])
            words = f"{self.colour_word(colour)} {self.spoken(kind)}"
        else:
            noun = rng.choice(
                (rng.choice(self.vocabulary.gone), rng.choice(self.vocabulary.things),
                 rng.choice(self.vocabulary.places + self.vocabulary.stands),
                 self.vocabulary.coined(rng))
            )  # fmt: skip
            if noun in names or set(_synonyms(noun)) & set(names):
                raise RetryError
            words = self.spoken(noun)
        articles = _ARTICLES[self.language]
        spoken = f"{rng.choice(articles)} {words}" if articles else words
        self.refusal = f"Cannot: {DeclineReason.MISSING}: {words}"
        return Noun(words.replace(" ", "_"), spoken)

    def near_miss(self, roles: tuple[str, ...]) -> str:
        """An object that is there with a word that no object has; "" if names have no words."""
        rng = self.rng
        names = [n for n in self.world.having(*roles) if n not in self.world.owners]
        if not names or self.language != "en":
            return ""
        words = rng.choice(names).split("_")
        head = next(w for w in reversed(words) if not w.isdigit())
        alike = [n for n in self.world.roles if kind_endings(n)[0] == head]
        if all(n.split("_")[-1].isdigit() for n in alike) and len(alike) > 1:
            taken = {n.split("_")[-1] for n in alike}
            left = [str(i) for i in range(1, 10) if str(i) not in taken]
            return f"{head} {rng.choice(left)}" if left else ""
        others = [m for m in MATERIALS if not any(m in n for n in alike)]
        if all(set(n.split("_")) & set(MATERIALS) for n in alike):
            return f"{rng.choice(others)} {head}"
        return ""


def spoken_noun(name: str) -> str:
    """The noun of a name: its last word, or a noun of two words such as `washing_machine`."""
    endings = kind_endings(name)
    return endings[1] if len(endings) > 1 and endings[1] in compound_nouns() else endings[0]


@cache
def _synonyms(noun: str) -> tuple[str, ...]:
    """Other words for a thing."""
    groups = [group.split() for group in _SAME_THING] + [[w, *ws] for w, ws in SYNONYMS.items()]
    found = (word for group in groups if noun in group for word in group if word != noun)
    return tuple(dict.fromkeys(found))
