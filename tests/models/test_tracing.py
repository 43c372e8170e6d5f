"""Calls of models in a trace: all that was said, what it cost, and never a key."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from regrasp.core.answer import Verdict
from regrasp.core.event import Event, ModelCalled, ShownMessage
from regrasp.core.image_store import load_image
from regrasp.core.trace import IMAGE_FOLDER, Clock, TraceWriter, digest, read_trace
from regrasp.models.budget import Budget, Meter, Price
from regrasp.models.cancel import CancelToken
from regrasp.models.errors import BudgetExceededError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Message,
    Request,
    RequestModel,
    Role,
    Usage,
)
from regrasp.models.metered import MeteredLanguage, MeteredVision
from regrasp.models.tracing import tracing
from regrasp.models.vision import Answer, LanguageVision
from regrasp.view.page import write_page

KEY = "abc/DEF+ghi=\"jkl\\'0123"


class Echo(RequestModel):
    """Says what it was told."""

    name, capabilities = "echo", Capabilities(images=True)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        text = request.messages[-1].content
        items = tuple(Completion(text) for _ in range(request.n))
        return Completions(items, Usage(7, 3), latency_s=0.25, losses=("no seed",))


def traced(folder: Path, *, price: str = "0,0", calls: int | None = None) -> MeteredLanguage:
    trace = TraceWriter(folder, Clock(lambda: 1.5, lambda: 1000.0))
    meter = Meter(Budget(calls=calls))
    return MeteredLanguage(Echo(), meter, price=Price.parse(price), observe=tracing(trace))


def only(folder: Path) -> Event:
    (event,) = read_trace(folder).events
    return event


def test_a_call_is_an_event_with_all_that_was_said_and_spent(tmp_path: Path) -> None:
    messages = (Message(Role.SYSTEM, "be brief"), Message(Role.USER, "hello"))
    traced(tmp_path, price="1000000,1000000").complete(messages, n=2, purpose="plan")
    event = only(tmp_path)
    assert isinstance(event, ModelCalled)
    assert event.messages == (ShownMessage("system", "be brief"), ShownMessage("user", "hello"))
    assert (event.model, event.purpose, event.replies) == ("echo", "plan", ("hello", "hello"))
    assert (event.prompt_tokens, event.completion_tokens, event.usd) == (7, 3, 10.0)
    assert (event.losses, event.wall_latency_s, event.error) == (("no seed",), 0.25, "")
    assert len(event.request) == 64


def test_a_call_that_failed_is_an_event_too(tmp_path: Path) -> None:
    model = traced(tmp_path, calls=0)
    with pytest.raises(BudgetExceededError):
        model.complete((Message(Role.USER, "hello"),))
    event = only(tmp_path)
    assert isinstance(event, ModelCalled)
    assert event.error_kind == "BudgetExceededError"
    assert "budget of 0 calls" in event.error
    assert event.replies == ()


def test_a_picture_is_stored_once_under_the_hash_of_its_pixels(tmp_path: Path) -> None:
    rgb = np.arange(36, dtype=np.uint8).reshape(3, 4, 3)
    model = traced(tmp_path)
    for _ in range(2):
        model.complete((Message(Role.USER, "what is this?", (ImageData.from_array(rgb),)),))
    event = read_trace(tmp_path).events[0]
    assert isinstance(event, ModelCalled)
    (name,) = event.messages[0].images
    assert (load_image(tmp_path / IMAGE_FOLDER, name) == rgb).all()
    assert len(list((tmp_path / IMAGE_FOLDER).iterdir())) == 1


def test_an_answer_keeps_its_verdict_and_confidence(tmp_path: Path) -> None:
    class Eye:
        name = "eye"

        def answer(self, *asked: object, **options: object) -> Answer:
            return Answer(Verdict.YES, "Yes, it is.", 0.9)

    with TraceWriter(tmp_path, Clock(lambda: 0.0)) as trace:
        eye = MeteredVision(Eye(), Meter(), observe=tracing(trace))
        eye.answer((), "is the door open?")
    event = only(tmp_path)
    assert isinstance(event, ModelCalled)
    assert (event.verdict, event.confidence, event.replies) == ("yes", 0.9, ("Yes, it is.",))
    assert LanguageVision(Echo()).name  # the other kind of eye goes through MeteredLanguage


def test_how_long_a_call_took_is_not_part_of_what_happened(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder, seconds in zip(folders, (0.1, 0.2), strict=True):
        model = traced(folder)
        model.complete((Message(Role.USER, "hello"),))
        path = folder / "trace.jsonl"
        path.write_text(path.read_text().replace("0.25", str(seconds)))
    assert digest(folders[0]) == digest(folders[1])


def test_no_file_of_a_run_holds_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key stands in the reward, in what a model is asked, and in its reply."""
    from regrasp.episodes.follow_reward import do

    monkeypatch.setenv("SOME_API_KEY", KEY)
    program = f'# {KEY}\nminimize_l2_distance_reward("palm", "yellow_cube")'
    do("cabinet", "closed", 0, program, tmp_path, size=(32, 24), cancel=lambda: f"no {KEY}")
    with TraceWriter(tmp_path, Clock(lambda: 9.0), append=True) as trace:
        model = MeteredLanguage(Echo(), Meter(), observe=tracing(trace))
        assert KEY in model.complete((Message(Role.USER, f"my key is {KEY}"),)).text
    write_page(tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"trace.jsonl", "report.html"} <= {path.name for path in files}
    forms = {KEY, json.dumps(KEY)[1:-1], *KEY.split('"')}
    for path in files:
        content = path.read_bytes()
        for form in forms:
            assert form.encode() not in content, path
    assert "[redacted SOME_API_KEY]" in (tmp_path / "trace.jsonl").read_text()
