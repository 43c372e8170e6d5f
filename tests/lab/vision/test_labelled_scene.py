"""Exhibits: the same for the same seed, answers that are so, nothing told that is not shown."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pytest

from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.labelled_scene import LabelledScene, generate_scenes, true_answer
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.lab.vision.questions import LabelledQuestion
from regrasp.lab.vision.scene_sampler import MOST_NEEDS, Visibility
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.kit.two_arms import WORK_CAMERAS

CAMERAS = {
    "household": ("head", "down", "hand"), "tabletop": ("front", "left"),
    "walker_room": ("head", "room"), **dict.fromkeys(("bar", "pizza", "blocks"), WORK_CAMERAS),
}  # fmt: skip


@functools.cache
def some(world: str, seed: int = 3, held_out: bool = False) -> tuple[LabelledScene, ...]:
    return tuple(generate_scenes(world, [seed], states=4, held_out=held_out, wrist=0.0))


@pytest.mark.parametrize("world", PICTURED_WORLDS)
def test_every_world_can_be_asked_about(world: str) -> None:
    shown = some(world)
    asked = [one for exhibit in shown for one in exhibit.questions]
    assert len(shown) == 4
    assert len(asked) >= (20 if world == "walker_room" else 40)  # few things are there
    topics = {one.topic for one in asked}
    assert Topic.SEEN in topics and topics & {Topic.HELD, Topic.ANY_HELD}
    for exhibit in shown:
        assert exhibit.cameras == CAMERAS.get(world, ("front", "side"))
        assert tuple(exhibit.pictures) == exhibit.cameras
        assert all(p.shape == (224, 224, 3) for p in exhibit.pictures.values())


@pytest.mark.parametrize("world", PICTURED_WORLDS)
def test_whatever_is_asked_can_be_asked_of_eyes_that_have_learnt_it(world: str) -> None:
    for one in (one for exhibit in some(world) for one in exhibit.questions):
        assert (KNOWN.canonical(one.text) is None) is (one.topic is Topic.NONSENSE), one.text
        assert len(one.needs) <= MOST_NEEDS


def test_the_same_seed_gives_the_same_pictures_and_questions() -> None:
    again = next(iter(generate_scenes("cubes", [3], states=4, wrist=0.0)))
    first = some("cubes")[0]
    assert first.questions == again.questions
    assert all(np.array_equal(first.pictures[c], again.pictures[c]) for c in first.cameras)


def test_no_room_that_is_trained_on_is_asked_in_held_out_words() -> None:
    assert not any(one.unseen for exhibit in some("cabinet") for one in exhibit.questions)
    held = [one for exhibit in some("cabinet", 5, True) for one in exhibit.questions]
    assert 0.2 < sum(one.unseen for one in held) / len(held) < 0.9


def test_states_differ() -> None:
    pictures = [exhibit.pictures["front"].astype(int) for exhibit in some("kitchen")]
    assert all(
        np.abs(a - b).mean() > 0.5 for i, a in enumerate(pictures) for b in pictures[i + 1 :]
    )


def test_yes_and_no_are_in_balance() -> None:
    counts: Counter[str] = Counter()
    for exhibit in generate_scenes("cubes", [11, 12], states=6, wrist=0.0):
        counts.update(str(true_answer(exhibit, one)) for one in exhibit.questions)
    assert 0.6 < counts["yes"] / counts["no"] < 1.6


def _exhibit(**shown: Visibility) -> LabelledScene:
    return LabelledScene("cubes", 0, {}, {"front": shown, "side": {}}, ())


def test_what_no_picture_shows_is_unknown_and_not_seen() -> None:
    on = LabelledQuestion(
        Topic.ON, "Is the red cube on the crate?", "yes", (("red_cube",), ("crate",)), False
    )
    seen = LabelledQuestion(
        Topic.SEEN, "Do you see the red cube?", "yes", (("red_cube",),), False, True
    )
    both = _exhibit(red_cube=Visibility.YES, crate=Visibility.YES)
    hidden = _exhibit(red_cube=Visibility.HIDDEN, crate=Visibility.YES)
    doubtful = _exhibit(red_cube=Visibility.DOUBTFUL, crate=Visibility.YES)
    assert [true_answer(e, on) for e in (both, hidden, doubtful)] == [
        "yes", "unknown", None,
    ]  # fmt: skip
    assert [true_answer(e, seen) for e in (both, hidden, doubtful)] == [
        "yes", "no", None,
    ]  # fmt: skip
    assert true_answer(both, on, ["side"]) == "unknown"


def test_of_several_clues_one_in_sight_is_enough() -> None:
    inside = LabelledQuestion(Topic.INSIDE, "Is the mug inside the cabinet?", "no",
                    (("mug", "cabinet inside"),), False)  # fmt: skip
    empty = _exhibit(**{"mug": Visibility.HIDDEN, "cabinet inside": Visibility.YES})
    glimpse = _exhibit(**{"mug": Visibility.HIDDEN, "cabinet inside": Visibility.DOUBTFUL})
    neither = _exhibit(mug=Visibility.HIDDEN)
    assert [true_answer(e, inside) for e in (empty, glimpse, neither)] == ["no", None, "unknown"]


def test_what_is_sought_and_not_in_sight_is_a_no_whatever_else_is_hidden() -> None:
    can = LabelledQuestion(Topic.AFFORDANCE, "Can the robot open the oven now?", "yes",
                 (("oven",), ("oven door",)), False, True)  # fmt: skip
    cases: dict[tuple[Visibility, Visibility], str | None] = {
        (Visibility.YES, Visibility.YES): "yes",
        (Visibility.YES, Visibility.HIDDEN): "unknown",
        (Visibility.YES, Visibility.DOUBTFUL): None,
        (Visibility.HIDDEN, Visibility.HIDDEN): "no",
        (Visibility.DOUBTFUL, Visibility.HIDDEN): None,
    }
    for (oven, door), answer in cases.items():
        assert true_answer(_exhibit(**{"oven": oven, "oven door": door}), can) == answer
