"""Pictures and questions of the bar, the pizza kitchen and the blocks world."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from regrasp.embedded.vision.network import WEIGHTS
from regrasp.lab.vision.kinds import KNOWN
from regrasp.lab.vision.questions import answer_to
from regrasp.lab.vision.rooms import open_room
from regrasp.lab.vision.scene_sampler import Visibility
from regrasp.lab.vision.two_hands import TwoHandsSceneSampler
from regrasp.lab.vision.two_hands_sight import part
from regrasp.lab.vision.wording import Topic
from regrasp.worlds.render.raycast import RaycastRenderer
from regrasp.worlds.two_arms.kitchen import KitchenWorld
from regrasp.worlds.two_arms.world import TwoArmWorld

sys.path.append(str(Path(__file__).parents[3]))  # `train` is no part of the package


def sampler(world: str, draw: int = 0) -> TwoHandsSceneSampler:
    room = open_room(world, 5, plain=True, held_out=False)
    assert isinstance(room.world, TwoArmWorld)
    return TwoHandsSceneSampler(room, room.world, np.random.default_rng(draw))


def shown(one: TwoHandsSceneSampler, *cameras: str) -> dict[str, Visibility]:
    renderer = RaycastRenderer(one.room.world.model)
    ids = {c: renderer.segment(one.room.world.data, c, 224, 224) for c in cameras}
    views = one.shown(ids, renderer)
    return {key: max(view[key] for view in views.values()) for key in views[cameras[0]]}


def test_the_vocabulary_keeps_every_word_that_ships_and_fits_into_a_byte() -> None:
    from train.vision.data import vocabulary

    ships = json.loads((WEIGHTS / "vision.json").read_text())["words"]
    assert set(ships) <= set(vocabulary().words)
    assert vocabulary().size <= 256
    assert all(vocabulary().numbers(f"Is the {kind} on the table?") for kind in KNOWN.kinds)


def test_a_held_thing_is_held_and_on_nothing() -> None:
    bar, found = sampler("bar", 2), 0
    for _ in range(6):
        bar.pose()
        assert isinstance(bar.room.world, TwoArmWorld)
        held = {grip.holds for grip in bar.room.world.grips.values()} - {""}
        said = list(bar.candidates(set(), np.random.default_rng(1)))
        yes = {one.a for one in said if one.topic is Topic.HELD and one.answer == "yes"}
        on = {one.a for one in said if one.topic is Topic.ON and one.answer == "yes"}
        assert yes == held
        assert not on & held
        found += len(held)
    assert found > 0


def test_a_thing_is_in_the_hand_that_holds_it_and_in_no_other() -> None:
    bar, found = sampler("bar", 2), 0
    for _ in range(6):
        bar.pose()
        assert isinstance(bar.room.world, TwoArmWorld)
        holding = {f"{side}_hand": grip.holds for side, grip in bar.room.world.grips.items()}
        said = list(bar.candidates(set(), np.random.default_rng(1)))
        inside = [one for one in said if one.topic is Topic.INSIDE and one.b in holding]
        anything = [one for one in said if one.topic is Topic.ANY_INSIDE and one.b in holding]
        assert all((one.answer == "yes") is (holding[one.b] == one.a) for one in inside)
        assert all((one.answer == "yes") is bool(holding[one.b]) for one in anything)
        assert {one.answer for one in inside} <= {"yes", "no"}
        found += sum(one.answer == "yes" for one in (*inside, *anything))
    assert found > 0


def test_scenes_of_episodes_are_not_drawn() -> None:
    assert open_room("blocks", 5, plain=True, held_out=False).world.seed > 9_999_999


def test_a_thing_in_the_closed_fridge_is_seen_by_no_camera() -> None:
    bar = sampler("bar")
    world = bar.room.world
    world.reset()
    view = shown(bar, "head", "over_left", "over_right")
    asked = [
        one for one in bar.candidates(set(), np.random.default_rng(0)) if one.a == "milk_bottle"
    ]
    assert view["milk_bottle"] is Visibility.HIDDEN
    assert view["gin_bottle"] is Visibility.YES
    assert view[part("fridge", "door")] is Visibility.YES
    assert all(answer_to(one, view) in ("unknown", "no") for one in asked)


def test_a_cap_is_shown_where_it_is_or_would_be() -> None:
    bar = sampler("bar")
    assert isinstance(bar.room.world, KitchenWorld)
    bar.room.world.reset()
    for on in (True, False):
        bar.room.world.liquids.set_cap("gin_bottle", on)
        bar.room.world.set_state(bar.room.world.data.qpos, bar.room.world.data.userdata.copy())
        assert shown(bar, "head", "over_right")[part("gin_bottle", "cap")] is Visibility.YES
