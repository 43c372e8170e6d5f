"""The goal of an instruction: what must become true, stay true, or be found out.

A model writes clauses of the goal language (`core.goal_description`) over a closed list of forms,
each a predicate with the kinds of object it takes and the sentence that it stands for:

    - on(X block; Y block, fixture): X is on Y

What cannot be done is declined with one of four reasons, so that a program can tell a person why in
words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from regrasp.core.errors import RegraspError, closest
from regrasp.core.goal import VARIABLE_MARK, is_variable, variable_kind
from regrasp.core.goal_description import (
    ANYTHING,
    EXTREMES,
    RELATIONS,
    Clause,
    ClauseMode,
    GoalDescription,
    Selection,
    Term,
    parse_clause,
)
from regrasp.core.kinds_of_things import CATEGORIES, COLOURS
from regrasp.core.object_description import ObjectDescription, is_of_kind, kind_endings
from regrasp.prompts.grammar import choice, grammar, literal
from regrasp.prompts.names import Names
from regrasp.prompts.parsing import Declined, Line, ParseError
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.scene import SceneDescription
from regrasp.prompts.sections import bullets, section, titled
from regrasp.prompts.text import one_line

__all__ = [
    "LONGEST_GOAL",
    "QUESTIONS",
    "DeclineReason",
    "GoalForm",
    "GoalPrompt",
    "SaysNothing",
    "Unfit",
]

LONGEST_GOAL = 16
"""The most clauses of a goal."""

QUESTIONS = ("where", "which", "count", "colour")
"""What can be asked beside whether something is true: each takes one object or selection."""

_ARRANGEMENTS = ("tower", "row")
"""Predicates over any number of objects; a tower is named from the bottom up."""

_SWAP, MOVED = "swap", "moved"
_VARIABLES = ("X", "Y", "Z")
_FORM = re.compile(r"(?:- )?(\w+)\(([^()]*)\): (.+)")
_LABEL = re.compile(r"(?im)^[ \t>*#-]*goal[*_]*[ \t]*:[*_]*")
_MARK = re.compile(r"[ \t]*(?:\(?\d{1,3}[.):][ \t]*|[-*•>][ \t]+)?")
_CANNOT = re.compile(
    r"(?im)^[ \t>*#-]*cannot[ \t]*:[ \t]*([a-z ]*?)(?:[ \t]*:[ \t]*(.*?))?[. \t\r]*$"
)
_HINT = (
    "Write 'Goal:' and then one clause per line, for example on(red_cup, tray), with then, keep, "
    "ask or not before it; or 'Cannot: ' and missing, impossible, unclear or not a request."
)


class DeclineReason(StrEnum):
    """Why an instruction has no goal."""

    MISSING = "missing"  # it names something that is not there
    IMPOSSIBLE = "impossible"  # nothing that the robot can do makes it true
    UNCLEAR = "unclear"  # it can mean too many things, or nothing
    NO_REQUEST = "not a request"  # nobody asks for anything


@dataclass(frozen=True, slots=True)
class GoalForm:
    """A predicate, the kinds that each argument takes, and its sentence over X, Y and Z."""

    predicate: str
    takes: tuple[tuple[str, ...], ...]
    sentence: str

    @property
    def head(self) -> str:
        """Predicate and arguments, e.g. `on(X block; Y block, fixture)`."""
        parts = [
            f"{variable} {', '.join(kinds)}"
            for variable, kinds in zip(_VARIABLES, self.takes, strict=False)
        ]
        return f"{self.predicate}({'; '.join(parts)})"

    def __str__(self) -> str:
        return f"{self.head}: {one_line(self.sentence)}"

    @classmethod
    def read(cls, line: str) -> GoalForm | None:
        """The form that `str` wrote, or None if the line is not one."""
        match = _FORM.fullmatch(line)
        if match is None:
            return None
        takes = []
        for part in filter(None, match[2].split("; ")):
            _, _, kinds = part.partition(" ")
            takes.append(tuple(filter(None, kinds.split(", "))))
        return cls(match[1], tuple(takes), match[3])


@dataclass(frozen=True, slots=True)
class Unfit(Declined):
    """A goal was written, and the kinds of the objects of one `clause` do not allow it."""

    clause: Clause


@dataclass(frozen=True, slots=True)
class SaysNothing(Declined):
    """A goal was written that is true of itself, such as on(each thing on crate, crate)."""


@dataclass(frozen=True, slots=True)
class GoalPrompt(Prompt[GoalDescription]):
    """Ask what `instruction` wants, in the `forms` that this scene allows.

    `scene` lists every object that a clause may name, also those that no camera shows, such as
    rooms and liquids.
    """

    HEAD: ClassVar[str] = f"""Task: goal
A person gives a robot an instruction. Write down what the person wants, not the steps to it.
Write one clause per line, in the listed forms, with objects of the kinds that each form takes:
Goal:
on(red_cup, tray)
not closed(oven)
Before a clause there may be
- "not ": it must be false;
- "then ": it must become true after the clauses before it;
- "keep ": it must stay true all the time; "leave the jar alone" is keep not moved(jar);
- "ask ": a question to answer, nothing is moved: ask on(red_cup, tray) for yes or no, ask
  where(cup), ask which(each thing in drawer), ask count(each cup), ask colour(cup).
An object is named by its name, or described:
- {VARIABLE_MARK}cup: any cup, the same one in every clause;
- the cup leftmost: the one cup that fits; each cup: every cup; 2 cup: two cups;
- after the kind any of: a word such as red, "on NAME", "in NAME", "like NAME" (same colour as it),
  "except NAME", {", ".join(EXTREMES)}; "not " may stand before each;
- the kind is an ending of names: brush and paint_brush both fit paint_brush_2; {ANYTHING} is
  anything; a group such as fruit or cutlery is a kind too.
tower(a, b, c) and tower(each cube) stack objects, the lowest first; row(each cube) puts them in a
row; swap(a, b) exchanges their places.
If it cannot be done, answer only one of: "Cannot: missing: WORDS" with the words for what is not in
the list, "Cannot: impossible", "Cannot: unclear", "Cannot: not a request".
Otherwise the first line of the answer is "Goal:". Examples, each a whole answer, for the objects
red_cup, blue_cup, tray, oven and the forms on(X cup; Y tray) and closed(X oven):
put the red cup on the tray -> Goal:
on(red_cup, tray)
both cups belong on the tray, then open the oven -> Goal:
on(each cup, tray)
then not closed(oven)
set the blue one on the tray without opening the oven -> Goal:
on(blue_cup, tray)
keep closed(oven)
how many cups are on the tray? -> Goal:
ask count(each cup on tray)
paint the tray -> Cannot: impossible
bring the fork -> Cannot: missing: fork"""

    instruction: str
    scene: SceneDescription
    forms: tuple[GoalForm, ...]

    def render(self) -> str:
        """See `Prompt.render`."""
        return "\n".join(
            [
                titled("Objects", ", ".join(map(_listed, self.scene.objects)) or "none"),
                section("Forms", bullets(map(str, self.forms))),
                titled("Instruction", one_line(self.instruction)),
            ]
        )

    def kind(self, name: str) -> str:
        """The kind of an object or of a variable; "" if there is no such object."""
        if is_variable(name):
            return variable_kind(name)
        owner = self.scene.owner(name)
        return owner.kind if owner else ""

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        names = [o.name for o in self.scene.objects]
        reasons = [r for r in DeclineReason if r is not DeclineReason.MISSING]
        cannot = f'"Cannot: " ("missing: " [^\\n\\r\\t<>]{{1,60}} | {choice(reasons)})'
        if not names:
            return grammar(cannot)
        kinds = self._kind_words()
        words = dict.fromkeys((*COLOURS, *re.findall(r"[a-z]{2,16}", self.instruction.lower())))
        attributes = [w for w in words if w not in (*RELATIONS, *EXTREMES, "not")]
        facts = [
            f'{literal(f"{form.predicate}(")} {_terms(len(form.takes))} ")"' for form in self.forms
        ]
        facts.append(f'"{MOVED}(" term ")"')
        asked = " | ".join(f'"{question}(" term ")"' for question in QUESTIONS)
        many = " | ".join(f'"{one}(" term (", " term){{0,8}} ")"' for one in _ARRANGEMENTS)
        rules = {
            "line": f'"\\n" ("then "? ("not "? fact | {many} | "{_SWAP}(" {_terms(2)} ")")'
            f' | "keep " "not "? fact | "ask " ("not "? fact | {asked}))',
            "fact": " | ".join(facts),
            "term": f"name | {literal(VARIABLE_MARK)} {choice(kinds)}"
            ' | ("the " | "each " | "some " | [2-9] " ") kind filter{0,3}',
            "filter": f'" " "not "? ({choice(RELATIONS)} " " name | {choice(EXTREMES)}'
            f" | {choice(attributes)})",
            "name": choice(names),
            "kind": choice(dict.fromkeys((*kinds, ANYTHING, *CATEGORIES))),
        }
        return grammar(f'"Goal:" line{{1,{LONGEST_GOAL}}} | {cannot}', rules)

    def read(self, text: str) -> GoalDescription | Declined | ParseError:
        """See `Prompt.read`."""
        label = _LABEL.search(text)
        lines = tuple(_lines(text, label.end())) if label else ()
        if not lines:
            return _declined(text) or ParseError.whole(text, _HINT)
        if len(lines) > LONGEST_GOAL:
            start, end = lines[LONGEST_GOAL].start, lines[-1].end
            return ParseError.at(text, start, end, f"Use at most {LONGEST_GOAL} clauses.")
        clauses: list[Clause] = []
        for line in lines:
            try:
                clause = self._checked(parse_clause(line.text))
            except RegraspError as error:
                return ParseError.at(text, line.start, line.end, f"{error}")
            names = [term for term in clause.args if isinstance(term, str)]
            if len(set(names)) < len(names):
                why = f"{clause} has the same object twice"
                return Declined(f"{DeclineReason.IMPOSSIBLE}: {why}")
            if unfit := self._unfit(clause):
                return Unfit(f"{DeclineReason.IMPOSSIBLE}: {unfit}", clause)
            if clause.says_nothing:
                return SaysNothing(DeclineReason.UNCLEAR)
            clauses.append(clause)
        return GoalDescription(tuple(dict.fromkeys(clauses)))

    def _checked(self, clause: Clause) -> Clause:
        """The clause with names as the scene spells them; raises if it is of no form."""
        args = tuple(map(self._term, clause.args))
        known = Clause(clause.predicate, args, clause.positive, clause.mode, clause.later)
        special = clause.predicate in (*_ARRANGEMENTS, _SWAP, MOVED)
        asks = clause.mode is ClauseMode.ASK and clause.predicate in QUESTIONS
        if asks or special:
            wanted = {_SWAP: 2, MOVED: 1, **dict.fromkeys(QUESTIONS, 1)}.get(clause.predicate)
            if wanted not in (None, len(args)) or not args:
                raise RegraspError(f"{clause.predicate} takes {wanted or 'one or more'} objects.")
            return known
        form = next((f for f in self.forms if f.predicate == clause.predicate), None)
        if form is None:
            heads = "; ".join(f.head for f in self.forms) or "none"
            raise RegraspError(f"Use only these forms: {heads}.")
        if len(args) != len(form.takes):
            raise RegraspError(f"Write it as {form.head}.")
        return known

    def _unfit(self, clause: Clause) -> str:
        """Why no object can fulfil the clause; "" if the kinds of its objects fit."""
        form = next((f for f in self.forms if f.predicate == clause.predicate), None)
        for term, kinds in zip(clause.args, form.takes if form else (), strict=False):
            word = term.kind if isinstance(term, Selection) else self.kind(term)
            possible = CATEGORIES.get(word, frozenset()) | self._kinds_of(term)
            if word != ANYTHING and not possible & set(kinds):
                return f"{clause} is not possible with {word}"
        return ""

    def _kinds_of(self, term: Term) -> frozenset[str]:
        """The kinds of the objects that a term can mean."""
        if not isinstance(term, Selection) and not is_variable(term):
            return frozenset({self.kind(term)})
        word = term.kind if isinstance(term, Selection) else variable_kind(term)
        fitting = (o.kind for o in self.scene.objects if is_of_kind(o.name, o.kind, word))
        return frozenset((word, *fitting))

    def _kind_words(self) -> tuple[str, ...]:
        """Every word that a person can use for the kind of an object here."""
        return tuple(
            dict.fromkeys(
                word
                for o in self.scene.objects
                for word in (o.kind, *kind_endings(o.kind), *kind_endings(o.name))
            )
        )

    def _term(self, term: Term) -> Term:
        names = Names.of(o.name for o in self.scene.objects)
        kinds = self._kind_words()
        if isinstance(term, Selection):
            if term.kind not in (*kinds, ANYTHING, *CATEGORIES):
                raise RegraspError(f"Use only these kinds: {', '.join((*kinds, ANYTHING))}.")
            for one in term.filters:
                if one.of and names.find(one.of) is None:
                    raise RegraspError(f"Use only these names: {', '.join(names.known)}.")
            return term
        if is_variable(term):
            if variable_kind(term) not in kinds:
                raise RegraspError(f"Use only these kinds: {', '.join(kinds)}.")
            return term
        if (name := names.find(term)) is None:
            near = closest(term, names.known)
            guess = f" Did you mean {near}?" if near else ""
            raise RegraspError(f"Use only these names: {', '.join(names.known)}.{guess}")
        return name


def _listed(thing: ObjectDescription) -> str:
    """`red_cube`; the kind is added where the name does not end in it."""
    named = re.sub(r"(?:_\d+)+$", "", thing.name).endswith(thing.kind)
    return thing.name if named else f"{thing.name} ({thing.kind})"


def _terms(count: int) -> str:
    return ' ", " '.join(["term"] * count) or '""'


def _declined(text: str) -> Declined | None:
    """The reason of a `Cannot:` line, in the form in which it is passed on."""
    match = _CANNOT.search(text)
    if match is None:
        return None
    reason = next((r for r in DeclineReason if r == match[1].strip().lower()), None)
    return Declined(f"{reason or DeclineReason.UNCLEAR}: {one_line(match[2] or '')}".rstrip(": "))


def _lines(text: str, start: int) -> Iterator[Line]:
    """The lines of a goal: from its label to the first blank line after a clause."""
    found = False
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        body = text[start:end]
        mark = _MARK.match(body)
        inner = body[mark.end() if mark else 0 :]
        stripped = inner.strip().strip("`").strip()
        if stripped:
            found = True
            yield Line(stripped, start + body.index(stripped))
        elif found:
            return
        start = end + 1
