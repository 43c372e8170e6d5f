"""Questions about a state of a room, with their true answers and what must be in sight for them.

Answers are balanced: for each topic and kinds of thing, yes and no come up as often as each other,
so that a guess without a picture is worth nothing.
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
"""How much sooner a topic is asked about: what agents ask most first, what is rarely yes too."""
_LEADS = {Topic[form.name]: 4 for forms in (ConditionQuestion, PathQuestion) for form in forms} | {
    Topic.CLEAR: 12, Topic.OBSTACLE: 12,
}  # fmt: skip
"""By how much yes or no may lead: more where few kinds of thing are asked about, and rarely; most
of a way, which is mostly clear."""


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question, the answer where it can be seen, and what must be in sight for it.

    Of each of `needs` one must be; a name that is nothing in the room is never in sight. Where the
    first need is `sought`, its not being in sight answers no; whatever else is not is unknown.
    `unseen` says that the colour of a thing in it, or its wording, is held out from training.
    """

    topic: Topic
    text: str
    answer: str
    needs: tuple[Need, ...]
    unseen: bool
    sought: bool = False


class QuestionGenerator:
    """Asks about states of rooms, keeping yes and no in balance over all it has asked."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._lead: Counter[tuple[str, ...]] = Counter()

    def ask(
        self, stage: SceneSampler, view: Mapping[str, Visibility], count: int, *, held_out: bool
    ) -> list[LabelledQuestion]:
        """Up to `count` questions about the state a stage is in.

        `view` is what is in sight; nothing is asked of what is hardly in sight.
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
        kinds = (one.action,) if one.action else (room.kind(one.a), room.kind(one.b))
        key = (one.topic, *kinds)
        step, lead = 1 if said == "yes" else -1, self._lead[key]
        # What is rarely so would leave a no too many behind with every kind of thing.
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
    """How much is in sight of each need: as much as of that of its things which shows best."""
    return [max(view.get(name, Visibility.HIDDEN) for name in need) for need in needs]


def answer_to(one: Candidate | LabelledQuestion, view: Mapping[str, Visibility]) -> str | None:
    """The right answer for who has that view; None where it is doubtful."""
    shown = in_sight(one.needs, view)
    if one.sought and shown[0] is not Visibility.YES:
        return "no" if shown[0] is Visibility.HIDDEN else None
    if Visibility.HIDDEN in shown:
        return "unknown"
    return None if Visibility.DOUBTFUL in shown else one.answer
