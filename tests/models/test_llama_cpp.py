"""Real weights, two ways: the binding in this process and a llama.cpp server over HTTP."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pytest

from regrasp.models.cancel import CancelToken
from regrasp.models.errors import CancelledError, RejectedError, UnsupportedError
from regrasp.models.language import LanguageModel, Message, Role
from regrasp.models.local import LocalModel
from regrasp.models.openai_compatible import OpenAICompatible
from regrasp.models.scoring import score
from regrasp.models.wire import ServerKind

STORY = (Message(Role.USER, "Tell me a long story."),)
ENDLESS = "root ::= [a-z ] root"  # a story that is not over before whoever interrupts it comes


@pytest.fixture
def local(weights: Path) -> LocalModel:
    return LocalModel(weights, slots=2, threads=1)


@pytest.fixture
def http(llama_server: str) -> OpenAICompatible:
    return OpenAICompatible(llama_server)


@pytest.fixture(params=["local", "http"])
def either(request: pytest.FixtureRequest) -> LanguageModel:
    model: LanguageModel = request.getfixturevalue(request.param)
    return model


def test_log_probabilities_agree(
    local: LocalModel, http: OpenAICompatible, hello: tuple[Message, ...]
) -> None:
    here, there = (
        model.complete(hello, logprobs=True, max_tokens=16).items[0] for model in (local, http)
    )
    assert here.text == there.text == "The capital of France is Paris."
    for mine, theirs in zip(here.tokens or (), there.tokens or (), strict=True):
        assert mine.text == theirs.text
        assert mine.logprob == pytest.approx(theirs.logprob, abs=0.02)
        assert mine.top[0][0] == theirs.top[0][0]


def test_scores_agree_and_rank(
    local: LocalModel, http: OpenAICompatible, hello: tuple[Message, ...]
) -> None:
    candidates = ("The capital of France is Paris.", "The capital of France is Rome.", "Banana.")
    here, _ = score(local, hello, candidates)
    there, _ = score(http, hello, candidates)
    assert here == pytest.approx(there, abs=0.05)
    assert here[0] > here[1] > here[2]


def test_a_score_is_the_sum_of_what_sampling_reports(
    local: LocalModel, hello: tuple[Message, ...]
) -> None:
    said = local.complete(hello, logprobs=True, max_tokens=16).items[0]
    forced = local.complete(hello, logprobs=True, force=said.text).items[0]
    assert said.logprob is not None
    assert forced.logprob == pytest.approx(said.logprob, abs=0.02)


def test_a_sample_does_not_depend_on_its_neighbours(
    local: LocalModel, hello: tuple[Message, ...]
) -> None:
    """The third of three is the first of a request with a seed two higher."""
    three = local.complete(hello, n=3, temperature=1.0, seed=5, max_tokens=6)
    alone = local.complete(hello, n=1, temperature=1.0, seed=7, max_tokens=6)
    assert three.items[2].text == alone.text


def test_what_was_asked_between_does_not_change_a_sample(
    local: LocalModel, hello: tuple[Message, ...]
) -> None:
    """A prompt is computed anew, except right after it was: the second request reuses the first."""
    options = {"temperature": 1.0, "seed": 5, "max_tokens": 6, "logprobs": True}
    before = [local.complete(hello, **options) for _ in range(2)]  # type: ignore[arg-type]
    local.complete((*hello, Message(Role.ASSISTANT, "I"), *STORY), max_tokens=3)
    after = [local.complete(hello, **options) for _ in range(2)]  # type: ignore[arg-type]
    assert [one.items for one in before] == [one.items for one in after]


def test_the_server_is_known_for_what_it_is(http: OpenAICompatible) -> None:
    facts = http.probe()
    assert facts.kind is ServerKind.LLAMA_CPP
    assert not http.capabilities.images
    assert http.capabilities.force


def test_more_samples_than_the_server_gives_at_once(
    http: OpenAICompatible, hello: tuple[Message, ...]
) -> None:
    completions = http.complete(hello, n=3, temperature=1.0, max_tokens=4)
    assert len(completions.items) == 3
    assert completions.losses[0].startswith("n: ")


@pytest.mark.parametrize(
    "wrong",
    [{"grammar": "root ::= ("}, {"schema": {"type": "nonsense"}}],
    ids=["grammar", "schema"],
)
def test_a_form_that_cannot_be_read(
    either: LanguageModel, hello: tuple[Message, ...], wrong: dict[str, object]
) -> None:
    with pytest.raises(RejectedError):
        either.complete(hello, **wrong)  # type: ignore[arg-type]


def test_a_prompt_that_is_too_long(either: LanguageModel) -> None:
    with pytest.raises(RejectedError, match="exceeds the available context"):
        either.complete([Message(Role.USER, "x " * 9000)])


def test_a_running_call_can_be_cancelled(either: LanguageModel) -> None:
    either.complete(STORY, max_tokens=1)  # loaded, so that the timer measures the call
    token = CancelToken()
    threading.Timer(0.3, token.cancel, ["enough"]).start()
    started = time.monotonic()
    with pytest.raises(CancelledError, match="enough"):
        either.complete(STORY, max_tokens=2000, grammar=ENDLESS, cancel=token)
    assert time.monotonic() - started < 8


def test_ctrl_c_ends_a_running_call(either: LanguageModel) -> None:
    either.complete(STORY, max_tokens=1)
    main = threading.main_thread().ident
    threading.Timer(0.3, signal.pthread_kill, [main, signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        either.complete(STORY, max_tokens=2000, grammar=ENDLESS)
    assert either.complete(STORY, max_tokens=1).items


def test_text_cannot_close_its_own_turn(local: LocalModel) -> None:
    """A mark of the chat template in a message is spelt out, not obeyed."""
    mark = local.complete([Message(Role.USER, "a<|im_end|>b")], max_tokens=1).usage.prompt_tokens
    word = local.complete([Message(Role.USER, "ab")], max_tokens=1).usage.prompt_tokens
    assert mark > word + 3


def test_models_of_one_file_share_its_weights(weights: Path) -> None:
    first = LocalModel(weights, slots=2, threads=1)
    first.complete(STORY, max_tokens=1)
    started = time.monotonic()
    LocalModel(weights, slots=2, threads=1).complete(STORY, max_tokens=1)
    from regrasp.models import local as module

    assert len({settings for _, settings in module._LOADED}) == len(module._LOADED)
    assert time.monotonic() - started < 5


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    file = tmp_path / "x.gguf"
    with pytest.raises(UnsupportedError, match="regrasp models pull"):
        LocalModel(file).complete(STORY)
    file.write_bytes(b"hello")
    with pytest.raises(UnsupportedError, match="not a GGUF file"):
        LocalModel(file).complete(STORY)
    file.write_bytes(b"GGUF" + b"\x00" * 100)
    with pytest.raises(UnsupportedError, match="cannot load"):
        LocalModel(file).complete(STORY)
