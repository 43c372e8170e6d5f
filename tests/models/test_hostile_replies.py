"""Servers that send nonsense: one sentence, within the time-out, with little memory and CPU."""

from __future__ import annotations

import json
import time

import pytest
from fake_server import FakeServer, chat_reply, reply

from regrasp.core.errors import RegraspError
from regrasp.models.connection import CallLimits
from regrasp.models.errors import BadRequestError, ModelError, ReplyError, ReplyTooLargeError
from regrasp.models.language import Message, Request, Role
from regrasp.models.openai_compatible import OpenAICompatible
from regrasp.models.reply_json import MAX_TEXT, MAX_VALUES, parse_reply
from regrasp.models.retry import RetryPolicy
from regrasp.models.status import retry_after_s
from regrasp.models.wire import MAX_CHOICES, read_choices, read_usage

ASKED = Request((Message(Role.USER, "?"),))
CHOICE = {"message": {"content": "yes"}, "finish_reason": "stop"}
HOSTILE: dict[str, bytes] = {
    "a million empty choices": b'{"choices":[' + b",".join([b"{}"] * 1_100_000) + b"]}",
    "a million empty texts": b'{"choices":["' + b'","'.join([b""] * 1_100_000) + b'"]}',
    "deep": b"[" * 1_000_000,
    "deep and whole": b"[" * 500 + b"]" * 500,
    "deep objects": b'{"choices":' * 300 + b"1" + b"}" * 300,
    "an integer of 7 MB": b"9" * 7_000_000,
    "10^400 tokens": b'{"choices":[],"usage":{"prompt_tokens":1' + b"0" * 400 + b"}}",
    "NaN": b'{"choices":NaN,"usage":{"prompt_tokens":NaN,"completion_tokens":Infinity}}',
    "half a pair": b'{"choices":"\\ud800"}',
    "UTF-16": '{"choices":[]}'.encode("utf-16"),
    "a long text": json.dumps({"choices": [{"message": {"content": "x" * 2_000_000}}]}).encode(),
    "a long name": json.dumps({"x" * 2_000_000: 1}).encode(),
    "many choices": json.dumps({"choices": [CHOICE] * (MAX_CHOICES + 1)}).encode(),
    "choices of lists": b'{"choices":[[],[[]],{"message":[]}]}',
    "a logprob of 10^400": json.dumps(
        {"choices": [{**CHOICE, "logprobs": {"content": [{"token": "yes", "logprob": -(10**18)}]}}]}
    ).replace("1" + "0" * 18, "1" + "0" * 400).encode(),
}  # fmt: skip


def ask(body: bytes, total_s: float = 20.0) -> str:
    with FakeServer(lambda asked: reply(200, body)) as server:
        model = OpenAICompatible(
            server.url,
            "some",
            limits=CallLimits(total_s=total_s),
            retry=RetryPolicy(attempts=1),
        )
        return model.respond(ASKED).text


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_reply_is_one_sentence_and_costs_little(kind: str) -> None:
    began = time.process_time()
    with pytest.raises(ModelError) as caught:
        ask(HOSTILE[kind])
    assert time.process_time() - began < 5.0
    assert len(str(caught.value)) < 600
    assert "\n" not in str(caught.value)


def test_reading_a_reply_is_part_of_the_time_out() -> None:
    """A body just below the limits, which takes longer to read than the call may take."""
    texts = [f"{i:06d}" for i in range(MAX_VALUES - 10)]
    with pytest.raises(ModelError, match=r"longer than the 0\.5 s|within 0\.5 s|in time"):
        ask(json.dumps({"choices": texts}).encode(), total_s=0.5)


def test_values_are_counted_before_they_are_parsed() -> None:
    with pytest.raises(ReplyTooLargeError, match=f"more than {MAX_VALUES} values"):
        parse_reply(b"[" + b"0," * MAX_VALUES + b"garbage")
    with pytest.raises(ReplyTooLargeError, match=f"more than {MAX_TEXT} characters"):
        parse_reply(b'{"a":["' + b"x" * (MAX_TEXT + 1) + b'"]}')


def test_a_usual_reply_is_read() -> None:
    assert ask(chat_reply("yes").partition(b"\r\n\r\n")[2]) == "yes"


@pytest.mark.parametrize("count", [10**10, -1, 2**62])
def test_counts_that_no_server_has_are_not_believed(count: int) -> None:
    assert read_usage({"usage": {"prompt_tokens": count, "completion_tokens": 1}}) is None


def test_choices_that_are_none_are_named() -> None:
    for wrong in ([None], [1], [{"message": 1}], [{"message": {"content": {"a": 1}}}]):
        with pytest.raises(ReplyError, match=r"choices\[0\]"):
            read_choices({"choices": wrong})


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:99999/v1",
        "http://localhost:port/v1",
        "http://localhost:-1/v1",
        "http://localhost:0/v1",
        "http://localhost:8080:8080/v1",
        "http://[::1/v1",
        "http://[nonsense]/v1",
        "http://",
        "localhost:8080",
    ],
)
def test_an_address_that_is_none_is_refused_at_once(url: str) -> None:
    with pytest.raises(BadRequestError, match="is no address"):
        OpenAICompatible(url, "some")


@pytest.mark.parametrize("proxy", ["http://proxy:99999", "http://proxy:port", "http://[::1"])
def test_a_proxy_that_is_none_does_not_stall(proxy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", proxy)
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    model = OpenAICompatible("http://example.invalid/v1", "some", retry=RetryPolicy(attempts=1))
    began = time.monotonic()
    with pytest.raises(RegraspError, match="proxy"):
        model.respond(ASKED)
    assert time.monotonic() - began < 5.0


@pytest.mark.parametrize(
    "value",
    [
        "Mon, 99 Jan 99999 99:99:99 GMT",
        "Mon, 01 Jan 0001 00:00:00 +9999",
        "Fri, 31 Dec 9999 23:59:59 -2359",
        "1" * 400,
        "1e999",
        "-1e999",
        "nan",
        "soon",
        ",,,",
        "0 0 0 0 0 0",
    ],
)
def test_an_absurd_date_to_wait_for_is_no_date(value: str) -> None:
    found = retry_after_s({"retry-after": value})
    assert found is None or 0.0 <= found < float("inf")
