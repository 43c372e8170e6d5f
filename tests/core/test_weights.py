"""Weights that are not the expected ones are refused, with their name and the remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from regrasp.core.weights import DamagedWeightsError, check_sha256, sha256_of


def test_one_bit_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "net.gguf"
    file.write_bytes(b"weights" * 1000)
    right = sha256_of(file)
    check_sha256(sha256_of(file), right, file, "Fetch it again.")
    file.write_bytes(b"weights" * 999 + b"weightr")
    with pytest.raises(DamagedWeightsError, match=r"net\.gguf .* Fetch it again\."):
        check_sha256(sha256_of(file), right, file, "Fetch it again.")
