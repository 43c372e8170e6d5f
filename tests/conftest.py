"""What holds for all tests."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from regrasp.core.errors import RegraspError
from regrasp.models.pull import pull

os.environ.setdefault("OMP_NUM_THREADS", "1")  # tests run side by side

# How fast examples are drawn says how busy the machine is, and nothing about the code.
settings.register_profile("any_machine", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_machine")

# A shell starts what it puts in the background with Ctrl-C ignored, and all that comes of it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is marked long runs only when it is asked for with -m long."""
    if "long" in (config.getoption("markexpr") or ""):
        return
    skip = pytest.mark.skip(reason="long: run with -m long")
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _rules_reason(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Commands that name no language model get the rules, whatever was pulled to this machine."""
    if {"cli", "bench", "examples", "view"} & set(request.path.parts):
        monkeypatch.setenv("REGRASP_CACHE", str(tmp_path_factory.getbasetemp() / "no weights"))


@pytest.fixture(scope="session", autouse=True)
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Marks of runs go to a state folder of the tests, not to that of the user who runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REGRASP_STATE", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def weights() -> Path:
    """SmolLM2-135M-Instruct, fetched once into the cache (`make weights` does the same)."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("xllamacpp is not installed: pip install 'regrasp[local]'")
    try:
        return pull()
    except RegraspError as error:
        pytest.skip(f"the SmolLM2 weights cannot be had: {error}")
