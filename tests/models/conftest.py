"""Weights and servers that the model tests share; what is absent is skipped by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regrasp.models.language import Message, Role


@pytest.fixture(scope="session")
def llama_server(weights: Path) -> Iterator[str]:
    """The URL of a real llama.cpp server over HTTP, serving the real weights."""
    xllamacpp: Any = importlib.import_module("xllamacpp")

    params = xllamacpp.CommonParams()
    params.model.path = str(weights)
    params.n_ctx, params.n_parallel, params.kv_unified = 4096, 2, True
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.warmup, params.verbosity, params.cache_ram_mib = False, -1, 0
    server = xllamacpp.Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def hello() -> tuple[Message, ...]:
    return (
        Message(Role.SYSTEM, "You are a helpful AI assistant."),
        Message(Role.USER, "What is the capital of France?"),
    )
