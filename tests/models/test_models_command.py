"""`regrasp models` and `regrasp ask`: what can be asked, and one question to it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from fake_server import Asked, FakeServer, chat_reply, reply
from typer.testing import CliRunner

from regrasp.cli import models
from regrasp.core.errors import RegraspError
from regrasp.embedded import catalogue as catalogue_module
from regrasp.models.images import ImageData

app = typer.Typer()
app.add_typer(models.app, name="models")
app.command()(models.ask)

TOLD = {"data": [{"id": "m", "owned_by": "vllm", "architecture": {"input_modalities": ["text"]}}]}


@pytest.fixture(autouse=True)
def quiet_desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No servers but the test's own, no keys, an empty cache."""
    monkeypatch.setattr(catalogue_module, "DESK_SERVERS", ())
    monkeypatch.setenv("REGRASP_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "REGRASP_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def run(*arguments: str) -> tuple[str, str]:
    done = CliRunner().invoke(app, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


def answer(asked: Asked) -> bytes:
    return reply(200, TOLD) if asked.method == "GET" else chat_reply("it is red")


class TestModels:
    def test_what_is_here_and_what_is_not(self) -> None:
        with FakeServer(answer) as server:
            rows = json.loads(run("models", "--json", "--server", server.url)[0])["rows"]
        found = {row["model"]: row for row in rows}
        assert found["scripted"]["reach"] == "ready"
        assert found["embedded-base"]["reach"] == "missing"
        assert found["openai:NAME"]["note"] == "set OPENAI_API_KEY"
        there = found[f"{server.url}#m"]
        assert (there["reach"], there["note"]) == ("ready", "vLLM")
        assert there["capabilities"]["images"] is False
        assert there["capabilities"]["logprobs"] is True

    def test_a_server_that_is_not_there(self) -> None:
        rows = json.loads(run("models", "--json", "--server", "http://127.0.0.1:9/v1")[0])["rows"]
        (row,) = [row for row in rows if row["model"].startswith("http")]
        assert row["reach"] == "unreachable"
        assert "nothing listens" in row["note"]

    def test_a_key_goes_to_a_server_that_is_named_and_to_no_other(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("REGRASP_API_KEY", "the-key-of-one-server")
        with FakeServer(answer) as named, FakeServer(lambda asked: reply(401, {})) as other:
            monkeypatch.setattr(catalogue_module, "DESK_SERVERS", (other.url,))
            rows = json.loads(run("models", "--json", "--server", named.url)[0])["rows"]
        assert named.asked[0].headers["authorization"] == "Bearer the-key-of-one-server"
        assert "authorization" not in other.asked[0].headers
        (row,) = [row for row in rows if row["model"] == other.url]
        assert f"--server {other.url}" in row["note"]

    def test_for_people(self) -> None:
        out, _ = run("models")
        assert "scripted" in out
        assert "regrasp" in out

    def test_pull_from_a_file_that_is_none(self, tmp_path: Path) -> None:
        with pytest.raises(RegraspError, match="cannot take the weights"):
            run("models", "pull", "--from", str(tmp_path / "nothing"))


class TestAsk:
    def test_the_answer_is_all_of_stdout(self) -> None:
        with FakeServer(answer) as server:
            out, err = run("ask", "what colour?", "--model", f"{server.url}#m", "--price", "1,2")
        assert out == "it is red\n"
        assert "1 calls, 7 + 3 tokens" in err

    def test_json(self) -> None:
        with FakeServer(answer) as server:
            out, _ = run(
                "ask", "what?", "-m", f"{server.url}#m", "--logprobs", "--json", "--seed", "1"
            )
        told = json.loads(out)
        assert told["rows"][0]["text"] == "it is red"
        assert told["losses"] == ["logprobs: the server gives none"]
        assert told["spent"]["calls"] == 1

    def test_losses_are_said(self) -> None:
        with FakeServer(answer) as server:
            _, err = run("ask", "what?", "-m", f"{server.url}#m", "--logprobs")
        assert "lost: logprobs: the server gives none" in err

    def test_with_a_picture(self, tmp_path: Path) -> None:
        file = tmp_path / "a.png"
        file.write_bytes(ImageData.from_array(np.zeros((2, 2, 3), np.uint8)).png)
        told = {"data": [{"id": "m"}]}

        def handler(asked: Asked) -> bytes:
            return reply(200, told) if asked.method == "GET" else chat_reply("dark")

        with FakeServer(handler) as server:
            out, _ = run("ask", "what?", "-m", f"{server.url}#m", "--image", str(file))
            assert server.asked[-1].body["messages"][0]["content"][0]["type"] == "image_url"
        assert out == "dark\n"

    def test_a_dry_run_asks_nobody(self) -> None:
        out, _ = run(
            "ask",
            "what?",
            "-m",
            "openai:gpt-x",
            "--dry-run",
            "--json",
            "--price",
            "1,10",
            "-n",
            "2",
        )
        (most,) = json.loads(out)["rows"]
        assert most["completion_tokens"] == 1024
        assert 0.0102 < most["usd"] < 0.0103
