"""Base and adapter in one file: the numbers are the sum, and what is no GGUF is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from regrasp.core.errors import RegraspError
from regrasp.embedded.language import ADAPTER
from regrasp.models import merge as module
from regrasp.models.merge import merge


def test_eight_bits_keep_the_numbers() -> None:
    values = np.random.default_rng(0).normal(size=(4, 64)).astype(np.float32)
    values[1, :32] = 0.0
    packed = module._eight_bits(values)
    assert packed.shape == (8, 34)
    scale = packed[:, :2].copy().view(np.float16).astype(np.float32)
    again = packed[:, 2:].view(np.int8) * scale
    assert np.abs(again.reshape(values.shape) - values).max() < np.abs(values).max() / 127


def test_a_file_that_is_no_gguf(tmp_path: Path) -> None:
    wrong = tmp_path / "x.gguf"
    wrong.write_bytes(b"hello, this is no such file at all")
    with pytest.raises(RegraspError, match="not a GGUF file"):
        merge(wrong, ADAPTER.path, tmp_path / "y.gguf")
    assert not (tmp_path / "y.gguf").exists()


def test_the_merged_layer_is_the_sum(weights: Path, tmp_path: Path) -> None:
    merge(weights, ADAPTER.path, tmp_path / "whole.gguf")
    base, beside, whole = map(module._read, (weights, ADAPTER.path, tmp_path / "whole.gguf"))
    name = "blk.3.attn_q.weight"
    a, b = (beside.tensors[f"{name}.lora_{part}"].floats() for part in "ab")
    meant = base.tensors[name].floats() + 2.0 * b @ a
    block = whole.tensors[name].data.reshape(-1, 34)
    scale = block[:, :2].copy().view(np.float16).astype(np.float32)
    found = (block[:, 2:].copy().view(np.int8) * scale).reshape(meant.shape)
    assert np.abs(found - meant).max() < np.abs(meant).max() / 100
    assert whole.header == base.header
    assert whole.tensors.keys() == base.tensors.keys()
