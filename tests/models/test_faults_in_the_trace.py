"""A server that fails, on a real socket, takes nothing out of the trace."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fake_server import Asked, FakeServer, chat_reply, drip, reply

from regrasp.core.event import Judged, ModelCalled, RunEnded, RunStarted, ShownMessage
from regrasp.core.outcome import Outcome
from regrasp.core.trace import Clock, TraceWriter, read_trace
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.registry import open_method
from regrasp.models.budget import Meter
from regrasp.models.cancel import CancelToken
from regrasp.models.connection import CallLimits
from regrasp.models.errors import ModelError
from regrasp.models.language import Message, Role
from regrasp.models.metered import MeteredLanguage
from regrasp.models.openai_compatible import OpenAICompatible
from regrasp.models.retry import RetryPolicy
from regrasp.models.tracing import tracing

Fault = Callable[[Asked], bytes | None]


def endless(asked: Asked) -> None:
    asked.send(b'HTTP/1.1 200 OK\r\n\r\n{"choices": [{"message": {"content": "')
    drip(asked, b"a" * 65536, 0)


def huge(asked: Asked) -> None:
    asked.send(b"HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n")
    drip(asked, b" " * 65536, 0)


FAULTS: dict[str, tuple[Fault, str]] = {
    "hangs": (lambda asked: asked.stall(), "ModelTimeoutError"),
    "drops in mid-body": (lambda asked: chat_reply("hi")[:-20], "UnreachableError"),
    "429": (lambda asked: reply(429, {}, Retry_After="60"), "RateLimitedError"),
    "500": (lambda asked: reply(500, b"oops"), "ServerError"),
    "invalid JSON": (lambda asked: reply(200, b"{"), "ReplyError"),
    "wrong schema": (lambda asked: reply(200, {"choices": []}), "ReplyError"),
    "endless text": (endless, "ReplyTooLargeError"),
    "50 MB": (huge, "ReplyTooLargeError"),
}


def no_pause(seconds: float, cancel: CancelToken | None) -> None:
    """Stands for sleep."""


def client(url: str) -> OpenAICompatible:
    return OpenAICompatible(
        url,
        "m",
        limits=CallLimits(connect_s=0.5, total_s=0.6, max_reply_bytes=1_000_000),
        retry=RetryPolicy(attempts=2, base_s=0.01),
        sleep=no_pause,
        rng=np.random.default_rng(0),
    )


def calls(folder: Path) -> list[ModelCalled]:
    return [event for event in read_trace(folder).events if isinstance(event, ModelCalled)]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_an_event_between_the_calls_around_it(tmp_path: Path, fault: str) -> None:
    fail, kind = FAULTS[fault]

    def handler(asked: Asked) -> bytes | None:
        said = asked.body["messages"][0]["content"]
        return fail(asked) if said == "during" else chat_reply(f"reply to {said}")

    trace = TraceWriter(tmp_path, Clock(lambda: 0.0))
    with FakeServer(handler) as server, trace:
        model = MeteredLanguage(client(server.url), Meter(), observe=tracing(trace))
        for said in ("before", "during", "after"):
            if said == "during":
                with pytest.raises(ModelError) as raised:
                    model.complete((Message(Role.USER, said),))
            else:
                model.complete((Message(Role.USER, said),))
    before, during, after = calls(tmp_path)
    assert (before.replies, after.replies) == (("reply to before",), ("reply to after",))
    assert during.messages == (ShownMessage("user", "during"),)
    assert (during.error_kind, during.error) == (kind, str(raised.value))
    assert during.calls == 1 and during.replies == ()


def test_a_server_that_is_not_there_is_an_event(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with TraceWriter(tmp_path, Clock(lambda: 0.0)) as trace:
        model = MeteredLanguage(client(url), Meter(), observe=tracing(trace))
        with pytest.raises(ModelError):
            model.complete((Message(Role.USER, "anybody?"),))
    (call,) = calls(tmp_path)
    assert call.error_kind == "UnreachableError" and "nothing listens" in call.error


@pytest.mark.parametrize("fault", ["hangs", "drops in mid-body", "500", "invalid JSON"])
def test_a_run_whose_server_fails_ends_with_a_whole_trace(tmp_path: Path, fault: str) -> None:
    """The server answers its first calls as it should (by the rules), then never again."""
    fail, kind = FAULTS[fault]
    rules = ScriptedModel()
    answered: set[tuple[Message, ...]] = set()

    def handler(asked: Asked) -> bytes | None:
        if "messages" not in asked.body:
            return reply(404, {})  # it is asked what it can do
        messages = tuple(Message(Role(m["role"]), m["content"]) for m in asked.body["messages"])
        if len(answered | {messages}) > 2:
            return fail(asked)
        answered.add(messages)
        return chat_reply(rules.complete(messages).text)

    with FakeServer(handler) as server, pytest.raises(ModelError):
        run_episode(
            EpisodeSpec(
                WorldTask("cubes", "match", seed=0),
                open_method("replan"),
                "replan",
                client(server.url),
                oracle_factory(),
                recording=Recording(video=False, size=(64, 48)),
            ),
            tmp_path,
        )
    trace = read_trace(tmp_path)
    started, *_, judged, ended = trace.events
    asked = [call for call in calls(tmp_path) if call.model != "oracle"]
    assert isinstance(started, RunStarted) and not trace.truncated
    assert [call.error_kind for call in asked] == ["", "", kind]
    assert isinstance(judged, Judged) and not judged.done
    assert isinstance(ended, RunEnded) and ended.outcome is Outcome.ABORTED
    assert kind in ended.reason
