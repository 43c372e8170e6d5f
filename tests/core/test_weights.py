"""Weights that are not the expected ones are refused, with their name and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

import regrasp
from regrasp.core.weights import DamagedWeightsError, check_sha256, sha256_of
from regrasp.embedded import segments
from regrasp.embedded.vision.network import WEIGHTS_SHA256, weights_files


def test_one_bit_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "net.gguf"
    file.write_bytes(b"weights" * 1000)
    right = sha256_of(file)
    check_sha256(sha256_of(file), right, file, "Fetch it again.")
    file.write_bytes(b"weights" * 999 + b"weightr")
    with pytest.raises(DamagedWeightsError, match=r"net\.gguf .* Fetch it again\."):
        check_sha256(sha256_of(file), right, file, "Fetch it again.")


def test_the_network_of_segments_is_verified_when_it_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "segments.npz"
    data = bytearray(segments.WEIGHTS.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    monkeypatch.setattr(segments, "WEIGHTS", damaged)
    segments.kind_network.cache_clear()
    with pytest.raises(DamagedWeightsError, match="Install the package again"):
        segments.kind_network()


def test_no_file_of_weights_ships_that_no_test_damages() -> None:
    """Each family has a test like the one above: language and vision, walking, segments."""
    package = Path(regrasp.__file__).parent
    names = {path.name for path in package.rglob("weights/*") if path.suffix != ".py"}
    known = {"copal.gguf", "goals.gguf", "language.gguf", "walker.npz", "segments.npz"}
    assert names - known <= {file for name in WEIGHTS_SHA256 for file in weights_files(name)}
