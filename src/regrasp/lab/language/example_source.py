"""The source of training examples: rooms, steps, and the scripted reasoner.

An example generator creates a question directly, if symbolic runs give too few or too easy ones.
The answer is known by construction, or it is the scripted reasoner's answer to the same question in
plain words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from regrasp.core.object_description import Affordance
from regrasp.embedded.scripted import ScriptedModel
from regrasp.lab.language.rooms import RoomType, SymbolicRoom, make_room
from regrasp.lab.language.skill_worlds import TRAINING_CRAFTS, SkillFamily
from regrasp.lab.language.vocabulary import HELD_OUT_WORDS, TRAINING_WORDS, Words
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import ATTRIBUTES, Step, Verb

__all__ = ["ExampleSource", "scripted"]

_MODEL = ScriptedModel()


def scripted(prompt: Prompt[Any]) -> str:
    """The scripted reasoner's answer."""
    return _MODEL.complete(prompt.messages()).text


@dataclass(frozen=True, slots=True)
class ExampleSource:
    """Rooms of some types and skill families, in the words of training or of the evaluation.

    `pool` are more words for names in training examples (see `vocabulary.pool_of`).
    """

    rng: random.Random
    types: tuple[RoomType, ...]
    held_out: bool = False
    crafts: tuple[SkillFamily, ...] = TRAINING_CRAFTS
    pool: tuple[str, ...] = ()

    @property
    def words(self) -> Words:
        """The vocabulary of the rooms."""
        return HELD_OUT_WORDS if self.held_out else replace(TRAINING_WORDS, pool=self.pool)

    def room(self) -> SymbolicRoom:
        """A room, as its scan would describe it."""
        return make_room(self.rng.choice(self.types), self.words, self.rng)

    def step(self, scene: SceneDescription) -> Step:
        """Some step that the scene allows."""
        rng = self.rng
        while True:
            verb = rng.choice(tuple(Verb))
            first = self._fitting(verb, scene)
            second = self._second(verb, scene)
            if not first or (second is not None and not second):
                continue
            thing = rng.choice(first)
            other = rng.choice([n for n in second if n != thing] or [""]) if second else ""
            attribute = rng.choice(ATTRIBUTES) if verb is Verb.CHECK else ""
            if second is None or other:
                return Step(verb, thing, other, attribute)

    def _fitting(self, verb: Verb, scene: SceneDescription) -> tuple[str, ...]:
        uses = {
            Verb.OPEN: (Affordance.OPEN,),
            Verb.CLOSE: (Affordance.OPEN,),
            Verb.PULL: (Affordance.PULL,),
            Verb.PRESS: (Affordance.PRESS,),
            Verb.TURN: (Affordance.TURN,),
            Verb.LOOK_IN: (Affordance.OPEN,),
            Verb.LOOK_AT: tuple(Affordance),
            Verb.LOOK_FOR: tuple(Affordance),
            Verb.CHECK: tuple(Affordance),
        }
        return scene.that_can(*uses.get(verb, (Affordance.PICK,)))

    def _second(self, verb: Verb, scene: SceneDescription) -> tuple[str, ...] | None:
        if verb in (Verb.PUT_IN, Verb.TAKE_OUT):
            return scene.that_can(Affordance.PUT_IN)
        if verb is Verb.PUT_ON:
            return scene.that_can(Affordance.PUT_ON)
        return scene.places.known if verb in (Verb.PUT_BY, Verb.MOVE_AWAY) else None
