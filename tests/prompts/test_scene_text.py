"""The scene as text: deterministic, and the same value when it is read back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from regrasp.core.errors import RegraspError
from regrasp.prompts.attempts import FailedAttempt, attempted, read_attempts
from regrasp.prompts.scene import Can, JointLine, ObjectLine, SceneDescription, kind_of
from regrasp.prompts.sections import read_sections

WORDS = st.from_regex(r"[a-z][a-z0-9]{0,7}(_[a-z]{1,6}){0,2}", fullmatch=True).filter(
    lambda word: word not in ("palm", "anything", "something", "none", "robot", "joint")
)
LINES = st.builds(
    ObjectLine,
    WORDS,
    st.frozensets(st.sampled_from(Can)),
    st.lists(st.builds(JointLine, WORDS, WORDS), max_size=2).map(tuple),
    spot=WORDS | st.just(""),
    kind=WORDS | st.just(""),
    now=st.sampled_from(["", "open", "closed"]),
    seen=st.booleans(),
)


@given(LINES)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_an_object_reads_back(line: ObjectLine) -> None:
    assert ObjectLine.read(f"- {line}") == line
    assert "\n" not in str(line)


@given(st.text())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_reading_an_object_is_total(text: str) -> None:
    line = ObjectLine.read(text)
    assert line is None or ObjectLine.read(str(line)) == line


def test_the_form() -> None:
    cabinet = ObjectLine(
        "wooden_cabinet",
        frozenset({Can.PUT_IN, Can.OPEN}),
        (JointLine("wooden_cabinet_left_door", "wooden_cabinet_left_handle"),),
        spot="target_position_in_wooden_cabinet",
        now="closed",
    )
    assert str(cabinet) == (
        "wooden_cabinet: cabinet; can open, put in; joint wooden_cabinet_left_door by "
        "wooden_cabinet_left_handle; spot target_position_in_wooden_cabinet; now closed"
    )
    assert str(ObjectLine("green_apple", frozenset({Can.PICK}), seen=False)) == (
        "green_apple: apple; can pick; not in sight"
    )
    assert kind_of("red_cube_2") == "cube"


def test_names_places_joints_and_owners() -> None:
    lever = ObjectLine("lever", frozenset({Can.PULL}), (JointLine("lever", "lever"),))
    box = ObjectLine("box", frozenset({Can.OPEN}), (JointLine("lid", "knob"),), spot="in_box")
    scene = SceneDescription((lever, box))
    assert scene.names.known == ("lever", "box", "knob", "lid", "in_box")
    assert scene.places.known == ("lever", "box", "knob", "in_box")
    assert scene.joints.known == ("lever", "lid")
    assert scene.owner("KNOB") == box
    assert scene.owner("nothing") is None
    assert scene.that_can(Can.PULL, Can.PRESS) == ("lever",)
    assert SceneDescription.read(scene.lines()) == scene
    assert SceneDescription.read(["- nonsense"]) is None


def test_two_things_of_one_name_are_refused() -> None:
    with pytest.raises(RegraspError, match="names two things"):
        SceneDescription((ObjectLine("a"), ObjectLine("b", spot="a")))


def test_attempts_read_back() -> None:
    attempts = (
        FailedAttempt(("Open the box",), "Pull the lever", ("lever is stuck",), "force 20 N"),
        FailedAttempt(("Open the box", "Look inside the box")),
    )
    lines = read_sections(attempted(attempts))["Failed attempts"].lines
    assert read_attempts(lines) == attempts
