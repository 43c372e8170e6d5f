"""The scene as text: deterministic, and the same value when it is read back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.errors import RegraspError
from regrasp.core.object_description import Affordance, JointDescription, ObjectDescription, kind_of
from regrasp.prompts.attempts import FailedAttempt, attempted, read_attempts
from regrasp.prompts.scene import SceneDescription, read_object
from regrasp.prompts.sections import read_sections

WORDS = st.from_regex(r"[a-z][a-z0-9]{0,7}(_[a-z]{1,6}){0,2}", fullmatch=True).filter(
    lambda word: word not in ("palm", "anything", "something", "none", "robot", "joint")
)
LINES = st.builds(
    ObjectDescription,
    WORDS,
    affordances=st.frozensets(st.sampled_from(Affordance)).map(tuple),
    joints=st.lists(st.builds(JointDescription, WORDS, WORDS), max_size=2).map(tuple),
    place_name=WORDS | st.just(""),
    kind=WORDS | st.just(""),
    state=st.sampled_from(["", "open", "closed"]),
    visible=st.booleans(),
)


@given(LINES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_an_object_reads_back(line: ObjectDescription) -> None:
    assert read_object(f"- {line}") == line
    assert "\n" not in str(line)


@given(st.text())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_reading_an_object_is_total(text: str) -> None:
    line = read_object(text)
    assert line is None or read_object(str(line)) == line


def test_the_form() -> None:
    cabinet = ObjectDescription(
        "wooden_cabinet",
        affordances=(Affordance.PUT_IN, Affordance.OPEN),
        joints=(JointDescription("wooden_cabinet_left_door", "wooden_cabinet_left_handle"),),
        place_name="target_position_in_wooden_cabinet",
        state="closed",
    )
    assert str(cabinet) == (
        "wooden_cabinet: cabinet; can open, put in; joint wooden_cabinet_left_door by "
        "wooden_cabinet_left_handle; spot target_position_in_wooden_cabinet; now closed"
    )
    assert str(ObjectDescription("green_apple", affordances=(Affordance.PICK,), visible=False)) == (
        "green_apple: apple; can pick; not in sight"
    )
    assert kind_of("red_cube_2") == "cube"


def test_names_places_joints_and_owners() -> None:
    lever = ObjectDescription(
        "lever", affordances=(Affordance.PULL,), joints=(JointDescription("lever", "lever"),)
    )
    box = ObjectDescription(
        "box",
        affordances=(Affordance.OPEN,),
        joints=(JointDescription("lid", "knob"),),
        place_name="in_box",
    )
    scene = SceneDescription((lever, box))
    assert scene.names.known == ("lever", "box", "knob", "lid", "in_box")
    assert scene.places.known == ("lever", "box", "knob", "in_box")
    assert scene.joints.known == ("lever", "lid")
    assert scene.owner("KNOB") == box
    assert scene.owner("nothing") is None
    assert scene.that_can(Affordance.PULL, Affordance.PRESS) == ("lever",)
    assert SceneDescription.read(scene.lines()) == scene
    assert SceneDescription.read(["- nonsense"]) is None


def test_two_things_of_one_name_are_refused() -> None:
    with pytest.raises(RegraspError, match="names two things"):
        SceneDescription((ObjectDescription("a"), ObjectDescription("b", place_name="a")))


def test_attempts_read_back() -> None:
    attempts = (
        FailedAttempt(("Open the box",), "Pull the lever", ("lever is stuck",), "force 20 N"),
        FailedAttempt(("Open the box", "Look inside the box")),
    )
    lines = read_sections(attempted(attempts))["Failed attempts"].lines
    assert read_attempts(lines) == attempts
