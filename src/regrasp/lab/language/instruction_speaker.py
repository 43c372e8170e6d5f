"""A person who asks for things in a scene: the goal is drawn first and put in words second.

The words come from frames (`frames.py`), the objects from random scenes (`instruction_worlds.py`),
so an answer is known by construction and no sentence about our own worlds is in the data.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from regrasp.core.goal import is_variable, variable_kind
from regrasp.core.goal_description import (
    ANYTHING,
    EXTREMES,
    Clause,
    ClauseMode,
    Quantifier,
    Selection,
    Term,
    parse_clause,
    parse_term,
)
from regrasp.core.kinds_of_things import CATEGORIES, COLOURS
from regrasp.core.object_description import is_of_kind, kind_endings
from regrasp.lab.language.frames import Clauses, Frames, frames_of
from regrasp.lab.language.instruction_accidents import with_accidents
from regrasp.lab.language.instruction_nouns import Noun, NounSpeaker, RetryError
from regrasp.lab.language.instruction_worlds import CONCEPTS
from regrasp.prompts.goal import LONGEST_GOAL, MOVED, QUESTIONS, DeclineReason

__all__ = ["Speaker", "SpokenClauses", "slot_roles"]

_SLOT = re.compile(r"{(\w+)}")
_A_VOWEL = re.compile(r"\b([Aa]) ([aeiou])")
_SINGULAR = re.compile(r"\b(?:it|its|is|isn't|goes|belongs|needs|has|was|wants|looks|sits)\b")
_NEGATIVE = re.compile(r"\b(?:don't|do not|never|no|not|nobody|without|\w+n't)\b")
_UNFIT = 0.03
"""How often a noun is drawn that the predicate does not take; the goal is written all the same."""
_DECLINED = 0.19
"""How often a sentence of frames is one that no goal stands for."""
_MISSING = 0.075
"""How often a noun names something that is not there."""
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
_SPECIAL = ("tower", "row", "swap", MOVED, *QUESTIONS)


@dataclass(frozen=True, slots=True)
class SpokenClauses:
    """Clauses and the words for them; `imperative` words fit into links and wraps."""

    clauses: tuple[Clause, ...]
    words: str
    imperative: bool


@dataclass(slots=True)
class Speaker(NounSpeaker):
    """Draws sentences for one scene, from the frames of its language."""

    frames: Frames = field(init=False)
    avoided: set[str] = field(default_factory=set)
    """Names that a link may not use: its clauses have them."""
    weights: Sequence[float] = ()
    """How often each clause frame is drawn: by the root of its number of texts."""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The roles that each slot of the present frame must play."""
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
            if takes_up and subjects and all(c.predicate not in _SPECIAL for c in before.clauses):
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
                set(_SLOT.findall(text)) - set(words)
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
        reach = all(c.mode is ClauseMode.REACH and c.predicate not in _SPECIAL for c in clauses)
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

    def meant(self, line: str, nouns: dict[str, Noun]) -> tuple[Clause, ...]:
        """The clauses of a goal line: "clean" is free of dust and stains if both are forms."""
        names = self.world.predicates
        both = "dusty" in names and "stained" in names and "clean" not in names
        if both and re.match(r"(?:then )?clean\(", line):
            return tuple(
                self.bound(line.replace("clean(", f"not {p}("), nouns) for p in ("dusty", "stained")
            )
        return (self.bound(line, nouns),)

    def can_express(self, entry: Clauses) -> bool:
        """Whether this world has forms for the frame; sometimes true where it does not."""
        for line in entry.goal:
            name = _predicate(line)
            if name in ("tower", "row") and "on" not in self.world.predicates:
                return False
            if name not in _SPECIAL and self.world.express(name, True) is None:
                return self.rng.random() < 0.05
        return True

    def bound(self, line: str, nouns: dict[str, Noun]) -> Clause:
        """The clause of a goal line, its slots filled; new slots are drawn and added to `nouns`."""
        plain = parse_clause(_SLOT.sub(r"\1__", line))
        roles = CONCEPTS[plain.predicate].roles if plain.predicate in CONCEPTS else ()
        args: list[Term] = []
        for place, arg in enumerate(plain.args):
            role = roles[place] if place < len(roles) else _role(plain.predicate)
            args.append(self.argument(arg, role, place, nouns, plain))
        if any(isinstance(a, Selection) and a.quantifier is Quantifier.EACH for a in args):
            args = [_another_each_time(a) for a in args]
        if plain.predicate in _SPECIAL:
            return replace(plain, args=tuple(args))
        concept = plain.predicate
        if concept == "on" and str(args[1]) in self.world.having("ground"):
            concept = "on_floor" if "on_floor" in self.world.predicates else concept
        found = self.world.express(concept, plain.positive)
        if found is None:
            self.refusal = self.refusal or f"Cannot: {DeclineReason.IMPOSSIBLE}"
            return replace(plain, args=tuple(args))
        return replace(plain, predicate=found[0], positive=found[1], args=tuple(args))

    def argument(
        self, arg: Term, role: str, place: int, nouns: dict[str, Noun], clause: Clause
    ) -> Term:
        """The term of an argument; new slots are added to `nouns`."""
        if isinstance(arg, Selection):
            kind = arg.kind
            if kind.endswith("__"):
                slot = "k"
                if slot not in nouns:
                    nouns |= self.kind_words(self.roles.get("k", (role,)), arg)
                kind = str(nouns[slot].term)
            filters = []
            for one in arg.filters:
                if one.of.endswith("__"):
                    slot = one.of.removesuffix("__")
                    needs = {"on": "surface", "in": "container"}.get(one.word, "any")
                    if slot not in nouns and one.word == "except" and kind != ANYTHING:
                        nouns[slot] = self.one_of_kind(kind)
                    elif slot not in nouns:
                        nouns[slot] = self.named(needs)
                    if isinstance(nouns[slot].term, Selection):
                        raise RetryError  # a filter compares with a name
                    filters.append(replace(one, of=str(nouns[slot].term)))
                elif one.word.endswith("__"):
                    if "a" not in nouns:
                        nouns["a"] = self.adjective()
                    filters.append(replace(one, word=str(nouns["a"].term)))
                else:
                    filters.append(one)
            return replace(arg, kind=kind, filters=tuple(filters))
        if arg == "?k__":
            return self.any_of_kind(self.roles.get("k", (role,)), nouns)
        slot = arg.removesuffix("__")
        if slot == arg:
            return arg
        if slot not in nouns:
            taken = {str(noun.term) for noun in nouns.values()} | self.avoided
            roles = self.roles.get(slot, (role,))
            if self.rng.random() < _UNFIT:
                roles = ("any",)
            nouns[slot] = self.noun(roles, place, taken, clause)
        return nouns[slot].term

    # ---- noun phrases ---------------------------------------------------------------------------

    def noun(self, roles: tuple[str, ...], place: int, taken: set[str], clause: Clause) -> Noun:
        """A noun phrase for a slot of this role."""
        rng = self.rng
        if not self.refusal and rng.random() < _MISSING:
            return self.missing(roles)
        plain = clause.mode is not ClauseMode.REACH or clause.predicate in ("swap", "tower")
        if plain or rng.random() < (0.66 if place == 0 else 0.86) or not self.frames.phrases:
            return self.vague(self.named(*roles, taken=taken))
        entry = rng.choice(self.frames.phrases)
        return self.phrase(entry.term, rng.choice(entry.say), roles)

    def vague(self, noun: Noun) -> Noun:
        """Sometimes only the kind of an object of which there are several."""
        name, rng = str(noun.term), self.rng
        kind = kind_endings(name)[0]
        alike = self.of_kind(kind)
        if len(alike) < 2 or kind in alike or rng.random() > 0.2:
            return noun
        return Noun(Selection(Quantifier.THE, kind), self.definite(self.spoken(kind), name))

    def phrase(self, term: str, text: str, roles: tuple[str, ...]) -> Noun:
        """A noun phrase of a phrase frame."""
        plain = parse_term(_SLOT.sub(r"\1__", term))
        if not isinstance(plain, Selection):
            nouns: dict[str, Noun] = {}
            some = self.any_of_kind(roles, nouns)
            return Noun(some, self.filled(text, {n: o.words for n, o in nouns.items()}))
        nouns = {}
        before, self.roles = self.roles, {"k": roles}
        try:
            made = self.argument(plain, roles[0], 0, nouns, Clause(""))
        finally:
            self.roles = before
        assert isinstance(made, Selection)
        words = {name: noun.words for name, noun in nouns.items()}
        if made.kind == ANYTHING and not {"item", "any"} & set(roles):
            raise RetryError
        simple = self.simplified(made)
        return Noun(simple, self.filled(text, words))

    def any_of_kind(self, roles: tuple[str, ...], nouns: dict[str, Noun]) -> Term:
        """Any object of a kind, which is added to `nouns`."""
        if "k" not in nouns:
            nouns |= self.kind_words(roles, Selection(Quantifier.SOME, "k__"))
        kind = str(nouns["k"].term)
        return Selection(Quantifier.SOME, kind) if kind in CATEGORIES else f"?{kind}"

    def simplified(self, made: Selection) -> Term:
        """The object's own name where the words of names decide: "the red cube" is red_cube."""
        positive = [f for f in made.filters if f.positive and not f.of and f.word not in EXTREMES]
        if made.quantifier is not Quantifier.THE or len(positive) != 1 or len(made.filters) != 1:
            return made
        alike = self.of_kind(made.kind)
        named = [n for n in alike if positive[0].word in n.split("_")]
        if len(named) == 1:
            return named[0]
        coloured = [n for n in alike if set(n.split("_")) & set(COLOURS)]
        if named or len(coloured) == len(alike):
            raise RetryError
        return made

    def kind_words(self, roles: tuple[str, ...], selection: Selection) -> dict[str, Noun]:
        """A kind in the singular and the plural, for a selection that needs several of it."""
        rng = self.rng
        names = self.world.having(*roles)
        kinds = [kind_endings(name)[0] for name in names]
        longer = [_spoken_ending(name, rng) for name in names] if self.language == "en" else []
        least = 1 if selection.quantifier is Quantifier.SOME and selection.count == 1 else 2
        if selection.quantifier is Quantifier.EACH and rng.random() < 0.2:
            least = 1
        least = max(least, selection.count)
        fitting = sorted(
            {
                kind
                for kind in (*kinds, *longer)
                if len(found := self.of_kind(kind)) >= least and set(found) <= {*names}
            }
        )
        groups = [
            g for g, members in CATEGORIES.items() if sum(k in members for k in kinds) >= least
        ]
        if groups and rng.random() < 0.15:
            fitting = groups
        if not fitting:
            raise RetryError
        kind = rng.choice(fitting)
        spoken = self.spoken(kind)
        return {"k": Noun(kind, spoken), "ks": Noun(kind, self.plural(spoken))}

    # ---- texts ----------------------------------------------------------------------------------

    def finished(self, text: str) -> str:
        """With the accidents of typing and speaking."""
        return with_accidents(text, self.language, self.rng)

    def filled(self, text: str, slots: dict[str, str]) -> str:
        """A text with its slots filled; slots without words name any object."""

        def word(match: re.Match[str]) -> str:
            if match[1] in slots:
                return slots[match[1]]
            if match[1] in "xyznr":
                return self.named("any").words
            raise RetryError

        return (
            _A_VOWEL.sub(r"\1n \2", _SLOT.sub(word, text))
            if self.language == "en"
            else _SLOT.sub(word, text)
        )


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


def _spoken_ending(name: str, rng: random.Random) -> str:
    """One of the endings of a name that do not reach over a number."""
    tail = re.split(r"_\d+_", name)[-1]
    return rng.choice(kind_endings(tail))


def _predicate(line: str) -> str:
    return re.sub(r"^(?:then |keep |ask |not )*", "", line).partition("(")[0]


def _another_each_time(term: Term) -> Term:
    """ "A candle in each basket" are as many candles as baskets, so no variable stands for them."""
    if isinstance(term, str) and is_variable(term):
        return Selection(Quantifier.SOME, variable_kind(term))
    return term


def _is_plural(term: Term) -> bool:
    return isinstance(term, Selection) and (term.quantifier is Quantifier.EACH or term.count > 1)


def _is_some(term: Term) -> bool:
    """Whether one of several will do; "don't touch any cup" means every cup."""
    if isinstance(term, Selection):
        return term.quantifier is Quantifier.SOME
    return is_variable(term)


def slot_roles(entry: Clauses) -> dict[str, tuple[str, ...]]:
    """The roles of every slot of a frame, from all its goal lines."""
    found: dict[str, dict[str, None]] = {}
    for line in entry.goal:
        clause = parse_clause(_SLOT.sub(r"\1__", line))
        roles = CONCEPTS[clause.predicate].roles if clause.predicate in CONCEPTS else ()
        for place, arg in enumerate(clause.args):
            role = roles[place] if place < len(roles) else _role(clause.predicate)
            slot = "k" if isinstance(arg, Selection) else arg.removesuffix("__").lstrip("?")
            found.setdefault(slot, {})[role] = None
    return {slot: tuple(roles) for slot, roles in found.items()}


def _role(predicate: str) -> str:
    return "item" if predicate in ("tower", "row", "swap", MOVED) else "any"


def _distinct(clauses: Sequence[Clause]) -> bool:
    """Whether no clause relates an object to itself."""
    return all(len({str(a) for a in clause.args}) == len(clause.args) for clause in clauses)
