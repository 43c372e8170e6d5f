"""Questions about a state of a room, with true answers and the objects that must be visible.

Answers are balanced: for each topic and kinds of objects, yes and no are equally frequent, so that
a guess without an image is worthless.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from regrasp.lab.vision.rooms import VisionRoom
from regrasp.lab.vision.scene_sampler import Candidate, Need, SceneSampler, Visibility
from regrasp.lab.vision.wording import Topic, ask
from regrasp.prompts.visual_question import ConditionQuestion, PathQuestion

__all__ = ["LabelledQuestion", "QuestionGenerator", "answer_to", "in_sight"]

_WEIGHTS = {
    Topic.SEEN: 1.5, Topic.OPEN: 1.5, Topic.CLOSED: 1.5, Topic.BLOCKING: 1.5, Topic.ON: 3.0,
    Topic.INSIDE: 3.0, Topic.HELD: 3.0, Topic.COLOUR: 1.5, Topic.STATE: 0.5, Topic.LEFT: 0.4,
    Topic.RIGHT: 0.4,
}  # fmt: skip
"""Priorities of topics: frequent questions of agents first, and those with a rare yes."""
_LEADS = {Topic[form.name]: 4 for forms in (ConditionQuestion, PathQuestion) for form in forms} | {
    Topic.CLEAR: 12, Topic.OBSTACLE: 12,
}  # fmt: skip
"""The largest difference between yes and no counts: more for topics with few kinds or rare
questions; most for the path, which is mostly clear."""


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, its answer if it is visible, and the objects that must be visible for it.

    One object of each of `needs` must be visible; a name of no object is never visible. If the
    first need is `sought` and it is not visible, the answer is no; for any other need the answer is
    unknown. `unseen` marks a colour or a wording that is held out from training.
    """

    topic: Topic
    text: str
    answer: str
    needs: tuple[Need, ...]
    unseen: bool
    sought: bool = False


class QuestionGenerator:
    """Asks about states of rooms, with yes and no in balance over all questions."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._lead: Counter[tuple[str, ...]] = Counter()

    def ask(
        self, stage: SceneSampler, view: Mapping[str, Visibility], count: int, *, held_out: bool
    ) -> list[LabelledQuestion]:
        """Up to `count` questions about the present state of a scene sampler.

        `view` is the visibility of objects; barely visible objects are not asked about.
        """
        room, seen = stage.room, {name for name, how in view.items() if how is Visibility.YES}
        every = stage.candidates(seen, self._rng)
        found = [one for one in every if Visibility.DOUBTFUL not in in_sight(one.needs, view)]
        haste = [self._rng.exponential() / _WEIGHTS.get(one.topic, 1.0) for one in found]
        haste = [h / 3 if one.answer == "yes" else h for h, one in zip(haste, found, strict=True)]
        found = [found[i] for i in np.argsort(haste)]
        unknown_left = max(1, count // 7)
        asked: list[LabelledQuestion] = []
        for one in found:
            if len(asked) >= count:
                break
            said = answer_to(one, view)
            if said == "unknown":
                if unknown_left <= 0:
                    continue
                unknown_left -= 1
            elif said in ("yes", "no") and not self._balanced(room, one, said):
                continue
            asked.append(self._worded(room, one, held_out))
        return asked

    def _balanced(self, room: VisionRoom, one: Candidate, said: str) -> bool:
        """Whether another such answer keeps the balance; if so it is counted."""
        alike = room.family.alike
        named = tuple(alike.get(kind, kind) for kind in map(room.kind, (one.a, one.b)))
        kinds = (one.action,) if one.action else named
        key = (one.topic, *kinds)
        step, lead = 1 if said == "yes" else -1, self._lead[key]
        # A fact that is rarely true would leave one extra no for every kind of object.
        most = _LEADS.get(one.topic, 1)
        if abs(lead + step) > most or (lead == 0 and step < 0 and self._rng.random() < 0.5):
            return False
        self._lead[key] += step
        return True

    def _worded(self, room: VisionRoom, one: Candidate, held_out: bool) -> LabelledQuestion:
        a, b = (self._name(room, x) for x in (one.a, one.b))
        kept = held_out and bool(self._rng.random() < 0.5)
        text = ask(one.topic, a, b, self._rng, held_out=kept, action=one.action)
        unseen = kept or any(map(room.held_out, (one.a, one.b)))
        return LabelledQuestion(one.topic, text, one.answer, one.needs, unseen, one.sought)

    def _name(self, room: VisionRoom, thing: str) -> str:
        names = room.spoken.get(thing, (thing,))
        usual = self._rng.random() < 0.6
        return names[0] if usual else str(self._rng.choice(names))


def in_sight(needs: tuple[Need, ...], view: Mapping[str, Visibility]) -> list[Visibility]:
    """The visibility of each need: the best of its objects."""
    return [max(view.get(name, Visibility.HIDDEN) for name in need) for need in needs]


def answer_to(one: Candidate | LabelledQuestion, view: Mapping[str, Visibility]) -> str | None:
    """The right answer for that view; None if it is doubtful."""
    shown = in_sight(one.needs, view)
    if one.sought and shown[0] is not Visibility.YES:
        return "no" if shown[0] is Visibility.HIDDEN else None
    if Visibility.HIDDEN in shown:
        return "unknown"
    return None if Visibility.DOUBTFUL in shown else one.answer
