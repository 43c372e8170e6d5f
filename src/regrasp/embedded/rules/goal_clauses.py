"""From an instruction to the clauses of its goal.

Noun phrases become terms and are marked in the text; the rest of the text must be a sequence of
known patterns (`goal_patterns`). Where a word is left over, nothing is guessed.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from regrasp.core.goal import is_variable, variable_kind
from regrasp.core.goal_description import (
    ANYTHING,
    Clause,
    ClauseMode,
    Filter,
    Quantifier,
    Selection,
    Term,
)
from regrasp.core.kinds_of_things import CATEGORIES
from regrasp.embedded.rules.goal_patterns import FIRST_WORDS, ClausePart, parts_of, plain_text
from regrasp.embedded.rules.goal_sentences import Sentences, parse_sentences, sentences_of
from regrasp.embedded.rules.noun_phrases import MarkedPhrase, mark_noun_phrases
from regrasp.embedded.rules.words import SceneLexicon
from regrasp.prompts.goal import LONGEST_GOAL, DeclineReason, GoalPrompt

__all__ = ["goal_reply"]

_EVERYTHING = Selection(Quantifier.EACH, ANYTHING)
_OPEN_AIR = frozenset(("garden", "yard", "terrace", "balcony", "porch", "patio", "lawn", "street"))
"""Words of a room's name that place it outside."""

_STATEMENT = re.compile(
    r"\W*$|(?:hi|hello|hey|thanks|thank|good|ok|okay|yes|no|nice|well|sorry|bye|great)\b|"
    r".*\balready\b|(?!.*\b(?:want|need|wish|should|must|you)\b).*\b(?:is|are|was|were|i|we)\b",
    re.IGNORECASE,
)
_SWAPPED = str.maketrans("XY", "YX")


class _DeclinedError(Exception):
    """Why an instruction has no goal; raised and caught in this module only."""

    def __init__(self, reason: DeclineReason, words: str = "") -> None:
        super().__init__(f"{reason}: {words}" if words else f"{reason}")


def goal_reply(prompt: GoalPrompt) -> str:
    """The reply to a goal prompt."""
    words = SceneLexicon(prompt.scene)
    text, phrases = mark_noun_phrases(plain_text(prompt.instruction), words, FIRST_WORDS)
    try:
        parts = parts_of(text)
        terms = [str(term) for phrase in phrases for term in phrase.terms]
        variables = list(filter(is_variable, terms))
        if parts is None:
            raise _not_understood(text, phrases)
        if len(set(variables)) < len(variables):  # "a mug" twice may be two mugs
            raise _DeclinedError(DeclineReason.UNCLEAR)
        clauses = _GoalReader(prompt, phrases).clauses(parts)
        if len(clauses) > LONGEST_GOAL:
            raise _DeclinedError(DeclineReason.UNCLEAR)
    except _DeclinedError as error:
        return f"Cannot: {error}"
    return "\n".join(["Goal:", *map(str, clauses)])


def _not_understood(text: str, phrases: tuple[MarkedPhrase, ...]) -> _DeclinedError:
    known = any(not phrase.missing for phrase in phrases)
    orders = text.partition(" ")[0].lower() in FIRST_WORDS
    if _STATEMENT.match(text) and not orders and not (known and text.endswith("?")):
        return _DeclinedError(DeclineReason.NO_REQUEST)
    return _DeclinedError(DeclineReason.UNCLEAR if known else DeclineReason.IMPOSSIBLE)


@dataclass(slots=True)
class _GoalReader:
    prompt: GoalPrompt
    phrases: tuple[MarkedPhrase, ...]
    mentioned: list[tuple[Term, ...]] = field(default_factory=list)
    """The terms of earlier clauses; a pronoun means the latest that fits."""

    def clauses(self, parts: tuple[ClausePart, ...]) -> tuple[Clause, ...]:
        """The clauses of all parts; raises if one of them cannot be done."""
        found: list[Clause] = []
        for part in parts:
            read = [replace(clause, mode=part.mode) for clause in self._read(part)]
            if part.later and any(c.mode is ClauseMode.REACH for c in found):
                read[0] = replace(read[0], later=True)
            found += read
        signs = {(c.predicate, c.args, c.positive) for c in found if not c.later}
        if any((c.predicate, c.args, not c.positive) in signs for c in found if not c.later):
            raise _DeclinedError(DeclineReason.UNCLEAR)  # "open the box and leave it closed"
        return tuple(dict.fromkeys(found))

    def _read(self, part: ClausePart) -> Iterator[Clause]:
        words = part.words
        if part.meaning == "room":
            return self._to_room(part)
        if part.meaning == "from" and "n" in words:
            return self._from_place(part)
        if call := re.fullmatch(r"(\w+)\((.*)\)", part.meaning):
            return self._of_call(call[1], call[2].split(", "), part)
        if part.meaning == "impossible":
            raise _DeclinedError(DeclineReason.IMPOSSIBLE)
        marks = [words[slot] for slot in ("x", "y", "z") if slot in words]
        if "y" in words and "x" not in words:
            return self._nothing_there(_sentences(part), words["y"])
        if words.get("relation") == "to" and len(marks) == 2:
            return self._to_thing(part, *marks)
        return self._of_sentences(_sentences(part), *marks)

    # ---- objects ------------------------------------------------------------------------------

    def _choices(self, marks: str) -> list[tuple[Term, ...]]:
        """What marked phrases may mean: one list of terms, or several for a pronoun."""
        phrases = [self.phrases[int(number)] for number in re.findall(r"\d+", marks)]
        for phrase in phrases:
            if phrase.missing:
                raise _DeclinedError(DeclineReason.MISSING, phrase.missing)
        if len(phrases) == 1 and phrases[0].pronoun:
            earlier = (*self.mentioned[::-1], *(phrase.terms for phrase in self.phrases))
            single = phrases[0].pronoun == "it"
            found = [t for t in earlier if t and not (single and (len(t) > 1 or _is_each(t[0])))]
        else:
            found = [tuple(term for phrase in phrases for term in phrase.terms)]
        if not found or not all(phrase.terms or phrase.pronoun for phrase in phrases):
            raise _DeclinedError(DeclineReason.UNCLEAR)
        return found

    def _terms(self, marks: str) -> tuple[Term, ...]:
        terms = self._choices(marks)[0]
        self.mentioned.append(terms)
        return terms

    def _name(self, mark: str) -> str:
        """The name of the one object that is meant."""
        (name, *others) = self._terms(mark)
        if others or isinstance(name, Selection) or is_variable(name):
            raise _DeclinedError(DeclineReason.UNCLEAR)
        return name

    def _kind(self, term: Term) -> str:
        return term.kind if isinstance(term, Selection) else self.prompt.kind(term)

    # ---- clauses ------------------------------------------------------------------------------

    def _of_sentences(self, sentences: Sentences, *marks: str) -> Iterator[Clause]:
        """The clauses of the first sentence that a form has for objects of these kinds."""
        choices = [self._choices(one) for one in marks]
        for lists in itertools.product(*choices):
            for sentence, positive in sentences:
                found = [self._clause(sentence, positive, a) for a in itertools.product(*lists)]
                if all(found):
                    self.mentioned += reversed(lists)
                    return (clause for clause in found if clause is not None)
        pronoun = any(self.phrases[int(n)].pronoun for n in re.findall(r"\d+", " ".join(marks)))
        raise _DeclinedError(DeclineReason.UNCLEAR if pronoun else DeclineReason.IMPOSSIBLE)

    def _nothing_there(self, sentences: Sentences, mark: str) -> Iterator[Clause]:
        """ "Clear the table": each thing that is on it now is not on it in the end."""
        place = self._name(mark)
        found = (self._clause(text, sign, (_EVERYTHING, place)) for text, sign in sentences)
        clause = next(filter(None, found), None)
        if clause is None:
            raise _DeclinedError(DeclineReason.IMPOSSIBLE)
        said = next(f.sentence for f in self.prompt.forms if f.predicate == clause.predicate)
        now = Filter("on" if " on " in said else "in", place)
        yield replace(clause, args=(replace(_EVERYTHING, filters=(now,)), place))

    def _clause(self, sentence: str, positive: bool, args: tuple[Term, ...]) -> Clause | None:
        """The clause of the form with this sentence; None if no form takes these objects."""
        swapped = sentence.translate(_SWAPPED)
        for form in self.prompt.forms:
            used = args[: len(form.takes)]
            if form.sentence == swapped != sentence:  # the vessel first, what is in it second
                used = used[::-1]
            elif form.sentence != sentence:
                continue
            if not len(form.takes) == len(used) == len(set(used)):
                continue
            if all(self._fits(arg, kinds) for arg, kinds in zip(used, form.takes, strict=True)):
                return Clause(form.predicate, _distributed(used), positive)
        return None

    def _fits(self, term: Term, kinds: tuple[str, ...]) -> bool:
        kind = self._kind(term)
        return kind == ANYTHING or bool((CATEGORIES.get(kind, frozenset()) | {kind}) & set(kinds))

    def _of_call(self, name: str, slots: list[str], part: ClausePart) -> Iterator[Clause]:
        """The clauses of a predicate that is no form, such as `where(x)` or `tower(y, x)`."""
        words = part.words
        if name in ("which", "count"):
            yield Clause(name, (self._selected(words),))
            return
        lists = [self._terms(words[slot]) for slot in slots if slot in words]
        if name in ("where", "colour", "moved"):
            yield from (Clause(name, (term,), part.positive) for term in lists[0])
            return
        if "down" in words:
            lists[-1] = lists[-1][::-1]
        terms = tuple(term for listed in lists for term in listed)
        if name == "tower" and "y" in words and len(terms) == 2 and not _is_each(terms[1]):
            yield from self._of_sentences((("X is on Y", True),), words["x"], words["y"])
            return
        if (len(terms) != 2) if name == "swap" else (len(terms) < 2 and not _is_each(terms[0])):
            raise _DeclinedError(DeclineReason.UNCLEAR)
        yield Clause(name, terms)

    def _selected(self, words: Mapping[str, str]) -> Term:
        """The objects that a question is about: "how many mugs are on the tray"."""
        term = self._terms(words["x"])[0] if "x" in words else _EVERYTHING
        filters = [Filter(words["colour"])] if "colour" in words else []
        if "y" in words:
            relation = "on" if words["relation"].startswith("on") else "in"
            filters.append(Filter(relation, self._name(words["y"])))
        if isinstance(term, str):
            term = Selection(Quantifier.EACH, self._kind(term))
        return replace(term, filters=(*term.filters, *filters))

    def _from_place(self, part: ClausePart) -> Iterator[Clause]:
        """ "Put the mug on the tray into the box": the mug that is on the tray now.

        "Put the mug in a box on the table" means that a box is chosen and is on the table, too.
        """
        x, n, y, now = (part.words[group] for group in ("x", "n", "y", "now"))
        if is_variable(str(self._choices(n)[0][0])):
            yield from self._of_sentences(sentences_of({"relation": now}), x, n)
            yield from self._of_sentences(_sentences(part), n, y)
            return
        found = self._to_thing(part, x, y) if part.words.get("relation") == "to" else None
        for clause in found or self._of_sentences(_sentences(part), x, y):
            moved, *others = clause.args
            if isinstance(moved, Selection):
                place = self._name(n)
                inside = self._clause("X is inside Y", True, (moved, place)) is not None
                told = {"on": "on", "on top of": "on", "off": "on"}.get(now, "in")
                relation = told if now != "from" or inside else "on"
                moved = replace(moved, filters=(*moved.filters, Filter(relation, place)))
            yield replace(clause, args=(moved, *others))

    def _to_thing(self, part: ClausePart, x: str, y: str) -> Iterator[Clause]:
        """ "Bring the coat to the door": nothing can be put there, so the robot holds it there."""
        mentioned = list(self.mentioned)
        try:
            return self._of_sentences(_sentences(part), x, y)
        except _DeclinedError:
            self.mentioned = mentioned
        held = self._of_sentences((("X is held by the robot", part.positive),), x)
        return itertools.chain(held, self._of_sentences((("the robot is at X", True),), y))

    def _to_room(self, part: ClausePart) -> Iterator[Clause]:
        """ "Bring the wood in", "take the chair outside": the only room that is meant."""
        outside = part.words["side"].lower().startswith("out")
        rooms = [
            thing.name
            for thing in self.prompt.scene.objects
            if bool(_OPEN_AIR & set(thing.name.split("_"))) is outside
        ]
        for term in self._terms(part.words["x"]):
            found = (self._clause("X is in the room Y", part.positive, (term, r)) for r in rooms)
            fitting = [clause for clause in found if clause is not None]
            if len(fitting) != 1:
                raise _DeclinedError(DeclineReason.UNCLEAR)
            yield fitting[0]


def _is_each(term: Term) -> bool:
    return isinstance(term, Selection) and term.quantifier is Quantifier.EACH


def _sentences(part: ClausePart) -> Sentences:
    """The sentences of a part, with its sign."""
    fact = part.meaning in ("fact", "from")
    found = sentences_of(part.words) if fact else parse_sentences(part.meaning)
    return tuple((sentence, positive is part.positive) for sentence, positive in found)


def _distributed(args: tuple[Term, ...]) -> tuple[Term, ...]:
    """ "A candle on each table" are several candles, so no variable stands for them."""
    if len(args) == 2 and is_variable(str(args[0])) and _is_each(args[1]):
        return Selection(Quantifier.SOME, variable_kind(str(args[0]))), args[1]
    return args
