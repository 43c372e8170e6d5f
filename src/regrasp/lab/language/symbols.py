"""A small symbolic world: hidden facts, the effects of reward programs, and visual answers.

It replaces physics and pixels for training, evaluation and tests of language models. It gets no
step or plan: like a real world it gets reward programs and questions in words.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regrasp.control.rewards import (
    PALM,
    JointFraction,
    MaximizeDistance,
    MinimizeDistance,
    Reward,
    RewardProgram,
)
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.visual_question import (
    ANYTHING,
    ConditionQuestion,
    ObjectQuestion,
    VisualQuestion,
)
from regrasp.prompts.visual_question_parser import parse_visual_question

__all__ = ["SymbolicWorld", "container", "lever", "stand", "thing"]


def container(name: str, *, doors: int = 1, spot: bool = True) -> ObjectDescription:
    """A place that opens, with a door or two."""
    sides = ("left", "right")[:doors]
    pairs = [("door", "handle")] if doors == 1 else [(f"{s}_door", f"{s}_handle") for s in sides]
    return ObjectDescription(
        name,
        affordances=(Affordance.OPEN, Affordance.PUT_IN),
        joints=tuple(
            JointDescription(f"{name}_{door}", f"{name}_{handle}") for door, handle in pairs
        ),
        place_name=f"target_position_in_{name}" if spot else "",
    )


def lever(name: str, use: Affordance = Affordance.PULL) -> ObjectDescription:
    """An object that is pulled, pressed or turned."""
    return ObjectDescription(name, affordances=(use,), joints=(JointDescription(name, name),))


def thing(name: str) -> ObjectDescription:
    """An object that can be picked up."""
    return ObjectDescription(name, affordances=(Affordance.PICK,))


def stand(name: str) -> ObjectDescription:
    """A place to put objects on."""
    return ObjectDescription(name, affordances=(Affordance.PUT_ON,))


@dataclass
class SymbolicWorld:
    """All true facts; a lock is a condition that must be true before a place opens."""

    objects: tuple[ObjectDescription, ...]
    open: set[str] = field(default_factory=set)
    blocks: set[tuple[str, str]] = field(default_factory=set)
    inside: dict[str, str] = field(default_factory=dict)
    on: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    materials: dict[str, str] = field(default_factory=dict)
    locks: dict[str, Callable[[SymbolicWorld], bool]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    held: str = ""
    aliases: dict[str, str] = field(default_factory=dict)  # wrong names that the vision model uses

    @property
    def truth(self) -> SceneDescription:
        """Every object there is."""
        return SceneDescription(self.objects)

    def scan(self) -> SceneDescription:
        """The robot's knowledge, with invisible objects marked."""
        return SceneDescription(
            tuple(
                ObjectDescription(
                    o.name,
                    affordances=o.affordances,
                    joints=o.joints,
                    place_name=o.place_name,
                    kind=o.kind,
                    state=o.state,
                    visible=self.visible(o.name),
                )
                for o in self.objects
            )
        )

    def visible(self, name: str) -> bool:
        """Whether it exists, and is not in a closed place."""
        within = self.inside.get(name)
        return self._known(name) and (within is None or self._reachable(within))

    def _known(self, name: str) -> bool:
        return self.truth.owner(name) is not None

    def _reachable(self, place: str) -> bool:
        line = self.truth.owner(place)
        return line is not None and (
            Affordance.OPEN not in line.affordances or line.name in self.open
        )

    def execute(self, program: RewardProgram) -> bool:
        """Whether the primary reward was met; the world changes if it was."""
        reached = {
            term.b
            for term in program.terms
            if isinstance(term, MinimizeDistance) and term.a == PALM
        }
        return self._try(program.primary, reached)

    def _try(self, term: Reward, reached: set[str]) -> bool:
        if isinstance(term, JointFraction):
            return self._turn(term, reached)
        if not isinstance(term, MinimizeDistance | MaximizeDistance):
            name = term.names[0]
            self.held = name if name in reached and self.visible(name) else self.held
            return self.held == name
        name = term.a
        covered = any(below == name for below in self.on.values())
        if name not in reached or not self.visible(name) or covered:
            return False
        if isinstance(term, MinimizeDistance) and not self._put(name, term.b):
            return False
        if isinstance(term, MaximizeDistance):
            self._lift(name)
        return True

    def _turn(self, term: JointFraction, reached: set[str]) -> bool:
        owner = self.truth.owner(term.joint)
        if owner is None:
            return False
        joint = next(j for j in owner.joints if j.name == term.joint)
        stuck = any(place == owner.name for _, place in self.blocks)
        locked = owner.name in self.locks and not self.locks[owner.name](self)
        if joint.handle not in reached or stuck or locked:
            return False
        if Affordance.OPEN not in owner.affordances:
            self.used.add(owner.name)
        elif term.fraction > 0.5:
            self.open.add(owner.name)
        else:
            self.open.discard(owner.name)
        return True

    def _lift(self, name: str) -> None:
        self.blocks = {pair for pair in self.blocks if pair[0] != name}
        for where in (self.on, self.inside, self.beside):
            where.pop(name, None)

    def _put(self, name: str, target: str) -> bool:
        place = self.truth.owner(target)
        if place is None:
            return False
        if Affordance.PUT_IN in place.affordances:
            if not self._reachable(place.name):
                return False
            self._lift(name)
            self.inside[name] = place.name
            return True
        if any(below == place.name and above != name for above, below in self.on.items()):
            return False  # there is room for one object only
        self._lift(name)
        (self.on if Affordance.PUT_ON in place.affordances else self.beside)[name] = place.name
        return True

    def see(self, question: str) -> str:
        """The answer of a vision model that reads our fixed questions."""
        sight = parse_visual_question(question)
        if sight is None or isinstance(sight.template, ConditionQuestion):
            return "unknown"
        if sight.template is ObjectQuestion.ATTRIBUTE:
            told = self.colours if sight.attribute == "colour" else self.materials
            return told.get(sight.object, "unknown")
        if sight.template is ObjectQuestion.INSIDE and not self._reachable(sight.other):
            return "unknown"
        return "yes" if self._is_true(sight) else "no"

    def _is_true(self, sight: VisualQuestion) -> bool:
        a, b = sight.object, sight.other
        owner = self.truth.owner(b) if b else None
        place = owner.name if owner is not None else b
        match sight.template:
            case ObjectQuestion.SEEN:
                return self.visible(a)
            case ObjectQuestion.OPEN:
                return a in self.open
            case ObjectQuestion.CLOSED:
                return a not in self.open
            case ObjectQuestion.HELD:
                return self.held == a
            case ObjectQuestion.ON:
                return place in self.on.values() if a == ANYTHING else self.on.get(a) == place
            case ObjectQuestion.INSIDE:
                return self.inside.get(a) == place and self.visible(a)
            case ObjectQuestion.NEXT_TO:
                return self.beside.get(a) == place
            case _:
                return (a, place) in self.blocks

    def explain(self, target: str, wording: int) -> str:
        """A free-form answer to "what prevents it?", in another style for each wording."""
        owner = self.truth.owner(target)
        place = owner.name if owner is not None else target
        found = [a for a, b in sorted(self.blocks) if b == place]
        lying = [a for a, b in sorted(self.on.items()) if b == place]
        call = self.aliases.get
        if found:
            name = call(found[0], found[0])
            return (
                f"The {name} is blocking the {call(place, place)}.",
                f"There is a {name} in front of the {call(place, place)}.",
                f"Yes, the {name} prevents the {place} from opening.",
                "The robot arm is in the picture.",
                f"The {name} would have to be moved out of the way first.",
                f"The {place} is obstructed by the {name}.",
            )[wording]
        if lying:
            name = call(lying[0], lying[0])
            return (
                f"The {name} is on top of the {place}.",
                f"The {place} is occupied by the {name}.",
                f"The {place} already holds the {name}.",
                "The robot is holding something.",
                f"The {name} is already on the {place}.",
                "unknown",
            )[wording]
        return ("nothing", "No.", "unknown", "There is no obstacle.", "nothing", "unknown")[wording]
