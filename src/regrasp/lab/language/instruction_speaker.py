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
from regrasp.lab.language.instruction_worlds import CONCEPTS, InstructionWorld, compound_nouns
from regrasp.lab.language.translations import translated
from regrasp.lab.language.vocabulary import MATERIALS, SYNONYMS, Words
from regrasp.prompts.goal import LONGEST_GOAL, MOVED, QUESTIONS, DeclineReason

__all__ = ["Noun", "RetryError", "Speaker", "SpokenClauses", "spoken_noun"]

_SLOT = re.compile(r"{(\w+)}")
_A_VOWEL = re.compile(r"\b([Aa]) ([aeiou])")
_SINGULAR = re.compile(r"\b(?:it|its|is|isn't|goes|belongs|needs|has|was|wants|looks|sits)\b")
_UNFIT = 0.03
"""How often a noun is drawn that the predicate does not take; the goal is written all the same."""
_MISSING = 0.075
"""How often a noun names something that is not there."""
_SAME_THING = (
    "sofa couch settee", "television tv telly", "fridge refrigerator icebox",
    "phone telephone cellphone mobile", "bin trashcan wastebasket dustbin", "carpet rug",
    "stove cooker range", "faucet tap", "bathtub tub bath", "closet wardrobe", "jug pitcher",
    "computer pc", "lamp light", "jacket coat", "trousers pants", "painting picture", "cloth rag",
    "towel cloth", "mug cup", "glass tumbler", "pan skillet", "pot saucepan",
    "newspaper paper", "magazine journal", "suitcase luggage", "backpack rucksack", "bag sack",
    "box carton", "cupboard cabinet", "drawer compartment", "desk table", "countertop counter",
    "remote clicker", "plant houseplant", "sandal shoe", "medicine pills",
    "detergent soap", "hamper basket", "stool seat", "chair seat", "bench seat", "monitor screen",
    "laptop computer", "washer washing_machine", "coffee_maker coffee_machine", "sheet bedsheet",
    "blanket cover", "marker felt_pen", "can tin", "jar pot", "candle taper", "letter envelope",
    "bowl dish", "plate dish", "kettle teapot", "knob dial", "lever handle", "button switch",
    "cookie biscuit", "soda pop", "lock bolt", "dresser chest", "puzzle jigsaw", "doll toy",
    "platform podium", "crate box", "hall hallway", "cellar basement", "garden yard",
    "office study", "corridor hallway",
)  # fmt: skip
_AND = {"en": " and ", "de": " und ", "fr": " et ", "es": " y ", "zh": "和"}
_TOGETHER = {
    "en": ("{0}, {1}", "{0}. {1}", "{0}. Then {1}", "{0}, and {1}", "{0} and then {1}", "{0}; {1}",
           "{0}. After that, {1}", "{0}, then {1}", "{0}. Also {1}", "{0}. Next, {1}"),
    "de": ("{0}, {1}", "{0} und {1}", "{0}. {1}"), "fr": ("{0}, {1}", "{0} et {1}", "{0}. {1}"),
    "es": ("{0}, {1}", "{0} y {1}", "{0}. {1}"), "zh": ("{0}，{1}", "{0}。{1}"),
}  # fmt: skip
_PART_SYNONYMS = {
    "top": ("top", "top", "upper", "uppermost"), "bottom": ("bottom", "bottom", "lower", "lowest"),
    "middle": ("middle", "middle", "center"), "compartment": ("compartment", "section"),
    "front": ("front",), "back": ("back", "rear"), "burner": ("burner", "hot plate"),
}  # fmt: skip
_SPECIAL = ("tower", "row", "swap", MOVED, *QUESTIONS)


@dataclass(frozen=True, slots=True)
class Noun:
    """A term and its words."""

    term: Term
    words: str


@dataclass(frozen=True, slots=True)
class SpokenClauses:
    """Clauses and the words for them; `imperative` words fit into links and wraps."""

    clauses: tuple[Clause, ...]
    words: str
    imperative: bool


class RetryError(Exception):
    """This draw does not fit into this world."""


@dataclass(slots=True)
class Speaker:
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
    given: Noun | None = None
    """What the slot x must be: a pronoun for an object of the clause before."""
    rivals: tuple[Term, ...] = ()
    """What else a pronoun could mean."""

    def __post_init__(self) -> None:
        self.weights = _weights(self.language)

    def say(self) -> tuple[str, str]:
        """An instruction and the right reply to it."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.125:
            entry = rng.choice(self.frames.refusals or frames_of("en").refusals)
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
        link = rng.choice(self.frames.links or frames_of("en").links)
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
            join = rng.choice(_TOGETHER[self.language])
            later = " then " in join.lower() or "After" in join or "Next" in join
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
            nouns: dict[str, Noun] = {}
            before, self.roles = self.refusal, _slot_roles(entry)
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
                return self.rng.random() < 0.03
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
            nouns = self.kind_words(roles, Selection(Quantifier.SOME, "k__"))
            kind = str(nouns["k"].term)
            some: Term = Selection(Quantifier.SOME, kind) if kind in CATEGORIES else f"?{kind}"
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

    def of_kind(self, kind: str) -> list[str]:
        """The objects that a kind's word fits."""
        return [o.name for o in self.world.objects if is_of_kind(o.name, o.kind, kind)]

    def adjective(self) -> Noun:
        """A colour."""
        colour = self.rng.choice(COLOURS)
        return Noun(colour, translated(colour, self.language, self.rng))

    def named(self, *roles: str, taken: set[str] | None = None) -> Noun:
        """One object by name, as people say it."""
        rng = self.rng
        names = [n for n in self.world.having(*roles) if n not in (taken or ())]
        if not names:
            raise RetryError
        name = rng.choice(names)
        part = self.part_that_opens(name) if "openable" in roles and rng.random() < 0.3 else ""
        return Noun(name, self.definite(part or self.called(name), name))

    def called(self, name: str) -> str:
        """The words for an object, without article."""
        rng = self.rng
        kind = spoken_noun(name)
        alike = [o.name for o in self.world.objects if kind in kind_endings(o.name)]
        if rng.random() < 0.05:
            return name
        if len(alike) == 1 and rng.random() < 0.5 and name not in self.world.owners:
            known = _synonyms(kind)
            free = [w for w in known if all(w not in o.name for o in self.world.objects)]
            if free and rng.random() < 0.35:
                return self.spoken(rng.choice(free))
            return self.spoken(kind)
        if self.language == "en":
            return self.part_words(name) or self.short_words(name)
        between = "" if self.language == "zh" else " "
        words = name.split("_")
        if len(alike) == 1 and rng.random() < 0.8:
            words = [word for word in words if not word.isdigit()]
        return between.join(translated(word, self.language, rng) for word in words)

    def part_that_opens(self, name: str) -> str:
        """ "The door" of the only thing that opens; "" where it is not clear."""
        opens = self.world.having("openable")
        if opens != (name,) or self.language != "en":
            return ""
        words = {word for one in self.world.objects for word in one.name.split("_")}
        part = self.rng.choice(("door", "door", "lid", "doors"))
        return "" if part in words else part

    def short_words(self, name: str) -> str:
        """Words of a name that fit no other object: "paint brush" for old_paint_brush_1."""
        rng = self.rng
        words = name.split("_")
        plain = [word for word in words if not word.isdigit()]
        head = spoken_noun(name).split("_")
        fronts = plain[: -len(head)]
        others = [
            set(o.name.split("_"))
            for o in self.world.objects
            if o.name != name and kind_endings(o.name)[0] == plain[-1]
        ]
        choices = [plain]
        for size in range(len(fronts)):
            choices += [[*front, *head] for front in itertools.combinations(fronts, size)]
        unique = [c for c in choices if not any(set(c) <= other for other in others)]
        if unique and not (len(unique) == len(choices) and rng.random() < 0.04):
            least = min(map(len, unique))
            short = [c for c in unique if len(c) == least]
            return " ".join(rng.choice(short) if rng.random() < 0.5 else rng.choice(unique))
        if words == plain:
            return " ".join(plain)
        number = words[-1] if words[-1].isdigit() else next(w for w in words if w.isdigit())
        body = " ".join(plain)
        return rng.choice(
            (f"{body} {number}", f"{body} {number}", f"{body}{number}", f"{body} number {number}")
        )

    def part_words(self, name: str) -> str:
        """ "Bottom drawer of the white cabinet"; "" if the object is no part."""
        rng = self.rng
        owner = self.world.owners.get(name)
        if owner is None:
            return ""
        place, noun = name.removeprefix(f"{owner}_").split("_")
        if noun == "side":
            return f"top of the {self.short_words(owner)}"
        said = " ".join(rng.choice(_PART_SYNONYMS.get(w, (w,))) for w in (place, noun))
        same = [o for o in self.world.owners if o.endswith(f"_{place}_{noun}")]
        if len(same) == 1 and rng.random() < 0.35:
            return said
        body = self.short_words(owner)
        if rng.random() < 0.2:
            return f"{body}'s {said}"
        if rng.random() < 0.15:
            return f"{body} {said}"
        joint = rng.choice(("of", "of", "in", "on") if noun != "level" else ("of",))
        return f"{said} {joint} the {body}"

    def spoken(self, noun: str) -> str:
        """A noun in the language of this person."""
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
        """The plural of a noun; only roughly in languages other than English."""
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

    def missing(self, roles: tuple[str, ...]) -> Noun:
        """Something that is not here, which makes the reply a refusal."""
        rng = self.rng
        names = [word for o in self.world.objects for word in (*o.name.split("_"), o.kind)]
        draw = rng.random()
        if draw < 0.2 and (near := self.near_miss(roles)):
            words = near
        elif draw < 0.5:
            things = [n for n in self.world.having(*roles) if n not in self.world.owners]
            coloured = [n for n in things if set(n.split("_")) & set(COLOURS)]
            if not coloured:
                raise RetryError
            kind = spoken_noun(rng.choice(coloured))
            alike = self.of_kind(kind)
            if any(not set(n.split("_")) & set(COLOURS) for n in alike):
                raise RetryError
            colour = rng.choice([c for c in COLOURS if not any(c in n for n in alike)])
            words = f"{translated(colour, self.language, rng)} {self.spoken(kind)}"
        else:
            noun = rng.choice(
                (rng.choice(self.vocabulary.gone), rng.choice(self.vocabulary.things),
                 rng.choice(self.vocabulary.places + self.vocabulary.stands),
                 self.vocabulary.coined(rng))
            )  # fmt: skip
            if noun in names or set(_synonyms(noun)) & set(names):
                raise RetryError
            words = self.spoken(noun)
        articles = _ARTICLES[self.language]
        spoken = f"{rng.choice(articles)} {words}" if articles else words
        self.refusal = f"Cannot: {DeclineReason.MISSING}: {words}"
        return Noun(words.replace(" ", "_"), spoken)

    def near_miss(self, roles: tuple[str, ...]) -> str:
        """An object that is there with a word that no object has; "" if names have no words."""
        rng = self.rng
        names = [n for n in self.world.having(*roles) if n not in self.world.owners]
        if not names or self.language != "en":
            return ""
        words = rng.choice(names).split("_")
        head = next(w for w in reversed(words) if not w.isdigit())
        alike = [n for n in self.world.roles if kind_endings(n)[0] == head]
        if all(n.split("_")[-1].isdigit() for n in alike) and len(alike) > 1:
            taken = {n.split("_")[-1] for n in alike}
            return f"{head} {rng.choice([str(i) for i in range(1, 10) if str(i) not in taken])}"
        others = [m for m in MATERIALS if not any(m in n for n in alike)]
        if all(set(n.split("_")) & set(MATERIALS) for n in alike):
            return f"{rng.choice(others)} {head}"
        return ""

    # ---- texts ----------------------------------------------------------------------------------

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


_ARTICLES = {"en": ("the", "the", "the", "the", "that", "this", "my"),
             "de": ("der", "die", "das", "den", "dem"),
             "fr": ("le", "la", "l'"), "es": ("el", "la"), "zh": ()}  # fmt: skip
_CONTRACTIONS = {
    "fr": ((r"\bde les? ", "du "), (r"\bà le ", "au "), (r"\bà les ", "aux "),
           (r"\b([Ll])[ea] (?=[aeiouéèêh])", r"\1'"), (r"l' ", "l'")),
    "es": ((r"\bde el ", "del "), (r"\ba el ", "al ")),
}  # fmt: skip
_PLURALS = {"de": ("", "n", "en", "e", "er", "s"), "fr": ("s", ""), "es": ("s", "es")}


@cache
def _synonyms(noun: str) -> tuple[str, ...]:
    """Other words for a thing."""
    groups = [group.split() for group in _SAME_THING] + [[w, *ws] for w, ws in SYNONYMS.items()]
    found = (word for group in groups if noun in group for word in group if word != noun)
    return tuple(dict.fromkeys(found))


@cache
def _weights(language: str) -> tuple[float, ...]:
    return tuple(len((*e.do, *e.state)) ** 0.5 for e in frames_of(language).clauses)


def spoken_noun(name: str) -> str:
    """The noun of a name: its last word, or a noun of two words such as `washing_machine`."""
    endings = kind_endings(name)
    return endings[1] if len(endings) > 1 and endings[1] in compound_nouns() else endings[0]


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
