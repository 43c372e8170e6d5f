"""What the slots of a frame stand for: objects, selections and groups, and their words."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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
from regrasp.core.object_description import kind_endings
from regrasp.lab.language.frames import Clauses, Frames
from regrasp.lab.language.instruction_nouns import Noun, NounSpeaker, RetryError
from regrasp.lab.language.instruction_worlds import CONCEPTS
from regrasp.prompts.goal import MOVED, QUESTIONS, DeclineReason

__all__ = ["SLOT", "SPECIAL", "TermSpeaker", "slot_roles"]

SLOT = re.compile(r"{(\w+)}")
SPECIAL = ("tower", "row", "swap", MOVED, *QUESTIONS)
"""Predicates of the goal language that every world has."""
_A_VOWEL = re.compile(r"\b([Aa]) ([aeiou])")
_UNFIT = 0.03
"""How often a noun is drawn that the predicate does not take; the goal is written all the same."""
_MISSING = 0.075
"""How often a noun names something that is not there."""


@dataclass(slots=True)
class TermSpeaker(NounSpeaker):
    """Turns the goal lines of a frame into clauses, and draws the terms of its slots."""

    frames: Frames = field(init=False)
    avoided: set[str] = field(default_factory=set)
    """Names that a link may not use: its clauses have them."""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The roles that each slot of the present frame must play."""

    def meant(self, line: str, nouns: dict[str, Noun]) -> tuple[Clause, ...]:
        """The clauses of a goal line: "clean" is free of dust and stains if both are forms."""
        names = self.world.predicates
        both = "dusty" in names and "stained" in names and "clean" not in names
        if both and re.match(r"(?:then )?clean\(", line):
            return tuple(
                self.bound(line.replace("clean(", f"not {p}("), nouns) for p in ("dusty", "stained")
            )
        return (self.bound(line, nouns),)

    def bound(self, line: str, nouns: dict[str, Noun]) -> Clause:
        """The clause of a goal line, its slots filled; new slots are drawn and added to `nouns`."""
        plain = parse_clause(SLOT.sub(r"\1__", line))
        roles = CONCEPTS[plain.predicate].roles if plain.predicate in CONCEPTS else ()
        args: list[Term] = []
        for place, arg in enumerate(plain.args):
            role = roles[place] if place < len(roles) else _role(plain.predicate)
            args.append(self.argument(arg, role, place, nouns, plain))
        if any(isinstance(a, Selection) and a.quantifier is Quantifier.EACH for a in args):
            args = [_another_each_time(a) for a in args]
        if plain.predicate in SPECIAL:
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
        plain = parse_term(SLOT.sub(r"\1__", term))
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

    def filled(self, text: str, slots: dict[str, str]) -> str:
        """A text with its slots filled; slots without words name any object."""

        def word(match: re.Match[str]) -> str:
            if match[1] in slots:
                return slots[match[1]]
            if match[1] in "xyznr":
                return self.named("any").words
            raise RetryError

        return (
            _A_VOWEL.sub(r"\1n \2", SLOT.sub(word, text))
            if self.language == "en"
            else SLOT.sub(word, text)
        )


def slot_roles(entry: Clauses) -> dict[str, tuple[str, ...]]:
    """The roles of every slot of a frame, from all its goal lines."""
    found: dict[str, dict[str, None]] = {}
    for line in entry.goal:
        clause = parse_clause(SLOT.sub(r"\1__", line))
        roles = CONCEPTS[clause.predicate].roles if clause.predicate in CONCEPTS else ()
        for place, arg in enumerate(clause.args):
            role = roles[place] if place < len(roles) else _role(clause.predicate)
            slot = "k" if isinstance(arg, Selection) else arg.removesuffix("__").lstrip("?")
            found.setdefault(slot, {})[role] = None
    return {slot: tuple(roles) for slot, roles in found.items()}


def _role(predicate: str) -> str:
    return "item" if predicate in ("tower", "row", "swap", MOVED) else "any"


def _spoken_ending(name: str, rng: random.Random) -> str:
    """One of the endings of a name that do not reach over a number."""
    tail = re.split(r"_\d+_", name)[-1]
    return rng.choice(kind_endings(tail))


def _another_each_time(term: Term) -> Term:
    """ "A candle in each basket" are as many candles as baskets, so no variable stands for them."""
    if isinstance(term, str) and is_variable(term):
        return Selection(Quantifier.SOME, variable_kind(term))
    return term
