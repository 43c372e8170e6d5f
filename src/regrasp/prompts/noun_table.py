"""The table of everyday nouns, read from `known_nouns.txt` when it is first used.

A noun of the table has the words that it may stand for: a cupboard may be called a cabinet, an
apple is a fruit, and a door may be the door of a fridge.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from regrasp.core.kinds_of_things import CATEGORIES

__all__ = [
    "KNOWN_NOUNS",
    "LanguageWords",
    "NounTable",
    "base_form",
    "noun_table",
    "plural",
    "singular",
]

_LANGUAGES = ("de", "fr", "es", "zh")
_SHORTEST_FOLDED = 4
"""Without its accent a shorter word is another word: té is tea, te is you."""


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """The words of a language: `roles` by part of speech, `nouns` with their English nouns.

    `determined` are nouns only after a determiner.
    """

    roles: Mapping[str, frozenset[str]]
    nouns: Mapping[str, tuple[str, ...]]
    determined: frozenset[str]

    def role(self, name: str) -> frozenset[str]:
        """The words of a part of speech, e.g. `determiners`; empty if the language has none."""
        return self.roles.get(name, frozenset())


@dataclass(frozen=True, slots=True)
class NounTable:
    """What `known_nouns.txt` holds.

    `meanings` maps a noun to every word that it may stand for. `groups` are words for many kinds
    and words for parts: an object of an unknown kind may be one, or have one.
    """

    meanings: Mapping[str, frozenset[str]]
    groups: frozenset[str]
    sections: Mapping[str, frozenset[str]]
    idioms: tuple[str, ...]
    languages: Mapping[str, LanguageWords]


@cache
def noun_table() -> NounTable:
    """Read the table, once."""
    text = resources.files(__package__).joinpath("known_nouns.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("["):
            lines = sections.setdefault(line.strip("[]"), [])
        elif line.strip() and not line.startswith("#"):
            lines.append(line)
    words = {name: frozenset(" ".join(found).split()) for name, found in sections.items()}
    meanings, groups = _meanings(sections, words)
    translations = _translations(sections["translations"])
    languages = {"en": LanguageWords(_roles(sections["en"]), {}, words["determined"])}
    for language, (nouns, determined) in translations.items():
        roles = _roles(sections.get(language, ()))
        languages[language] = LanguageWords(roles, nouns, determined)
    idioms = tuple(part.strip() for line in sections["idioms"] for part in line.split("|"))
    return NounTable(meanings, groups, words, idioms, languages)


class _KnownNouns(Mapping[str, frozenset[str]]):
    """The meanings of the table, which is read when they are first asked for."""

    def __getitem__(self, noun: str) -> frozenset[str]:
        return noun_table().meanings[noun]

    def __iter__(self) -> Iterator[str]:
        return iter(noun_table().meanings)

    def __len__(self) -> int:
        return len(noun_table().meanings)


KNOWN_NOUNS: Mapping[str, frozenset[str]] = _KnownNouns()
"""Every word that a singular English noun may stand for, itself included."""

_IRREGULAR = {
    "knives": "knife", "shelves": "shelf", "leaves": "leaf", "loaves": "loaf", "scarves": "scarf",
    "wolves": "wolf", "calves": "calf", "halves": "half", "wives": "wife", "mice": "mouse",
    "bookshelves": "bookshelf", "geese": "goose", "feet": "foot", "teeth": "tooth", "men": "man",
    "women": "woman", "children": "child", "people": "person", "cacti": "cactus",
    "firemen": "fireman", "policemen": "policeman", "snowmen": "snowman", "mailmen": "mailman",
}  # fmt: skip


def singular(word: str) -> str:
    """The singular of an English noun: `boxes` → `box`; a word that is no plural stays."""
    lower = word.lower()
    if lower in _IRREGULAR:
        return _IRREGULAR[lower]
    known = noun_table().meanings
    if lower in known or not lower.endswith("s") or lower.endswith(("ss", "us", "is")):
        return lower
    shorter = [lower[:-1]]
    if lower.endswith("ies") and len(lower) > 4:
        shorter.append(lower[:-3] + "y")
    if lower.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
        shorter.append(lower[:-2])
    return next((one for one in shorter if one in known), shorter[-1])


def plural(noun: str) -> str:
    """The plural of an English noun in the singular: `box` → `boxes`."""
    irregular = next((many for many, one in _IRREGULAR.items() if one == noun), "")
    if irregular or noun.endswith("ics"):
        return irregular or noun
    if noun.endswith("y") and noun[-2:-1] not in ("a", "e", "o", "u"):
        return noun[:-1] + "ies"
    hissing = noun.endswith(("s", "x", "z", "ch", "sh"))
    return noun + ("es" if hissing or noun in ("tomato", "potato", "mango") else "s")


_ENDINGS = {
    "de": ("n", "en", "e", "er", "ern", "s", "es", "nen", "se", "sen"),
    "fr": ("s", "x", "es"),
    "es": ("s", "es"),
}
_SHORTEST_STEM = 3
_SHORTEST_COMPOUND_HEAD = 5


@cache
def base_form(word: str, language: str) -> str:
    """The word as the table has it, without its plural or case; "" if the table has it not."""
    words = noun_table().languages[language]
    for form in (word, _fold_accents(word)):
        if form in words.nouns:
            return form
        for ending in _ENDINGS[language]:
            stem = form.removesuffix(ending)
            if stem != form and len(stem) >= _SHORTEST_STEM and stem in words.nouns:
                return stem
        if language == "es" and form.endswith("ces") and form[:-3] + "z" in words.nouns:
            return form[:-3] + "z"
    if (
        language == "de" and " " not in word
    ):  # the last part of a compound is what it is: a Kaffeetasse is a Tasse
        for cut in range(_SHORTEST_STEM, len(word) - _SHORTEST_COMPOUND_HEAD + 1):
            if word[cut:] in words.nouns and word[cut:] not in words.determined:
                return word[cut:]
    return ""


def _fold_accents(word: str) -> str:
    """`Äpfel` → `apfel`, `plátano` → `platano`, `œuf` → `oeuf`."""
    plain = word.lower().replace("œ", "oe").replace("ß", "ss")
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def _meanings(
    sections: Mapping[str, list[str]], words: Mapping[str, frozenset[str]]
) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    found: dict[str, set[str]] = {}

    def add(noun: str, others: Iterable[str]) -> None:
        found.setdefault(noun, {noun}).update(others)

    for line in sections["near"]:
        for word in line.split():
            add(word, line.split())
    for word in (*words["alone"], *words["people"]):
        add(word, ())
    kinds = _headed(sections["kinds"])
    for head, listed in CATEGORIES.items():
        kinds.setdefault(head, set()).update(listed)
    near = {noun: frozenset(others) for noun, others in found.items()}
    for head in kinds:
        members = _all_kinds(head, kinds)
        members = members.union(*(near.get(member, ()) for member in members)) - {head}
        add(head, members)
        for member in members:
            add(member, (head,))
    for person in words["people"]:
        add(person, ("person", "human", "user"))
    parts = _headed(sections["parts"])
    for part, owners in parts.items():
        for owner in owners:
            add(owner, ())
        add(part, owners)
    for noun, others in found.items():
        others.update([noun.rpartition("_")[2]] if "_" in noun else [])
    known = {n: frozenset(others) for n, others in found.items() if n not in words["never"]}
    return known, frozenset((*kinds, *parts)) & known.keys()


def _headed(lines: Iterable[str]) -> dict[str, set[str]]:
    """`jug pitcher: water milk` gives both words before the colon every word of the line."""
    found: dict[str, set[str]] = {}
    for line in lines:
        before, _, after = line.partition(":")
        heads = before.split()
        for head in heads:
            found.setdefault(head, set()).update(after.split(), (h for h in heads if h != head))
    return found


def _all_kinds(head: str, kinds: Mapping[str, set[str]]) -> set[str]:
    """The kinds of a group, and the kinds of those that are groups themselves."""
    found: set[str] = set()
    waiting = [head]
    while waiting:
        new = kinds.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found - {head}


def _roles(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    pairs = (line.partition(":") for line in lines)
    return {
        name: frozenset(word.replace("_", " ") for word in words.split())
        for name, _, words in pairs
    }


def _translations(
    lines: Iterable[str],
) -> dict[str, tuple[dict[str, tuple[str, ...]], frozenset[str]]]:
    """For each language its nouns, and those that need a determiner."""
    nouns: dict[str, dict[str, tuple[str, ...]]] = {language: {} for language in _LANGUAGES}
    determined: dict[str, set[str]] = {language: set() for language in _LANGUAGES}
    for line in lines:
        english, *columns = (column.strip() for column in line.split("|"))
        for language, column in zip(_LANGUAGES, columns, strict=True):
            for spelt in column.split():
                word = spelt.rstrip("*").replace("_", " ")
                folded = _fold_accents(word)
                for form in {word, folded if len(folded) >= _SHORTEST_FOLDED else word}:
                    known = nouns[language].get(form, ())
                    nouns[language][form] = tuple(dict.fromkeys((*known, english)))
                    if spelt.endswith("*"):
                        determined[language].add(form)
    return {one: (nouns[one], frozenset(determined[one])) for one in _LANGUAGES}
