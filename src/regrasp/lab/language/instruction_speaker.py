"""A person who asks for things in a scene: the goal is drawn first and put in words second.

The words come from frames (`frames.py`), the objects from random scenes (`instruction_worlds.py`),
so an answer is known by construction and no sentence about our own worlds is in the data.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from regrasp.core.goal import is_variable, variable_kind
from regrasp.core.goal_description import (
    ANYTHING,
    Clause,
    ClauseMode,
    Quantifier,
    Selection,
    Term,
)
from regrasp.core.kinds_of_things import CATEGORIES
from regrasp.core.object_description import is_of_kind
from regrasp.lab.language.frames import Clauses, frames_of
from regrasp.lab.language.instruction_accidents import with_accidents
from regrasp.lab.language.instruction_nouns import Noun, RetryError
from regrasp.lab.language.instruction_terms import SLOT, SPECIAL, TermSpeaker, slot_roles
from regrasp.prompts.goal import LONGEST_GOAL

__all__ = ["Speaker", "SpokenClauses"]

_SINGULAR = re.compile(r"\b(?:it|its|is|isn't|goes|belongs|needs|has|was|wants|looks|sits)\b")
_NEGATIVE = re.compile(r"\b(?:don't|do not|never|no|not|nobody|without|\w+n't)\b")
_DECLINED = 0.19
"""How often a sentence of frames is one that no goal stands for."""
_AND = {"en": " and ", "de": " und ", "fr": " et ", "es": " y ", "zh": "和"}
_TOGETHER = {
    "en": ("{0}, {1}", "{0}. {1}", "{0}, and {1}", "{0}; {1}", "{0}. Also {1}", "{0}. {1}"),
    "de": ("{0}, {1}", "{0} und {1}", "{0}. {1}"), "fr": ("{0}, {1}", "{0} et {1}", "{0}. {1}"),
    "es": ("{0}, {1}", "{0} y {1}", "{0}. {1}"), "zh": ("{0}，{1}", "{0}。{1}"),
}  # fmt: skip
"""Ways to join two clauses without an order in time."""
_AFTER = {
    "en": ("{0}. Then {1}", "{0} and then {1}", "{0}. After that, {1}", "{0}, then {1}",
           "{0}. Next, {1}", "{0}; afterwards {1}", "{0}. When that is done, {1}",
           "{0}, after which {1}", "{0}. Only then {1}", "{0}, and once you have, {1}",
           "{0}, and next {1}", "{0}. Later {1}", "{0} -> then {1}"),
    "de": ("{0}, dann {1}", "{0} und danach {1}", "{0}. Anschließend {1}"),
    "fr": ("{0}, puis {1}", "{0} et ensuite {1}", "{0}. Après ça, {1}"),
    "es": ("{0}, luego {1}", "{0} y después {1}", "{0}. A continuación, {1}"),
    "zh": ("{0}，然后{1}", "{0}，之后再{1}", "{0}。接下来{1}"),
}  # fmt: skip
"""Ways to say that the second clause comes after the first."""


@dataclass(frozen=True, slots=True)
class SpokenClauses:
    """Clauses and the words for them; `imperative` words fit into links and wraps."""

    clauses: tuple[Clause, ...]
    words: str
    imperative: bool


@dataclass(slots=True)
class Speaker(TermSpeaker):
    """Draws sentences for one scene, from the frames of its language."""

    weights: Sequence[float] = ()
    """How often each clause frame is drawn: by the root of its number of texts."""
    known: Mapping[str, Noun] = field(default_factory=dict)
    """What some slots of the frames must be."""
    given: Noun | None = None
    """What the slot x must be: a pronoun for an object of the clause before."""
    rivals: tuple[Term, ...] = ()
    """What else a pronoun could mean."""

    def __post_init__(self) -> None:
        self.frames = frames_of(self.language)
        self.weights = _weights(self.language)

    def say(self) -> tuple[str, str]:
        """An instruction and the right reply to it."""
        rng = self.rng
        draw = rng.random()
        if draw < _DECLINED:
            entry = rng.choice(self.frames.refusals)
            text = rng.choice(entry.say)
            return self.finished(self.filled(text, {})), f"Cannot: {entry.reason}"
        part = self.whole()
        if len(part.clauses) > LONGEST_GOAL:
            raise RetryError
        lines = "\n".join(map(str, part.clauses))
        return self.finished(part.words), self.refusal or f"Goal:\n{lines}"

    # ---- sentences ------------------------------------------------------------------------------

    def whole(self) -> SpokenClauses:
        """A whole instruction: one clause, a chain or a link of clauses."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.1:
            return self.chain()
        first = self.clause()
        if draw < 0.62 or not first.imperative or first.clauses[0].mode is not ClauseMode.REACH:
            return self.wrapped(first)
        often = [2 if "then" in link.name else 1 for link in self.frames.links]
        link = rng.choices(self.frames.links, often)[0]
        parts = {"A": first}
        for name in dict.fromkeys(re.findall(r"\b[ABC]\b", " ".join(link.goal))):
            if name in ("B", "C"):
                parts[name] = self.imperative()
        slots = {name: part.words for name, part in parts.items()}
        clauses: list[Clause] = []
        nouns: dict[str, Noun] = {}
        used = [str(arg) for part in parts.values() for c in part.clauses for arg in c.args]
        self.avoided = {word for text in used for word in text.split()}
        for line in link.goal:
            if match := re.fullmatch(r"(then )?{?([ABC])}?", line):
                added = parts[match[2]].clauses
                head = replace(added[0], later=True) if match[1] else added[0]
                clauses += [head, *added[1:]]
            else:
                clauses.append(self.bound(line, nouns))
        named = [arg for part in parts.values() for arg in _args(part.clauses)]
        if any(self.overlap(noun.term, arg) for noun in nouns.values() for arg in named):
            raise RetryError  # what must stay may not be what is moved
        slots |= {name: noun.words for name, noun in nouns.items()}
        text = self.filled(rng.choice(link.say), slots)
        whole = SpokenClauses(tuple(dict.fromkeys(clauses)), text, False)
        return whole

    def chain(self) -> SpokenClauses:
        """Two to four clauses one after the other; a pronoun often takes up the object before."""
        rng = self.rng
        first = self.imperative()
        clauses, text, before = list(first.clauses), first.words, first
        for _ in range(rng.choice((1, 1, 2, 3))):
            names = {str(arg) for c in clauses for arg in c.args}
            subjects = tuple(dict.fromkeys(c.args[0] for c in before.clauses if c.args))
            takes_up = self.language == "en" and not self.refusal and rng.random() < 0.6
            if takes_up and subjects and all(c.predicate not in SPECIAL for c in before.clauses):
                plural = len(subjects) > 1 or _is_plural(subjects[0])
                self.given = Noun(subjects[0], "them" if plural else "it")
                self.rivals = tuple(a for c in before.clauses for a in c.args[1:])
            self.avoided = names
            try:
                part = self.imperative()
            finally:
                given, self.given, self.avoided = self.given, None, set()
            if given is not None:
                part = replace(part, clauses=_for_each(part.clauses, given.term, subjects))
            before = part if given is None else replace(part, clauses=before.clauses)
            later = rng.random() < 0.5
            join = rng.choice((_AFTER if later else _TOGETHER)[self.language])
            if set(part.clauses) & set(clauses):
                raise RetryError  # the same again
            head = replace(part.clauses[0], later=later)
            words = part.words
            if ". {1}" in join and rng.random() < 0.7:
                words = words[:1].upper() + words[1:]
            text = join.format(text, words)
            clauses += [head, *part.clauses[1:]]
        return SpokenClauses(tuple(dict.fromkeys(clauses)), text, False)

    def imperative(self) -> SpokenClauses:
        """A clause that fits after "please"."""
        before = self.refusal
        for _ in range(20):
            part = self.clause()
            if part.imperative and part.clauses[0].mode is ClauseMode.REACH:
                return part
            self.refusal = before  # what is not said is not missing
        raise RetryError

    def wrapped(self, part: SpokenClauses) -> SpokenClauses:
        """With politeness, an address or a reason."""
        rng = self.rng
        wraps = self.frames.wraps
        if not part.imperative or not wraps or rng.random() < 0.6:
            return part
        return replace(part, words=self.filled(rng.choice(wraps), {"A": part.words}))

    def clause(self) -> SpokenClauses:
        """One clause frame with noun phrases."""
        rng = self.rng
        for _ in range(60):
            entry = rng.choices(self.frames.clauses, self.weights)[0]
            texts = [(t, True) for t in entry.do] + [(t, False) for t in entry.state]
            if not texts or not self.can_express(entry):
                continue
            text, imperative = rng.choice(texts)
            nouns = dict(self.known)
            before, self.roles = self.refusal, slot_roles(entry)
            if self.given is not None:
                if "x" not in self.roles or not self.plays(self.given.term, self.roles["x"]):
                    continue
                strict = set(self.roles["x"]) - {"item"}
                if (
                    text.find("{x}") > text.find("{y}") > -1
                    or "{x}'" in text
                    or (self.given.words == "them" and _SINGULAR.search(text))
                    or (strict and any(self.plays(r, self.roles["x"]) for r in self.rivals))
                ):
                    continue  # "it" must not mean the other object
                nouns["x"] = self.given
            try:
                clauses = tuple(c for line in entry.goal for c in self.meant(line, nouns))
                clauses, nouns = self.listed(clauses, nouns, text)
            except RetryError:
                self.refusal = before
                continue
            words = {name: noun.words for name, noun in nouns.items()}
            if "{t}" in text:
                tools = [t for t in self.world.having("tool") if t not in map(str, _args(clauses))]
                if not tools:
                    continue
                tool = rng.choice(tools)
                words["t"] = self.definite(self.called(tool), tool)
            if (
                set(SLOT.findall(text)) - set(words)
                or not _distinct(clauses)
                or self.ambiguous(nouns)
                or (_NEGATIVE.search(text) and any(_is_some(noun.term) for noun in nouns.values()))
                or (_SINGULAR.search(text) and any(_is_plural(n.term) for n in nouns.values()))
            ):
                self.refusal = before
                continue
            return SpokenClauses(clauses, self.filled(text, words), imperative)
        raise RetryError

    def plays(self, term: Term, roles: tuple[str, ...]) -> bool:
        """Whether everything that a term can mean plays these roles."""
        fit = set(self.world.having(*roles))
        if isinstance(term, Selection):
            meant = [o.name for o in self.world.objects if is_of_kind(o.name, o.kind, term.kind)]
            return bool(meant) and set(meant) <= fit
        return term in fit

    def listed(
        self, clauses: tuple[Clause, ...], nouns: dict[str, Noun], text: str
    ) -> tuple[tuple[Clause, ...], dict[str, Noun]]:
        """Sometimes more objects than one as x: "the cup, the plate and both forks"."""
        rng = self.rng
        reach = all(c.mode is ClauseMode.REACH and c.predicate not in SPECIAL for c in clauses)
        if (
            "x" not in nouns or not reach or text.count("{x}") != 1 or _SINGULAR.search(text)
            or self.given or self.refusal or rng.random() > 0.22
            or any(c.args[:1] != (nouns["x"].term,) for c in clauses)
        ):  # fmt: skip
            return clauses, nouns
        every = [nouns["x"]]
        used = {str(noun.term) for noun in nouns.values()}
        for _ in range(rng.choice((1, 1, 2, 2, 3, 4))):
            one = self.noun(self.roles["x"], 0, used, Clause("on"))
            if {str(one.term), *str(one.term).split()} & used or self.refusal:
                raise RetryError
            if any(self.overlap(one.term, other.term) for other in every):
                raise RetryError
            used |= {str(one.term)}
            every.append(one)
        comma = "、" if self.language == "zh" else ", "
        last = _AND[self.language]
        if self.language == "en" and len(every) > 2 and rng.random() < 0.4:
            last = ", and "
        words = comma.join(one.words for one in every[:-1]) + last + every[-1].words
        made = tuple(
            replace(clause, args=(one.term, *clause.args[1:]))
            for one in every
            for clause in clauses
        )
        return made, nouns | {"x": Noun(nouns["x"].term, words)}

    def ambiguous(self, nouns: Mapping[str, Noun]) -> bool:
        """Whether two noun phrases of a sentence may mean the same object."""
        terms = [nouns[slot].term for slot in "xyzpq" if slot in nouns]
        return any(self.overlap(a, b) for a, b in itertools.combinations(terms, 2))

    def overlap(self, first: Term, second: Term) -> bool:
        """Whether two terms may mean the same object: "the apple" and "the apple on the rack"."""
        if isinstance(first, str) and isinstance(second, str):
            return first == second
        return bool(self.may_mean(first) & self.may_mean(second))

    def may_mean(self, term: Term) -> set[str]:
        """Every object that a term can mean, whatever is seen."""
        if isinstance(term, str) and not is_variable(term):
            return {term}
        kind = term.kind if isinstance(term, Selection) else variable_kind(term)
        members = CATEGORIES.get(kind, frozenset())
        return {
            o.name
            for o in self.world.objects
            if kind == ANYTHING or o.kind in members or is_of_kind(o.name, o.kind, kind)
        }

    def can_express(self, entry: Clauses) -> bool:
        """Whether this world has forms for the frame; sometimes true where it does not."""
        for line in entry.goal:
            name = _predicate(line)
            if name in ("tower", "row") and "on" not in self.world.predicates:
                return False
            if name not in SPECIAL and self.world.express(name, True) is None:
                return self.rng.random() < 0.05
        return True

    # ---- texts ----------------------------------------------------------------------------------

    def finished(self, text: str) -> str:
        """With the accidents of typing and speaking."""
        return with_accidents(text, self.language, self.rng)


@cache
def _weights(language: str) -> tuple[float, ...]:
    return tuple(len((*e.do, *e.state)) ** 0.5 for e in frames_of(language).clauses)


def _args(clauses: Iterable[Clause]) -> list[Term]:
    return [arg for clause in clauses for arg in clause.args]


def _for_each(
    clauses: Sequence[Clause], first: Term, subjects: Sequence[Term]
) -> tuple[Clause, ...]:
    """The clauses about `first` for all subjects: "them" are all that were named before."""
    return tuple(
        replace(clause, args=(one, *clause.args[1:])) if clause.args[:1] == (first,) else clause
        for clause in clauses
        for one in (subjects if clause.args[:1] == (first,) else (first,))
    )


def _predicate(line: str) -> str:
    return re.sub(r"^(?:then |keep |ask |not )*", "", line).partition("(")[0]


def _is_plural(term: Term) -> bool:
    return isinstance(term, Selection) and (term.quantifier is Quantifier.EACH or term.count > 1)


def _is_some(term: Term) -> bool:
    """Whether one of several will do; "don't touch any cup" means every cup."""
    if isinstance(term, Selection):
        return term.quantifier is Quantifier.SOME
    return is_variable(term)


def _distinct(clauses: Sequence[Clause]) -> bool:
    """Whether no clause relates an object to itself."""
    return all(len({str(a) for a in clause.args}) == len(clause.args) for clause in clauses)
