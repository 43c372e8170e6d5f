"""How people ask a robot with skills for a tower, for a thing to be carried, and to go somewhere.

`{up}` are things from the lowest on, `{down}` from the highest, `{short}` and `{short_down}` the
same by their adjectives, `{n}` is their noun and `{b}` the base. `{x}` lies on `{f}` and shall be
on `{s}`; `{y}` is where to go.
"""

from __future__ import annotations

__all__ = ["CARRIES", "EXAM_CARRIES", "EXAM_TOWERS", "EXAM_WAYS_TO", "TOWERS", "WAYS_TO"]

TOWERS: tuple[str, ...] = (
    "stack {up} on the {b} in this order",
    "stack the {n}s on the {b} in the order of {short}",
    "stack the {n}s on the {b} in the order {up}",
    "build a tower of {up} on the {b}, from the bottom up",
    "build a tower of {up} on the {b}, the first of them lowest",
    "pile up {up} on the {b}, starting at the bottom",
    "put {up} on top of each other on the {b} in that order",
    "I want a tower on the {b}: {up}, from bottom to top",
    "the {b} should hold a pile of {up}, the lowest first",
    "please stack the {n}s on the {b}: {short}, bottom first",
    "one after the other, stack {up} on the {b}",
    "stack {down} on the {b}, from top to bottom",
    "build a tower on the {b} in the order {down}, counted from the top",
    "stack the {n}s on the {b} so that they read {short_down} from the top",
    "make a pile on the {b}: {down}, top first",
    "the {b} should hold a tower of {down}, the highest named first",
    "construct a pile of {up} on the {b}, going up",
    "assemble {up} into a tower on the {b}; the last one is on top",
    "form a stack of {up} on the {b}, from the ground up",
    "make a tower on the {b}, and use {up} for it, the base first",
    "set up {up} on the {b}, every one on top of the previous one",
    "on the {b} I would like {up} stacked, bottom to top",
    "raise a column of {n}s on the {b}: first {short}, in this order from below",
    "stack {up} on the {b}, with the last of them highest",
    "construct a pile of {down} on the {b}, going down",
    "assemble {down} into a tower on the {b}; the first one is on top",
    "form a stack of {down} on the {b}, from the top down",
    "make a tower on the {b}, and use {down} for it, the top first",
    "set up {down} on the {b}, every one below the previous one",
    "on the {b} I would like {down} stacked, top to bottom",
    "raise a column of {n}s on the {b}: {short_down}, in this order from above",
    "stack {down} on the {b}, with the first of them highest",
    "I need a pile on the {b} that reads {down} when one looks from above",
    "the highest comes first: stack {down} on the {b}",
    "the lowest comes first: stack {up} on the {b}",
    "stack {up} on the {b}, lowest to highest",
    "put {up} into one pile on the {b}, the bottom one named first",
    "I listed the tower on the {b} from its foot: {up}",
    "reading upwards, the pile on the {b} should be {up}",
    "pile {up} on the {b}; the one I named first carries all the others",
    "stack the {n}s on the {b}: {short}, going up",
    "make a column on the {b}, {up}, with the one named last at the top",
    "begin with the undermost and stack {up} on the {b}",
    "the {n}s should stand on the {b} in the order {short} counted upwards",
    "a tower on the {b}, please: {up}, ascending",
    "stack {down} on the {b}, highest to lowest",
    "put {down} into one pile on the {b}, the top one named first",
    "I listed the tower on the {b} from its tip: {down}",
    "reading downwards, the pile on the {b} should be {down}",
    "pile {down} on the {b}; the one I named last carries all the others",
    "stack the {n}s on the {b}: {short_down}, going down",
    "make a column on the {b}, {down}, with the one named first at the top",
    "the list begins at the top: the tower on the {b} is {down}",
    "pile up {down} on the {b}, each under the one named before it",
    "the {n}s should stand on the {b} in the order {short_down} counted downwards",
    "a tower on the {b}, please: {down}, descending",
    "the pile on the {b} is {down}, the topmost of them named first",
)
"""How lessons ask for a tower on a base; without a base, " on the {b}" is left out."""

EXAM_TOWERS: tuple[str, ...] = (
    "erect a tower on the {b} out of {up}, beginning at the bottom",
    "heap {up} onto one another on the {b}, each on the one before",
    "the {n}s belong on the {b} as a tower: {short}, lowest first",
    "arrange {up} as a stack on the {b}, upwards in that order",
    "erect a tower on the {b}: {down}, listed from its top downwards",
    "arrange {down} as a stack on the {b}, the uppermost first",
)
"""How only the exam asks for one."""

CARRIES: tuple[str, ...] = (
    "move the {x} from the {f} to the {s}",
    "carry the {x} from the {f} to the {s}",
    "bring {x} from {f} to {s}",
    "please take the {x} from the {f} over to the {s}",
    "the {x} on the {f} belongs on the {s}",
    "get the {x} off the {f} and onto the {s}",
    "the {x} is on the {f} now, but I want it on the {s}",
    "shift the {x}, which is on the {f}, over to the {s}",
    "from the {f} to the {s} with the {x}, please",
)
"""How lessons ask to move what is known to lie on {f}."""

EXAM_CARRIES: tuple[str, ...] = (
    "transfer the {x} from the {f} to the {s}",
    "the {x}, now on the {f}, should end up on the {s}",
)
"""How only the exam asks for it."""

WAYS_TO: tuple[str, ...] = (
    "go to the {y}",
    "go forward to the {y}",
    "walk to the {y}",
    "please walk over to the {y}",
    "make your way to the {y}",
    "I want you at the {y}",
    "head over to the {y}",
    "move on until you are at the {y}",
    "your next stop is the {y}",
    "come to the {y}",
)
"""How lessons send a robot somewhere."""

EXAM_WAYS_TO: tuple[str, ...] = ("proceed to the {y}", "get yourself to {y}")
"""How only the exam does."""
