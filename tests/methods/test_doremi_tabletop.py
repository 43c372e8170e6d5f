"""DoReMi on real physics: nothing lost where nothing happens, and a drop noticed in the air."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import pytest

from regrasp.bench.detection import detection
from regrasp.bench.layout import EpisodeNote, finish, new_draft
from regrasp.bench.reading import read_record
from regrasp.bench.record import EpisodeKey, EpisodeRecord
from regrasp.core.event import ConstraintViolated, Disturbed
from regrasp.core.trace import read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeResult, EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.registry import open_method
from regrasp.worlds.disturbance import Disturbance


def record(root: Path, task: str, method: str, seed: int) -> tuple[EpisodeResult, EpisodeRecord]:
    """A run of the bench's kind, and the row that is made of its trace."""
    key = EpisodeKey("s", "t", method, "scripted", "oracle", seed)
    draft = new_draft(root, key)
    spec = EpisodeSpec(
        WorldTask("tabletop", task, seed),
        open_method(method),
        method,
        ScriptedModel(),
        oracle_factory(),
        recording=Recording(video=False, size=(48, 36)),
        limit_s=10.0,
    )
    ended = run_episode(spec, draft)
    return ended, read_record(finish(draft, root, EpisodeNote(key, 0.0, 0.0, "")), root)


def test_undisturbed_the_monitor_costs_no_time(tmp_path: Path) -> None:
    runs = {m: record(tmp_path, "pick-and-place", m, 0) for m in ("doremi", "saycan")}
    assert all(ended.done and ended.claim.done for ended, _ in runs.values())
    assert runs["doremi"][1].sim_s == runs["saycan"][1].sim_s < 4.0
    found = detection([runs["doremi"][1]])
    assert (found.tn, found.fp, found.fn) == (0, 0, 0) and found.tp > 0
    assert runs["saycan"][1].watched == 0


def dropping_seed(p: float) -> int:
    """A seed whose first hold is lost on the way, and whose second is not."""
    luck = Disturbance(p=p)
    return next(s for s in range(200) if 0.5 < luck.hold_s(s, 0) < 0.7 and luck.hold_s(s, 1) > 4.0)


def test_a_drop_is_noticed_in_the_air_and_made_good_sooner_than_at_the_end(tmp_path: Path) -> None:
    seed = dropping_seed(0.3)
    task = "pick-and-place:p=0.3"
    runs = {m: record(tmp_path, task, m, seed) for m in ("doremi", "inner-monologue")}
    assert all(ended.done for ended, _ in runs.values())
    assert runs["doremi"][1].sim_s < runs["inner-monologue"][1].sim_s
    row = runs["doremi"][1]
    entries = read_trace(tmp_path / row.trace).entries
    fell = next(e.stamp.sim_s for e in entries if isinstance(e.event, Disturbed))
    noticed = next(e.stamp.sim_s for e in entries if isinstance(e.event, ConstraintViolated))
    assert 0.25 < noticed - fell < 0.5
    found = detection([row])
    assert (found.tn, found.fp, found.fn) == (1, 0, 0)
    assert median(s for _, s in found.delays) == pytest.approx(noticed - fell, abs=0.12)
