"""A GGUF file answers a request without random sampling once, and from memory afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from regrasp.models import local
from regrasp.models.language import Message, Request, Role
from regrasp.models.local import LocalModel

ASKED = (Message(Role.USER, "Is it open?"),)


class Engine(local._Engine):
    """Counts the requests that reach llama.cpp, and says so."""

    def __init__(self) -> None:
        self.replies, self.asked = {}, 0

    def stream(self, request: Request, into: local._Stream) -> None:
        self.asked += 1
        for index in range(request.n):
            delta: Any = {"index": index, "delta": {"content": f"answer {self.asked}"}}
            into.take({"choices": [delta]})


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    found = Engine()
    monkeypatch.setattr(local, "_load", lambda settings: found)
    return found


def test_the_same_question_is_answered_from_memory(engine: Engine) -> None:
    one, other = LocalModel(Path("x.gguf")), LocalModel(Path("x.gguf"))
    first = one.complete(ASKED)
    assert other.complete(ASKED).items == first.items and engine.asked == 1
    assert one.complete(ASKED, max_tokens=3).text == "answer 2"
    assert one.complete(ASKED, grammar='root ::= "yes"').text == "answer 3"


def test_samples_are_drawn_anew(engine: Engine) -> None:
    model = LocalModel(Path("x.gguf"))
    assert [model.complete(ASKED, temperature=0.7).text for _ in range(2)] == [
        "answer 1",
        "answer 2",
    ]


def test_the_memory_drops_the_oldest(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "_REMEMBERED", 2)
    model = LocalModel(Path("x.gguf"))
    for text in "abc":
        model.complete((Message(Role.USER, text),))
    model.complete((Message(Role.USER, "a"),))
    assert engine.asked == 4 and len(engine.replies) == 2
