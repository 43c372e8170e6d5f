"""Words for several objects, and for any object of a kind, replaced by single names.

"Put the toys in a box" over two toys and two boxes becomes "put the toy_duck in the some_box" and
"put the toy_car in the some_box". `some_box` is a placeholder that is added to the scene; in a goal
it is the variable `?box`. The result can then be read clause by clause.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from regrasp.core.object_description import ObjectDescription
from regrasp.embedded.rules.goals import relation_in
from regrasp.embedded.rules.words import SceneLexicon, phrases, subphrases
from regrasp.prompts.names import Mention
from regrasp.prompts.scene import SceneDescription

__all__ = ["Unnamed", "single_clauses", "unnamed_objects"]

_COLLECTIVES = {
    "firewood": ("stick", "log", "wood", "branch"),
    "wood": ("stick", "log", "plank", "board"),
    "cutlery": ("knife", "fork", "spoon"),
    "silverware": ("knife", "fork", "spoon"),
    "crockery": ("plate", "bowl", "cup", "mug", "saucer"),
    "dishes": ("plate", "bowl", "cup", "mug", "saucer", "pan", "pot"),
    "fruit": ("apple", "banana", "pear", "orange", "lemon", "peach", "plum"),
    "laundry": ("shirt", "sock", "towel", "trousers"),
}
"""The kinds of object of a collective noun."""

_INDEFINITE = re.compile(r"\b(?:an?|any|some|one(?: of the)?)\s+$", re.IGNORECASE)
_EVERY = re.compile(r"\b(?:all|every|each|both)(?: of)?(?: the)?\s+$", re.IGNORECASE)
_CONJUNCTION = re.compile(
    r"\s*(?:,|&|,?\s*\band\b|,?\s*\bas well as\b)\s*(?:(?:the|a|an|both)\s+)?", re.IGNORECASE
)
_BLOCKS = re.compile(r"(?<=\bthe )blocks\b|(?<=\ball )blocks\b|(?<=\bboth )blocks\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z0-9_]+")  # unlike in a name, a hyphen separates two words
_STAND_IN = "some_"


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A text in which every object has a name, over a scene with a placeholder for each variable.

    `variables` gives the kind by the name of its placeholder; `unclear` is what cannot be
    expressed.
    """

    text: str
    words: SceneLexicon
    variables: dict[str, str]
    unclear: str = ""


def unnamed_objects(text: str, words: SceneLexicon) -> Unnamed:
    """`text` with "a box" replaced by the name of a placeholder, where there are several boxes."""
    variables: dict[str, str] = {}
    added: list[ObjectDescription] = []
    for start, end, names in sorted(_several(text, words), reverse=True):
        article = _INDEFINITE.search(text[:start])
        if article is None:
            continue
        if _plural(text[start:end], names, words) and " of " not in article[0]:
            continue
        lines = [line for line in words.scene.objects if line.name in names]
        kinds = {line.kind for line in lines}
        if len(kinds) > 1:
            return Unnamed(text, words, {}, f"'{text[start:end]}' may be of several kinds")
        kind = kinds.pop()
        if kind in variables.values():
            return Unnamed(text, words, {}, f"I cannot tell two objects of kind {kind} apart")
        name = _STAND_IN + kind
        variables[name] = kind
        uses = tuple(use for line in lines for use in line.affordances)
        added.append(replace(lines[0], name=name, joints=(), place_name="", affordances=uses))
        text = f"{text[: article.start()]}the {name}{text[end:]}"
    wider = SceneLexicon(SceneDescription((*words.scene.objects, *added))) if added else words
    return Unnamed(text, wider, variables)


def single_clauses(clause: str, words: SceneLexicon, stand_ins: Iterable[str]) -> tuple[str, ...]:
    """The clauses about one object each that are equal to a clause about several.

    It reads lists ("the mug and the plate"), plurals, and chains: "the duck in some_box on the
    table" means the duck in the box, and the box on the table.
    """
    made = [_gapped(one, words) for one in _grouped(clause, words)]
    listed = [single for ones in made for one in ones for single in _listed(one, words)]
    chained = [part for one in listed for part in _chained(one, words, frozenset(stand_ins))]
    return tuple(dict.fromkeys(chained))


def _several(text: str, words: SceneLexicon) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The places in the text where a word fits more than one object, and these objects."""
    text = _BLOCKS.sub("bricks", text)  # of the same length; "blocks" is read as a verb elsewhere
    named = []
    for one in words.names.mentions(text):
        kin = _kin(one.name, words)
        head = text[: one.start]
        if len(kin) > 1 and (_INDEFINITE.search(head) or _EVERY.search(head)):
            yield one.start, one.end, kin  # "a mug", where one mug is called just that
        named.append(one)
    for phrase, start, end in phrases(text):
        if any(one.start < end and start < one.end for one in named):
            continue
        for run, first, last in subphrases(phrase, start, _WORD):
            names = _meaning(run, words)
            if len(names) > 1 or (names and run.lower().split()[-1] in _COLLECTIVES):
                yield first, last, names
            if names:
                break


def _kin(name: str, words: SceneLexicon) -> tuple[str, ...]:
    """The objects of a kind, where the name is that of the kind."""
    return tuple(line.name for line in words.scene.objects if line.kind == name)


def _meaning(phrase: str, words: SceneLexicon) -> tuple[str, ...]:
    last = phrase.lower().split()[-1]
    if last in _COLLECTIVES and not words.meaning(phrase):
        kinds = _COLLECTIVES[last]
        return tuple(line.name for line in words.scene.objects if line.kind in kinds)
    return words.meaning(phrase)


def _plural(phrase: str, names: Iterable[str], words: SceneLexicon) -> bool:
    """Whether a word refers to all the objects that it fits."""
    last = phrase.lower().split()[-1]
    own = {line.kind for line in words.scene.objects if line.name in set(names)}
    own |= {word for name in names for word in name.split("_")}
    return last in _COLLECTIVES or (last.endswith("s") and last not in own)


def _grouped(clause: str, words: SceneLexicon) -> list[str]:
    """The clause once for every object of its first plural, then for the next plural."""
    for start, end, names in _several(clause, words):
        every = _EVERY.search(clause[:start])
        if every is None and not _plural(clause[start:end], names, words):
            continue
        head = clause[: every.start()] + "the " if every else clause[:start]
        return [one for name in names for one in _grouped(head + name + clause[end:], words)]
    return [clause]


def _gaps(clause: str, refs: tuple[Mention, ...]) -> list[str]:
    """The text between two objects: a list, a relation, or other words."""
    found = []
    for one, other in itertools.pairwise(refs):
        between = clause[one.end : other.start]
        listed = _CONJUNCTION.fullmatch(between) is not None
        found.append("list" if listed else "relation" if relation_in(between) else "other")
    return found


def _gapped(clause: str, words: SceneLexicon) -> list[str]:
    """ "Put A in B and C on D" has a second verb that is left out."""
    refs = words.refs(clause)
    gaps = _gaps(clause, refs)
    for number in range(1, len(gaps) - 1):
        if gaps[number - 1 : number + 2] == ["relation", "list", "relation"]:
            verb = clause[: refs[0].start]
            left, right = clause[: refs[number].end], clause[refs[number + 1].start :]
            return [left, *_gapped(f"{verb}{right}", words)]
    return [clause]


def _listed(clause: str, words: SceneLexicon) -> list[str]:
    """The clause once for every object of a list."""
    refs = words.refs(clause)
    gaps = _gaps(clause, refs)
    if "list" not in gaps:
        return [clause]
    first = gaps.index("list")
    last = first
    while last < len(gaps) and gaps[last] == "list":
        last += 1
    head, tail = clause[: refs[first].start], clause[refs[last].end :]
    return [f"{head}{ref.name}{tail}" for ref in refs[first : last + 1]]


def _chained(clause: str, words: SceneLexicon, stand_ins: frozenset[str]) -> list[str]:
    """Two clauses of "A in B on C", where B is any object of a kind: B is chosen and placed."""
    refs = words.refs(clause)
    gaps = _gaps(clause, refs)
    if len(refs) != 3 or gaps != ["relation", "relation"] or refs[1].name not in stand_ins:
        return [clause]
    verb = clause[: refs[0].start]
    return [clause[: refs[1].end], f"{verb}{clause[refs[1].start :]}"]
