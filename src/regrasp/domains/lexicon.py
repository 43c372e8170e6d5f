"""Facts in plain language and back: questions, sentences, access and consequences of a predicate.

A lexicon belongs to a domain. For each predicate it has several phrasings of the question, and
whether the answer is *seen*, *grounded* (sensed by the robot) or *assumed*. It also has the change
of a state that an answer implies, as a PDDL effect: a mug in the hand is no longer in the cabinet.
Questions that all worlds share are spelt as in `prompts.visual_question`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.fact import Fact, Literal, State
from regrasp.domains.domain import Domain
from regrasp.domains.formula import Atom, Effect, Parameter
from regrasp.domains.pddl_read import read_effects
from regrasp.domains.rules import Rules
from regrasp.prompts.names import Names
from regrasp.prompts.visual_question_parser import parse_visual_question

__all__ = ["Access", "Lexicon", "PredicateQuestion", "PredicateWords"]

_PLACES = ("a", "b")


class Access(StrEnum):
    """How the truth of a predicate can be known."""

    SEEN = "seen"  # a vision model is asked
    GROUNDED = "grounded"  # the robot's own sensors show it
    ASSUMED = "assumed"  # not observable: the effects of the plan are believed


@dataclass(frozen=True, slots=True)
class PredicateWords:
    """The questions and the sentence of one predicate; `{a}` and `{b}` are its arguments.

    Yes to one of `questions` means that it is true, yes to one of `negated_questions` that it is
    false; agents ask the first of each. `if_yes` and `if_no` are PDDL effects over `?a` and `?b`,
    applied when it turns out to be true or false; if empty, only the fact itself changes. `moves`
    is false where the fact may change although nobody touches `{a}`: it comes into sight, or the
    robot walks up to it.
    """

    predicate: str
    access: Access
    statement: str
    questions: tuple[str, ...]
    negated_questions: tuple[str, ...] = ()
    if_yes: str = ""
    if_no: str = ""
    moves: bool = True

    @property
    def phrasings(self) -> tuple[tuple[str, bool], ...]:
        """Every question, and whether yes to it means that the predicate is true."""
        negated = ((form, False) for form in self.negated_questions)
        return (*((form, True) for form in self.questions), *negated)


@dataclass(frozen=True, slots=True)
class PredicateQuestion:
    """A question in words, and the literal that a yes means."""

    text: str
    yes: Literal

    def means(self, yes: bool) -> Literal:
        """The literal that an answer means."""
        return self.yes if yes else self.yes.opposite


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The questions and sentences of a domain."""

    domain: Domain
    entries: tuple[PredicateWords, ...]

    def __post_init__(self) -> None:
        names = [entry.predicate for entry in self.entries]
        for entry in self.entries:
            if names.count(entry.predicate) > 1:
                raise RegraspError(f"the lexicon has two entries for {entry.predicate!r}.")
            self._check(entry)

    def _check(self, entry: PredicateWords) -> None:
        """Check that every phrasing names the arguments, and that the effects can be read."""
        count = len(self.domain.predicate(entry.predicate).parameters)
        wanted = {f"{{{place}}}" for place in _PLACES[:count]}
        if count > len(_PLACES) or not entry.questions:
            raise RegraspError(
                f"the entry for {entry.predicate!r} needs a question, and a predicate of at most "
                f"{len(_PLACES)} arguments."
            )
        for form in (*(form for form, _ in entry.phrasings), entry.statement.replace("{not}", "")):
            if {f"{{{place}}}" for place in _PLACES if f"{{{place}}}" in form} != wanted:
                raise RegraspError(
                    f"{form!r}, which asks for {entry.predicate}, must name "
                    f"{' and '.join(sorted(wanted)) or 'no argument'}."
                )
        for positive in (True, False):
            self._effects(entry, positive)

    def entry(self, predicate: str) -> PredicateWords:
        """The entry of a predicate; UnknownNameError if it has none."""
        for entry in self.entries:
            if entry.predicate == predicate:
                return entry
        raise UnknownNameError("predicate", predicate, (e.predicate for e in self.entries))

    def access(self, predicate: str) -> Access:
        """How the truth of a predicate can be known."""
        return self.entry(predicate).access

    def with_access(self, access: Access, *predicates: str) -> Lexicon:
        """The same lexicon with another access for some predicates, e.g. seen, not assumed."""
        for predicate in predicates:
            self.entry(predicate)
        changed = (
            replace(entry, access=access) if entry.predicate in predicates else entry
            for entry in self.entries
        )
        return Lexicon(self.domain, tuple(changed))

    def question_for(self, literal: Literal) -> PredicateQuestion:
        """The question of an agent about a literal; yes confirms it if such a question exists."""
        entry = self.entry(literal.fact.predicate)
        opposite = not literal.positive and bool(entry.negated_questions)
        form = entry.negated_questions[0] if opposite else entry.questions[0]
        return PredicateQuestion(_fill(form, literal.fact), Literal(literal.fact, not opposite))

    def questions_for(self, fact: Fact) -> tuple[PredicateQuestion, ...]:
        """Every phrasing of the question whether a fact is true."""
        return tuple(
            PredicateQuestion(_fill(form, fact), Literal(fact, positive))
            for form, positive in self.entry(fact.predicate).phrasings
        )

    def statement(self, literal: Literal) -> str:
        """The literal as a sentence, e.g. `mug is not inside cabinet`."""
        form = self.entry(literal.fact.predicate).statement
        return _fill(form.replace("{not}", "" if literal.positive else "not "), literal.fact)

    def parse_literal(self, text: str, rules: Rules) -> Literal | None:
        """The literal of a statement, or of a yes to a question; None for any other text.

        Where words could mean two predicates, the types of the objects decide: an object is `ontop`
        of a table and `onfloor` of a floor. Questions that all worlds share are understood in free
        form (`prompts.visual_question_parser`), the others only in the phrasings of the entries.
        """
        names = Names(tuple(one.name for one in rules.objects))
        for predicate, positive, args in self._meanings(text, names):
            fact = Fact(predicate, tuple(names.find(arg) or "" for arg in args))
            if rules.is_well_typed(fact):
                return Literal(fact, positive)
        return None

    def _meanings(self, text: str, names: Names) -> Iterator[tuple[str, bool, list[str]]]:
        """The possible meanings of a text: predicate, truth value and arguments."""
        for entry in self.entries:
            yield from ((entry.predicate, *meaning) for meaning in _match_entry(entry, text))
        sight = parse_visual_question(text, names)
        if sight is not None:
            args = [arg for arg in (sight.object, sight.other) if arg]
            for entry in self.entries:
                for form, positive in entry.phrasings:
                    if form is sight.template:
                        yield entry.predicate, positive, args

    def update_state(self, state: State, literal: Literal, rules: Rules) -> State:
        """The believed `state` after the literal has become known."""
        entry = self.entry(literal.fact.predicate)
        binding = dict(zip(("?a", "?b"), literal.fact.args, strict=False))
        return rules.apply_effects(state, self._effects(entry, literal.positive), binding)

    def update_state_from_scene(
        self, state: State, answers: Mapping[Literal, bool | None], rules: Rules
    ) -> State:
        """The believed `state` after a look at a scene of which nothing was expected.

        A literal that is false is removed, and nothing else follows from it.
        """
        state -= {literal.fact for literal, true in answers.items() if true is False}
        for literal in (literal for literal, true in answers.items() if true):
            state = self.update_state(state, literal, rules)
        return state

    def _effects(self, entry: PredicateWords, positive: bool) -> tuple[Effect, ...]:
        text = entry.if_yes if positive else entry.if_no
        if text:
            return _read(text, self.domain, entry.predicate, positive)
        count = len(self.domain.predicate(entry.predicate).parameters)
        fact = Atom(entry.predicate, tuple(f"?{place}" for place in _PLACES[:count]))
        return (Effect(fact, positive),)


@cache
def _read(text: str, domain: Domain, predicate: str, positive: bool) -> tuple[Effect, ...]:
    """The effects of an answer over `?a` and `?b`, with the types of the predicate's parameters."""
    takes = domain.predicate(predicate).parameters
    parameters = tuple(
        Parameter(f"?{place}", one.types) for place, one in zip(_PLACES, takes, strict=False)
    )
    where = f"lexicon, {predicate}, if_{'yes' if positive else 'no'}"
    return read_effects(text, domain, parameters, where)


def _match_entry(entry: PredicateWords, text: str) -> Iterator[tuple[bool, list[str]]]:
    """The truth value and arguments of a text in a phrasing of the entry."""
    statement = entry.statement.replace("{a}", "the {a}").replace("{b}", "the {b}")
    stated = ((statement.replace("{not}", ""), True), (statement.replace("{not}", "not "), False))
    for form, positive in (*entry.phrasings, *stated):
        match = _pattern(form).fullmatch(text.strip().rstrip("."))
        if match is not None:
            yield positive, [value for _, value in sorted(match.groupdict().items())]


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """A pattern for the phrasing with `the {a}` and `the {b}`; ignores case, space, punctuation."""
    spelt = re.escape(form.replace("{", "<").replace("}", ">")).replace(r"\ ", " ")
    spelt = re.sub("the <([ab])>", r"(?:the )?(?P<\1>[\\w\\s-]+?)", spelt)
    return re.compile(spelt.replace(r"\?", r"\??").replace(" ", r"\s+"), re.IGNORECASE)


def _fill(form: str, fact: Fact) -> str:
    return form.format(**dict(zip(_PLACES, fact.args, strict=False)))
