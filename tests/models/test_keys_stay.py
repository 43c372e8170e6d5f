"""No 8 characters of a key reach a trace, page, log, error, terminal or another host.

The server repeats the key in every place it can: the text of a reply, its tokens, an error, a body
that is no JSON, a redirect to another host. Where the text is cut is drawn at random.
"""

from __future__ import annotations

import contextlib
import functools
import io
import json
import logging
import os
import string
import tempfile
import traceback
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fake_server import FakeServer, chat_reply, reply
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from regrasp.cli.output import print_error, print_json, print_note, print_rows, print_text
from regrasp.core.event import Remark
from regrasp.core.files import write_json, write_text
from regrasp.core.redact import FRAGMENT
from regrasp.core.trace import Clock, TraceWriter
from regrasp.models.budget import Meter
from regrasp.models.cassette import Cassette
from regrasp.models.errors import ModelError
from regrasp.models.language import Message, Role
from regrasp.models.metered import MeteredLanguage
from regrasp.models.openai_compatible import OpenAICompatible
from regrasp.models.recorded import RecordedLanguage
from regrasp.models.retry import RetryPolicy
from regrasp.models.tracing import tracing
from regrasp.view.page import write_page

KEYS = st.one_of(
    st.text(string.ascii_letters + string.digits + "-_.+/=", min_size=20, max_size=60),
    st.text(string.printable, min_size=8, max_size=60),
)
WAYS = ("text", "tokens", "error 400", "error 500", "error 429", "no JSON", "redirect 307")


def echo(way: str, key: str, offset: int, other: str) -> bytes:
    text = f"{'x' * offset}{key} {key}"
    match way.split():
        case ["text"]:
            return chat_reply(text)
        case ["tokens"]:
            pieces = [{"token": letter, "logprob": -1.0} for letter in text]
            return chat_reply(text, logprobs={"content": pieces})
        case ["error", status]:
            return reply(int(status), {"error": {"message": text, key: [key]}})
        case ["redirect", status]:
            where = f"{other}/{urllib.parse.quote(key)}"
            return reply(int(status), text.encode(), Location=where)
    return reply(200, text.encode())


@contextmanager
def in_environment(key: str) -> Iterator[None]:
    before = os.environ.get("REGRASP_API_KEY")
    os.environ["REGRASP_API_KEY"] = key
    try:
        yield
    finally:
        del os.environ["REGRASP_API_KEY"]
        if before is not None:
            os.environ["REGRASP_API_KEY"] = before


def everything_that_leaves(key: str, way: str, offset: int) -> str:
    """All text that a run with this key leaves anywhere but in the header to its own server."""
    terminal, log = io.StringIO(), io.StringIO()
    logging.getLogger().addHandler(handler := logging.StreamHandler(log))
    with (
        contextlib.redirect_stdout(terminal),
        contextlib.redirect_stderr(terminal),
        tempfile.TemporaryDirectory() as name,
        FakeServer(lambda asked: chat_reply("hello")) as other,
        FakeServer(lambda asked: echo(way, key, offset, other.url)) as server,
        TraceWriter(Path(name, "run"), Clock(lambda: 0.0, lambda: 0.0)) as trace,
    ):
        folder = Path(name)
        client = OpenAICompatible(server.url, "m", retry=RetryPolicy(attempts=1))
        metered = MeteredLanguage(client, Meter(), observe=tracing(trace))
        model = RecordedLanguage(Cassette(folder / "tape.jsonl"), metered)
        trace.write(Remark(f"note {key}"))
        errors = [repr(client)]
        try:
            prompt = (Message(Role.USER, f"is {'y' * offset}{key} a key?"),)
            print_text(model.complete(prompt, logprobs=way == "tokens").items)
        except ModelError as error:
            errors += [str(error), repr(error), *traceback.format_exception(error)]
            print_error(f"error: {error.args}")
            print_note("".join(traceback.format_exception(error)))
        print_rows([{"a": key}], ["a"], False, key)
        print_json([{key: key}])
        write_text(folder / "report.txt", f"{key!r} {key}")
        write_json(folder / "record.json", {"reason": [key, (key,)]})
        write_page(folder / "run")
        files = [p.read_text("utf-8") for p in sorted(folder.rglob("*")) if p.is_file()]
        hosts = [f"{asked.path} {asked.headers} {asked.body}" for asked in other.asked]
        own = [f"{asked.path} {json.dumps(asked.body)}" for asked in server.asked]
        sent = [asked.headers.get("authorization") for asked in server.asked]
    logging.getLogger().removeHandler(handler)
    assert not hosts
    assert sent in ([], [f"Bearer {key.strip()}"])
    return "\n".join([*errors, *files, *own, terminal.getvalue(), log.getvalue()])


@functools.cache
def our_own_words(way: str) -> str:
    with in_environment("_"):
        return everything_that_leaves("_", way, 0)


@settings(max_examples=40, deadline=None)
@given(KEYS, st.sampled_from(WAYS), st.integers(0, 430))
def test_no_part_of_a_key_leaves(key: str, way: str, offset: int) -> None:
    assume(len(key.strip()) >= FRAGMENT and key.strip()[0] not in "/~.")
    parts = [key[i : i + FRAGMENT] for i in range(len(key) - FRAGMENT + 1)]
    assume(not any(part in our_own_words(way) for part in parts))
    with in_environment(key):
        left = everything_that_leaves(key, way, offset)
    assert [part for part in parts if part in left] == []
