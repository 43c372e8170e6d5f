"""Identify a chat-completions server from its list of models: its vendor and its features."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from regrasp.core.codec import JsonValue
from regrasp.models.errors import ReplyError

__all__ = ["ServerFacts", "ServerKind", "read_facts"]


class ServerKind(StrEnum):
    """Kinds of servers that differ in features beyond the common protocol."""

    LLAMA_CPP = "llama.cpp"
    VLLM = "vLLM"
    OLLAMA = "Ollama"
    OTHER = "other"


_OWNERS = {
    "llamacpp": ServerKind.LLAMA_CPP,
    "vllm": ServerKind.VLLM,
    "library": ServerKind.OLLAMA,
}


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """The content of GET /models: the kind, the model names, and those known to take no images."""

    kind: ServerKind
    models: tuple[str, ...]
    text_only: frozenset[str] = frozenset()


def read_facts(data: JsonValue) -> ServerFacts:
    """Read a reply of GET /models."""
    entries = data.get("data") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise ReplyError(
            "the reply to GET /models has no `data`; this address may not be a chat-completions "
            "server (the URL usually ends in /v1)."
        )
    kind, models, text_only = ServerKind.OTHER, [], set()
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            continue
        name, owner = str(entry["id"]), entry.get("owned_by")
        models.append(name)
        if isinstance(owner, str):
            kind = _OWNERS.get(owner, kind)
        architecture = entry.get("architecture")
        inputs = architecture.get("input_modalities") if isinstance(architecture, dict) else None
        if isinstance(inputs, list) and "image" not in inputs:
            text_only.add(name)
    return ServerFacts(kind, tuple(models), frozenset(text_only))
