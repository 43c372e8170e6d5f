"""The evaluation set: questions that no training example contains, in parts.

| part | rooms and skill families | words and phrasings |
|---|---|---|
| `seen` | types in the training data | of the training data, drawn again |
| `words` | types in the training data | held out from training |
| `rooms` | types held out from training | of the training data, drawn again |
| `signs` | as `words` | as `words`, with an order in the perceived text or in a name |
| `no_signs` | the same questions as `signs` | without the order |
| `repairs` | as `words` | as `words`, after a reply that could not be parsed |

CoPAL's three questions have themes of scenes, commands and sentences instead of rooms: `words` has
a theme, nouns and phrasings of its own, and `rooms` has none of them.

A goal question has no room: `words` are frames of the training data with held-out nouns, and
`rooms` has none. The same part, seed and counts give the same questions.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping

from regrasp.core.errors import UnknownNameError
from regrasp.lab.language.generator import ExampleGenerator
from regrasp.lab.language.prompt_injection import with_injected_order
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.reading import FAMILIES
from regrasp.lab.language.repairs import sent_back
from regrasp.lab.language.rooms import HELD_OUT_TYPES, TRAINING_TYPES
from regrasp.lab.language.skill_worlds import HELD_OUT_CRAFTS, TRAINING_CRAFTS

__all__ = ["EVALUATED", "PARTS", "questions"]

PARTS = ("seen", "words", "rooms", "signs", "no_signs", "repairs")
"""Every part, in the order of the reports."""

_ALL = ("plan", "replan", "new_plan", *(name for name, _ in FAMILIES.values() if name != "plan"))
_PERCEIVING = (
    "plan", "replan", "new_plan", "step_needed", "reasons", "completed", "skill_plan",
    "goal",
)  # fmt: skip
EVALUATED: Mapping[str, tuple[str, ...]] = {
    "seen": _ALL,
    "words": _ALL,
    "rooms": (
        "plan",
        "replan",
        "new_plan",
        "step_needed",
        "questions",
        "completed",
        "skill_plan",
        "constraints",
    ),
    "signs": _PERCEIVING,
    "no_signs": _PERCEIVING,
    "repairs": _ALL,
}
"""The families of each part: those that the part changes."""


def questions(
    part: str, count: int, seed: int = 0, families: Collection[str] = ()
) -> Iterator[LanguageExample]:
    """`count` questions of every family of a part; with `families`, of those alone.

    Fewer families draw other questions than all of them do.
    """
    if part not in PARTS:
        raise UnknownNameError("part of the evaluation", part, PARTS)
    signs = part in ("signs", "no_signs")
    rng = random.Random(f"exam {'signs' if signs else part} {seed}")
    types = HELD_OUT_TYPES if part == "rooms" else TRAINING_TYPES
    crafts = HELD_OUT_CRAFTS if part == "rooms" else TRAINING_CRAFTS
    teacher = ExampleGenerator(rng, types, held_out=part not in ("seen", "rooms"), crafts=crafts)
    orders = random.Random(f"orders {seed}")
    asked = (one for one in EVALUATED[part] if not families or one in families)
    for question in teacher.questions(dict.fromkeys(asked, count)):
        if part == "repairs":
            if (unread := sent_back(question, orders, held_out=True)) is not None:
                yield unread
        elif not signs:
            yield question
        elif (spoilt := with_injected_order(question, orders, held_out=True)) is not None:
            yield spoilt if part == "signs" else question
