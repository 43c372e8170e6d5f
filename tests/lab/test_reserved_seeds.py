"""What the bench measures is in no training data: every generator refuses the reserved seeds."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from regrasp import lab
from regrasp.bench.protocol import ReservedSeedError, is_reserved, read_protocol, training_seeds
from regrasp.lab.vision.evaluation import HELD_OUT_SEED
from regrasp.lab.vision.labelled_scene import generate_scenes
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.lab.vision.rooms import open_room

LAB = Path(lab.__file__).parent
TRAIN = Path(__file__).parents[2] / "train"
sys.path.append(str(TRAIN.parent))  # `train` is no part of the package
RESERVED = [min(table.seeds) for table in read_protocol().tables]
GUARDED = {"segments/pictures.py", "vision/rooms.py", "walker/postures.py"}
"""The files that open a world for training data. Each refuses or replaces reserved seeds."""

COMPARES = {"language/compare_copal.py"}
"""The files that open a world to compare lessons with it, and make none from it."""


def files() -> Iterator[tuple[str, ast.AST]]:
    for root in (LAB, TRAIN):
        for path in sorted(root.rglob("*.py")):
            yield path.relative_to(root).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def test_no_other_file_opens_a_world_at_a_seed() -> None:
    """A new generator that does must refuse reserved seeds, and stand in this list."""
    found = set()
    for name, tree in files():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                opens = called.endswith(".open") and called != "gzip.open" and len(node.args) == 2
                if opens or called in ("open_world", "WorldTask", "open_place"):
                    found.add(name)
    assert found == GUARDED | COMPARES


@pytest.mark.parametrize("world", PICTURED_WORLDS)
def test_no_picture_is_of_a_reserved_seed(world: str) -> None:
    for seed in RESERVED:
        with pytest.raises(ReservedSeedError, match=str(seed)):
            open_room(world, seed, plain=True, held_out=False)
        with pytest.raises(ReservedSeedError, match="reserved for measurements"):
            next(generate_scenes(world, [99_999_999, seed]))
    assert not is_reserved(HELD_OUT_SEED)


def test_shards_take_other_rooms_in_place_of_reserved_ones() -> None:
    assert training_seeds([6000, 6020]) == [6_006_000, 6020]
    data = pytest.importorskip("train.vision.data")
    for number in (12, 37, 150, 175, 100_000):
        for split in ("train", "tune", "test"):
            seeds = data.Shard(split, "kitchen", number).seeds
            assert len(set(seeds)) == data.ROOMS
            assert not any(map(is_reserved, seeds))


def test_the_walkers_postures_are_of_no_reserved_seed() -> None:
    postures = pytest.importorskip("train.walker.postures")
    assert not any(map(is_reserved, range(postures.FIRST_SEED, postures.FIRST_SEED + 100)))
    with pytest.raises(ReservedSeedError):
        postures.moments(postures.TASKS[0], RESERVED[0])
