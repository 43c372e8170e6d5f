"""The phrases of an English, German, French or Spanish instruction that name things.

A word that is often a verb or an adjective counts only after a determiner: "water the plant" names
no water. Nothing counts that is a reason ("because the dog is hungry"), a purpose ("for the soup"),
or a comparison ("as big as an egg").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache

from regrasp.core.kinds_of_things import COLOURS
from regrasp.prompts.noun_table import (
    KNOWN_NOUNS,
    LanguageWords,
    base_form,
    noun_table,
    singular,
)

__all__ = ["NounPhrase", "language_of", "phrases_in", "without_reasons"]

_LONGEST_NOUN = 4
_LONGEST_PREPOSITION = 4
_TOKEN = re.compile(r"'s\b|[^\W\d_]+|\d+|[^\w\s]")
_SENTENCE_MARKS = frozenset(".;!?:")
_PREPOSITIONS = ("sources", "places", "directions")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """The nouns for one thing: `dog bowl` has two, and so has `cup of tea`.

    `nouns` are singular and English, the most important one is the `head`; `words` are the nouns as
    they were written, and `adjectives` stand before them. `preposition` stands before the phrase,
    and `source` is true if it is one like `from`. `clause` counts the clauses of the instruction.
    `describes` is true where the phrase follows another one directly, as `on the table` in `the cup
    on the table`, and `describes_next` where Chinese puts it before the other one; `taken` where
    the clause says to take or to change something rather than to put it somewhere.
    """

    nouns: tuple[str, ...]
    head: str
    words: tuple[str, ...]
    adjectives: tuple[str, ...] = ()
    preposition: str = ""
    clause: int = 0
    source: bool = False
    describes: bool = False
    describes_next: bool = False
    taken: bool = False


def phrases_in(
    text: str, language: str, scene_nouns: Set[str] = frozenset()
) -> tuple[NounPhrase, ...]:
    """The phrases of a text in `en`, `de`, `fr` or `es`; `scene_nouns` count in English."""
    plain = re.sub(r"[_\-–/]+", " ", text.lower().replace("’", "'"))
    if language == "en":
        plain = _idioms().sub(" . ", plain)
    tokens = _TOKEN.findall(without_reasons(plain, language))
    words = noun_table().languages[language]
    return tuple(_Sentence(tokens, language, words, scene_nouns).phrases())


def language_of(text: str) -> str:
    """`en`, `de`, `fr` or `es`, by the function words; English if nothing decides."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", text)]
    names = ("en", "de", "fr", "es")
    return max(names, key=lambda name: sum(word in _function_words(name) for word in words))


def without_reasons(text: str, language: str) -> str:
    """The text without its reasons: `close it, because it rains` → `close it, ,`."""
    return _reasons(language).sub(" , ", text)


@cache
def _function_words(language: str) -> frozenset[str]:
    words = noun_table().languages[language]
    roles = ("determiners", "functions", "taking", "putting", *_PREPOSITIONS)
    return frozenset().union(*(words.role(role) for role in roles))


@cache
def _idioms() -> re.Pattern[str]:
    forms = sorted(noun_table().idioms, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, forms))})\b")


@cache
def _reasons(language: str) -> re.Pattern[str]:
    """A reason, from its first word to the end of its part of the sentence."""
    starts = sorted(noun_table().languages[language].role("reasons"), key=len, reverse=True)
    edge = "" if language == "zh" else r"\b"
    return re.compile(rf"{edge}(?:{'|'.join(map(re.escape, starts))}){edge}[^.;!?,。；！？，]*")


@dataclass(frozen=True, slots=True)
class _Noun:
    """A noun in a sentence: its English names, its base form, and its place in tokens."""

    names: tuple[str, ...]
    base: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The tokens of an instruction, and the rules that decide which of them are nouns."""

    tokens: Sequence[str]
    language: str
    words: LanguageWords
    scene_nouns: Set[str] = frozenset()

    def phrases(self) -> Iterator[NounPhrase]:
        place, end, clause, before = 0, -1, 0, ""
        while place < len(self.tokens):
            run, stop = self._run(place)
            if not run:
                clause += self._starts_clause(place)
                place = max(stop, place + 1)
                continue
            start = self._phrase_start(place)
            preposition, begins = self._preposition(start)
            if not preposition and start - 1 == end and self._is("joins", end):
                preposition = before  # from the shelf and the table
            yield NounPhrase(
                tuple(dict.fromkeys(name for noun in run for name in noun.names)),
                self._head(run),
                tuple(token for noun in run for token in self.tokens[noun.start : noun.stop]),
                tuple(t for t in self.tokens[start:place] if t in self._section("adjectives")),
                preposition,
                clause,
                source=preposition in self.words.role("sources"),
                describes=bool(preposition) and begins == end,
                taken=self._takes(start),
            )
            place = end = stop
            before = preposition

    # ---- where a phrase begins and ends ----------------------------------------------------------

    def _run(self, place: int) -> tuple[list[_Noun], int]:
        """The nouns that count of a phrase that has a noun at `place`, and where it ends."""
        found: list[_Noun] = []
        stop = place
        while (noun := self._noun_at(stop)) is not None:
            if self._counts(noun, place):
                found.append(noun)
            stop = noun.stop
            if noun.base in self._section("people"):
                break
        if found and (self._is("links", stop) or self._token(stop) == "'s"):
            linked = stop + 1
            while self._noun_at(linked) is None and (
                self._is_determiner(linked) or self._token(linked) in self._section("adjectives")
            ):
                linked += 1
            more, after = self._run(linked)
            if more:
                return [*found, *more], after
        return found, stop

    def _head(self, run: Sequence[_Noun]) -> str:
        """The last noun of `dog bowl`, the first one of `cup of tea`."""
        together = run[0]
        for noun in run[1:]:
            if noun.start != together.stop:
                break
            together = noun
        return together.names[0]

    def _noun_at(self, place: int) -> _Noun | None:
        """The longest known noun at a token."""
        for length in range(min(_LONGEST_NOUN, len(self.tokens) - place), 0, -1):
            tokens = self.tokens[place : place + length]
            if self.language == "en":
                base = "_".join((*tokens[:-1], singular(tokens[-1])))
                known = base in KNOWN_NOUNS or base in self.scene_nouns
                names: tuple[str, ...] = (base,) if known else ()
            else:
                base = base_form(" ".join(tokens), self.language)
                names = self.words.nouns.get(base, ())
            if names:
                return _Noun(names, base, place, place + length)
        return None

    def _phrase_start(self, place: int) -> int:
        """Where the phrase of the noun at `place` begins: at its determiner or first adjective."""
        start = place
        while self._token(start - 1) in self._section("adjectives"):
            start -= 1
        while self._is_determiner(start - 1):
            start -= 1
        return start

    def _preposition(self, start: int) -> tuple[str, int]:
        """The longest preposition before `start`, and where it begins; "" if there is none."""
        known = frozenset().union(*(self.words.role(role) for role in _PREPOSITIONS))
        for length in range(min(_LONGEST_PREPOSITION, start), -1, -1):
            # French `près du`, German `im`: an article may be part of the preposition
            for end in (start, start + 1) if self.language != "en" else (start,):
                words = " ".join(self.tokens[start - length : end])
                if words in known:
                    return words, start - length
        return "", start

    def _starts_clause(self, place: int) -> bool:
        if self._token(place) in _SENTENCE_MARKS or self._is("sequels", place):
            return True
        goes_on = (
            self._is_determiner(place + 1)
            or self._noun_at(place + 1) is not None
            or self._token(place + 1) in self._section("adjectives")
        )
        return self._is("joins", place) and not goes_on

    def _takes(self, start: int) -> bool:
        """Whether the last verb before the phrase takes or changes something."""
        for place in range(start - 1, -1, -1):
            if self._is("taking", place):
                return True
            if self._is("putting", place) or self._token(place) in _SENTENCE_MARKS:
                return False
        return False

    # ---- which nouns count -----------------------------------------------------------------------

    def _counts(self, noun: _Noun, first: int) -> bool:
        """Whether a noun names a thing; its run starts at `first`."""
        start = self._phrase_start(first)
        if self._is_comparison(noun, start) or self._is_purpose(start):
            return False
        if self.language != "en":
            needs = noun.base in self.words.determined
            return not needs or self._is_determiner(noun.start - 1) or noun.start > first
        if (
            (noun.base in self._section("people") and not self._is_recipient(noun, start))
            or self._is_statement(noun, start)
            or self._is_arrangement(noun, start)
            or self._is_called(noun)
            or self._token(start) == "your"
        ):
            return False
        determined = start < first and self._is_determiner(start)
        plural = self._token(noun.stop - 1) != noun.base.rpartition("_")[2]
        if noun.base in self._section("describing") and not plural:
            return determined and self._noun_at(noun.stop) is None and self._can_end(noun.stop)
        if noun.base in self._section("determined") and noun.start == first:
            if plural:
                return not self._is("subjects", first - 1) and not self._takes_object(noun)
            article = self._is("determiners", start) and not self._is("numbers", start)
            return determined and article and not self._is_treatment(start)
        return determined or noun.start > first or not self._takes_object(noun)

    def _takes_object(self, noun: _Noun) -> bool:
        """Whether the word is a verb before its object: `hammer the nail`, `sponge it`."""
        return self._is("determiners", noun.stop) or self._is("pronouns", noun.stop)

    def _can_end(self, place: int) -> bool:
        """Whether a noun phrase can end before the token at `place`."""
        return not self._token(place)[:1].isalpha() or self._is("functions", place)

    def _is_comparison(self, noun: _Noun, start: int) -> bool:
        """`like a banana`, `banana-shaped`, `lemon yellow`."""
        after = self._token(noun.stop)
        coloured = self.language == "en" and after in COLOURS and after != "orange"
        return self._is("comparisons", start - 1) or self._is("compared", noun.stop) or coloured

    def _is_purpose(self, start: int) -> bool:
        """`for the soup`, but not `look for the soup`."""
        earlier = self.tokens[max(start - 8, 0) : max(start - 1, 0)]
        searched = any(token in self.words.role("searching") for token in earlier)
        return self._is("purposes", start - 1) and not searched

    def _is_recipient(self, noun: _Noun, start: int) -> bool:
        """`to my mother`, `wake the baby`, but not `my mother's cup`."""
        return self._is("recipients", start - 1) and self._token(noun.stop) != "'s"

    def _is_statement(self, noun: _Noun, start: int) -> bool:
        """`my dog is hungry`, but not `is my dog hungry` or `make sure my dog is here`."""
        begins = not self._token(start - 1)[:1].isalpha() or self._is("joins", start - 1)
        return begins and self._is("owners", start) and self._is("statements", noun.stop)

    def _is_arrangement(self, noun: _Noun, start: int) -> bool:
        """`build a pyramid out of the cubes` needs no pyramid."""
        near = range(max(start - 3, 0), start)
        arranged = any(self._is("arranging", place) for place in near)
        return arranged and noun.base in self._section("arrangements")

    def _is_called(self, noun: _Noun) -> bool:
        """`computer, open the door`."""
        return noun.start == 0 and self._token(noun.stop) == ","

    def _is_treatment(self, start: int) -> bool:
        """`give the table a wipe`, but not `give me a wipe`."""
        earlier = self.tokens[max(start - 8, 0) : start]
        return (
            self._token(start) in ("a", "one")
            and "give" in earlier[:-1]
            and self._token(start - 1) not in ("me", "us", "him", "her")
        )

    # ---- words -----------------------------------------------------------------------------------

    def _token(self, place: int) -> str:
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""

    def _is(self, role: str, place: int) -> bool:
        return self._token(place) in self.words.role(role)

    def _is_determiner(self, place: int) -> bool:
        return self._is("determiners", place) or self._token(place).isdigit()

    def _section(self, name: str) -> frozenset[str]:
        return noun_table().sections[name]
