"""Phrasings of goals that are held out for the evaluation; the slots are those of `wants`."""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.lab.language.wants import RoomGoalKind

__all__ = ["HELD_OUT_PHRASINGS", "HELD_OUT_UNCLEAR"]

HELD_OUT_PHRASINGS: Mapping[RoomGoalKind, tuple[str, ...]] = {
    RoomGoalKind.STORE: (
        "get the {x} inside the {y}",
        "please stash {x} within the {y}",
        "I'd be glad to have the {x} in the {y}",
        "deposit the {x} in the {y}",
        "let the {x} end up inside the {y}",
    ),
    RoomGoalKind.STORE_SHUT: (
        "deposit the {x} in the {y} and then close the {y}",
        "once the {x} is in the {y}, shut it",
    ),
    RoomGoalKind.PUT_ON: (
        "rest the {x} upon the {s}",
        "the {x} should end up on the {s}",
        "position the {x} on top of the {s}",
        "kindly set {x} onto {s}",
    ),
    RoomGoalKind.PUT_BY: (
        "park the {x} right next to the {z}",
        "the {x} must end up beside the {z}",
    ),
    RoomGoalKind.FIND: (
        "hunt down the {x}",
        "help me find the {x}",
        "seek the {x}",
        "any idea where the {x} is? Find it",
    ),
    RoomGoalKind.OPEN: ("have the {y} opened", "I need the {y} to be open"),
    RoomGoalKind.OPEN_BY_WEIGHT: (
        "have the {y} opened. Placing the {x} on the {s} undoes its lock.",
        "open the {y}. It stays locked until the {x} is put on the {s}.",
    ),
    RoomGoalKind.CLOSE: ("have the {y} closed", "I need the {y} to be shut"),
    RoomGoalKind.TAKE_OUT: (
        "extract the {x} from the {y}",
        "the {x} has to come out of the {y}",
    ),
    RoomGoalKind.AWAY: ("push the {x} aside, away from the {y}", "keep the {x} away from the {y}"),
    RoomGoalKind.CLEAR: ("unload the {s}", "get rid of what is on the {s}"),
    RoomGoalKind.EMPTY: ("let nothing remain in the {y}", "clear everything out of the {y}"),
    RoomGoalKind.USE: ("kindly {use} the {k}", "you should {use} the {k} now"),
    RoomGoalKind.UNLOCK: ("make the {y} unlocked", "I need the {y} unlocked"),
    RoomGoalKind.PICK: ("take hold of the {x}", "kindly lift up the {x}"),
    RoomGoalKind.ALIKE: (
        "find the {n} with the {p} of the {s} and put it on the {s}",
        "the {s} should hold the {n} of its own {p}",
    ),
    RoomGoalKind.TWO: (
        "place the {x} in the {y}; the {z} should be on the {s}",
        "kindly bring the {x} into the {y} and the {z} onto the {s}",
    ),
}
"""Phrasings that only the evaluation uses."""

HELD_OUT_UNCLEAR = (
    "whistle a tune",
    "apologise to the {x}",
    "write a poem about the {x}",
    "what did the {x} cost?",
    "please avoid the {x}",
    "who made the {x}?",
)
"""Impossible requests that only the evaluation uses."""
