"""The objects of generated scenes: random names, and how people refer to them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription, kind_of
from regrasp.lab.language.vocabulary import SYNONYMS, Words

__all__ = ["Props", "called"]


@dataclass
class Props:
    """Draws objects with unique names."""

    rng: random.Random
    words: Words
    objects: list[ObjectDescription] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)

    def name(self, among: tuple[str, ...], *, like: str = "") -> str:
        """A fresh name of a noun of `among`, or of the noun `like`."""
        while True:
            noun = like or self.words.noun(self.rng, among)
            name = self.words.name(self.rng, noun)
            if name not in self.taken and (like or kind_of(name) not in self.taken):
                self.taken |= {name, kind_of(name)}
                return name

    def thing(self, *, like: str = "") -> str:
        """Something to pick up."""
        name = self.name(self.words.things, like=like)
        return self._keep(ObjectDescription(name, affordances=(Affordance.PICK,)))

    def stand(self) -> str:
        """Something to put things on."""
        name = self.name(self.words.stands)
        kind = name if self.rng.random() < 0.1 else ""
        return self._keep(ObjectDescription(name, affordances=(Affordance.PUT_ON,), kind=kind))

    def place(self) -> str:
        """Something that opens and holds things."""
        rng, name = self.rng, self.name(self.words.places)
        door, handle = rng.choice(
            (("door", "handle"), ("door", "handle"), ("lid", "knob"), ("flap", "grip"))
        )
        sides = rng.choice((("left_", "right_"), ("",), ("",), ("upper_", "lower_")))
        joints = tuple(JointDescription(f"{name}_{s}{door}", f"{name}_{s}{handle}") for s in sides)
        spot = rng.choice((f"target_position_in_{name}", f"place_in_{name}", ""))
        return self._keep(
            ObjectDescription(
                name,
                affordances=(Affordance.OPEN, Affordance.PUT_IN),
                joints=joints,
                place_name=spot,
            )
        )

    def switch(self) -> str:
        """Something to pull, press or turn."""
        name = self.name(self.words.switches)
        use = self.rng.choice((Affordance.PULL, Affordance.PULL, Affordance.PRESS, Affordance.TURN))
        return self._keep(
            ObjectDescription(name, affordances=(use,), joints=(JointDescription(name, name),))
        )

    def _keep(self, line: ObjectDescription) -> str:
        self.objects.append(line)
        return line.name


def called(names: Iterable[str], among: Iterable[str], rng: random.Random) -> dict[str, str]:
    """How people refer to objects: by name, in plain words, by the noun, by a synonym.

    The noun alone, or a synonym of it, is only used if no other name of `among` has the word.
    """
    words = [word for name in among for word in name.split("_")]
    calls = {}
    for name in names:
        noun, plain = kind_of(name), name.replace("_", " ")
        alone = words.count(noun) == 1 and noun.isalpha()
        said = [name, name, plain, plain, plain, noun if alone else plain]
        if alone:
            said += [plain.replace(noun, w) for w in SYNONYMS.get(noun, ()) if w not in words]
        calls[name] = rng.choice(said)
    return calls
