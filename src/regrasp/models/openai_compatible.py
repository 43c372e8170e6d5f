"""One client for every chat-completions server: hosted APIs, vLLM, Ollama, llama.cpp.

A server may lack a feature (log-probabilities, several samples, a schema, a seed). The client
detects this from the server's reply, remembers it, repeats the request without the feature, and
lists the loss in the completions.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from regrasp.core.codec import JsonValue
from regrasp.core.errors import UnknownNameError
from regrasp.models.cancel import CancelToken
from regrasp.models.connection import CallLimits, Connection, ServerCall
from regrasp.models.errors import RejectedError, ReplyError, UnsupportedError
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Request,
    RequestModel,
    Usage,
)
from regrasp.models.retry import Clock, RetryPolicy, Sleep, sleep
from regrasp.models.schema import text_mismatch
from regrasp.models.status import missing_feature
from regrasp.models.wire import (
    Feature,
    ServerFacts,
    ServerKind,
    chat_body,
    estimate_tokens,
    forced,
    read_choices,
    read_facts,
    read_token_ids,
    read_usage,
)

__all__ = ["OPENAI_URL", "OpenAICompatible"]

OPENAI_URL = "https://api.openai.com/v1"


class OpenAICompatible(RequestModel):
    """A model on a chat-completions server.

    `url` ends before `/chat/completions`, usually in `/v1`; an empty `model` means the only one the
    server has. `key_env` names the environment variable that holds the key, if one is needed.
    `limits.total_s` covers a whole call: queue, retries, pauses and fall-backs.
    """

    def __init__(
        self,
        url: str,
        model: str = "",
        *,
        name: str = "",
        key_env: str = "REGRASP_API_KEY",
        limits: CallLimits | None = None,
        retry: RetryPolicy | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep = sleep,
        rng: np.random.Generator | None = None,
    ) -> None:
        self._hosted = url.startswith(OPENAI_URL)
        self._server = Connection(
            url,
            name or f"{url.rstrip('/')}#{model}".rstrip("#"),
            key_env=key_env,
            key_needed=self._hosted,
            limits=limits,
            retry=retry,
            clock=clock,
            sleep=sleep,
            rng=rng,
        )
        self._model, self._clock = model, clock
        self._lock = threading.Lock()
        self._facts: ServerFacts | None = None
        self._without: frozenset[Feature] = frozenset()
        if self._hosted:
            self._without = frozenset({Feature.MAX_TOKENS, Feature.GRAMMAR})

    @property
    def name(self) -> str:
        """The string that resolves to this model."""
        return self._server.name

    @property
    def capabilities(self) -> Capabilities:
        """The features known so far; a feature is assumed until the server has refused it."""
        facts, without = self._facts, self._without
        llama = facts.kind is ServerKind.LLAMA_CPP if facts else not self._hosted
        return Capabilities(
            images=not (facts and self._model in facts.text_only),
            logprobs=Feature.LOGPROBS not in without,
            schema=Feature.SCHEMA not in without,
            grammar=llama and Feature.GRAMMAR not in without,
            seed=Feature.SEED not in without,
            force=llama,
        )

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.name!r})"

    def probe(self, cancel: CancelToken | None = None) -> ServerFacts:
        """Query the server's models; also resolves an empty model name.

        Raises the server's error where it gives no list, also where a request could do without.
        """
        with self._server.call(cancel) as call:
            return self._know(call, listed=True)

    def adopt(self, facts: ServerFacts) -> None:
        """Copy what another client of the same server has found out."""
        with self._lock:
            self._facts = facts

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """Send the request, with retries, without the features that the server lacks."""
        started = self._clock()
        with self._server.call(cancel) as call:
            self._prepare(request, call)
            items: list[Completion] = []
            usage, guessed = Usage(calls=0), False
            while len(items) < request.n:
                part = self._part(request, len(items))
                got, counted = self._ask(part, call)
                items += got[: part.n]
                guessed = guessed or counted is None
                usage += counted or _guess(part, got)
        return Completions(
            tuple(items),
            replace(usage, calls=call.sent),
            self._clock() - started,
            tuple(self._losses(request, items, guessed)),
        )

    def _part(self, request: Request, done: int) -> Request:
        """The next request for the samples still missing; each sample has its own seed."""
        n = 1 if Feature.SAMPLES in self._without else request.n - done
        seed = None if request.seed is None else request.seed + done
        return replace(request, n=n, seed=seed)

    def _prepare(self, request: Request, call: ServerCall) -> None:
        """Find out what must be known about the server before this request can be sent."""
        if self._hosted:
            kind = ServerKind.OTHER
        elif self._model and not (request.grammar or request.force or request.images):
            return
        else:
            facts = self._know(call)
            kind = facts.kind
            if request.images and self._model in facts.text_only:
                raise UnsupportedError(
                    f"{self.name} takes no images; choose a vision-language model."
                )
        if kind is not ServerKind.LLAMA_CPP and request.force is not None:
            raise UnsupportedError(
                f"{self.name} cannot score a given text; a llama.cpp server or a GGUF file can."
            )
        if kind is not ServerKind.LLAMA_CPP and request.grammar is not None:
            self._learn(Feature.GRAMMAR)

    def _know(self, call: ServerCall, *, listed: bool = False) -> ServerFacts:
        if self._facts is None:
            try:
                facts = read_facts(self._server.get("/models", call))
            except (RejectedError, ReplyError):
                if not self._model or listed:
                    raise
                facts = ServerFacts(ServerKind.OTHER, (self._model,))  # some gateways keep no list
            if not self._model and len(facts.models) != 1:
                raise UnknownNameError(f"model at {self._server.url}#", "", facts.models)
            with self._lock:
                self._facts, self._model = facts, self._model or facts.models[0]
        return self._facts

    def _ask(self, part: Request, call: ServerCall) -> tuple[tuple[Completion, ...], Usage | None]:
        """One sampling request, repeated without each feature that the server refuses."""
        if part.force is not None:
            return self._force(part, part.force, call)
        while True:
            body = chat_body(part, self._model, self._without)
            try:
                data = self._server.post("/chat/completions", body, call)
            except RejectedError as error:
                feature = missing_feature(error, body)
                if feature is None or feature in self._without:
                    raise
                self._learn(feature)
                if feature is Feature.SAMPLES:
                    part = replace(part, n=1)
                continue
            choices = read_choices(data)
            if len(choices) < part.n:
                self._learn(Feature.SAMPLES)
            return choices, read_usage(data)

    def _force(
        self, part: Request, text: str, call: ServerCall
    ) -> tuple[tuple[Completion, ...], Usage | None]:
        """Force llama.cpp to produce `text` by tokens, for the model's own log-probabilities."""
        body: dict[str, JsonValue] = {"content": text, "add_special": False, "parse_special": False}
        ids = read_token_ids(self._server.post("/tokenize", body, call, beside=True))
        body = chat_body(forced(part, ids), self._model)
        data = self._server.post("/chat/completions", body, call)
        found = read_choices(data)
        if found[0].text != text:
            raise ReplyError(f"{self.name} was forced to reply {text!r}; got {found[0].text!r}.")
        return found, read_usage(data)

    def _learn(self, feature: Feature) -> None:
        with self._lock:
            self._without |= {feature}

    def _losses(self, request: Request, items: list[Completion], guessed: bool) -> Iterator[str]:
        """The requested features that are missing in `items`."""
        without, schema = self._without, request.schema
        if request.logprobs and any(item.tokens is None for item in items):
            self._learn(Feature.LOGPROBS)
            yield "logprobs: the server gives none"
        if request.n > 1 and Feature.SAMPLES in without:
            yield f"n: the server gives too few samples a call; asked again until {request.n}"
        if request.seed is not None and Feature.SEED in without:
            yield "seed: the server takes none; the same request may give another answer"
        if Feature.TEMPERATURE in without:
            yield "temperature: the server uses its own"
        if request.grammar is not None and Feature.GRAMMAR in without:
            yield "grammar: the server takes none; the text is unconstrained"
        if schema is not None and Feature.SCHEMA in without:
            yield "schema: the server takes none; the text is unconstrained"
        elif schema is not None:
            wrong = [w for i in items if (w := text_mismatch(i.text, schema)) is not None]
            if wrong:
                yield f"schema: the server took it and did not keep it: {wrong[0]}"
        if guessed:
            yield "usage: the server counts no tokens; they are estimated from the text"


def _guess(part: Request, items: tuple[Completion, ...]) -> Usage:
    return Usage(
        sum(estimate_tokens(m.content) for m in part.messages),
        sum(estimate_tokens(i.text) for i in items),
    )
