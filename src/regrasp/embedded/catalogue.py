"""The available models: on this machine, on servers that answer, and by keys that are set."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum

from regrasp.embedded.language import missing_requirement
from regrasp.embedded.resolve import resolve_language
from regrasp.models.connection import CallLimits
from regrasp.models.errors import ModelError, RejectedError
from regrasp.models.language import Capabilities
from regrasp.models.local import LocalModel
from regrasp.models.openai_compatible import OPENAI_URL, OpenAICompatible
from regrasp.models.pull import base_weights
from regrasp.models.retry import RetryPolicy

__all__ = ["DESK_SERVERS", "Availability", "ModelListing", "catalogue"]

DESK_SERVERS = (
    "http://localhost:8080/v1",  # llama.cpp
    "http://localhost:8000/v1",  # vLLM
    "http://localhost:11434/v1",  # Ollama
    "http://localhost:1234/v1",  # LM Studio
)
"""The default addresses of the usual servers."""
_KEY = "REGRASP_API_KEY"


class Availability(StrEnum):
    """Whether a model can be asked now."""

    READY = "ready"
    MISSING = "missing"  # something must be fetched or set first
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True)
class ModelListing:
    """One line: the text for `--llm`, its availability, its features, and what is missing."""

    name: str
    reach: Availability
    note: str
    capabilities: Capabilities | None = None


def catalogue(named: Sequence[str] = (), seconds: float = 3.0) -> tuple[ModelListing, ...]:
    """Check everything at once; takes at most about `seconds`.

    A key is sent to the servers that the user `named`, never to DESK_SERVERS: whoever
    shares this machine can listen at a default address.
    """
    looks: list[Callable[[], tuple[ModelListing, ...]]] = [
        _scripted,
        _embedded,
        lambda: _openai(seconds),
    ]
    looks += [lambda url=url: _server(url, seconds, _KEY) for url in named]  # type: ignore[misc]
    looks += [
        lambda url=url: _server(url, seconds, "")  # type: ignore[misc]
        for url in DESK_SERVERS
        if url not in named
    ]
    with ThreadPoolExecutor(len(looks)) as pool:
        return tuple(entry for found in pool.map(lambda look: look(), looks) for entry in found)


def _scripted() -> tuple[ModelListing, ...]:
    model = resolve_language("scripted")
    return (
        ModelListing(
            "scripted", Availability.READY, "rules over the prompt; no weights", model.capabilities
        ),
    )


def _embedded() -> tuple[ModelListing, ...]:
    models = {"embedded": "answers our prompts", "embedded-base": "as it was before we taught it"}
    if needed := missing_requirement():
        return tuple(ModelListing(name, Availability.MISSING, needed) for name in models)
    can = LocalModel(base_weights()).capabilities
    return tuple(
        ModelListing(name, Availability.READY, f"{what}; weights in {base_weights()}", can)
        for name, what in models.items()
    )


def _openai(seconds: float) -> tuple[ModelListing, ...]:
    if not os.environ.get("OPENAI_API_KEY"):
        return (ModelListing("openai:NAME", Availability.MISSING, "set OPENAI_API_KEY"),)
    url = os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
    model = _client(url, "NAME", seconds, "OPENAI_API_KEY")
    try:
        facts = model.probe()
    except ModelError as error:
        return (ModelListing("openai:NAME", Availability.UNREACHABLE, str(error)),)
    note = f"{len(facts.models)} names at {url}, e.g. {', '.join(facts.models[:3])}"
    return (ModelListing("openai:NAME", Availability.READY, note, model.capabilities),)


def _server(url: str, seconds: float, key_env: str) -> tuple[ModelListing, ...]:
    try:
        facts = _client(url, "NAME", seconds, key_env).probe()
    except RejectedError as error:
        wants_key = not key_env and error.status in (401, 403)
        note = f"it wants a key: regrasp models --server {url} sends it {_KEY}"
        return (ModelListing(url, Availability.MISSING, note if wants_key else str(error)),)
    except ModelError as error:
        return (ModelListing(url, Availability.UNREACHABLE, str(error)),)
    found = []
    for name in facts.models:
        model = _client(url, name, seconds, key_env)
        model.adopt(facts)
        found.append(
            ModelListing(f"{url}#{name}", Availability.READY, str(facts.kind), model.capabilities)
        )
    return tuple(found) or (
        ModelListing(url, Availability.MISSING, "the server has no model loaded"),
    )


def _client(url: str, name: str, seconds: float, key_env: str) -> OpenAICompatible:
    limits = CallLimits(connect_s=min(1.0, seconds), total_s=seconds)
    return OpenAICompatible(
        url, name, key_env=key_env, limits=limits, retry=RetryPolicy(attempts=1)
    )
