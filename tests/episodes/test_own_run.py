"""A run with a world of the user's own: it opens again for the user, and for nobody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.bench.fork import decisions, fork
from regrasp.cli.recorded import recording
from regrasp.core.named_again import UntrustedNameError
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.own_run import trusted_method, trusted_world
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.state_log import read_states
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import open_method
from regrasp.worlds.oracle_controller import OracleRobot

WORLD = "from regrasp.worlds.cubes import PLAN\n"
EVIL = "raise SystemExit('a stranger file ran')\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a user works in: `world.py`, and `run`, made with it as a command does."""
    here = tmp_path_factory.mktemp("work")
    (here / "world.py").write_text(WORLD)
    spec = EpisodeSpec(
        WorldTask("world.py", "match", seed=3, robot=OracleRobot),
        open_method("replan"),
        "replan",
        ScriptedModel(),
        vision_factory("oracle"),
        recording=Recording(video=True, fps=2.0, size=(48, 36)),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        with recording(here / "run"):
            run_episode(spec, here / "run")
    return here


def test_a_run_of_one_s_own_opens_where_it_was_made(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    assert len(read_states(Path("run")).seconds) > 1


def test_the_same_name_elsewhere_is_another_file(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "world.py").write_text(EVIL)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UntrustedNameError, match=r"--world FILE\.py:NAME"):
        read_states(made / "run")
    named = read_states(made / "run", world=str(made / "world.py"))
    assert len(named.seconds) > 1


def test_a_world_that_its_trace_does_not_name_is_not_opened(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made)
    assert trusted_world(made / "run", "world.py") == "world.py"
    with pytest.raises(UntrustedNameError):
        trusted_world(made / "run", "other.py")
    with pytest.raises(UntrustedNameError, match=r"--method FILE\.py:NAME"):
        trusted_method(made / "run", "other.py:method")


def test_another_user_names_the_world_and_forks_it(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGRASP_STATE", str(tmp_path / "another"))
    monkeypatch.chdir(made)
    run, at = made / "run", decisions(made / "run")[-1].at
    with pytest.raises(UntrustedNameError):
        fork(run, at, tmp_path / "no", video=False)
    assert not (tmp_path / "no").exists()
    world = str(made / "world.py")
    assert fork(run, at, tmp_path / "yes", world=world, video=False).claim.done
