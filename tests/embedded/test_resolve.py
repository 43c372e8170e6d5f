"""One string names a model; a name that is none says which are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.embedded.resolve import (
    LANGUAGE_MODELS,
    VISION_MODELS,
    resolve_language,
    resolve_vision,
)
from regrasp.models.errors import BadRequestError, UnsupportedError


@pytest.mark.parametrize(
    "name",
    [
        "scripted",
        "embedded",
        "embedded-base",
        "gguf:/nowhere/model.gguf",
        "openai:gpt-x",
        "http://localhost:8080/v1#llama",
        "https://example.org/v1#a/b:c",
        "degraded:drop_step=0.2,seed=3:scripted",
        "degraded:dead=1:degraded:slow=0.5:openai:gpt-x",
    ],
)
def test_a_name_resolves_to_a_model_of_that_name(name: str) -> None:
    assert resolve_language(name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "openai:gpt-x",
        "http://localhost:8080/v1#llava",
        "degraded:no_to_yes=0.1:openai:gpt-x",
        "bayes:openai:gpt-x",
        "majority:degraded:no_to_yes=0.1:openai:gpt-x",
    ],
)
def test_eyes(name: str) -> None:
    assert resolve_vision(name).name == name


def test_every_entry_of_the_tables_is_tried_above() -> None:
    only_eyes = set(VISION_MODELS) - set(LANGUAGE_MODELS)
    assert only_eyes == {"transformers:", "bayes:", "majority:"}
    assert len(LANGUAGE_MODELS) == 9


def test_a_model_without_eyes_is_no_vision_model() -> None:
    with pytest.raises(UnsupportedError, match="takes no images"):
        resolve_vision("gguf:/nowhere/model.gguf")
    with pytest.raises(UnknownNameError):
        resolve_vision("scripted")


def test_recording_and_replaying(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    with pytest.raises(RegraspError, match=r"no cassette .* to replay"):
        resolve_language(f"recorded:{tape}")
    from regrasp.models.language import Message, Role

    ask = (Message(Role.SYSTEM, "Task: nothing known"), Message(Role.USER, "hello"))
    said = resolve_language(f"recorded:{tape}#scripted").complete(ask)
    again = resolve_language(f"recorded:{tape}")
    assert again.name == "scripted"
    assert again.complete(ask) == said


@pytest.mark.parametrize(
    "name", ["", "script", "gpt-4", "openai", "scripted:x", "ftp://x", "degraded"]
)
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownNameError, match=r"Valid: .*scripted"):
        resolve_language(name)


def test_a_key_in_a_name_is_not_repeated() -> None:
    with pytest.raises(UnknownNameError) as raised:
        resolve_language("sk-0123456789abcdef")
    assert "0123456789" not in str(raised.value)
    with pytest.raises(BadRequestError) as refused:
        resolve_language("http://me:0123456789@host/v1")
    assert "0123456789" not in str(refused.value)


def test_openai_base_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert resolve_language("openai:m").name == "openai:m"


def test_importing_the_package_loads_no_http_client_and_no_weights() -> None:
    code = (
        "import sys, regrasp.models, regrasp.embedded.resolve as r\n"
        "r.resolve_language('scripted')\n"
        "bad = {'http.client', 'urllib.request', 'ssl', 'socket', 'httpx', 'openai', 'xllamacpp'}\n"
        "print(sorted(bad & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
