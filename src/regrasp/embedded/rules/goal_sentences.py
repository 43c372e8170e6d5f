"""The words of an instruction and the sentences of forms that they may stand for.

A sentence such as "X is inside Y" is how a prompt explains a predicate. No name of a predicate is
used, so the rules work for any domain. Several sentences are in order of preference: the first that
a form has, for objects of these kinds, counts. `not` before a sentence means that it is false.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "ADJECTIVES",
    "PLACING",
    "RELATIONS",
    "VERBS",
    "Sentences",
    "parse_sentences",
    "sentences_of",
]

Sentences = tuple[tuple[str, bool], ...]
"""Sentences of forms, each with whether it must be true."""


def parse_sentences(text: str) -> Sentences:
    """Read sentences with "; " between them."""
    parts = text.split("; ")
    return tuple((part.removeprefix("not "), not part.startswith("not ")) for part in parts)


_SEEN = "X is in view; X is in sight; X is visible; X can be seen"
_HELD = "X is held by the robot; the robot holds X"
_POURED = "there is some X in Y"
_CONDITIONS = (
    ("open|open up", "open", "X is open; not X is closed"),
    ("close|shut", "closed|shut", "X is closed; not X is open"),
    ("unlock", "unlocked", "X is unlocked; not X is locked"),
    ("lock", "locked", "X is locked; not X is unlocked"),
    ("turn on|switch on|start", "turned on|switched on|on", "X is turned on; X is switched on"),
    ("turn off|switch off", "turned off|switched off|off",
     "not X is turned on; X is turned off; not X is switched on"),
    ("plug in", "plugged in", "X is plugged in"),
    ("cook|boil|bake|roast|fry|grill", "cooked|baked", "X is cooked; X is baked; X is hot"),
    ("heat|warm|heat up|warm up", "hot|warm", "X is hot; X is warm; X is cooked"),
    ("chill|cool|cool down", "cold", "X is cold; not X is hot"),
    ("freeze", "frozen", "X is frozen"),
    ("thaw|defrost", "thawed", "X is thawed; not X is frozen"),
    ("halve", "halved", "X is halved; X is cut; X is sliced"),
    ("cut|slice|chop|cut up", "cut|sliced", "X is sliced; X is cut; X is halved"),
    ("fill|fill up", "filled|full", "X is filled with Y; X is filled; X is full"),
    ("drain|pour out", "empty", "X is empty; not X is filled; not X is full"),
    ("wash|clean|rinse|wipe", "clean", "X is clean; not X is dirty; not X is stained"),
    ("press|push", "pressed", "X is pressed; X has been pressed"),
    ("pull", "pulled", "X is pulled; X has been pulled"),
    ("find|locate|look for|search for|show me|see", "visible|in sight|in view", _SEEN),
    ("pick up|pick|grab|grasp|lift|hold|take|fetch|get", "held", _HELD),
    ("give me|bring me|hand me|pass me", "given", f"X has been given to the person; {_HELD}"),
)  # fmt: skip
"""Conditions of one object: the verbs and the adjectives for each."""


def _by_word(rows: Mapping[str, str]) -> dict[str, Sentences]:
    return {
        word: parse_sentences(text) for words, text in rows.items() for word in words.split("|")
    }


VERBS = _by_word({verbs: text for verbs, _, text in _CONDITIONS})
ADJECTIVES = _by_word({adjectives: text for _, adjectives, text in _CONDITIONS})
RELATIONS = _by_word(
    {
        "~left-of": "X is to the left of Y",
        "~right-of": "X is to the right of Y",
        "~in-front-of": "X is in front of Y",
        "behind": "X is behind Y",
        "under|underneath|below|beneath": "X is under Y",
        "next to|beside|near|close to|by": "X is next to Y; X is beside Y; X is near Y",
        "~away-from": "not X is blocking Y; not X is next to Y; not X is beside Y",
        "out of|out from|off of|off|from": "not X is inside Y; not X is on Y; not X is in Y",
        "on top of|onto|on to|on": f"X is on Y; X is inside Y; {_POURED}",
        "inside|into|in|within": (
            f"X is inside Y; X is in Y; X is in the room Y; X is on Y; {_POURED}"
        ),
        "to": "X is on Y; X is inside Y; X is in the room Y; X is next to Y; X is beside Y",
    }
)
"""The words between two objects."""

PLACING = (
    "put|place|set|lay|move|bring|carry|take|get|drop|stow|store|stash|tuck|transfer|load|return|"
    "collect|gather|sort|pack|insert|slide|shift|deliver|position|hide|throw|remove|clear|stack|"
    "pour|add"
)
"""Verbs that place an object; the words between two objects say where."""


def sentences_of(words: Mapping[str, str]) -> Sentences:
    """The sentences for the `relation`, `adjective` or `verb` (with its `particle`) of a clause."""
    if "relation" in words:
        return RELATIONS[words["relation"]]
    if "adjective" in words:
        return ADJECTIVES[words["adjective"]]
    return VERBS.get(" ".join((words["verb"], *words.get("particle", "").split())), ())
