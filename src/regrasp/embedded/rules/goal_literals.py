"""From an instruction to the literals of its goal, by the sentences of the offered forms.

A wish is first a sentence over X and Y ("X is on Y"), as `prompts.visual_question` spells it. The
form that has this sentence and takes objects of these kinds is the predicate. This works for any
domain: no name of a predicate is used here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from regrasp.core.fact import Fact, Literal
from regrasp.core.goal import VARIABLE_MARK
from regrasp.embedded.rules.conditions import CONDITION_VERBS, Wanted, read_condition
from regrasp.embedded.rules.goals import VERBS, GoalKind, RuleGoal
from regrasp.embedded.rules.groups import Unnamed, single_clauses, unnamed_objects
from regrasp.embedded.rules.instructions import LOCKS, SENTENCE_END, read_instruction, stacked
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.goal import LONGEST_GOAL, GoalForm
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.steps import Likeness
from regrasp.prompts.visual_question import ObjectQuestion, PathQuestion, VisualQuestion

__all__ = ["goal_literals"]

_GATHER = re.compile(r"\b(?:collect|gather|sort|pack)(?=\s)", re.IGNORECASE)
_CLAUSE = re.compile(
    rf"(?:,|,?\s+(?:and then|and also|then|and|before|after that))\s+"
    rf"(?=(?:(?:please|kindly|now|could you|can you|would you)\s+)?"
    rf"(?:{VERBS}|{CONDITION_VERBS})\b)",
    re.IGNORECASE,
)
_SHUT = re.compile(r"\b(?:push|pull|swing|slam) (.+?) (?:shut|closed)\b", re.IGNORECASE)
_OPENED = re.compile(r"\b(?:push|pull|swing) (.+?) open\b", re.IGNORECASE)
_NO_VERB = re.compile(r"\b(?:the|a|its|right|good) spot\b", re.IGNORECASE)
_TOWER = re.compile(
    r"\b(?:stack|pile|tower|column|heap|each other|one another|previous one)\b", re.IGNORECASE
)
_KNOWN_ORDER = re.compile(
    r"\b(?:in (?:this|that|the) order|bottom to top|from the bottom up|(?:bottom|lowest) first|"
    r"top to bottom|top first|from the top|on top of)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\b(?:top\w*|bottom\w*|low\w*|high\w*|first|last|above|below|upper\w*|under\w*|up|down|"
    r"upwards?|downwards?|descen\w*|ascen\w*|rising|falling|peak|tip|foot|base|roof|ground|named|"
    r"crown\w*|foundation|deepest|climbs|final|overmost|before|forerunner)\b",
    re.IGNORECASE,
)
_FROM_TO = re.compile(r"\bfrom\b.*\b(?:to|onto|into)\b|\bsame\b|\bmatch", re.IGNORECASE)
_CARRY = r"(?:bring|carry|fetch|get|take|move|put)"
_INDOORS = re.compile(
    rf"\b{_CARRY}\s+in(?:side|doors)?\s+(?P<after>(?:the|all|both|every|each|my|\w+_)\b.*)"
    rf"|\b{_CARRY}\s+(?P<before>.+?)\s+(?:in|inside|indoors)"
    r"(?: from (?:outside|the cold))?\s*[.!]?$",
    re.IGNORECASE,
)
_OUTDOORS = re.compile(
    rf"\b{_CARRY}\s+(?P<before>.+?)(?<! from)\s+(?:outside|outdoors)\s*[.!]?$", re.IGNORECASE
)
_OPEN_AIR = frozenset(
    ("garden", "yard", "backyard", "terrace", "balcony", "porch", "patio", "lawn", "street")
)
"""Words of a room's name that place it outside."""


def _sentence(look: ObjectQuestion | PathQuestion) -> str:
    return VisualQuestion(look, "X", "Y").statement(True)


_IN_ROOM = "X is in the room Y"
_VISIBLE = ("X is in view", _sentence(ObjectQuestion.SEEN), "X is visible")
_ON, _INSIDE = _sentence(ObjectQuestion.ON), _sentence(ObjectQuestion.INSIDE)
_OPEN, _CLOSED = _sentence(ObjectQuestion.OPEN), _sentence(ObjectQuestion.CLOSED)
_BLOCKING, _IN_FRONT = _sentence(ObjectQuestion.BLOCKING), _sentence(ObjectQuestion.IN_FRONT)
_SENTENCES: dict[GoalKind, tuple[tuple[str, bool], ...]] = {
    GoalKind.PUT_ON: ((_ON, True),),
    GoalKind.PUT_IN: ((_INSIDE, True), ("X is in Y", True), (_IN_ROOM, True)),
    GoalKind.PUT_BY: ((_sentence(ObjectQuestion.NEXT_TO), True), (_IN_ROOM, True)),
    GoalKind.PICK: ((_sentence(ObjectQuestion.HELD), True),),
    GoalKind.FIND: tuple((one, True) for one in _VISIBLE),
    GoalKind.OPEN: ((_OPEN, True), (_CLOSED, False)),
    GoalKind.CLOSE: ((_CLOSED, True), (_OPEN, False)),
    GoalKind.UNLOCK: (("X is locked", False), ("X is unlocked", True)),
    GoalKind.REMOVE: ((_INSIDE, False), (_ON, False)),
    GoalKind.AWAY: ((_BLOCKING, False), (_IN_FRONT, False)),
    GoalKind.GO: ((_sentence(PathQuestion.AT), True),),
    GoalKind.USE: tuple((f"X is {word}", True) for word in ("turned on", "pressed", "pulled")),
}
"""The sentences, true or false, once a goal is reached; the first that a form has counts."""

_OF_PLACES = (GoalKind.OPEN, GoalKind.CLOSE, GoalKind.UNLOCK, GoalKind.GO)


_PRONOUN = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_SECOND_VERB = re.compile(rf"(?:,|\band\b).*\b(?:{VERBS})\b", re.IGNORECASE)


class _UnclearError(Exception):
    """Why an instruction gives no goal; raised and caught in this module only."""


def goal_literals(
    instruction: str, scene: SceneDescription, forms: Iterable[GoalForm]
) -> tuple[Literal, ...] | str:
    """The literals of the goal of an instruction, or why there are none."""
    plain = _OPENED.sub(r"open \1", _SHUT.sub(r"close \1", _GATHER.sub("put", instruction)))
    unnamed = unnamed_objects(plain, SceneLexicon(scene))
    if unnamed.unclear:
        return unnamed.unclear
    reader = _Reader(unnamed, tuple(forms))
    try:
        found = tuple(dict.fromkeys(reader.literals()))
    except _UnclearError as error:
        return str(error)
    if len(found) > LONGEST_GOAL:
        return f"the goal has more than {LONGEST_GOAL} facts"
    return found or "I find no goal in this instruction"


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads a text without plurals and articles over the forms of one prompt."""

    unnamed: Unnamed
    forms: tuple[GoalForm, ...]

    @property
    def words(self) -> SceneLexicon:
        return self.unnamed.words

    def literals(self) -> Iterator[Literal]:
        """The literals of all clauses, in order; raises where one clause is not understood."""
        plain: list[str] = []
        before = ""
        self._check_order()
        for sentence in filter(None, map(str.strip, SENTENCE_END.split(self.unnamed.text))):
            if stacked(sentence, self.words) or LOCKS.search(sentence):
                plain.append(sentence)
                continue
            for clause in _CLAUSE.split(sentence.rstrip(".!?")):
                for single in single_clauses(clause, self.words, self.unnamed.variables):
                    found, one = self._special(single, before), single
                    if found is None:
                        if before and not plain:
                            one = _PRONOUN.sub(f"the {before}", single)
                        self._check_one(one)
                        plain.append(f"{one}.")
                    else:
                        yield from self._plain(plain)
                        plain = []
                        yield found
                    refs = self.words.refs(one)
                    before = self.words.owner(refs[0].name) if refs else before
        yield from self._plain(plain)

    def _check_order(self) -> None:
        """Raise where a tower has an order that the rules do not know, instead of guessing it."""
        text = self.unnamed.text
        for ref in reversed(self.words.refs(text)):
            text = text[: ref.start] + text[ref.end :]
        if _TOWER.search(text) and _ORDER.search(_KNOWN_ORDER.sub("", text)):
            raise _UnclearError("I do not understand the order of this tower")

    def _check_one(self, clause: str) -> None:
        """Raise where a clause names more objects than one goal has."""
        names = {self.words.owner(ref.name) for ref in self.words.refs(clause)}
        if (len(names) > 2 and not _FROM_TO.search(clause)) or _NO_VERB.search(clause):
            raise _UnclearError(f"I do not understand all of '{clause}'")

    def _plain(self, sentences: Iterable[str]) -> Iterator[Literal]:
        """Goals of the verbs of placing, opening and finding."""
        text = " ".join(sentences)
        if not text:
            return
        instruction = read_instruction(text, self.words)
        if instruction.missed or not instruction.goals:
            raise _UnclearError(instruction.missed or instruction.unclear or f"no goal in '{text}'")
        for goal in instruction.goals:
            yield from self._of_goal(goal)

    def _special(self, clause: str, before: str) -> Literal | None:
        """The literal of a clause that asks for a condition, or to bring an object in or out."""
        for pattern, indoors in ((_INDOORS, True), (_OUTDOORS, False)):
            if (match := pattern.search(clause)) is not None:
                thing = next(part for part in match.groups() if part)
                refs = self.words.refs(f"the {thing}")
                if len(refs) == 1:
                    return self._in_room(self.words.owner(refs[0].name), indoors=indoors)
        wanted = read_condition(clause, self.words, before)
        return self._condition(clause, wanted) if wanted is not None else None

    def _condition(self, clause: str, wanted: Wanted) -> Literal:
        refs = self.words.refs(clause)
        rest = clause[refs[0].end :] if refs else ""
        if _SECOND_VERB.search(rest):
            raise _UnclearError(f"I do not understand all of '{clause}'")
        for word, positive in wanted.conditions:
            found = self._literal(f"X is {word}", (wanted.object,), positive)
            if found is not None:
                return found
        condition = " or ".join(word for word, _ in wanted.conditions)
        raise _UnclearError(f"no form says {condition} of what '{clause}' speaks of")

    def _in_room(self, thing: str, *, indoors: bool) -> Literal:
        rooms = [
            line.name
            for line in self.words.scene.objects
            if self._literal(_IN_ROOM, (thing, line.name), True) is not None
            and (line.name not in self.unnamed.variables)
            and bool(_OPEN_AIR & set(line.name.split("_"))) is not indoors
        ]
        found = self._literal(_IN_ROOM, (thing, rooms[0]), True) if len(rooms) == 1 else None
        if found is None:
            where = "inside" if indoors else "outside"
            raise _UnclearError(f"I do not know which room is {where}")
        return found

    def _of_goal(self, goal: RuleGoal) -> Iterator[Literal]:
        if isinstance(goal.thing, Likeness):
            yield from self._alike(goal, goal.thing)
            return
        names: tuple[str, ...] = (goal.thing,)
        if goal.kind in _OF_PLACES:
            names = (goal.place or goal.thing,)
        if goal.place and goal.kind not in _OF_PLACES:
            names = (goal.thing, goal.place)
        elif goal.kind is GoalKind.REMOVE:
            yield self._first(_SENTENCES[GoalKind.PICK], names)
            return
        if goal.kind not in _SENTENCES:
            what = goal.kind.name.lower().replace("_", " ")
            raise _UnclearError(f"no form can express '{what} {' '.join(names)}'")
        yield self._first(_SENTENCES[goal.kind], names)

    def _alike(self, goal: RuleGoal, likeness: Likeness) -> Iterator[Literal]:
        """An object that is described only by what it shares with another becomes a variable."""
        variable = VARIABLE_MARK + likeness.kind
        yield self._first(_SENTENCES[goal.kind], (variable, goal.place))
        same = f"X has the same {likeness.attribute} as Y"
        yield self._first(((same, True),), (variable, likeness.like))

    def _first(self, sentences: Iterable[tuple[str, bool]], names: tuple[str, ...]) -> Literal:
        options = tuple(sentences)
        for sentence, positive in options:
            if (found := self._literal(sentence, names, positive)) is not None:
                return found
        sentence_with_names = options[0][0]
        for variable, name in zip(("X", "Y"), names, strict=False):
            sentence_with_names = re.sub(rf"\b{variable}\b", name, sentence_with_names)
        raise _UnclearError(f"no form can express '{sentence_with_names}'")

    def _literal(self, sentence: str, names: tuple[str, ...], positive: bool) -> Literal | None:
        """The literal of the form that has this sentence and takes these objects."""
        args = tuple(self._argument(name) for name in names)
        for form in self.forms:
            if form.sentence != sentence or len(form.takes) != len(args):
                continue
            choices = form.choices(self.words.scene)
            if all(arg in choice for arg, choice in zip(args, choices, strict=True)):
                return Literal(Fact(form.predicate, args), positive)
        return None

    def _argument(self, name: str) -> str:
        kind = self.unnamed.variables.get(name)
        return VARIABLE_MARK + kind if kind is not None else name
