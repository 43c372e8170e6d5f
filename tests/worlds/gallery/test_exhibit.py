"""Exhibits: the same for the same seed, answers that are so, nothing told that is not shown."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pytest

from regrasp.worlds import WORLDS
from regrasp.worlds.gallery.exhibit import AGENT_CAMERAS, Exhibit, Shown, exhibits, true_answer
from regrasp.worlds.gallery.questions import Asking
from regrasp.worlds.gallery.wording import Topic


@functools.cache
def some(world: str, seed: int = 3, held_out: bool = False) -> tuple[Exhibit, ...]:
    return tuple(exhibits(world, [seed], states=4, held_out=held_out, wrist=0.0))


@pytest.mark.parametrize("world", WORLDS)
def test_every_world_can_be_asked_about(world: str) -> None:
    shown = some(world)
    asked = [one for exhibit in shown for one in exhibit.questions]
    assert len(shown) == 4
    assert len(asked) >= 40
    assert {Topic.SEEN, Topic.HELD, Topic.COLOUR} <= {one.topic for one in asked}
    for exhibit in shown:
        assert tuple(exhibit.pictures) == AGENT_CAMERAS
        assert all(p.shape == (224, 224, 3) for p in exhibit.pictures.values())


def test_the_same_seed_gives_the_same_pictures_and_questions() -> None:
    again = next(iter(exhibits("cubes", [3], states=4, wrist=0.0)))
    first = some("cubes")[0]
    assert first.questions == again.questions
    assert all(np.array_equal(first.pictures[c], again.pictures[c]) for c in AGENT_CAMERAS)


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
    for exhibit in exhibits("cubes", [11, 12], states=6, wrist=0.0):
        counts.update(str(true_answer(exhibit, one, AGENT_CAMERAS)) for one in exhibit.questions)
    assert 0.6 < counts["yes"] / counts["no"] < 1.6


def _exhibit(**shown: Shown) -> Exhibit:
    return Exhibit("cubes", 0, {}, {"front": shown, "side": {}}, ())


def test_what_no_picture_shows_is_unknown_and_not_seen() -> None:
    on = Asking(Topic.ON, "Is the red cube on the crate?", "yes", ("red_cube", "crate"), False)
    seen = Asking(Topic.SEEN, "Do you see the red cube?", "yes", ("red_cube",), False)
    both = _exhibit(red_cube=Shown.YES, crate=Shown.YES)
    hidden = _exhibit(red_cube=Shown.HIDDEN, crate=Shown.YES)
    doubtful = _exhibit(red_cube=Shown.DOUBTFUL, crate=Shown.YES)
    assert [true_answer(e, on, AGENT_CAMERAS) for e in (both, hidden, doubtful)] == [
        "yes", "unknown", None,
    ]  # fmt: skip
    assert [true_answer(e, seen, AGENT_CAMERAS) for e in (both, hidden, doubtful)] == [
        "yes", "no", None,
    ]  # fmt: skip
    assert true_answer(both, on, ["side"]) == "unknown"
