"""By which words people call the kinds of things in a flat: the table is `kind_words.toml`.

"the coat rack", "the thing for coats" and "where I hang my jacket" are all a hanger. A description
is divided where its purpose begins; its noun decides, and where that says nothing ("the thing",
"something"), its purpose does.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["described_kind", "wanted_height"]

_PURPOSE = re.compile(
    r"\b(?:for|to|where|that|which|who|whom|with|you|we|i|people|one|used|meant|holding|made)\b"
)
_VAGUE = "keep store storage small carry hold put"
"""Words of a purpose that fit many kinds: any other word decides before them."""
_IRREGULAR = {"kept": "keep", "stored": "store", "worn": "wear", "written": "write", "eaten": "eat"}


@dataclass(frozen=True, slots=True)
class _KindWords:
    """The table: kinds by name, the words of use of each kind, and the words of height.

    `keepers` are the kinds in which things of a kind are kept, `places` the words for a place.
    """

    names: Mapping[tuple[str, ...], str]
    uses: Mapping[str, frozenset[str]]
    heights: Mapping[str, int]
    keepers: Mapping[str, str]
    places: frozenset[str]


def described_kind(text: str) -> str:
    """The kind that a description names, or whose purpose it says; "" for none."""
    table = _table()
    head, purpose = _divided(text, table)
    if called := _last_name(head, table.names):
        return called
    said = [*purpose, *head]
    used = _used_as(said, table.uses)
    return table.keepers.get(used, used) if table.places.intersection(said) else used


def wanted_height(text: str) -> int:
    """-1 for "the low table", 1 for "the tall one", 0 where nothing is said of it."""
    heights = _table().heights
    return next((heights[word] for word in _words(text) if word in heights), 0)


def _divided(text: str, table: _KindWords) -> tuple[list[str], list[str]]:
    """The words of the thing itself, and those of its purpose: "the thing", "for coats"."""
    lower = text.lower().replace("_", " ")
    whole = _words(lower)
    if any(len(name) > 2 and _holds(whole, name) for name in table.names):
        return whole, []  # a name with such a word in it: "container with a handle"
    begin = _PURPOSE.search(lower)
    if begin is None:
        return whole, []
    return _words(lower[: begin.start()]), _words(lower[begin.start() :])


def _last_name(words: Sequence[str], names: Mapping[tuple[str, ...], str]) -> str:
    """The kind of the last name in some words; the longest of those that end there."""
    for end in range(len(words), 0, -1):
        for start in range(end):
            if (kind := names.get(tuple(words[start:end]))) is not None:
                return kind
    return ""


def _used_as(words: Sequence[str], uses: Mapping[str, frozenset[str]]) -> str:
    """The kind with the most words of its use; vague ones count little."""
    vague = frozenset(map(_stem, _words(_VAGUE)))
    said = [_stem(word) for word in words]
    counts = {
        kind: sum(0.3 if word in vague else 1.0 for word in said if word in known)
        for kind, known in uses.items()
    }
    best = max(counts, key=lambda kind: counts[kind])
    return best if counts[best] > 0.0 else ""


def _holds(words: Sequence[str], name: tuple[str, ...]) -> bool:
    return any(tuple(words[k : k + len(name)]) == name for k in range(len(words)))


def _words(text: str) -> list[str]:
    return [_singular(word) for word in re.findall(r"[a-z]+", text.lower())]


def _singular(word: str) -> str:
    """A noun without the ending of the plural: coats, dresses, shelves."""
    if word == "clothes" or len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("ves"):
        return word[:-3] + "f"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _stem(word: str) -> str:
    """A word of use without the endings -ing and -ed: eating, packed."""
    word = _IRREGULAR.get(word, word)
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2:
            doubled = stem[-1] == stem[-2] and stem[-1] not in "ls"
            return stem[:-1] if doubled else stem.removesuffix("e")
    return word.removesuffix("e") if len(word) > 4 else word


@cache
def _table() -> _KindWords:
    raw = tomllib.loads((files("regrasp.perception") / "kind_words.toml").read_text("utf-8"))
    kinds = {kind: one for kind, one in raw.items() if isinstance(one, dict)}
    names = {
        tuple(_words(name)): kind for kind, one in kinds.items() for name in one["names"].split(",")
    }
    for pair in itertools.product(_words(raw["garments"]), _words(raw["stands"])):
        names[pair] = "hanger"
    uses = {kind: frozenset(map(_stem, _words(one["uses"]))) for kind, one in kinds.items()}
    heights = dict.fromkeys(_words(raw["low"]), -1) | dict.fromkeys(_words(raw["high"]), 1)
    keepers = {one["keeps"]: kind for kind, one in kinds.items() if "keeps" in one}
    return _KindWords(names, uses, heights, keepers, frozenset(_words(raw["places"])))
