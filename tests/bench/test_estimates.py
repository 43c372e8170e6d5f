"""Where a robot's estimates come from is part of a run, but older runs stay readable."""

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
from regrasp.bench.runner import prepare
from regrasp.bench.suite_registry import open_suite
from regrasp.core.errors import RegraspError
from regrasp.core.estimates import Estimates

SENSED = replace(LIKE, estimates=Estimates.SENSED)


def test_only_estimates_that_are_not_the_default_change_the_configuration() -> None:
    suite = open_suite(TINY)
    plain, sensed = configuration(suite, LIKE), configuration(suite, SENSED)
    assert "estimates" not in plain
    assert sensed == {**plain, "estimates": "sensed"}


def test_a_run_is_not_continued_with_other_estimates(tmp_path: Path) -> None:
    prepare(TINY, tmp_path / "run", asked=None, like=SENSED)
    assert read_manifest(tmp_path / "run").like.estimates is Estimates.SENSED
    with pytest.raises(ConfigurationChangedError, match="estimates: sensed -> nothing"):
        prepare(TINY, tmp_path / "run", asked=None, like=LIKE, resume=True)


def test_a_suite_whose_robot_has_no_such_estimates_is_refused_first(tmp_path: Path) -> None:
    asked = EpisodeSelection(("frozen-pie",), ("classical",), (0,))
    with pytest.raises(RegraspError, match="household has no sensed estimates"):
        prepare("dkprompt", tmp_path / "run", asked=asked, like=SENSED)
    assert not (tmp_path / "run").exists()


def test_a_manifest_from_before_there_was_a_choice_is_read(tmp_path: Path) -> None:
    root = tmp_path / "run"
    prepare(TINY, root, asked=None, like=LIKE)
    data = json.loads((root / MANIFEST_FILE).read_text())
    del data["like"]["estimates"]
    (root / MANIFEST_FILE).write_text(json.dumps(data))
    assert read_manifest(root).like.estimates is Estimates.PRIVILEGED
