"""A GGUF file on this machine, through llama.cpp (the `local` extra: the xllamacpp wheel).

The weights are loaded at the first question, once per process, and shared by every model object
that names the same file. llama.cpp keeps the beginning of earlier prompts, so questions that share
a head pay for it once; samples of one request run in one batch.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import secrets
import threading
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from regrasp.core.codec import JsonValue
from regrasp.core.json_text import JsonError, parse_json, whole_characters
from regrasp.core.weights import check_sha256, sha256_of
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import RejectedError, ReplyError, UnsupportedError
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Message,
    Request,
    RequestModel,
    ScoredToken,
    Usage,
)
from regrasp.models.pull import PULL
from regrasp.models.transport import exchange
from regrasp.models.wire import (
    chat_body,
    finish_reason,
    forced,
    read_token_ids,
    read_tokens,
    read_usage,
    trim,
)

__all__ = ["LocalModel", "binding_installed"]

_MAGIC = b"GGUF"

_PROMPT_CACHE_MIB = 128
"""The least memory for the heads of earlier prompts (llama.cpp's own default is 8 GB). With SmolLM2
it holds 5,000 tokens: a round of eight of our prompts took 44 CPU seconds without it and 1.3 with
it. A larger model, which needs more for a token, gets half the size of its file."""

_REMEMBERED = 1024
"""Replies kept in memory, of requests without random sampling. In a run a quarter of all questions
repeat an earlier one, in a benchmark, where one process sees many seeds of a task, three quarters.
"""


def binding_installed() -> bool:
    """Whether the llama.cpp binding can be imported; does not import it."""
    return importlib.util.find_spec("xllamacpp") is not None


def default_threads() -> int:
    """The value of OMP_NUM_THREADS, else the number of idle cores, at least half of all.

    llama.cpp's threads wait for each other: with two threads on two cores, one of them busy, it ran
    three to ten times slower than with one thread (docs/models.md).
    """
    if (wanted := os.environ.get("OMP_NUM_THREADS", "")).isdecimal():
        return max(1, int(wanted))
    mine = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cores = mine or 1
    return max(1, cores // 2, int(cores * _idle_share() + 0.25))


def _idle_share(wait_s: float = 0.1) -> float:
    """The share of idle processor time while this thread waits; 0 where it is not known."""
    try:
        before = _processor_ticks()
        time.sleep(wait_s)
        spent = [now - then for now, then in zip(_processor_ticks(), before, strict=True)]
    except (OSError, ValueError, IndexError):
        return 0.0
    return (spent[3] + spent[4]) / max(1, sum(spent))  # idle, and waiting for a disk


def _processor_ticks() -> list[int]:
    """Times of all cores since the start: user, nice, system, idle, iowait, …"""
    with Path("/proc/stat").open(encoding="ascii") as lines:
        return [int(ticks) for ticks in next(lines, "").split()[1:9]]


class LocalModel(RequestModel):
    """A GGUF file; `context` tokens are shared by at most `slots` samples at once.

    `adapter` is a GGUF file of LoRA weights to apply to it. With `sha256`, the file is verified
    when it is loaded.
    """

    def __init__(
        self,
        path: Path,
        *,
        name: str = "",
        context: int = 8192,
        slots: int = 4,
        threads: int | None = None,
        adapter: Path | None = None,
        sha256: str = "",
    ) -> None:
        whole = path.expanduser().absolute()
        self._settings = _Settings(whole, context, slots, threads, adapter, sha256)
        self._name = name or f"gguf:{path}"

    @property
    def name(self) -> str:
        """The string that resolves to this model."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """All features except images."""
        return Capabilities(logprobs=True, schema=True, grammar=True, seed=True, force=True)

    def __repr__(self) -> str:
        return f"LocalModel({str(self._settings.path)!r})"

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Sample in batches of at most `slots`; each sample has its own seed.

        Sums in a batch depend on the other samples in it, and so on timing. With a seed, samples
        are therefore drawn one by one, each from a prompt that was computed anew by itself before,
        so that they are reproducible. It is computed once for requests that follow one another.
        A request without random sampling that was answered before is answered from memory.
        """
        started = time.monotonic()
        engine = _load(self._settings)
        certain = request.temperature == 0 and request.schema is None
        if certain and (reply := engine.replies.get(request)) is not None:
            return replace(reply, latency_s=time.monotonic() - started)
        asked = request
        if request.force is not None:
            request = forced(request, engine.tokenize(request.force, cancel))
        items: list[Completion] = []
        usage = Usage(calls=0)
        while len(items) < request.n:
            stream = _Stream(self.name, cancel)
            seed = None if request.seed is None else request.seed + len(items)
            batch = 1 if _to_repeat(request) else min(self._settings.slots, request.n - len(items))
            engine.stream(replace(request, n=batch, seed=seed), stream)
            items += stream.completions(batch, request.logprobs)
            usage += stream.usage
        if asked.force not in (None, items[0].text):
            raise ReplyError(f"{self.name} was to say {asked.force!r}, not {items[0].text!r}.")
        reply = Completions(tuple(items), usage, time.monotonic() - started)
        if certain:
            engine.remember(asked, reply)
        return reply


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings that two model objects must share to use one loaded file."""

    path: Path
    context: int
    slots: int
    threads: int | None
    adapter: Path | None = None
    sha256: str = ""


class _Stream:
    """Collects llama.cpp's output piece by piece, so that a call can be cancelled in between."""

    def __init__(self, name: str, cancel: CancelToken | None) -> None:
        self._name, self._cancel = name, cancel
        self._samples: dict[int, _Sample] = {}
        self.usage = Usage()
        self.error: Exception | None = None
        self.done = threading.Event()

    def wait(self) -> None:
        """Wait for the end; Ctrl-C and a cancelled token end it at once."""
        with self._cancel.on_cancel(self.done.set) if self._cancel else nullcontext():
            self.done.wait()
        if self._cancel is not None:
            self._cancel.check()

    def take(self, chunk: JsonValue) -> bool:
        """Keep one piece; True makes llama.cpp stop. Must not raise: it is called from C++."""
        try:
            self._keep(chunk)
        except Exception as error:
            self.error = error
        return self.error is not None or self.done.is_set()

    def _keep(self, chunk: JsonValue) -> None:
        if not isinstance(chunk, dict):
            raise ReplyError(f"{self._name}: llama.cpp sent no object.")
        if "error" in chunk:
            raise refusal(self._name, chunk["error"])
        if (counted := read_usage(chunk)) is not None:
            self.usage = replace(
                counted, completion_tokens=counted.completion_tokens + self.usage.completion_tokens
            )
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                index = choice.get("index")
                sample = self._samples.setdefault(index if isinstance(index, int) else 0, _Sample())
                sample.take(choice)

    def completions(self, n: int, logprobs: bool) -> list[Completion]:
        """The finished samples; raises the error of the call, if there was one."""
        if self.error is not None:
            raise self.error
        if len(self._samples) < n:
            raise ReplyError(f"{self._name}: llama.cpp gave {len(self._samples)} of {n} samples.")
        return [self._samples[i].completion(logprobs) for i in range(n)]


@dataclass(slots=True)
class _Sample:
    """One sample as it grows."""

    text: str = ""
    tokens: list[ScoredToken] = field(default_factory=list)
    reason: FinishReason = FinishReason.OTHER

    def take(self, choice: Mapping[str, JsonValue]) -> None:
        delta = choice.get("delta")
        piece = delta.get("content") if isinstance(delta, dict) else None
        self.text += whole_characters(piece) if isinstance(piece, str) else ""
        self.tokens += read_tokens(choice.get("logprobs")) or ()
        if choice.get("finish_reason") is not None:
            self.reason = finish_reason(choice["finish_reason"])

    def completion(self, logprobs: bool) -> Completion:
        tokens = trim(tuple(self.tokens), self.text) if logprobs else None
        return Completion(self.text, self.reason, tokens)


class _Engine:
    """A loaded file. llama.cpp also opens a loopback port; a random key protects it."""

    def __init__(self, settings: _Settings) -> None:
        xllamacpp: Any = importlib.import_module("xllamacpp")
        self._key = secrets.token_hex(16)
        self.replies: dict[Request, Completions] = {}
        self._fresh: tuple[Message, ...] = ()
        params = xllamacpp.CommonParams()
        params.model.path = str(settings.path)
        params.n_ctx, params.n_parallel, params.kv_unified = settings.context, settings.slots, True
        params.cpuparams.n_threads = settings.threads or default_threads()
        params.cpuparams_batch.n_threads = params.cpuparams.n_threads
        params.cache_ram_mib = max(_PROMPT_CACHE_MIB, settings.path.stat().st_size // 2**21)
        params.warmup, params.verbosity, params.api_keys = False, -1, [self._key]
        if settings.adapter is not None:
            lora = xllamacpp.CommonAdapterLoraInfo()
            lora.path, lora.scale = str(settings.adapter), 1.0
            params.lora_adapters = [lora]
        try:
            self._server = xllamacpp.Server(params)
        except (RuntimeError, ValueError) as error:
            raise UnsupportedError(
                f"llama.cpp cannot load {settings.path} ({error}); check the file, or get another."
            ) from error

    def remember(self, request: Request, reply: Completions) -> None:
        """Keep a reply; the oldest is dropped where there are too many."""
        if len(self.replies) >= _REMEMBERED:
            self.replies.pop(next(iter(self.replies)), None)
        self.replies[request] = reply

    def stream(self, request: Request, into: _Stream) -> None:
        """Run one batch of samples; results and errors are stored in `into`."""
        # In a thread of its own: the binding swallows a KeyboardInterrupt that lands inside it.
        thread = threading.Thread(target=self._generate, args=(request, into), daemon=True)
        thread.start()
        try:
            into.wait()
        finally:
            into.done.set()
            thread.join(timeout=2.0)  # it stops at the next token

    def _generate(self, request: Request, into: _Stream) -> None:
        body = chat_body(request, "") | {"stream": True, "stream_options": {"include_usage": True}}
        repeated = _to_repeat(request)
        try:
            if repeated and request.messages != self._fresh:
                alone = body | {"cache_prompt": False, "max_tokens": 1, "n": 1}
                self._server.handle_chat_completions(alone, lambda chunk: into.done.is_set())
            self._fresh = request.messages if repeated else ()
            self._server.handle_chat_completions(body, into.take)
        except (RuntimeError, ValueError) as error:
            into.error = refusal("llama.cpp", str(error))
        into.done.set()

    def tokenize(self, text: str, cancel: CancelToken | None) -> tuple[int, ...]:
        """The tokens of `text` in the model's own tokenization."""
        body = {"content": text, "add_special": False, "parse_special": False}
        reply = exchange(
            "POST",
            f"{self._server.listening_address}/tokenize",
            headers={"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"},
            body=json.dumps(body).encode(),
            connect_s=5.0,
            total_s=30.0,
            max_bytes=10_000_000,
            cancel=cancel,
        )
        try:
            return read_token_ids(parse_json(reply.body))
        except JsonError as error:
            raise ReplyError(f"the reply to POST /tokenize is {error}.") from error


def _to_repeat(request: Request) -> bool:
    """Whether random sampling must be reproducible."""
    return request.seed is not None and request.temperature > 0


def refusal(name: str, error: JsonValue) -> RejectedError:
    """llama.cpp's error message, with advice."""
    message = error.get("message") if isinstance(error, dict) else error
    return RejectedError(
        f"{name} refused: {message}. To do: check the schema or grammar, or shorten the prompt."
    )


_LOADED: dict[tuple[int, _Settings], _Engine] = {}
_LOADING = threading.Lock()


def _load(settings: _Settings) -> _Engine:
    """The engine for these settings, loaded once per process; a forked child loads anew."""
    key = (os.getpid(), settings)
    with _LOADING:
        if key not in _LOADED:
            _check(settings.path)
            if settings.sha256:
                check_sha256(sha256_of(settings.path), settings.sha256, settings.path, PULL)
            if settings.adapter is not None:
                _check(settings.adapter)
            _LOADED[key] = _Engine(settings)
        return _LOADED[key]


def _check(path: Path) -> None:
    """Raise an error for a missing file before llama.cpp does."""
    if not binding_installed():
        raise UnsupportedError(
            "a GGUF file needs the llama.cpp binding: pip install 'regrasp[local]'."
        )
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise UnsupportedError(
            f"cannot read the weights {path} ({error.strerror}); "
            "`regrasp models pull` fetches a small model."
        ) from error
    if magic != _MAGIC:
        raise UnsupportedError(f"{path} is not a GGUF file.")
