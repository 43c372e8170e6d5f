"""The questions that the embedded vision model was trained on: kinds, names and predicates.

The network answers any question; this module decides which answers are reliable. A question is
rewritten in the one wording of the training data, and a question outside of it (an unknown kind of
object, whether a cube is open, what is behind what) is not asked at all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from regrasp.core.action import Action
from regrasp.domains.action_phrases import (
    LIQUID,
    ActionQuestion,
    affordance_question,
    describe_action,
    read_action_question,
    success_question,
)
from regrasp.prompts.visual_question import (
    ANYTHING,
    ObjectQuestion,
    QuestionTemplate,
    SideQuestion,
    VisualQuestion,
)
from regrasp.prompts.visual_question_parser import parse_visual_question

__all__ = ["KnownQuestions", "QuestionScope", "of_roles"]

_OTHER_SIDE: dict[QuestionTemplate, QuestionTemplate] = {
    SideQuestion.LEFT: SideQuestion.RIGHT,
    SideQuestion.RIGHT: SideQuestion.LEFT,
    ObjectQuestion.NEXT_TO: ObjectQuestion.NEXT_TO,
}


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """Some questions (`seen`, `on`, `frozen`, `colour`), asked about these kinds of object.

    For two objects, `others` are the kinds of the second. A kind is a name without its tint:
    `cube`, `weight sensor`, or `anything`. A question about an action is `affordance open` or
    `success open`; its objects are the arguments of the action.
    """

    questions: tuple[str, ...]
    kinds: tuple[str, ...]
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownQuestions:
    """The known questions. A name is a kind, or one of the `tints` and a kind."""

    tints: tuple[str, ...]
    asked: tuple[QuestionScope, ...]
    kinds: tuple[str, ...] = field(init=False, repr=False, compare=False)
    """Every kind of object, each once."""
    _of: Mapping[str, tuple[QuestionScope, ...]] = field(init=False, repr=False, compare=False)
    """The groups of each question: there are many questions, and each has a few groups."""

    def __post_init__(self) -> None:
        every = (kind for one in self.asked for kind in (*one.kinds, *one.others))
        once = tuple(kind for kind in dict.fromkeys(every) if kind != ANYTHING)
        object.__setattr__(self, "kinds", once)
        questions = {question for one in self.asked for question in one.questions}
        having = {q: tuple(one for one in self.asked if q in one.questions) for q in questions}
        object.__setattr__(self, "_of", having)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> KnownQuestions:
        """From the JSON of `as_dict`; or from roles, as in earlier weights."""
        if "asked" not in data:
            roles = {name: tuple(kinds) for name, kinds in data.items() if name != "tints"}
            return cls(tuple(data["tints"]), of_roles(**roles))
        groups = (QuestionScope(*(tuple(words) for words in group)) for group in data["asked"])
        return cls(tuple(data["tints"]), tuple(groups))

    def as_dict(self) -> dict[str, Any]:
        """The data for vision.json."""
        groups = [(one.questions, one.kinds, one.others) for one in self.asked]
        return {"tints": self.tints, "asked": groups}

    def without(self, questions: Collection[str]) -> KnownQuestions:
        """All but these questions (`filled`)."""
        fewer = (
            replace(one, questions=tuple(q for q in one.questions if q not in questions))
            for one in self.asked
        )
        return KnownQuestions(self.tints, tuple(one for one in fewer if one.questions))

    def has(self, question: str, kind: str, other: str = "") -> bool:
        """Whether a question (`on`) was trained on these kinds of object."""
        return any(
            kind in one.kinds and other in (one.others or ("",))
            for one in self._of.get(question, ())
        )

    def canonical(self, question: str) -> str | None:
        """The question in the wording of the training data; None if it is not a known one."""
        about = read_action_question(question)
        if about is not None:
            return self._of_action(*about)
        sight = parse_visual_question(question)
        if sight is None:
            return None
        if not self._learnt(sight) and sight.template in _OTHER_SIDE:
            look = _OTHER_SIDE[sight.template]  # objects are next to furniture, not the reverse
            sight = replace(sight, template=look, object=sight.other, other=sight.object)
        return _spelt(str(sight)) if self._learnt(sight) else None

    def kind(self, name: str) -> str | None:
        """The kind of a name, without its tint, if it is known: `red_cube` → `cube`."""
        words, every = _spelt(name), self.kinds
        tint, _, rest = words.partition(" ")
        return words if words in every else rest if tint in self.tints and rest in every else None

    def _of_action(self, about: ActionQuestion, action: Action) -> str | None:
        """The question about an action in our wording, if it was trained on such objects."""
        *kinds, third = (*map(self.kind, action.args), "", "", "")[:3]
        if None in kinds or third not in ("", LIQUID):
            return None
        if not self.has(f"{about} {action.name}", *map(str, kinds)):
            return None
        ask = affordance_question if about is ActionQuestion.AFFORDANCE else success_question
        return _spelt(ask(describe_action(action)))

    def _learnt(self, sight: VisualQuestion) -> bool:
        question = sight.attribute or sight.template.name.lower()
        a, b = (n if n in ("", ANYTHING) else self.kind(n) for n in (sight.object, sight.other))
        return a is not None and b is not None and self.has(question, a, b)


def of_roles(
    *,
    loose: tuple[str, ...] = (),
    fixed: tuple[str, ...] = (),
    parts: tuple[str, ...] = (),
    doors: tuple[str, ...] = (),
    tops: tuple[str, ...] = (),
    driven: tuple[str, ...] = (),
    plain: tuple[str, ...] = (),
) -> tuple[QuestionScope, ...]:
    """All questions about objects, by their roles.

    `parts` are doors and handles with the kind they belong to (`cabinet left door`); `doors` are
    the kinds that can be open or closed and hold objects inside, `tops` the fixed ones that objects
    stand on, `driven` those that move by a joint but have no door, `plain` those whose colour is
    not asked.
    """
    things, opening = (*loose, *fixed), (*doors, *parts)
    return tuple(
        one
        for one in (
            QuestionScope(("seen",), things),
            QuestionScope(("open", "closed", "state"), opening),
            QuestionScope(("colour",), tuple(kind for kind in things if kind not in plain)),
            QuestionScope(("held",), (*loose, ANYTHING)),
            QuestionScope(("on",), things, (*loose, *tops)),
            QuestionScope(("on",), (ANYTHING,), tops),
            QuestionScope(("inside",), loose, doors),
            QuestionScope(("next_to", "in_front", "left", "right"), loose, things),
            QuestionScope(("in_front",), (ANYTHING,), fixed),
            QuestionScope(("blocking",), things, (*opening, *driven)),
        )
        if one.kinds
    )


def _spelt(text: str) -> str:
    return text.replace("_", " ").replace("gray", "grey")
