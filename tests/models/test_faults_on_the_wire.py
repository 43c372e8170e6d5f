"""Servers that fail, on a real socket: one clear error or a recovery, never past the time-out."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from email.utils import formatdate

import numpy as np
import pytest
from fake_server import Asked, FakeServer, chat_reply, drip, reply

from regrasp.models.cancel import CancelToken
from regrasp.models.connection import CallLimits
from regrasp.models.errors import (
    BadRequestError,
    CancelledError,
    CircuitOpenError,
    ModelError,
    ModelTimeoutError,
    RateLimitedError,
    RejectedError,
    ReplyError,
    ReplyTooLargeError,
    ServerError,
    UnreachableError,
)
from regrasp.models.language import Completions, FinishReason, Message, Role
from regrasp.models.openai_compatible import OpenAICompatible
from regrasp.models.retry import RetryPolicy

HELLO = (Message(Role.USER, "hello"),)
LIMIT_S = 1.0


class Pauses:
    """Stands for sleep: remembers what was asked for, and takes no time."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float, cancel: CancelToken | None) -> None:
        self.seconds.append(seconds)


def client(url: str, pauses: Pauses | None = None, **limits: float) -> OpenAICompatible:
    return OpenAICompatible(
        url,
        "m",
        limits=CallLimits(**{"connect_s": 0.5, "total_s": LIMIT_S, **limits}),  # type: ignore[arg-type]
        retry=RetryPolicy(attempts=3, base_s=0.01),
        sleep=pauses or Pauses(),
        rng=np.random.default_rng(0),
    )


def ask(
    handler: Callable[[Asked], bytes | None], pauses: Pauses | None = None, **limits: float
) -> tuple[Completions, FakeServer]:
    with FakeServer(handler) as server:
        return client(server.url, pauses, **limits).complete(HELLO), server


@pytest.fixture(autouse=True)
def in_time() -> object:
    """No fault may hold a caller much longer than the time-out."""
    started = time.monotonic()
    yield
    assert time.monotonic() - started < 4 * LIMIT_S + 2


def test_a_reply_is_read() -> None:
    completions, server = ask(lambda asked: chat_reply("hi"))
    assert completions.text == "hi"
    assert completions.items[0].finish_reason is FinishReason.STOP
    assert (completions.usage.prompt_tokens, completions.usage.calls) == (7, 1)
    assert completions.losses == ()
    assert server.asked[0].path == "/v1/chat/completions"


def test_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UnreachableError, match=r"nothing listens at .* Gave up after 3 attempts"):
        client(f"http://127.0.0.1:{port}/v1").complete(HELLO)


def test_unknown_host() -> None:
    with pytest.raises((UnreachableError, ModelTimeoutError)):
        client("http://no-such-host.invalid/v1").complete(HELLO)


def test_hangs_before_a_byte() -> None:
    with pytest.raises(ModelTimeoutError, match="no complete reply"):
        ask(lambda asked: asked.stall())


def test_drips_headers_for_ever() -> None:
    def handler(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\nX: ")
        drip(asked, b"a", 0.02)

    with pytest.raises(ModelTimeoutError):
        ask(handler)


def test_drips_a_body_for_ever() -> None:
    def handler(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\n\r\n")
        drip(asked, b" ", 0.02)

    with pytest.raises(ModelTimeoutError):
        ask(handler)


def test_drops_in_mid_body_and_recovers() -> None:
    whole = chat_reply("after a drop")
    completions, _ = ask(lambda asked: whole[:-20] if asked.index < 2 else whole)
    assert completions.text == "after a drop"
    assert completions.usage.calls == 3


def test_drops_in_mid_body_always() -> None:
    with pytest.raises(UnreachableError, match="dropped the connection before its reply"):
        ask(lambda asked: chat_reply("hi")[:-20])


def test_drops_in_mid_chunk() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    with pytest.raises(UnreachableError, match="dropped"):
        ask(lambda asked: head + b"40\r\n{")


def test_closes_without_a_word() -> None:
    with pytest.raises(UnreachableError, match="dropped"):
        ask(lambda asked: b"")


def test_429_waits_as_told_and_recovers() -> None:
    pauses = Pauses()

    def handler(asked: Asked) -> bytes:
        return (
            reply(429, {"error": "slow down"}, Retry_After="0.7")
            if asked.index == 0
            else chat_reply("ok")
        )

    completions, _ = ask(handler, pauses)
    assert completions.text == "ok"
    assert len(pauses.seconds) == 1
    assert 0.7 <= pauses.seconds[0] < 0.8


def test_429_with_a_date() -> None:
    pauses = Pauses()
    date = formatdate(time.time() + 60, usegmt=True)
    with pytest.raises(
        RateLimitedError, match=r"one attempt, as .* s more would pass the time-out"
    ) as raised:
        ask(lambda asked: reply(429, {}, Retry_After=date), pauses)
    assert 55 < (raised.value.retry_after_s or 0) <= 60
    assert pauses.seconds == []


@pytest.mark.parametrize("nonsense", ["", "soon", "-5", "nan", "inf", "1e400"])
def test_429_with_a_retry_after_that_is_nonsense(nonsense: str) -> None:
    with pytest.raises(RateLimitedError, match="Gave up after 3 attempts"):
        ask(lambda asked: reply(429, {}, Retry_After=nonsense))


def test_429_with_milliseconds() -> None:
    pauses = Pauses()
    headers = {"Retry_After": "1", "Retry_After_Ms": "710"}

    def handler(asked: Asked) -> bytes:
        return reply(429, {}, **headers) if asked.index == 0 else chat_reply("ok")

    ask(handler, pauses)
    assert 0.71 <= pauses.seconds[0] < 0.8


@pytest.mark.parametrize("status", [408, 409, 425, 502, 503, 504, 529])
def test_what_may_succeed_later_is_tried_again(status: int) -> None:
    completions, _ = ask(
        lambda asked: reply(status, b"oops") if asked.index < 2 else chat_reply("ok")
    )
    assert completions.text == "ok"


def test_500_recovers() -> None:
    completions, _ = ask(
        lambda asked: reply(500, b"oops") if asked.index == 0 else chat_reply("ok")
    )
    assert completions.text == "ok"


def test_500_always() -> None:
    with pytest.raises(ServerError, match=r"failed by its own account \(HTTP 500\): oops"):
        ask(lambda asked: reply(500, b"oops"))


@pytest.mark.parametrize("body", [b"", b"{", b"<html>hello</html>", b"\xff\xfe", b"[" * 200_000])
def test_invalid_json(body: bytes) -> None:
    with pytest.raises(ReplyError, match="not JSON"):
        ask(lambda asked: reply(200, body))


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        None,
        7,
        {"choices": []},
        {"choices": [{}]},
        {"choices": "yes"},
        {"choices": [{"message": {"content": 5}}]},
        {"choices": [{"message": {"content": "a"}, "logprobs": {"content": [{"token": 1}]}}]},
    ],
)
def test_wrong_schema(body: object) -> None:
    with pytest.raises(ReplyError):
        ask(lambda asked: reply(200, body))


def test_endless_text_is_cut_off() -> None:
    def handler(asked: Asked) -> None:
        asked.send(b'HTTP/1.1 200 OK\r\n\r\n{"choices": [{"message": {"content": "')
        drip(asked, b"a" * 65536, 0)

    with pytest.raises(ReplyTooLargeError, match="does not end and was cut off"):
        ask(handler, total_s=10, max_reply_bytes=2_000_000)


def test_a_reply_of_50_megabytes_is_not_read() -> None:
    sent = []

    def handler(asked: Asked) -> None:
        asked.send(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
        for _ in range(500):
            asked.send(b" " * 100_000)
            sent.append(100_000)

    with pytest.raises(ReplyTooLargeError, match="announces 50 MB and was cut off at 8 MB"):
        ask(handler, total_s=10)
    assert sum(sent) < 40_000_000


def test_a_refusal_is_not_tried_again() -> None:
    with FakeServer(lambda asked: reply(401, {"error": {"message": "bad key"}})) as server:
        with pytest.raises(
            RejectedError, match=r"bad key. To do: put a valid key in REGRASP_API_KEY"
        ):
            client(server.url).complete(HELLO)
        assert len(server.asked) == 1


def test_a_redirect_is_not_followed() -> None:
    with pytest.raises(RejectedError, match="use the address it points to: http://elsewhere/"):
        ask(lambda asked: reply(307, b"", Location="http://elsewhere/"))


def test_the_breaker_gives_up_and_tries_again_later() -> None:
    now = [0.0]
    healthy = [False]
    with FakeServer(lambda asked: chat_reply("ok") if healthy[0] else reply(500, b"x")) as server:
        model = OpenAICompatible(
            server.url,
            "m",
            limits=CallLimits(total_s=5),
            retry=RetryPolicy(attempts=1),
            clock=lambda: now[0],
            sleep=Pauses(),
        )
        for _ in range(3):
            with pytest.raises(ServerError):
                model.complete(HELLO)
        with pytest.raises(CircuitOpenError, match=r"gave up .* after 3 failed calls .* in 30 s"):
            model.complete(HELLO)
        assert len(server.asked) == 3
        now[0] = 31.0
        with pytest.raises(ServerError):
            model.complete(HELLO)
        with pytest.raises(CircuitOpenError):
            model.complete(HELLO)
        now[0], healthy[0] = 62.0, True
        assert model.complete(HELLO).text == "ok"
        assert model.complete(HELLO).text == "ok"


def test_a_hanging_call_can_be_cancelled() -> None:
    token = CancelToken()
    threading.Timer(0.2, token.cancel, ["the world changed"]).start()
    started = time.monotonic()
    with (
        FakeServer(lambda asked: asked.stall()) as server,
        pytest.raises(CancelledError, match="the world changed"),
    ):
        client(server.url, total_s=30).complete(HELLO, cancel=token)
    assert time.monotonic() - started < 2


def test_a_pause_can_be_cancelled() -> None:
    token = CancelToken()
    threading.Timer(0.2, token.cancel).start()
    with FakeServer(lambda asked: reply(429, {}, Retry_After="20")) as server:
        model = OpenAICompatible(server.url, "m", limits=CallLimits(total_s=60))
        with pytest.raises(CancelledError):
            model.complete(HELLO, cancel=token)


def test_no_more_calls_at_once_than_allowed() -> None:
    def handler(asked: Asked) -> bytes:
        asked.stall(0.1)
        return chat_reply("ok")

    with FakeServer(handler) as server:
        model = client(server.url, concurrency=2, total_s=10)
        threads = [threading.Thread(target=model.complete, args=(HELLO,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.asked) == 6
        assert server.most_at_once == 2


def test_a_full_queue_ends_at_the_time_out() -> None:
    with FakeServer(lambda asked: asked.stall()) as server:
        model = client(server.url, concurrency=1)
        errors: list[ModelError] = []

        def call() -> None:
            try:
                model.complete(HELLO)
            except ModelError as error:
                errors.append(error)

        threads = [threading.Thread(target=call) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
    assert [type(error) for error in errors] == [ModelTimeoutError] * 3


@pytest.mark.parametrize(
    "url",
    [
        "ftp://x/v1",
        "localhost:80",
        "http://",
        "http://user:secretword@h/v1",
        "http://h/v1?key=secretword",
    ],
)
def test_an_address_that_is_none_or_holds_a_secret(url: str) -> None:
    with pytest.raises(BadRequestError) as raised:
        OpenAICompatible(url, "m")
    assert "secretword" not in str(raised.value)
