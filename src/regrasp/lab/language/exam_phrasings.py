"""The ways to say what is wanted that are kept for the exam; the slots are those of `wants`."""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.lab.language.wants import WantKind

__all__ = ["EXAM_PHRASINGS", "EXAM_UNCLEAR"]

EXAM_PHRASINGS: Mapping[WantKind, tuple[str, ...]] = {
    WantKind.STORE: (
        "get the {x} inside the {y}",
        "please stash {x} within the {y}",
        "I'd be glad to have the {x} in the {y}",
        "deposit the {x} in the {y}",
        "let the {x} end up inside the {y}",
    ),
    WantKind.STORE_SHUT: (
        "deposit the {x} in the {y} and then close the {y}",
        "once the {x} is in the {y}, shut it",
    ),
    WantKind.PUT_ON: (
        "rest the {x} upon the {s}",
        "the {x} should end up on the {s}",
        "position the {x} on top of the {s}",
        "kindly set {x} onto {s}",
    ),
    WantKind.PUT_BY: ("park the {x} right next to the {z}", "the {x} must end up beside the {z}"),
    WantKind.FIND: (
        "hunt down the {x}",
        "help me find the {x}",
        "seek the {x}",
        "any idea where the {x} is? Find it",
    ),
    WantKind.OPEN: ("have the {y} opened", "I need the {y} to be open"),
    WantKind.OPEN_BY_WEIGHT: (
        "have the {y} opened. Placing the {x} on the {s} undoes its lock.",
        "open the {y}. It stays locked until the {x} is put on the {s}.",
    ),
    WantKind.CLOSE: ("have the {y} closed", "I need the {y} to be shut"),
    WantKind.TAKE_OUT: (
        "extract the {x} from the {y}",
        "the {x} has to come out of the {y}",
    ),
    WantKind.AWAY: ("push the {x} aside, away from the {y}", "keep the {x} away from the {y}"),
    WantKind.CLEAR: ("unload the {s}", "get rid of what is on the {s}"),
    WantKind.EMPTY: ("let nothing remain in the {y}", "clear everything out of the {y}"),
    WantKind.USE: ("kindly {use} the {k}", "you should {use} the {k} now"),
    WantKind.UNLOCK: ("make the {y} unlocked", "I need the {y} unlocked"),
    WantKind.PICK: ("take hold of the {x}", "kindly lift up the {x}"),
    WantKind.ALIKE: (
        "find the {n} with the {p} of the {s} and put it on the {s}",
        "the {s} should hold the {n} of its own {p}",
    ),
    WantKind.TWO: (
        "place the {x} in the {y}; the {z} should be on the {s}",
        "kindly bring the {x} into the {y} and the {z} onto the {s}",
    ),
}
"""Phrasings that only the exam uses."""

EXAM_UNCLEAR = (
    "whistle a tune",
    "apologise to the {x}",
    "write a poem about the {x}",
    "what did the {x} cost?",
    "please avoid the {x}",
    "who made the {x}?",
)
"""What only the exam says of what nobody can do here."""
