"""The chat-completions JSON of hosted APIs, vLLM, Ollama and llama.cpp, to and from our types."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from regrasp.core.codec import JsonValue
from regrasp.core.json_text import whole_characters
from regrasp.core.redact import REDACTED, redact
from regrasp.models.errors import ReplyError, ReplyTooLargeError
from regrasp.models.language import Completion, FinishReason, Message, Request, ScoredToken, Usage

__all__ = [
    "Feature",
    "ServerFacts",
    "ServerKind",
    "chat_body",
    "estimate_tokens",
    "finish_reason",
    "forced",
    "read_choices",
    "read_facts",
    "read_token_ids",
    "read_tokens",
    "read_usage",
    "trim",
]

TOP_LOGPROBS = 10  # enough for every spelling of yes and no; servers allow up to 20
LOGPROB_FLOOR = -9999.0  # the value that APIs use for "never"; JSON has no minus infinity
MAX_CHOICES = 128  # samples of one request
MAX_COUNT = 10**9  # tokens of one request; a server that counts more is not believed
MAX_MODELS = 1000  # names in the list of a server
_MARKUP = re.compile(r"<\|")


class Feature(StrEnum):
    """A field of the request that some servers do not support."""

    LOGPROBS = "logprobs"
    SAMPLES = "n"
    SCHEMA = "schema"
    GRAMMAR = "grammar"
    SEED = "seed"
    TEMPERATURE = "temperature"
    MAX_TOKENS = "max_tokens"  # newer hosted models call it max_completion_tokens


def chat_body(
    request: Request, model: str, without: frozenset[Feature] = frozenset()
) -> dict[str, JsonValue]:
    """The body of POST /chat/completions for `request`, without the features the server lacks."""
    longest = "max_completion_tokens" if Feature.MAX_TOKENS in without else "max_tokens"
    body: dict[str, JsonValue] = {
        "messages": [_message(m) for m in request.messages],
        longest: request.max_tokens,
    }
    if model:
        body["model"] = model
    if Feature.TEMPERATURE not in without:
        body["temperature"] = request.temperature
    if request.n > 1:
        body["n"] = request.n
    if request.stop:
        body["stop"] = list(request.stop)
    if request.seed is not None and Feature.SEED not in without:
        body["seed"] = request.seed
    if request.logprobs and Feature.LOGPROBS not in without:
        body |= {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
    if request.schema is not None and Feature.SCHEMA not in without:
        schema: JsonValue = json.loads(json.dumps(request.schema))
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": schema},
        }
    if request.grammar is not None and Feature.GRAMMAR not in without:
        body["grammar"] = request.grammar
    return body


def _message(message: Message) -> JsonValue:
    # A server renders its chat template and then reads "<|im_end|>" in our text as the real mark:
    # a name on a box could close the user's turn and open a system's. Text is data: break the mark.
    text = _MARKUP.sub("< |", message.content)
    if not message.images:
        return {"role": str(message.role), "content": text}
    pictures: list[JsonValue] = [
        {"type": "image_url", "image_url": {"url": image.data_url}} for image in message.images
    ]
    return {"role": str(message.role), "content": [*pictures, {"type": "text", "text": text}]}


def forced(request: Request, ids: Sequence[int]) -> Request:
    """The request that makes llama.cpp produce exactly these tokens, greedily, with its odds.

    A grammar over characters would let the model spell "Open" as "O", "p", "en", whose
    log-probability does not measure "Open"; tokens by id keep the model's own tokenization.
    """
    grammar = "root ::= " + " ".join(f"<[{i}]>" for i in ids)
    return replace(request, force=None, grammar=grammar, max_tokens=len(ids) + 1, temperature=0.0)


def read_token_ids(data: JsonValue) -> tuple[int, ...]:
    """The ids of a reply of llama.cpp's POST /tokenize."""
    ids = data.get("tokens") if isinstance(data, dict) else None
    found = tuple(i for i in ids if isinstance(i, int)) if isinstance(ids, list) else ()
    if not found:
        raise ReplyError("the reply to POST /tokenize has no list of token ids.")
    return found


def read_choices(data: JsonValue) -> tuple[Completion, ...]:
    """The samples of a reply; ReplyError names the field that does not follow the protocol."""
    choices = data.get("choices") if isinstance(data, dict) else None
    if not isinstance(choices, list) or not choices:
        raise ReplyError(
            "the reply has no `choices`; this address may not be a chat-completions server "
            "(the URL usually ends in /v1)."
        )
    if len(choices) > MAX_CHOICES:
        raise ReplyTooLargeError(
            f"the reply has {len(choices)} choices; at most {MAX_CHOICES} are read."
        )
    return tuple(_choice(choice, f"choices[{i}]") for i, choice in enumerate(choices))


def _choice(choice: JsonValue, path: str) -> Completion:
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise ReplyError(f"`{path}.message` of the reply is not an object.")
    content, refusal = message.get("content"), message.get("refusal")
    reason = finish_reason(choice.get("finish_reason"))
    if isinstance(content, list):
        content = "".join(
            str(part["text"]) for part in content if isinstance(part, dict) and "text" in part
        )
    if content is None:
        content, reason = (refusal, FinishReason.FILTERED) if refusal is not None else ("", reason)
    if not isinstance(content, str):
        raise ReplyError(f"`{path}.message.content` of the reply is not text.")
    content = whole_characters(content)
    tokens = trim(read_tokens(choice.get("logprobs")), content)
    joined = "".join(token.text for token in tokens or ())
    if REDACTED in content + joined or redact(joined) != joined:
        tokens = None  # a key in pieces is still a key
    return Completion(content, reason, tokens)


def finish_reason(value: JsonValue) -> FinishReason:
    """Our value for the server's finish reason."""
    known = {
        "stop": FinishReason.STOP,
        "eos": FinishReason.STOP,
        "length": FinishReason.LENGTH,
        "content_filter": FinishReason.FILTERED,
    }
    return known.get(value, FinishReason.OTHER) if isinstance(value, str) else FinishReason.OTHER


def read_tokens(logprobs: JsonValue) -> tuple[ScoredToken, ...] | None:
    """The tokens of a `logprobs` object; None where the server gave none."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list):
        return None
    tokens = []
    for entry in content:
        text, logprob = _piece(entry)
        top = entry.get("top_logprobs") if isinstance(entry, dict) else None
        tokens.append(
            ScoredToken(text, logprob, tuple(map(_piece, top if isinstance(top, list) else ())))
        )
    return tuple(tokens)


def _piece(entry: JsonValue) -> tuple[str, float]:
    text = entry.get("token") if isinstance(entry, dict) else None
    logprob = entry.get("logprob") if isinstance(entry, dict) else None
    if not isinstance(text, str) or not isinstance(logprob, int | float):
        raise ReplyError("`logprobs.content` of the reply has an entry without token and logprob.")
    finite = float(logprob) if math.isfinite(logprob) else LOGPROB_FLOOR
    return whole_characters(text), max(LOGPROB_FLOOR, finite)


def trim(tokens: tuple[ScoredToken, ...] | None, text: str) -> tuple[ScoredToken, ...] | None:
    """Drop what is not part of the text: the end-of-turn mark, and a stop string that was met."""
    if tokens is None:
        return None
    kept = [token for token in tokens if token.text]
    while kept and sum(len(t.text) for t in kept[:-1]) >= len(text):
        kept.pop()
    return tuple(kept)


def read_usage(data: JsonValue) -> Usage | None:
    """The token counts of the server; None where it gives none."""
    usage = data.get("usage") if isinstance(data, dict) else None
    if not isinstance(usage, dict):
        return None
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    if not isinstance(prompt, int) or not isinstance(completion, int):
        return None
    if not (0 <= prompt <= MAX_COUNT and 0 <= completion <= MAX_COUNT):
        return None
    return Usage(prompt, completion)


def estimate_tokens(text: str) -> int:
    """A high token estimate: English has about four characters a token; we count three."""
    return math.ceil(len(text) / 3)


# ---- GET /models: the kind of server and its features ------------------------------------------


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
    for entry in entries[:MAX_MODELS]:
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
