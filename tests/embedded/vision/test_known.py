"""Only what was learnt is asked of the network, and in one wording."""

from __future__ import annotations

import json

import pytest

from regrasp.embedded.vision.known import KnownQuestions, QuestionScope, of_roles

ROLES = {
    "loose": ("cube", "kettle"),
    "fixed": ("crate", "cabinet", "lever"),
    "parts": ("cabinet left door",),
    "doors": ("cabinet",),
    "tops": ("crate",),
    "driven": ("lever",),
    "plain": ("lever",),
}
TINTS = ("red", "grey", "wooden")
KNOWN = KnownQuestions(
    TINTS,
    (
        *of_roles(**ROLES),
        QuestionScope(("filled", "empty"), ("mug",)),
        QuestionScope(("inside",), ("mug", "hard boiled egg"), ("container",)),
        QuestionScope(("affordance placein", "success placein"), ("mug",), ("cabinet",)),
        QuestionScope(("success open",), ("cabinet",)),
        QuestionScope(("affordance turnon_microwave",), ("microwave",), ("mug",)),
        QuestionScope(("cooked",), ("water",)),
    ),
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
        ("Has the red mug been filled?", "Is the red mug filled?"),
        ("Is there nothing in the mug?", "Is the mug empty?"),
        ("Does the grey_container contain the hard_boiled_egg?",
         "Is the hard boiled egg inside the grey container?"),
        ("Has the robot managed to place the red_mug in the cabinet?",
         "Did the robot put the red mug into the cabinet?"),
        ("Is the robot able to put the mug into the wooden_cabinet?",
         "Can the robot put the mug into the wooden cabinet now?"),
        ("Was the robot able to open the cabinet?", "Did the robot open the cabinet?"),
        ("Could the robot switch on the microwave with the mug and its water right now?",
         "Can the robot turn on the microwave with the mug and its water now?"),
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
        "Is the cube filled?",
        "Is the mug frozen?",
        "Is the cube inside the container?",
        "Is the mug inside the cabinet?",
        "Is there anything inside the container?",
        "Can the robot open the cabinet now?",
        "Did the robot open the mug?",
        "Did the robot put the spoon into the cabinet?",
        "Did the robot put the cube into the cabinet?",
        "Did the robot put the mug on the cabinet?",
        "Can the robot turn on the microwave with the mug and its kettle now?",
        "Can the robot reach the mug?",
    ],
)
def test_what_was_not(question: str) -> None:
    assert KNOWN.canonical(question) is None


def test_it_goes_through_json() -> None:
    assert KnownQuestions.of(json.loads(json.dumps(KNOWN.as_dict()))) == KNOWN


def test_weights_that_were_made_with_roles_are_read() -> None:
    earlier = KnownQuestions.of(json.loads(json.dumps({"tints": TINTS, **ROLES})))
    assert earlier == KnownQuestions(TINTS, of_roles(**ROLES))
    assert earlier.canonical("Is the red_cube on the crate?") == "Is the red cube on the crate?"
    assert earlier.canonical("Is the mug filled?") is None


def test_questions_can_be_left_out() -> None:
    fewer = KNOWN.without(("filled", "cooked"))
    assert KNOWN.canonical("Is the mug filled?") == "Is the mug filled?"
    assert fewer.canonical("Is the mug filled?") is None
    assert fewer.canonical("Is the mug empty?") == "Is the mug empty?"
    assert all(one.questions for one in fewer.asked)
    assert KNOWN.without(()) == KNOWN
