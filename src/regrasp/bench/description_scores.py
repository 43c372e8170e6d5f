"""Descriptions that the vocabulary was not written for: is the right thing found in the map?

`descriptions.json` was written by a language model that saw neither the table of words nor any
code; it was told which things a flat has. What the table was developed with is left out. Each
description is looked for in the map of an apartment that the robot made from its pictures. It is
found if it is taken for the right kind and the place is that of the right thing, by the simulator.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.grounding import GroundedRobot
from regrasp.episodes.grounding import described, perceived_grounding
from regrasp.episodes.setting import world_setting
from regrasp.perception.furniture import assign_pieces, furniture_pieces
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.registry import open_world

__all__ = [
    "DescriptionTable",
    "HeldOutDescription",
    "held_out_descriptions",
    "score_descriptions",
    "wrong_about",
]

_NEAR_M = {"paper_box": 0.3, "book": 0.3, "blue_bucket": 0.3}
_FURNITURE_M = 0.6


@dataclass(frozen=True, slots=True)
class HeldOutDescription:
    """A text, the thing that it describes, and its sort: attribute, synonym or purpose."""

    text: str
    thing: str
    sort: str


@dataclass(slots=True)
class DescriptionTable:
    """How many descriptions of each sort were asked for and found, and which were not."""

    asked: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def rows(self) -> list[dict[str, object]]:
        """A row for each sort, and one for all."""
        sorts = [*sorted(self.asked), "all"]
        asked, found = dict(self.asked), dict(self.found)
        asked["all"], found["all"] = sum(asked.values()), sum(found.values())
        return [
            {
                "description": sort, "n": asked[sort], "found": found.get(sort, 0),
                "share": round(found.get(sort, 0) / asked[sort], 3),
            }
            for sort in sorts if asked[sort]
        ]  # fmt: skip


def held_out_descriptions() -> tuple[HeldOutDescription, ...]:
    """Those of `descriptions.json`."""
    raw = json.loads((files("regrasp.bench") / "descriptions.json").read_text("utf-8"))
    return tuple(HeldOutDescription(one["text"], one["thing"], one["kind"]) for one in raw)


def score_descriptions(
    seeds: range, tick: Callable[[int], None] = lambda seed: None
) -> DescriptionTable:
    """Each description in the apartment of every seed."""
    table = DescriptionTable()
    asked = held_out_descriptions()
    for seed in seeds:
        world = open_world("apartment", "place-box", seed)
        assert isinstance(world, ApartmentWorld)
        with world_setting(world, size=(320, 240)) as setting:
            robot = setting.robot
            assert isinstance(robot, GroundedRobot)  # the apartment's is
            texts = tuple(dict.fromkeys(one.text for one in asked))
            seen = perceived_grounding(setting, robot.survey(), names=texts)
            pieces = furniture_pieces(seen.voxels)
            for one in asked:
                seen.pieces = assign_pieces([seen.kinds[one.text]], pieces)
                place = seen.position_of(one.text)
                table.asked[one.sort] += 1
                if (reason := wrong_about(world, one, place)) is None:
                    table.found[one.sort] += 1
                else:
                    table.wrong.append(f"seed {seed}: {one.text!r} is {one.thing}: {reason}")
        tick(seed)
    return table


def wrong_about(world: ApartmentWorld, one: HeldOutDescription, place: Array | None) -> str | None:
    """What is wrong about a place that was found for a description; None if it is right."""
    kind, right = described(one.text).kind, described(one.thing).kind
    if kind != right:
        return f"taken for {kind or 'nothing that is known'}"
    if place is None:
        return "not found"
    true, _ = world.in_odometry(world.at(one.thing), np.eye(3))
    off = float(np.linalg.norm(place[:2] - true[:2]))
    return None if off < _NEAR_M.get(one.thing, _FURNITURE_M) else f"found {off:.1f} m from it"
