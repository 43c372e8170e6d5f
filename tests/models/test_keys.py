"""A key in the environment goes to its server and nowhere else."""

from __future__ import annotations

import json
import logging
import traceback
from pathlib import Path

import pytest
from fake_server import Asked, FakeServer, chat_reply, reply

from regrasp.models.cassette import Cassette
from regrasp.models.errors import ModelError, RejectedError
from regrasp.models.language import Message, Role
from regrasp.models.openai_compatible import OPENAI_URL, OpenAICompatible
from regrasp.models.recorded import RecordedLanguage
from regrasp.models.retry import RetryPolicy

KEY = "sk-test-0123456789abcdefKEY"
ODD_KEY = "odd/key+with=signs"
HELLO = (Message(Role.USER, "hello"),)


@pytest.fixture(params=[KEY, ODD_KEY])
def key(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("REGRASP_API_KEY", request.param)
    return str(request.param)


def test_it_reaches_the_server(key: str) -> None:
    with FakeServer(lambda asked: chat_reply("ok")) as server:
        OpenAICompatible(server.url, "m").complete(HELLO)
        assert server.asked[0].headers["authorization"] == f"Bearer {key}"


def test_the_openai_key_goes_to_no_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGRASP_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeServer(lambda asked: chat_reply("ok")) as server:
        OpenAICompatible(server.url, "m").complete(HELLO)
        assert "authorization" not in server.asked[0].headers


def test_a_missing_key_is_said_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(RejectedError, match="set OPENAI_API_KEY"):
        OpenAICompatible(OPENAI_URL, "gpt", key_env="OPENAI_API_KEY").complete(HELLO)


@pytest.mark.parametrize(
    "wrong", ["first-line\nsecond-line", "caf\u00e9-key-of-mine", "tab\tin-the-key"]
)
def test_a_key_that_no_header_takes_is_not_sent(
    wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGRASP_API_KEY", wrong)
    with FakeServer(lambda asked: chat_reply("ok")) as server:
        with pytest.raises(RejectedError, match="the key in REGRASP_API_KEY has a line break"):
            OpenAICompatible(server.url, "m").complete(HELLO)
        assert server.asked == []


def test_a_variable_of_any_name_is_a_secret_once_it_holds_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("THE_WAY_IN", "open-sesame-now")
    with FakeServer(lambda asked: chat_reply("you said open-sesame-now")) as server:
        reply = OpenAICompatible(server.url, "m", key_env="THE_WAY_IN").complete(HELLO)
    assert reply.text == "you said [redacted THE_WAY_IN]"


@pytest.mark.parametrize("status", [200, 400, 401, 429, 500, 307])
def test_no_error_repr_log_or_reply_holds_it(
    key: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    """A server that echoes the key in every place it can."""

    def handler(asked: Asked) -> bytes:
        return reply(
            status, f"your key is {key}, Bearer {key}".encode(), Location=f"http://h/{key}"
        )

    with FakeServer(handler) as server, caplog.at_level(logging.DEBUG):
        model = OpenAICompatible(server.url, "m", retry=RetryPolicy(attempts=2, base_s=0.01))
        with pytest.raises(ModelError) as raised:
            model.complete(HELLO)
    shown = "".join(traceback.format_exception(raised.value)) + repr(model) + caplog.text
    assert key not in shown
    assert key not in json.dumps([str(arg) for arg in raised.value.args])


def test_no_file_holds_it(key: str, tmp_path: Path) -> None:
    """The server echoes the key as text, as tokens, and the prompt holds it too."""
    half = len(key) // 2
    pieces = [{"token": part, "logprob": -1.0} for part in (key[:half], key[half:])]
    with FakeServer(lambda asked: chat_reply(key, logprobs={"content": pieces})) as server:
        model = RecordedLanguage(
            Cassette(tmp_path / "tape.jsonl"), OpenAICompatible(server.url, "m")
        )
        asked = (Message(Role.USER, f"is {key} a key?"),)
        completions = model.complete(asked, logprobs=True)
    assert key not in completions.text
    assert completions.items[0].tokens is None
    assert completions.losses
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    for path in written:
        content = path.read_bytes()
        assert key.encode() not in content
        assert json.dumps(key)[1:-1].encode() not in content
