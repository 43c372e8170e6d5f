"""A run as a LeRobot dataset: what was seen and done, failures labelled, for their loader."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filmed_run import FPS, SECONDS, film, filmed_run, joints_of

from regrasp.bench.store import Results
from regrasp.bridges.lerobot import Exported, export_lerobot
from regrasp.bridges.lerobot_frames import FAILURES, episode_frames
from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.outcome import Outcome

parquet = pytest.importorskip("pyarrow.parquet")
av = pytest.importorskip("av")

FRAMES = int(SECONDS * FPS) + 1
OUTCOMES = (Outcome.SUCCEEDED, Outcome.BROKEN, Outcome.FAILED)
SMALL = {"size": (48, 32), "cameras": ("front", "wrist")}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Three filmed episodes, the second of them broken."""
    return filmed_run(tmp_path_factory.mktemp("run"), OUTCOMES)


@pytest.fixture(scope="module")
def exported(run: Results, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    return export_lerobot(run, tmp_path_factory.mktemp("out") / "data set", **SMALL)


def columns(path: Path) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = parquet.read_table(path).to_pydict()
    return found


def frames(exported: Exported) -> dict[str, np.ndarray]:
    found = columns(exported.root / "data" / "chunk-000" / "file-000.parquet")
    return {name: np.array(values) for name, values in found.items()}


def episodes(exported: Exported) -> dict[str, list[Any]]:
    return columns(exported.root / "meta" / "episodes" / "chunk-000" / "file-000.parquet")


def info(exported: Exported) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((exported.root / "meta" / "info.json").read_text())
    return found


def test_broken_episodes_are_left_out(exported: Exported) -> None:
    assert (exported.episodes, exported.frames) == (2, 2 * FRAMES)
    assert episodes(exported)["seed"] == [0, 2]
    assert info(exported)["total_episodes"] == 2
    assert info(exported)["total_frames"] == 2 * FRAMES


def test_every_episode_carries_how_it_ended(exported: Exported) -> None:
    found = episodes(exported)
    assert found["outcome"] == ["succeeded", "failed"]
    assert found["claimed"] == [True, True]
    assert found["failures"] == [["resisted"], ["resisted"]]
    assert found["method"] == ["full", "full"]
    at_end = frames(exported)["next.success"].reshape(2, FRAMES)
    assert at_end[0].tolist() == [False] * (FRAMES - 1) + [True]
    assert not at_end[1].any()
    assert frames(exported)["next.reward"].sum() == 1.0
    assert frames(exported)["next.done"].reshape(2, FRAMES).sum(axis=1).tolist() == [1, 1]


def test_a_skill_that_will_fail_is_labelled_while_it_is_under_way(exported: Exported) -> None:
    failure = frames(exported)["failure"][:FRAMES]
    seconds = frames(exported)["timestamp"][:FRAMES]
    under_way = (seconds >= 0.25 - 1e-6) & (seconds < 0.75 - 1e-6)
    assert set(failure[under_way]) == {FAILURES.index("resisted")}
    assert set(failure[~under_way]) == {0}
    about = json.loads((exported.root / "meta" / "regrasp.json").read_text())
    assert about["failure"] == list(FAILURES)


def test_the_step_of_the_plan_is_the_subtask(exported: Exported) -> None:
    names = columns(exported.root / "meta" / "subtasks.parquet")
    steps = dict(zip(names["subtask_index"], names["__index_level_0__"], strict=True))
    told = [steps[i] for i in frames(exported)["subtask_index"][:FRAMES]]
    assert told[:3] == [""] * 3
    assert told[3:9] == ["open the door"] * 6
    assert told[9:] == ["put the cube"] * (FRAMES - 9)
    tasks = columns(exported.root / "meta" / "tasks.parquet")
    assert tasks == {"task_index": [0], "__index_level_0__": ["put the cube on the crate"]}


def test_states_are_the_robots_joints_and_actions_what_comes_next(exported: Exported) -> None:
    found = frames(exported)
    state, action = (found[name][:FRAMES] for name in ("observation.state", "action"))
    assert state.shape == (FRAMES, 8)
    assert info(exported)["features"]["action"]["names"][0] == "joint1"
    assert np.array_equal(action[:-1], state[1:])
    assert np.array_equal(action[-1], state[-1])
    assert np.abs(state[-1] - state[0]).max() > 0.01
    for frame in (0, 6, FRAMES - 1):
        assert state[frame, :7] == pytest.approx(joints_of(0, frame / FPS), abs=2e-4)


def test_pictures_are_where_the_episodes_say(exported: Exported) -> None:
    found = episodes(exported)
    for camera in SMALL["cameras"]:
        key = f"observation.images.{camera}"
        path = exported.root / "videos" / key / "chunk-000" / "file-000.mp4"
        with av.open(str(path)) as video:
            seen = [(float(f.time), f.to_ndarray(format="rgb24")) for f in video.decode(video=0)]
        assert [time for time, _ in seen] == pytest.approx(np.arange(2 * FRAMES) / FPS)
        assert seen[0][1].shape == (32, 48, 3)
        assert seen[0][1].std() > 10
        assert found[f"videos/{key}/from_timestamp"] == pytest.approx([0.0, FRAMES / FPS])
        assert found[f"videos/{key}/to_timestamp"] == pytest.approx(
            [FRAMES / FPS, 2 * FRAMES / FPS]
        )


def test_statistics_are_of_what_is_there(exported: Exported) -> None:
    stats = json.loads((exported.root / "meta" / "stats.json").read_text())
    state = frames(exported)["observation.state"]
    assert stats["observation.state"]["mean"] == pytest.approx(state.mean(axis=0), abs=1e-5)
    assert stats["observation.state"]["q50"] == pytest.approx(np.median(state, axis=0), abs=1e-5)
    assert stats["next.success"]["mean"] == [pytest.approx(1 / (2 * FRAMES))]
    colours = stats["observation.images.front"]
    assert np.array(colours["mean"]).shape == (3, 1, 1)
    order = [np.array(colours[name]) for name in ("min", "q01", "q50", "q99", "max")]
    assert all((a <= b).all() for a, b in pairwise(order))
    assert set(stats) == set(info(exported)["features"])
    one = episodes(exported)["stats/observation.state/max"][0]
    assert one == pytest.approx(state[:FRAMES].max(axis=0), abs=1e-5)


def test_only_those_that_are_wanted(run: Results, tmp_path: Path) -> None:
    def is_failed(record: object) -> bool:
        return getattr(record, "outcome", None) is Outcome.FAILED

    written = export_lerobot(run, tmp_path / "out", wanted=is_failed, size=(16, 16), cameras=())
    assert written.episodes == 1
    assert episodes(written)["outcome"] == ["failed"]
    assert not (tmp_path / "out" / "videos").exists()


def test_a_lower_rate_takes_fewer_frames_and_a_higher_one_is_refused(run: Results) -> None:
    folder = run.root / run.records[0].trace
    assert len(episode_frames(folder, 6).steps) == int(SECONDS * 6) + 1
    with pytest.raises(RegraspError, match="12 states a second, too few for --fps 60"):
        episode_frames(folder, 60)


def test_an_episode_that_never_moved_is_one_frame(run: Results, tmp_path: Path) -> None:
    """An agent that gives up at once has one state, at 0 s."""
    folder = run.root / run.records[0].trace
    lines = (folder / "states.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "states.jsonl").write_text("".join(lines[:2]))
    (tmp_path / "trace.jsonl").write_bytes((folder / "trace.jsonl").read_bytes())
    still = episode_frames(tmp_path, FPS)
    assert still.state.shape == still.action.shape == (1, 8)
    assert still.steps == ("",)
    (tmp_path / "states.jsonl").write_text(lines[0])
    with pytest.raises(RegraspError, match="has no state yet"):
        episode_frames(tmp_path, FPS)


def test_what_was_not_filmed_cannot_be_drawn(run: Results, tmp_path: Path) -> None:
    elsewhere = replace(run.records[0], trace="episodes/cubes-match/full/9")
    with pytest.raises(RegraspError, match="Run the suite with --video"):
        export_lerobot(replace(run, records=(elsewhere,)), tmp_path / "out")
    both = replace(run, records=(elsewhere, run.records[0]))
    written = export_lerobot(both, tmp_path / "out", size=(16, 16), cameras=())
    assert (written.episodes, written.without_states) == (1, 1)


def test_nothing_is_overwritten_and_nothing_half_is_left(run: Results, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(RegraspError, match="is there already"):
        export_lerobot(run, tmp_path / "there")
    with pytest.raises(UnknownNameError, match="unknown camera 'fornt'"):
        export_lerobot(run, tmp_path / "new", cameras=("fornt",))
    film(tmp_path / "episodes" / "cubes-match" / "full" / "5", 5)
    (tmp_path / "episodes" / "cubes-match" / "full" / "5" / "trace.jsonl").write_text("spoilt\n")
    spoilt = replace(run.records[0], trace="episodes/cubes-match/full/5")
    with pytest.raises(RegraspError, match="corrupt"):
        export_lerobot(Results(tmp_path, run.manifest, (spoilt,)), tmp_path / "new", **SMALL)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["episodes", "there"]


def test_their_loader_reads_it(exported: Exported) -> None:
    datasets = pytest.importorskip("lerobot.datasets.lerobot_dataset")
    found = datasets.LeRobotDataset(
        "regrasp/test", root=exported.root, video_backend="pyav",
        delta_timestamps={"observation.state": [-1 / FPS, 0.0], "action": [0.0, 1 / FPS]},
    )  # fmt: skip
    assert (found.num_episodes, len(found)) == (2, 2 * FRAMES)
    raw = frames(exported)
    for i in (0, 5, FRAMES - 1, FRAMES, 2 * FRAMES - 1):
        item = found[i]
        assert item["task"] == "put the cube on the crate"
        assert item["subtask"] in ("", "open the door", "put the cube")
        assert item["observation.images.front"].shape == (3, 32, 48)
        assert item["observation.state"][1].tolist() == pytest.approx(raw["observation.state"][i])
        assert bool(item["next.success"]) == bool(raw["next.success"][i])
        assert int(item["failure"]) == raw["failure"][i]
    assert found.meta.episodes[1]["outcome"] == "failed"
    assert found.meta.stats["action"]["mean"].shape == (8,)
