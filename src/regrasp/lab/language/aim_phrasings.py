"""Phrasings for a robot with skills: build a tower, move an object, go to a place.

`{up}` are objects from the lowest, `{down}` from the highest, `{short}` and `{short_down}` the
same by their adjectives, `{n}` is their noun and `{b}` the base. `{x}` is on `{f}` and must go to
`{s}`; `{y}` is a destination.
"""

from __future__ import annotations

__all__ = [
    "CARRIES",
    "DESTINATIONS",
    "FRAMED_TOWERS",
    "HELD_OUT_CARRIES",
    "HELD_OUT_DESTINATIONS",
    "HELD_OUT_TOWERS",
    "TOWERS",
]

_FRAMES = (
    "stack {row} on the {b}, {order}",
    "pile {row} on the {b}, {order}",
    "pile up {row} on the {b}: {order}",
    "build a tower on the {b}: {row}, {order}",
    "make a stack on the {b}: {row}, {order}",
    "put together a column of {row} on the {b}, {order}",
    "set up a tower of {row} on the {b}, {order}",
    "I want {row} as a tower on the {b}, {order}",
    "{order}: stack {row} on the {b}",
    "please create a pile on the {b} from {row}, {order}",
    "there should be a stack of {row} on the {b}, {order}",
    "combine {row} into one tower on the {b}; {order}",
    "get me a pile on the {b}: {row} ({order})",
    "turn {row} into a pile on the {b}, {order}",
    "order {row} as a column on the {b}, {order}",
    "lay {row} as a heap on the {b}, {order}",
    "on the {b}, {row} shall form a stack, {order}",
)
"""Requests for a tower, with objects in a `{row}` and a phrase for their `{order}`."""

_UPWARDS = (
    "from the bottom up", "bottom first", "the bottom one first", "starting with the lowest",
    "the last one on top", "in rising order", "from low to high", "from the base upwards",
    "counting from below", "the first at the foot", "the one named first goes under the rest",
    "the first one touches the ground", "named from below", "given bottom to top", "upward",
    "the deepest first", "the first of these is the foundation", "each one above its forerunner",
    "I name the lower before the higher", "the final one crowns it", "foot to tip",
    "every next one goes higher", "the list climbs", "the first is the undermost",
    "the foot first", "the base first", "the foundation first", "the lower ones first",
    "the one underneath first", "the lowest one leading", "beginning with the one at the base",
    "the undermost one named first", "the ground floor first", "the bottommost, then the others",
)  # fmt: skip
_DOWNWARDS = (
    "from the top down", "top first", "the top one first", "starting with the highest",
    "the last one at the bottom", "in falling order", "from high to low", "from the peak down",
    "counting from above", "the first at the very top", "the one named last goes under the rest",
    "the last one touches the ground", "named from above", "given top to bottom", "downward",
    "the topmost first", "the last of these is the foundation", "each one below its forerunner",
    "I name the higher before the lower", "the first one crowns it", "tip to foot",
    "every next one goes lower", "the list descends", "the last is the undermost",
    "the peak first", "the highest first", "the crown first", "the upper ones first",
    "the one on top first", "the highest one leading", "beginning with the one at the tip",
    "the overmost one named first", "the roof first", "the top piece, then the others",
)  # fmt: skip

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
"""Training phrasings for a tower on a base; without a base, " on the {b}" is left out."""

FRAMED_TOWERS: tuple[str, ...] = tuple(
    frame.replace("{row}", row).replace("{order}", order)
    for rows, orders in (
        (("{up}", "the {n}s {short}"), _UPWARDS),
        (("{down}", "the {n}s {short_down}"), _DOWNWARDS),
    )
    for row in rows
    for order in orders
    for frame in _FRAMES
)
"""The same, combined from parts, so that a model learns the meaning of the order phrase."""

HELD_OUT_TOWERS: tuple[str, ...] = (
    "erect a tower on the {b} out of {up}, beginning at the bottom",
    "heap {up} onto one another on the {b}, each on the one before",
    "the {n}s belong on the {b} as a tower: {short}, lowest first",
    "arrange {up} as a stack on the {b}, upwards in that order",
    "erect a tower on the {b}: {down}, listed from its top downwards",
    "arrange {down} as a stack on the {b}, the uppermost first",
)
"""Phrasings for a tower that only the evaluation uses."""

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
    "relocate the {x} from the {f} to the {s}",
    "the {x} lies on the {f}; have it on the {s} instead",
    "fetch the {x} off the {f} and lay it on the {s}",
    "swap the place of the {x}: it leaves the {f} for the {s}",
    "the {x}, which is on the {f}, must get to the {s}",
    "haul {x} from the {f} onto the {s}",
)
"""Training phrasings to move an object that is on {f}."""

HELD_OUT_CARRIES: tuple[str, ...] = (
    "transfer the {x} from the {f} to the {s}",
    "the {x}, now on the {f}, should end up on the {s}",
)
"""Phrasings for a move that only the evaluation uses."""

DESTINATIONS: tuple[str, ...] = (
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
"""Training phrasings for a destination."""

HELD_OUT_DESTINATIONS: tuple[str, ...] = ("proceed to the {y}", "get yourself to {y}")
"""Phrasings for a destination that only the evaluation uses."""
