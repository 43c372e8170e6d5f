"""An outside judge of our HTTP client: llmock, a server that fails as hosted models fail.

It records every attempt with its time and grades the client: did it wait for Retry-After, back off,
repeat what can never succeed, give up too early, or storm? Run it from the repository's root:

    python -m venv /tmp/llmock && /tmp/llmock/bin/pip install llmock==0.2.2
    .venv/bin/python tests/models/judge_by_llmock.py /tmp/llmock/bin/llmock

It prints a table and exits with 1 if the judge found anything, or if the client's own result is not
the expected one. docs/results/llmock.md holds the last table.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from regrasp.models.connection import CallLimits
from regrasp.models.errors import ModelError
from regrasp.models.language import Completions, Message, Role
from regrasp.models.openai_compatible import OpenAICompatible

SCHEMA = {
    "type": "object",
    "properties": {"steps": {"type": "array", "items": {"type": "string"}}},
    "required": ["steps"],
    "additionalProperties": False,
}
PROVIDERS = ("v1", "mistral/v1", "groq/openai/v1", "together/v1", "perplexity/v1", "ai21/v1",
             "xai/v1")  # fmt: skip
Ask = Callable[[OpenAICompatible], object]


@dataclass(frozen=True)
class Case:
    """Faults for the next requests, what is asked, and how the client must report."""

    name: str
    faults: tuple[dict[str, Any], ...]
    expect: str = "answer"  # or the name of an error
    attempts: int = 1
    ask: Ask = lambda client: client.complete(HELLO)
    path: str = "v1"
    total_s: float = 60.0
    meant: str = ""  # a finding that is our decision, and why


HELLO = (Message(Role.USER, "Name the capital of France."),)


def fail(status: int, times: int | None = 1, retry_after: float | None = None) -> dict[str, Any]:
    fault: dict[str, Any] = {"type": "fail", "status": status, "times": times}
    return fault if retry_after is None else {**fault, "retry_after": retry_after}


def cases() -> Iterator[Case]:
    for path in PROVIDERS:
        yield Case(f"a reply of {path}", (), path=path)
        yield Case(f"two 503 of {path}", (fail(503, 2),), attempts=3, path=path)
        yield Case(f"two 429 with Retry-After 1 of {path}", (fail(429, 2, 1.0),), attempts=3,
                   path=path)  # fmt: skip
    yield Case("three samples", (), ask=lambda c: len(c.complete(HELLO, n=3).items) == 3)
    yield Case("a schema", (), ask=_fits)
    yield Case("log-probabilities, a seed, a temperature", (),
               ask=lambda c: c.complete(HELLO, logprobs=True, seed=1, temperature=0.7))  # fmt: skip
    yield Case("the list of models", (), ask=lambda c: c.probe().models)
    for status in (400, 401, 403, 404, 413, 422):
        yield Case(f"HTTP {status}", (fail(status, None),), "RejectedError")
    for status in (408, 409, 429, 500, 502, 503, 504, 529):
        yield Case(f"two HTTP {status}", (fail(status, 2),), attempts=3)
    yield Case("429 with Retry-After 2.5", (fail(429, 1, 2.5),), attempts=2)
    yield Case("429 with Retry-After 0.3", (fail(429, 1, 0.3),), attempts=2)
    yield Case("503 with Retry-After 2", (fail(503, 2, 2.0),), attempts=3)
    yield Case("an outage", (fail(503, None),), "ServerError", 4)
    yield Case("rate-limited for ever", (fail(429, None, 0.2),), "RateLimitedError", 4)
    yield Case("Retry-After beyond the time-out", (fail(429, None, 90.0),), "RateLimitedError", 1,
               total_s=5.0, meant="gave_up: the wait is longer than our limit")  # fmt: skip
    yield Case("500, 429, 503, then a reply", (fail(500), fail(429, 1, 0.5), fail(503)), attempts=4)
    yield Case("a reply after 1 s", ({"type": "delay", "seconds": 1.0},))
    yield Case("a reply after the time-out", ({"type": "delay", "seconds": 2.0},),
               "ModelTimeoutError", 1, total_s=1.0)  # fmt: skip
    yield Case("a tool call that nobody asked for",
               ({"type": "reply", "tool_calls": [{"name": "rm", "arguments": {"path": "/"}}]},),
               ask=lambda c: c.complete(HELLO).text == "")  # fmt: skip
    yield Case("an empty reply", ({"type": "reply", "text": ""},),
               ask=lambda c: c.complete(HELLO).text == "")  # fmt: skip
    yield Case("escape sequences in a reply", ({"type": "reply", "text": "\x1b]0;t\x07"},),
               ask=lambda c: c.complete(HELLO).text == "\x1b]0;t\x07")  # fmt: skip
    yield Case("six calls at once, three of them fail", (fail(503, 3),), attempts=9, ask=_six)


def _fits(client: OpenAICompatible) -> bool:
    return set(json.loads(client.complete(HELLO, schema=SCHEMA).text)) == {"steps"}


def _six(client: OpenAICompatible) -> list[Completions]:
    prompts = [(Message(Role.USER, f"Count to {n}."),) for n in range(6)]
    with ThreadPoolExecutor(6) as pool:
        return list(pool.map(client.complete, prompts))


class Judge:
    """The server's own interface: queue faults, forget, and read the verdict."""

    def __init__(self, url: str) -> None:
        self.url = url

    def prepare(self, case: Case) -> None:
        self._call("reset", {})
        if case.faults:
            self._call("scenario", {"behaviors": list(case.faults)})

    def verdict(self) -> dict[str, Any]:
        return self._call("verdict")

    def _call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_llmock/{path}", data)
        with urllib.request.urlopen(request, timeout=10) as reply:
            found: dict[str, Any] = json.loads(reply.read())
        return found


@contextmanager
def serving(program: str) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [program, "serve", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(f"{url}/health", timeout=1).read()
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait()


def play(case: Case, judge: Judge) -> tuple[str, dict[str, Any]]:
    judge.prepare(case)
    limits = CallLimits(total_s=case.total_s)
    client = OpenAICompatible(f"{judge.url}/{case.path}", "gpt-4o", limits=limits)
    try:
        result = "answer" if case.ask(client) is not False else "another answer"
    except ModelError as error:
        result = type(error).__name__
        if result == "ModelTimeoutError":
            time.sleep(2.0)  # the server records a request at its end
    return result, judge.verdict()


def main(program: str) -> int:
    wrong = 0
    print("| case | result | attempts | the judge |\n|---|---|---|---|")
    with serving(program) as url:
        judge = Judge(url)
        for case in cases():
            result, verdict = play(case, judge)
            found = [finding["code"] for finding in verdict["findings"]]
            meant = case.meant.partition(":")[0] in found
            counted = result == case.expect and verdict["attempts"] == case.attempts
            wrong += (bool(found) and not meant) or not counted
            mark = "" if counted else f" (expected {case.expect}, {case.attempts})"
            grade = case.meant if meant else ", ".join(found) or "nothing"
            print(f"| {case.name} | {result}{mark} | {verdict['attempts']} | {grade} |", flush=True)
    print(f"\n{wrong} of {len(list(cases()))} cases are wrong.")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
