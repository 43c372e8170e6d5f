"""Marks and seals: only the user's own state folder can give them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from regrasp.core.ownership import anchored, is_own, mark_own, seal, state_dir, user_key


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REGRASP_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def test_only_what_was_marked_is_one_s_own(state: Path) -> None:
    mark_own(b"mine")
    assert is_own(b"mine")
    assert not is_own(b"mine ")
    assert not is_own(b"")


def test_a_mark_of_another_user_does_not_count(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark_own(b"mine")
    monkeypatch.setenv("REGRASP_STATE", str(tmp_path / "another"))
    assert not is_own(b"mine")
    assert seal(user_key(), b"x") not in ("", seal(b"another key", b"x"))


def test_the_key_is_the_user_s_alone(state: Path) -> None:
    assert len(user_key()) == 32
    assert stat.S_IMODE((state / "key").stat().st_mode) == 0o600
    assert user_key() not in b"".join(p.read_bytes() for p in state.glob("own/*"))


def test_without_a_place_for_a_key_nothing_is_sealed_or_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REGRASP_STATE", str(tmp_path / "file"))
    mark_own(b"mine")
    assert (user_key(), seal(user_key(), b"x"), is_own(b"mine")) == (b"", "", False)


def test_a_key_that_is_cut_is_no_key(state: Path) -> None:
    state.mkdir()
    (state / "key").write_bytes(b"short")
    assert user_key() == b""


def test_where_the_state_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGRASP_STATE")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_dir() == tmp_path / "regrasp"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert state_dir() == Path.home() / ".local" / "state" / "regrasp"


def test_a_name_is_anchored_in_the_folder_it_is_used_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("world.py:PLAN", "package.module:PLAN", "gguf:model.gguf")
    monkeypatch.chdir(tmp_path)
    here = [anchored(name) for name in names]
    assert here == [anchored(name) for name in names]
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert not set(here) & {anchored(name) for name in names}
    assert anchored("../world.py:PLAN") == here[0]
