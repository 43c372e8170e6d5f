"""Which cameras the vision model sees is part of a run; older runs saw those of the domain."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_runs import LIKE, TINY

from regrasp.bench.manifest import (
    MANIFEST_FILE,
    ConfigurationChangedError,
    EpisodeSelection,
    configuration,
    read_manifest,
)
from regrasp.bench.protocol import read_protocol
from regrasp.bench.runner import prepare
from regrasp.bench.suite_registry import open_suite
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.estimates import Estimates

HEAD = replace(LIKE, cameras=("head",))


def test_only_chosen_cameras_change_the_configuration() -> None:
    suite = open_suite(TINY)
    plain = configuration(suite, LIKE)
    assert "cameras" not in plain
    assert configuration(suite, HEAD) == {**plain, "cameras": "head"}


def test_a_run_is_not_continued_with_other_cameras(tmp_path: Path) -> None:
    seen = replace(LIKE, cameras=("front",))
    asked = EpisodeSelection(("cabinet-open",), ("full",), (0,))
    prepare("replan", tmp_path / "run", asked=asked, like=seen)
    assert read_manifest(tmp_path / "run").like.cameras == ("front",)
    with pytest.raises(ConfigurationChangedError, match="cameras: front -> nothing"):
        prepare("replan", tmp_path / "run", asked=asked, like=LIKE, resume=True)


def test_a_camera_that_no_robot_has_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    asked = EpisodeSelection(("cabinet-open",), ("full",), (0,))
    with pytest.raises(UnknownNameError, match="front, side, wrist"):
        prepare("replan", tmp_path / "run", asked=asked, like=HEAD)
    with pytest.raises(RegraspError, match="leave --cameras out"):
        prepare("ialp-planning", tmp_path / "run", asked=None, like=HEAD)
    assert not (tmp_path / "run").exists()


def test_a_manifest_from_before_there_was_a_choice_is_read(tmp_path: Path) -> None:
    root = tmp_path / "run"
    prepare(TINY, root, asked=None, like=LIKE)
    data = json.loads((root / MANIFEST_FILE).read_text())
    del data["like"]["cameras"]
    (root / MANIFEST_FILE).write_text(json.dumps(data))
    assert read_manifest(root).like.cameras == ()


def test_tables_with_other_cameras_share_seeds_and_are_told_apart() -> None:
    protocol = read_protocol()
    both, head = (protocol.table(f"doremi-views-{name}") for name in ("both", "head"))
    assert both.seeds == head.seeds and head.against == both.name and head.cameras == ("head",)
    for table in (both, head):
        setup = ("scripted", "embedded", Estimates.PRIVILEGED, table.cameras)
        assert protocol.table_of(table.suite, table.seeds, *setup) is table
