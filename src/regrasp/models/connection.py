"""A JSON server connection: its key, limits, retries, circuit breaker and concurrent calls."""

from __future__ import annotations

import json
import os
import re
import threading
import time
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from regrasp.core.codec import JsonValue
from regrasp.core.json_text import JsonError
from regrasp.core.redact import excerpt, keep_secret, redact, redact_json
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import (
    BadRequestError,
    ModelError,
    ModelTimeoutError,
    RejectedError,
    ReplyError,
)
from regrasp.models.reply_json import parse_reply
from regrasp.models.retry import Breaker, Clock, RetryPolicy, Sleep, sleep
from regrasp.models.status import check_status
from regrasp.models.transport import exchange

__all__ = ["CallLimits", "Connection", "ServerCall"]

_LOOKED_AT, _SHOWN = 4096, 80  # bytes and characters of a reply that is no JSON
_HEADER_VALUE = re.compile(r"[\x20-\x7e]*")


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Limits of one call: seconds to connect and in total, bytes of reply, calls at once."""

    connect_s: float = 10.0
    total_s: float = 120.0
    max_reply_bytes: int = 8_000_000
    concurrency: int = 8


@dataclass(slots=True)
class ServerCall:
    """One call in progress: its deadline, its cancel token, and the number of requests sent."""

    deadline: float
    cancel: CancelToken | None
    sent: int = 0


class Connection:
    """The address of a model's server, and its limits and retry policy.

    The key is read from the variable `key_env` when a request is sent, and is not stored. `clock`,
    `sleep` and `rng` decide when a request is repeated, never its content.
    """

    def __init__(
        self,
        url: str,
        name: str,
        *,
        key_env: str,
        key_needed: bool = False,
        limits: CallLimits | None = None,
        retry: RetryPolicy | None = None,
        clock: Clock = time.monotonic,
        sleep: Sleep = sleep,
        rng: np.random.Generator | None = None,
    ) -> None:
        self.url, self.name = checked_url(url), name
        self._key_env, self._key_needed = key_env, key_needed
        keep_secret(key_env)
        self._limits, self._clock, self._sleep = limits or CallLimits(), clock, sleep
        self._retry, self._rng = retry or RetryPolicy(), rng or np.random.default_rng()
        self._breaker = Breaker(clock)
        self._slots = threading.BoundedSemaphore(self._limits.concurrency)

    @contextmanager
    def call(self, cancel: CancelToken | None = None) -> Iterator[ServerCall]:
        """A slot among the concurrent calls, with its deadline; the breaker counts its outcome."""
        call = ServerCall(self._clock() + self._limits.total_s, cancel)
        self._breaker.check(self.name)
        while not self._slots.acquire(timeout=0.02):
            if cancel is not None:
                cancel.check()
            if self._clock() >= call.deadline:
                raise ModelTimeoutError(
                    f"{self.name}: {self._limits.concurrency} calls were already running for "
                    f"{self._limits.total_s:.1f} s; raise the concurrency or the time-out."
                )
        try:
            yield call
            self._breaker.record(None)
        except ModelError as error:
            error.args = (redact(str(error)), *error.args[1:])
            self._breaker.record(error)
            raise
        finally:
            self._slots.release()

    def get(self, path: str, call: ServerCall) -> JsonValue:
        """GET a path below the URL."""
        return self._send("GET", f"{self.url}{path}", None, call)

    def post(
        self, path: str, body: Mapping[str, JsonValue], call: ServerCall, *, beside: bool = False
    ) -> JsonValue:
        """POST JSON to a path below the URL, or `beside` its last part, `/v1`."""
        base = self.url.removesuffix("/v1") if beside else self.url
        payload = json.dumps(redact_json(dict(body))).encode()
        return self._send("POST", f"{base}{path}", payload, call)

    def _send(self, method: str, url: str, payload: bytes | None, call: ServerCall) -> JsonValue:
        """Send until it succeeds; give up after the last attempt, or at the deadline."""
        failed = 0
        while True:
            try:
                return self._send_once(method, url, payload, call)
            except ModelError as error:
                failed += 1
                if not error.retryable:
                    raise
                pause = self._retry.pause_s(failed, error.retry_after_s, self._rng)
                late = self._clock() + pause >= call.deadline
                if failed >= self._retry.attempts or late:
                    why = f", as {pause:.1f} s more would pass the time-out" if late else ""
                    if self._retry.attempts > 1:
                        tries = "one attempt" if failed == 1 else f"{failed} attempts"
                        error.args = (f"{error} Gave up after {tries}{why}.", *error.args[1:])
                    raise
                self._sleep(pause, call.cancel)

    def _send_once(
        self, method: str, url: str, payload: bytes | None, call: ServerCall
    ) -> JsonValue:
        """One exchange; returns parsed JSON with every secret removed."""
        call.sent += method == "POST"
        reply = exchange(
            method,
            url,
            headers=self._headers(),
            body=payload,
            connect_s=self._limits.connect_s,
            total_s=max(0.001, call.deadline - self._clock()),
            max_bytes=self._limits.max_reply_bytes,
            cancel=call.cancel,
        )
        check_status(reply, self.name, self._key_env)
        try:
            data = parse_reply(reply.body)
        except JsonError as error:
            start = excerpt(reply.body[:_LOOKED_AT].decode("utf-8", "replace"), _SHOWN)
            raise ReplyError(
                f"{self.name} replied with something that is {error}: {start!r}; "
                "check that the address is a chat-completions server."
            ) from None
        clean = redact_json(data)
        if self._clock() > call.deadline:
            raise ModelTimeoutError(
                f"{self.name}: reading its reply of {len(reply.body) / 1e6:.1f} MB took longer "
                f"than the {self._limits.total_s:.1f} s of the call; ask for fewer tokens."
            )
        return clean

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        key = os.environ.get(self._key_env, "").strip()
        if not _HEADER_VALUE.fullmatch(key):
            raise RejectedError(
                f"the key in {self._key_env} has a line break or a letter that no HTTP header "
                "takes, so nothing was sent: copy the key again, as one line.",
                401,
            )
        if key:
            headers["Authorization"] = f"Bearer {key}"
        elif self._key_needed:
            raise RejectedError(f"{self.name} needs a key: set {self._key_env}.", 401)
        return headers


def checked_url(url: str) -> str:
    """The URL without its last slash; refuses a URL that holds a secret or is not valid."""
    try:
        parts = urllib.parse.urlsplit(url)
        has_port = parts.port is None or parts.port > 0  # ValueError where it is no port
    except ValueError as error:
        raise BadRequestError(
            f"{redact(url)!r} is no address ({error}); write e.g. http://localhost:8080/v1."
        ) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not has_port:
        raise BadRequestError(
            f"{redact(url)!r} is no address; write e.g. http://localhost:8080/v1."
        )
    if parts.username or parts.password or parts.query:
        raise BadRequestError(
            "a model's address holds no user, password or query: put the key in REGRASP_API_KEY."
        )
    return url.rstrip("/")
