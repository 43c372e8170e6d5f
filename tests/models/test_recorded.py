"""Cassettes: what is on them is replayed exactly; a miss is an error that shows the difference."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.models.cancel import CancelToken
from regrasp.models.cassette import Cassette
from regrasp.models.errors import BadRequestError, ReplayMissError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    FinishReason,
    Message,
    Request,
    RequestModel,
    Role,
    ScoredToken,
    Usage,
)
from regrasp.models.recorded import RecordedLanguage, RecordedVision
from regrasp.models.vision import Answer


class Counter(RequestModel):
    """Says how often it was asked: no two answers are the same."""

    name = "counter"
    capabilities = Capabilities(images=True)

    def __init__(self) -> None:
        self.asked = 0

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.asked += 1
        token = ScoredToken(f"{self.asked}", -0.1, ((f"{self.asked}", -0.1), ("é", -1 / 3)))
        item = Completion(f"{self.asked}\n\u2028", FinishReason.LENGTH, (token,))
        return Completions((item,) * request.n, Usage(3, 1), 0.1 + 0.2, ("seed: none",))


class Eye:
    name = "eye"

    def __init__(self) -> None:
        self.asked = 0

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        self.asked += 1
        return Answer(Verdict.YES, f"yes {self.asked}", 0.75)


def user(text: str, *images: ImageData) -> tuple[Message, ...]:
    return (Message(Role.USER, text, images),)


def grey(value: int) -> ImageData:
    return ImageData.from_array(np.full((2, 2, 3), value, np.uint8))


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    return tmp_path / "tapes" / "tape.jsonl"


def recorder(tape: Path, inner: Counter | None = None) -> RecordedLanguage:
    return RecordedLanguage(Cassette(tape), inner or Counter())


def player(tape: Path) -> RecordedLanguage:
    return RecordedLanguage(Cassette(tape))


class TestLanguage:
    def test_a_replay_is_the_recording_exactly(self, tape: Path) -> None:
        model = recorder(tape)
        recorded = [model.complete(user("a"), n=2, seed=1), model.complete(user("b"))]
        again = player(tape)
        assert again.name == "counter"
        assert [again.complete(user("a"), n=2, seed=1), again.complete(user("b"))] == recorded

    def test_the_same_request_twice_is_two_draws(self, tape: Path) -> None:
        model = recorder(tape)
        first, second = model.complete(user("a")), model.complete(user("a"))
        assert first != second
        again = player(tape)
        assert [again.complete(user("a")), again.complete(user("a"))] == [first, second]
        with pytest.raises(ReplayMissError):
            again.complete(user("a"))

    def test_what_is_recorded_is_not_asked_again(self, tape: Path) -> None:
        first = recorder(tape).complete(user("a"))
        before = tape.read_text()
        inner = Counter()
        model = recorder(tape, inner)
        assert model.complete(user("a")) == first
        assert inner.asked == 0
        assert tape.read_text() == before

    def test_every_parameter_is_part_of_the_key(self, tape: Path) -> None:
        recorder(tape).complete(user("a"))
        for change in (
            {"n": 2},
            {"temperature": 0.5},
            {"max_tokens": 7},
            {"stop": ("x",)},
            {"logprobs": True},
            {"schema": {"type": "object"}},
            {"grammar": 'root ::= "x"'},
            {"seed": 0},
        ):
            with pytest.raises(ReplayMissError):
                player(tape).complete(user("a"), **change)

    def test_images_count_by_their_bytes(self, tape: Path) -> None:
        recorder(tape).complete(user("a", grey(100)))
        player(tape).complete(user("a", grey(100)))
        with pytest.raises(ReplayMissError):
            player(tape).complete(user("a", grey(101)))

    def test_a_miss_shows_the_nearest_request_as_a_diff(self, tape: Path) -> None:
        model = recorder(tape)
        model.complete(user("something else altogether, about submarines"))
        model.complete(user("Objects: kettle, crate\nGoal: find the apple"))
        with pytest.raises(ReplayMissError) as raised:
            player(tape).complete(user("Objects: kettle, crate\nGoal: find the pear"))
        said = str(raised.value)
        assert '-Goal: find the apple"' in said
        assert '+Goal: find the pear"' in said
        assert "submarines" not in said
        assert "recorded:FILE#MODEL" in said

    def test_replay_needs_to_know_whom(self, tape: Path) -> None:
        with pytest.raises(BadRequestError, match="these language models: none"):
            player(tape)


class TestFile:
    def test_it_is_one_readable_line_a_reply(self, tape: Path) -> None:
        model = recorder(tape)
        model.complete(user("héllo"))
        model.complete(user("again"))
        lines = tape.read_bytes().decode().split("\n")
        assert len(lines) == 3
        assert "héllo" in lines[0]
        assert json.loads(lines[0])["request"]["messages"][0]["content"] == "héllo"

    def test_a_line_torn_by_a_kill_is_overlooked_and_recording_goes_on(self, tape: Path) -> None:
        first = recorder(tape).complete(user("a"))
        with tape.open("a") as file:
            file.write('{"model": "counter", "dra')
        assert player(tape).complete(user("a")) == first
        second = recorder(tape).complete(user("b"))
        again = player(tape)
        assert [again.complete(user("a")), again.complete(user("b"))] == [first, second]
        assert tape.read_bytes().count(b"\n") == 2

    def test_a_damaged_line_is_named(self, tape: Path) -> None:
        recorder(tape).complete(user("a"))
        text = tape.read_text()
        tape.write_text(text + "not json\n" + text)
        with pytest.raises(RegraspError, match=r"tape.jsonl:2 is not a recording"):
            Cassette(tape)

    @pytest.mark.parametrize(
        "content",
        [
            "a letter to a friend",
            "a letter to a friend\nwith two lines\n",
            '{"model": "gpt", "temperature": 0}',  # somebody's settings, without a line break
            '{"trace": "regrasp", "schema": 3}\n',
            "\x00\x01\x02",
            '{"mode": ',
        ],
    )
    def test_a_file_that_is_no_cassette_is_refused_and_kept(self, tape: Path, content: str) -> None:
        tape.parent.mkdir()
        tape.write_text(content)
        with pytest.raises(RegraspError, match="is no cassette"):
            recorder(tape).complete(user("a"))
        assert tape.read_text() == content

    def test_a_whole_line_without_its_line_break_is_kept(self, tape: Path) -> None:
        recorder(tape).complete(user("a"))
        tape.write_text(tape.read_text().rstrip("\n"))
        recorder(tape).complete(user("b"))
        assert len(Cassette(tape)) == 2

    def test_a_pipe_is_no_cassette(self, tape: Path) -> None:
        tape.parent.mkdir()
        os.mkfifo(tape)
        with pytest.raises(RegraspError, match="no ordinary file"):
            Cassette(tape)


class TestVision:
    def test_record_and_replay(self, tape: Path) -> None:
        eye = Eye()
        model = RecordedVision(Cassette(tape), eye)
        recorded = [model.answer([grey(1)], "open?"), model.answer([grey(2)], "open?")]
        again = RecordedVision(Cassette(tape))
        assert again.name == "eye"
        assert [again.answer([grey(1)], "open?"), again.answer([grey(2)], "open?")] == recorded
        with pytest.raises(ReplayMissError):
            again.answer([grey(3)], "open?")

    def test_both_kinds_share_a_cassette(self, tape: Path) -> None:
        cassette = Cassette(tape)
        RecordedVision(cassette, Eye()).answer([grey(1)], "open?")
        RecordedLanguage(cassette, Counter()).complete(user("a"))
        assert RecordedVision(Cassette(tape)).name == "eye"
        assert player(tape).name == "counter"


def test_a_replay_is_calibrated_where_the_recorded_model_was(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    RecordedLanguage(Cassette(tape), Counter()).complete((Message(Role.USER, "?"),))
    assert not RecordedLanguage(Cassette(tape)).capabilities.calibrated
    text = tape.read_text(encoding="utf-8").replace('"counter"', '"embedded"')
    tape.write_text(text, encoding="utf-8")
    assert RecordedLanguage(Cassette(tape)).capabilities.calibrated
