"""Damage of 200 kinds to a run's folder: each is a result without it, or one clear sentence."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from damage import (
    EPISODE,
    EPISODE_FOLDER,
    FILMED,
    MANIFEST,
    RUN_FOLDER,
    STATES,
    STATES_KINDS,
    TRACE,
    TRACE_KINDS,
    Damage,
    healthy_run,
)

from regrasp.bench.run_names import trusted_suite
from regrasp.bench.store import load_results
from regrasp.bench.summary import suite_rows
from regrasp.cli.main import main
from regrasp.core.errors import RegraspError
from regrasp.core.json_text import parse_json
from regrasp.episodes import state_log
from regrasp.view.page import write_page
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import World

LIMIT_S = 10.0  # a busy machine; on an idle one each takes milliseconds


@pytest.fixture(scope="session")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing is wrong with; tests damage copies of it."""
    root = tmp_path_factory.mktemp("healthy") / "run"
    healthy_run(root)
    return root


@pytest.fixture
def run(healthy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(healthy, tmp_path / "run"))


def explains(damage: Damage, act: Callable[[], object]) -> None:
    """`act` gives a result, or refuses with one short sentence about the damaged file, soon."""
    began = time.monotonic()
    try:
        act()
    except RegraspError as error:
        said = str(error)
        assert Path(damage.file).name in said or Path(damage.file).parent.name in said, said
        assert len(said) < 1000, said
    assert time.monotonic() - began < LIMIT_S


def named(damages: tuple[Damage, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("damage", damages, ids=lambda damage: damage.name)


def show(root: Path) -> None:
    results = load_results(root)
    json.dumps(
        suite_rows(trusted_suite(root, results.manifest), results.records), allow_nan=False
    ).encode()


@named(RUN_FOLDER)
def test_a_damaged_run_is_shown_without_it_or_explained(run: Path, damage: Damage) -> None:
    if damage.file.startswith(("records", "checks")):
        load_results(run)
    damage.do(run / damage.file)
    explains(damage, lambda: show(run))


@named(EPISODE_FOLDER)
def test_a_damaged_episode_gets_its_page_or_is_explained(run: Path, damage: Damage) -> None:
    damage.do(run / EPISODE / damage.file)
    explains(damage, lambda: write_page(run / EPISODE).read_text())


@pytest.fixture(scope="session")
def cubes() -> World:
    return open_world("cubes", "match", 0)


@named(FILMED)
def test_damaged_states_are_refused(
    run: Path, damage: Damage, cubes: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build(name: str, task: str, seed: int) -> World:
        return cubes if (name, task, seed) == ("cubes", "match", 0) else open_world(name, task, 0)

    monkeypatch.setattr(state_log, "open_world", build)
    damage.do(run / EPISODE / damage.file)
    explains(damage, lambda: state_log.read_states(run / EPISODE))


@pytest.mark.parametrize("kind", [k for k in STATES_KINDS if "NaN" in k or "1e300" in k])
def test_no_number_that_is_none_gets_into_states(
    run: Path, kind: str, cubes: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_log, "open_world", lambda *_: cubes)
    STATES_KINDS[kind](run / STATES)
    with pytest.raises(RegraspError, match="damaged"):
        state_log.read_states(run / EPISODE)


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["regrasp", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    code = ended.value.code
    assert isinstance(code, int)
    return code


@pytest.mark.parametrize(
    ("file", "damage", "words", "code"),
    [
        (MANIFEST, lambda f: f.write_bytes(b"[" * 10**5), ("bench", "show", "RUN"), 2),
        (MANIFEST, lambda f: f.write_bytes(b"NaN"), ("report", "RUN"), 2),
        (TRACE, TRACE_KINDS["a garbage line"], ("bench", "rebuild", "RUN"), 0),
        (TRACE, TRACE_KINDS["a garbage line"], ("view", "RUN/" + EPISODE), 2),
        (TRACE, TRACE_KINDS["no renderer"], ("fork", "RUN/" + EPISODE, "--at", "3"), 2),
        (TRACE, TRACE_KINDS["wall_s before Christ"], ("view", "RUN/" + EPISODE), 0),
        (STATES, STATES_KINDS["qpos NaN"], ("export", "lerobot", "RUN", "--out", "RUN/data"), 2),
    ],
)  # fmt: skip
def test_commands_end_with_one_line(
    run: Path,
    file: str,
    damage: Callable[[Path], None],
    words: tuple[str, ...],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    damage(run / file)
    assert command(monkeypatch, *(word.replace("RUN", str(run)) for word in words)) == code
    err = capsys.readouterr().err
    assert "internal error" not in err and "Traceback" not in err
    if code:
        assert err.startswith("error: ") and err.count("\n") == 1
        assert Path(file).name in err or str(run / EPISODE) in err
    assert not (run / "data").exists()


@pytest.mark.parametrize("name", ["notes.txt", "0.bak", "007", "²"])
def test_what_is_no_episode_is_listed_and_left_out(run: Path, name: str) -> None:
    shutil.copytree(run / EPISODE, (run / EPISODE).with_name(name))
    results = load_results(run)
    assert [record.key.seed for record in results.records] == [0, 1]
    assert [left.path for left in results.left_out] == [f"episodes/cubes-match/full/{name}"]


def test_a_page_holds_text_that_is_none(run: Path) -> None:
    TRACE_KINDS["instruction half a pair"](run / TRACE)
    assert write_page(run / EPISODE).read_text(encoding="utf-8")


def test_the_damage_of_these_tests_is_damage(healthy: Path) -> None:
    """What `parse_json` refuses, `json.loads` took: the tests fail without it."""
    for text in (b"NaN", b"1e999", b"1" + b"0" * 400, b"[" * 300 + b"]" * 300):
        json.loads(text)
        with pytest.raises(RegraspError):
            parse_json(text)
    assert len(RUN_FOLDER) + len(EPISODE_FOLDER) + len(FILMED) > 200
    assert load_results(healthy).left_out == ()
