"""Only what was learnt is asked of the network, and in one wording."""

from __future__ import annotations

import json

import pytest

from regrasp.models.seeing.known import Known

KNOWN = Known(
    tints=("red", "grey", "wooden"),
    loose=("cube", "kettle"),
    fixed=("crate", "cabinet", "lever"),
    parts=("cabinet left door",),
    doors=("cabinet",),
    tops=("crate",),
    driven=("lever",),
    plain=("lever",),
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Can you see the red_cube anywhere?", "Do you see the red cube?"),
        ("Does the wooden cabinet's left door stand open?",
         "Is the wooden cabinet left door open?"),
        ("Is the gray kettle in the cabinet?", "Is the grey kettle inside the cabinet?"),
        ("Is the lever blocked by the cube?", "Is the cube blocking the lever?"),
        ("Is the cabinet blocking the lever?", "Is the cabinet blocking the lever?"),
        ("Is something on top of the crate?", "Is there anything on the crate?"),
        ("Is there anything in the gripper?", "Is the robot holding anything?"),
        ("What color is the crate?", "What colour is the crate?"),
        ("Is the cabinet open or closed?", "What state is the cabinet?"),
        # Things are next to furniture, not furniture next to things.
        ("Is the crate next to the cube?", "Is the cube next to the crate?"),
        ("Is the crate left of the cube?", "Is the cube to the right of the crate?"),
    ],
)  # fmt: skip
def test_what_was_learnt(question: str, asked: str) -> None:
    assert KNOWN.canonical(question) == asked
    assert KNOWN.canonical(asked) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Do you see the spoon?",
        "Do you see the blue cube?",
        "Do you see the left cube?",
        "Do you see the cabinet left door?",
        "Is the cube open?",
        "Is the lever open?",
        "Is the door open?",
        "Is the cube inside the crate?",
        "Is the cube on the cabinet?",
        "Is the cube blocking the crate?",
        "Is the robot holding the cabinet?",
        "Is the crate next to the cabinet?",
        "Is there anything inside the cabinet?",
        "Is there anything in front of the cube?",
        "What colour is the lever?",
        "What size is the cube?",
        "What state is the cube?",
        "Is the cube locked?",
    ],
)
def test_what_was_not(question: str) -> None:
    assert KNOWN.canonical(question) is None


def test_it_goes_through_json() -> None:
    assert Known.of(json.loads(json.dumps(KNOWN.as_dict()))) == KNOWN
