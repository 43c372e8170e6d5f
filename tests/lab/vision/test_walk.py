"""The walker's stage: its answers are those of its oracle, and each has been true and false."""

from __future__ import annotations

from collections import Counter

import numpy as np

from regrasp.lab.vision.labelled_scene import best_of
from regrasp.lab.vision.questions import answer_to
from regrasp.lab.vision.rooms import open_room
from regrasp.lab.vision.scene_sampler import Visibility
from regrasp.lab.vision.scene_samplers import open_scene_sampler
from regrasp.lab.vision.wording import WORDINGS, Topic
from regrasp.worlds.kit.walker import HEAD
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.walker_room.tasks import GATE
from world_oracle import open_oracle_vision

ASKED = (Topic.HELD, Topic.ON, Topic.AT, Topic.CLEAR, Topic.OBSTACLE, Topic.ANY_HELD)


def test_the_stage_answers_as_the_oracle_does_and_finds_both_answers() -> None:
    found: Counter[tuple[Topic, str]] = Counter()
    for seed in range(6):
        rng = np.random.default_rng(seed)
        room = open_room("walker_room", seed, plain=True, held_out=False)
        stage, renderer = open_scene_sampler(room, rng), RaycastRenderer(room.world.model)
        oracle = open_oracle_vision(room.world)
        for _ in range(6):
            stage.pose()
            ids = {c: renderer.labelled(room.world.data, c, 96, 96)[1] for c in stage.cameras}
            view = best_of(stage.shown(ids, renderer).values())
            seen = {name for name, how in view.items() if how is Visibility.YES}
            for one in stage.candidates(seen, rng):
                truth = answer_to(one, view)
                if one.topic in ASKED and truth in ("yes", "no"):
                    text = str(WORDINGS[one.topic][0]).format(a=one.a, b=one.b)
                    assert str(oracle.answer([], text).verdict) == truth, (seed, text)
                    found[one.topic, truth] += 1
    assert all(found[topic, said] for topic in ASKED for said in ("yes", "no")), found


def test_only_the_walkers_own_camera_shows_its_way() -> None:
    rng = np.random.default_rng(0)
    rooms = (open_room("walker_room", n, plain=True, held_out=False) for n in range(20))
    room = next(one for one in rooms if GATE in one.world.scene.things)
    stage, renderer = open_scene_sampler(room, rng), RaycastRenderer(room.world.model)
    stage.pose()
    ids = {c: renderer.labelled(room.world.data, c, 64, 64)[1] for c in stage.cameras}
    shows = stage.shown(ids, renderer)
    way = [
        one for one in stage.candidates(set(shows[HEAD]), rng)
        if one.topic in (Topic.CLEAR, Topic.OBSTACLE)
    ]  # fmt: skip
    assert way
    assert {answer_to(one, shows["room"]) for one in way} == {"unknown"}
    assert {answer_to(one, shows[HEAD]) for one in way} <= {"yes", "no"}
