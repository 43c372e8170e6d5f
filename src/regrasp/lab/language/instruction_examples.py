"""Instructions with their goals: the goal is drawn first and put in words second.

The words come from frames (`frames.py`), the objects from random scenes (`instruction_worlds.py`),
so an answer is known by construction and no sentence about our own worlds is in the data.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
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
from regrasp.lab.language.frames import Clauses, Frames, frames_of, languages
from regrasp.lab.language.instruction_worlds import CONCEPTS, InstructionWorld, make_world
from regrasp.lab.language.translations import translated
from regrasp.lab.language.vocabulary import SYNONYMS, Words
from regrasp.prompts.goal import LONGEST_GOAL, MOVED, QUESTIONS, DeclineReason, GoalPrompt

__all__ = ["Instruction", "instruction"]

_SLOT = re.compile(r"{(\w+)}")
_A_VOWEL = re.compile(r"\b([Aa]) ([aeiou])")
_SINGULAR = re.compile(r"\b(?:it|its|is|isn't|goes|belongs|needs|has|was|wants|looks|sits)\b")
_UNFIT = 0.02
"""How often a noun is drawn that the predicate does not take; the goal is written all the same."""
_SPECIAL = ("tower", "row", "swap", MOVED, *QUESTIONS)


@dataclass(frozen=True, slots=True)
class Instruction:
    """A prompt and the right reply."""

    prompt: GoalPrompt
    answer: str


@dataclass(frozen=True, slots=True)
class _Noun:
    """A term and its words."""

    term: Term
    words: str


@dataclass(frozen=True, slots=True)
class _Part:
    """Clauses and the words for them; `imperative` words fit into links and wraps."""

    clauses: tuple[Clause, ...]
    words: str
    imperative: bool


class _RetryError(Exception):
    """This draw does not fit into this world."""


def instruction(rng: random.Random, words: Words) -> Instruction:
    """An instruction for a random scene."""
    while True:
        world = make_world(rng, words)
        spoken = rng.choice(languages()) if rng.random() < 0.25 else "en"
        speaker = _Speaker(world, rng, words, frames_of(spoken), spoken)
        try:
            said, answer = speaker.say()
        except _RetryError:
            continue
        prompt = GoalPrompt(said, world.scene, world.forms)
        return Instruction(prompt, answer)


@dataclass(slots=True)
class _Speaker:
    """Draws sentences for one scene."""

    world: InstructionWorld
    rng: random.Random
    vocabulary: Words
    frames: Frames
    language: str
    refusal: str = ""
    """The reply, if some words cannot be done."""
    avoided: set[str] = field(default_factory=set)
    """Names that a link may not use: its clauses have them."""
    weights: Sequence[float] = ()
    """How often each clause frame is drawn: by the root of its number of texts."""
    roles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The roles that each slot of the present frame must play."""

    def say(self) -> tuple[str, str]:
        """An instruction and the right reply to it."""
        rng = self.rng
        self.weights = [len((*e.do, *e.state)) ** 0.5 for e in self.frames.clauses]
        draw = rng.random()
        if draw < 0.08:
            entry = rng.choice(self.frames.refusals or frames_of("en").refusals)
            text = rng.choice(entry.say)
            return self.finished(self.filled(text, {})), f"Cannot: {entry.reason}"
        part = self.whole()
        if len(part.clauses) > LONGEST_GOAL:
            raise _RetryError
        lines = "\n".join(map(str, part.clauses))
        return self.finished(part.words), self.refusal or f"Goal:\n{lines}"

    # ---- sentences ------------------------------------------------------------------------------

    def whole(self) -> _Part:
        rng = self.rng
        draw = rng.random()
        first = self.clause()
        if draw < 0.62 or not first.imperative or first.clauses[0].mode is not ClauseMode.REACH:
            return self.wrapped(first)
        link = rng.choice(self.frames.links or frames_of("en").links)
        parts = {"A": first}
        for name in dict.fromkeys(re.findall(r"\b[ABC]\b", " ".join(link.goal))):
            if name in ("B", "C"):
                parts[name] = self.imperative()
        slots = {name: part.words for name, part in parts.items()}
        clauses: list[Clause] = []
        nouns: dict[str, _Noun] = {}
        used = [str(arg) for part in parts.values() for c in part.clauses for arg in c.args]
        self.avoided = {word for text in used for word in text.split()}
        for line in link.goal:
            if match := re.fullmatch(r"(then )?{?([ABC])}?", line):
                added = parts[match[2]].clauses
                head = replace(added[0], later=True) if match[1] else added[0]
                clauses += [head, *added[1:]]
            else:
                clauses.append(self.bound(line, nouns))
        slots |= {name: noun.words for name, noun in nouns.items()}
        text = self.filled(rng.choice(link.say), slots)
        whole = _Part(tuple(dict.fromkeys(clauses)), text, False)
        return whole

    def imperative(self) -> _Part:
        for _ in range(20):
            part = self.clause()
            if part.imperative and part.clauses[0].mode is ClauseMode.REACH:
                return part
        raise _RetryError

    def wrapped(self, part: _Part) -> _Part:
        rng = self.rng
        wraps = self.frames.wraps
        if not part.imperative or not wraps or rng.random() < 0.6:
            return part
        return replace(part, words=self.filled(rng.choice(wraps), {"A": part.words}))

    def clause(self) -> _Part:
        """One clause frame with noun phrases."""
        rng = self.rng
        for _ in range(60):
            entry = rng.choices(self.frames.clauses, self.weights)[0]
            texts = [(t, True) for t in entry.do] + [(t, False) for t in entry.state]
            if not texts or not self.can_express(entry):
                continue
            text, imperative = rng.choice(texts)
            nouns: dict[str, _Noun] = {}
            before, self.roles = self.refusal, _slot_roles(entry)
            try:
                clauses = tuple(self.bound(line, nouns) for line in entry.goal)
            except _RetryError:
                self.refusal = before
                continue
            words = {name: noun.words for name, noun in nouns.items()}
            if (
                set(_SLOT.findall(text)) - set(words)
                or not _distinct(clauses)
                or (_SINGULAR.search(text) and any(_is_plural(n.term) for n in nouns.values()))
            ):
                self.refusal = before
                continue
            return _Part(clauses, self.filled(text, words), imperative)
        raise _RetryError

    def can_express(self, entry: Clauses) -> bool:
        """Whether this world has forms for the frame; sometimes true where it does not."""
        for line in entry.goal:
            name = _predicate(line)
            if name in ("tower", "row") and "on" not in self.world.predicates:
                return False
            if name not in _SPECIAL and self.world.express(name, True) is None:
                return self.rng.random() < 0.02
        return True

    def bound(self, line: str, nouns: dict[str, _Noun]) -> Clause:
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
        found = self.world.express(plain.predicate, plain.positive)
        if found is None:
            self.refusal = self.refusal or f"Cannot: {DeclineReason.IMPOSSIBLE}"
            return replace(plain, args=tuple(args))
        return replace(plain, predicate=found[0], positive=found[1], args=tuple(args))

    def argument(
        self, arg: Term, role: str, place: int, nouns: dict[str, _Noun], clause: Clause
    ) -> Term:
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
                    if slot not in nouns:
                        nouns[slot] = self.named(needs)
                    filters.append(replace(one, of=str(nouns[slot].term)))
                elif one.word.endswith("__"):
                    nouns["a"] = self.adjective()
                    filters.append(replace(one, word=str(nouns["a"].term)))
                else:
                    filters.append(one)
            return replace(arg, kind=kind, filters=tuple(filters))
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

    def noun(self, roles: tuple[str, ...], place: int, taken: set[str], clause: Clause) -> _Noun:
        """A noun phrase for a slot of this role."""
        rng = self.rng
        if not self.refusal and rng.random() < 0.05:
            return self.missing(roles)
        plain = clause.mode is not ClauseMode.REACH or clause.predicate in ("swap", "tower")
        if plain or rng.random() < (0.66 if place == 0 else 0.86) or not self.frames.phrases:
            return self.vague(self.named(*roles, taken=taken))
        entry = rng.choice(self.frames.phrases)
        return self.phrase(entry.term, rng.choice(entry.say), roles)

    def vague(self, noun: _Noun) -> _Noun:
        """Sometimes only the kind of an object of which there are several."""
        name, rng = str(noun.term), self.rng
        kind = self.world.kind(name)
        alike = [o.name for o in self.world.objects if o.kind == kind]
        if len(alike) < 2 or kind in alike or rng.random() > 0.08:
            return noun
        return _Noun(Selection(Quantifier.THE, kind), self.definite(self.spoken(kind), name))

    def phrase(self, term: str, text: str, roles: tuple[str, ...]) -> _Noun:
        """A noun phrase of a phrase frame."""
        plain = parse_term(_SLOT.sub(r"\1__", term))
        if not isinstance(plain, Selection):
            nouns = self.kind_words(roles, Selection(Quantifier.SOME, "k__"))
            kind = str(nouns["k"].term)
            some: Term = Selection(Quantifier.SOME, kind) if kind in CATEGORIES else f"?{kind}"
            return _Noun(some, self.filled(text, {n: o.words for n, o in nouns.items()}))
        nouns: dict[str, _Noun] = {}
        self.roles = {"k": roles}
        made = self.argument(plain, roles[0], 0, nouns, Clause(""))
        assert isinstance(made, Selection)
        words = {name: noun.words for name, noun in nouns.items()}
        if made.kind == ANYTHING and not {"item", "any"} & set(roles):
            raise _RetryError
        simple = self.simplified(made)
        return _Noun(simple, self.filled(text, words))

    def simplified(self, made: Selection) -> Term:
        """The object's own name where the words of names decide: "the red cube" is red_cube."""
        positive = [f for f in made.filters if f.positive and not f.of and f.word not in EXTREMES]
        if made.quantifier is not Quantifier.THE or len(positive) != 1 or len(made.filters) != 1:
            return made
        alike = [o.name for o in self.world.objects if o.kind == made.kind]
        named = [n for n in alike if positive[0].word in n.split("_")]
        if len(named) == 1:
            return named[0]
        coloured = [n for n in alike if set(n.split("_")) & set(COLOURS)]
        if named or len(coloured) == len(alike):
            raise _RetryError
        return made

    def kind_words(self, roles: tuple[str, ...], selection: Selection) -> dict[str, _Noun]:
        """A kind in the singular and the plural, for a selection that needs several of it."""
        rng = self.rng
        kinds = [self.world.kind(name) for name in self.world.having(*roles)]
        least = 1 if selection.quantifier is Quantifier.SOME and selection.count == 1 else 2
        if selection.quantifier is Quantifier.EACH and rng.random() < 0.2:
            least = 1
        least = max(least, selection.count)
        fitting = sorted({kind for kind in kinds if kinds.count(kind) >= least})
        groups = [
            g for g, members in CATEGORIES.items() if sum(k in members for k in kinds) >= least
        ]
        if groups and rng.random() < 0.15:
            fitting = groups
        if not fitting:
            raise _RetryError
        kind = rng.choice(fitting)
        spoken = self.spoken(kind)
        return {"k": _Noun(kind, spoken), "ks": _Noun(kind, self.plural(spoken))}

    def adjective(self) -> _Noun:
        colour = self.rng.choice(COLOURS)
        return _Noun(colour, translated(colour, self.language, self.rng))

    def named(self, *roles: str, taken: set[str] | None = None) -> _Noun:
        """One object by name, as people say it."""
        rng = self.rng
        names = [n for n in self.world.having(*roles) if n not in (taken or ())]
        if not names:
            raise _RetryError
        name = rng.choice(names)
        return _Noun(name, self.definite(self.called(name), name))

    def called(self, name: str) -> str:
        """The words for an object, without article."""
        rng = self.rng
        kind = self.world.kind(name)
        alike = [o.name for o in self.world.objects if kind in o.name.split("_") or o.kind == kind]
        plain = name.replace("_", " ")
        if rng.random() < 0.06:
            return name
        if len(alike) == 1 and rng.random() < 0.5 and kind.isalpha():
            known = SYNONYMS.get(kind, ())
            free = [w for w in known if all(w not in o.name for o in self.world.objects)]
            if free and rng.random() < 0.3:
                return self.spoken(rng.choice(free))
            return self.spoken(kind)
        if self.language == "en":
            return plain
        between = "" if self.language == "zh" else " "
        return between.join(translated(word, self.language, rng) for word in plain.split())

    def spoken(self, noun: str) -> str:
        return translated(noun.replace("_", " "), self.language, self.rng)

    def definite(self, words: str, name: str) -> str:
        """With an article, where the language has one."""
        rng = self.rng
        articles = _ARTICLES[self.language]
        if "_" in words or not articles or rng.random() < 0.06:
            return words
        if "liquid" in self.world.roles[name] and rng.random() < 0.5:
            return words
        return f"{rng.choice(articles)} {words}"

    def plural(self, noun: str) -> str:
        if self.language == "zh":
            return noun
        if self.language != "en":
            return noun + self.rng.choice(_PLURALS[self.language])
        if noun.endswith(("s", "x", "ch", "sh")):
            return noun + "es"
        if noun.endswith("y") and noun[-2:-1] not in "aeiou":
            return noun[:-1] + "ies"
        if noun in ("knife", "shelf"):
            return noun.replace("fe", "f")[:-1] + "ves"
        return noun + "s"

    def missing(self, roles: tuple[str, ...]) -> _Noun:
        """Something that is not here, which makes the reply a refusal."""
        rng = self.rng
        names = [word for o in self.world.objects for word in (*o.name.split("_"), o.kind)]
        if rng.random() < 0.4:
            coloured = [n for n in self.world.having(*roles) if n.split("_")[0] in COLOURS]
            if not coloured:
                raise _RetryError
            kind = self.world.kind(rng.choice(coloured))
            alike = [o.name for o in self.world.objects if o.kind == kind]
            if any(n.split("_")[0] not in COLOURS for n in alike):
                raise _RetryError
            colour = rng.choice([c for c in COLOURS if not any(c in n for n in alike)])
            words = f"{translated(colour, self.language, rng)} {self.spoken(kind)}"
        else:
            noun = rng.choice(
                (rng.choice(self.vocabulary.gone), rng.choice(self.vocabulary.things),
                 self.vocabulary.coined(rng))
            )  # fmt: skip
            known = {
                s for ss in SYNONYMS.items() for s in (ss[0], *ss[1]) if noun in (ss[0], *ss[1])
            }
            if noun in names or known & set(names):
                raise _RetryError
            words = self.spoken(noun)
        articles = _ARTICLES[self.language]
        spoken = f"{rng.choice(articles)} {words}" if articles else words
        self.refusal = f"Cannot: {DeclineReason.MISSING}: {words}"
        return _Noun(words.replace(" ", "_"), spoken)

    # ---- texts ----------------------------------------------------------------------------------

    def filled(self, text: str, slots: dict[str, str]) -> str:
        def word(match: re.Match[str]) -> str:
            if match[1] in slots:
                return slots[match[1]]
            if match[1] in "xyznr":
                return self.named("any").words
            raise _RetryError

        return (
            _A_VOWEL.sub(r"\1n \2", _SLOT.sub(word, text))
            if self.language == "en"
            else _SLOT.sub(word, text)
        )

    def finished(self, text: str) -> str:
        """With the accidents of typing and speaking."""
        rng = self.rng
        text = re.sub(r"\s+", " ", text).strip()
        for pattern, replacement in _CONTRACTIONS.get(self.language, ()):
            text = re.sub(pattern, replacement, text)
        if rng.random() < 0.5:
            text = text[:1].upper() + text[1:]
        elif rng.random() < 0.2:
            text = text.lower()
        if text[-1:] not in ".!?。" and rng.random() < 0.35:
            text += rng.choice("...!")
        elif rng.random() < 0.2:
            text = text.rstrip(".!")
        if rng.random() < 0.08:
            text = _misspelt(text, rng)
        if rng.random() < 0.03:
            text = text.replace(",", "")
        return text


_ARTICLES = {"en": ("the", "the", "the", "the", "that", "this", "my"), "de": ("der", "die", "das", "den", "dem"),
             "fr": ("le", "la", "l'"), "es": ("el", "la"), "zh": ()}  # fmt: skip
_CONTRACTIONS = {
    "fr": ((r"\bde les? ", "du "), (r"\bà le ", "au "), (r"\bà les ", "aux "),
           (r"\b([Ll])[ea] (?=[aeiouéèêh])", r"\1'"), (r"l' ", "l'")),
    "es": ((r"\bde el ", "del "), (r"\ba el ", "al ")),
}  # fmt: skip
_PLURALS = {"de": ("", "n", "en", "e", "er", "s"), "fr": ("s", ""), "es": ("s", "es")}


def _predicate(line: str) -> str:
    return re.sub(r"^(?:then |keep |ask |not )*", "", line).partition("(")[0]


def _another_each_time(term: Term) -> Term:
    """"A candle in each basket" are as many candles as baskets, so no variable stands for them."""
    if isinstance(term, str) and is_variable(term):
        return Selection(Quantifier.SOME, variable_kind(term))
    return term


def _is_plural(term: Term) -> bool:
    return isinstance(term, Selection) and (term.quantifier is Quantifier.EACH or term.count > 1)


def _slot_roles(entry: Clauses) -> dict[str, tuple[str, ...]]:
    """The roles of every slot of a frame, from all its goal lines."""
    found: dict[str, dict[str, None]] = {}
    for line in entry.goal:
        clause = parse_clause(_SLOT.sub(r"\1__", line))
        roles = CONCEPTS[clause.predicate].roles if clause.predicate in CONCEPTS else ()
        for place, arg in enumerate(clause.args):
            role = roles[place] if place < len(roles) else _role(clause.predicate)
            slot = "k" if isinstance(arg, Selection) else arg.removesuffix("__")
            found.setdefault(slot, {})[role] = None
    return {slot: tuple(roles) for slot, roles in found.items()}


def _role(predicate: str) -> str:
    return "item" if predicate in ("tower", "row", "swap", MOVED) else "any"


def _distinct(clauses: Sequence[Clause]) -> bool:
    """Whether no clause relates an object to itself."""
    return all(len({str(a) for a in clause.args}) == len(clause.args) for clause in clauses)


def _misspelt(text: str, rng: random.Random) -> str:
    """One slip: a letter dropped, doubled, or two exchanged."""
    places = [i for i in range(1, len(text) - 1) if text[i - 1 : i + 2].isalpha()]
    if not places:
        return text
    i = rng.choice(places)
    return rng.choice(
        (
            text[:i] + text[i + 1 :],
            text[:i] + text[i] + text[i:],
            text[:i] + text[i + 1] + text[i] + text[i + 2 :],
        )
    )
