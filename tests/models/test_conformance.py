"""What every language model owes its callers, tried on each kind we have.

The same tests run against the rules, a cassette, a degraded model, the llama.cpp binding, and a
real llama.cpp server over HTTP. Another model is one more entry of `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from prompt_table import PROMPTS

from regrasp.core.codec import from_json, to_json
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.cancel import CancelToken
from regrasp.models.cassette import Cassette
from regrasp.models.degraded import DegradedLanguage, Faults
from regrasp.models.errors import BadRequestError, CancelledError, UnsupportedError
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completions,
    FinishReason,
    Json,
    LanguageModel,
    Message,
    Role,
)
from regrasp.models.local import LocalModel
from regrasp.models.openai_compatible import OpenAICompatible
from regrasp.models.recorded import RecordedLanguage
from regrasp.models.schema import text_mismatch

# A short question whose answer has several words.
QUESTION = next(family.example for family in PROMPTS if family.name == "primary_step")
SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {"steps": {"type": "array", "items": {"enum": ["open", "put"]}, "maxItems": 2}},
    "required": ["steps"],
    "additionalProperties": False,
}


def scripted(request: pytest.FixtureRequest) -> LanguageModel:
    return ScriptedModel()


def recorded(request: pytest.FixtureRequest) -> LanguageModel:
    folder: Path = request.getfixturevalue("tmp_path")
    return RecordedLanguage(Cassette(folder / "tape.jsonl"), ScriptedModel())


def degraded(request: pytest.FixtureRequest) -> LanguageModel:
    return DegradedLanguage(ScriptedModel(), Faults(hallucinate=0.5, slow=0.001))


def local(request: pytest.FixtureRequest) -> LanguageModel:
    return LocalModel(request.getfixturevalue("weights"), slots=2, threads=1)


def http(request: pytest.FixtureRequest) -> LanguageModel:
    return OpenAICompatible(request.getfixturevalue("llama_server"))


KINDS: tuple[Callable[[pytest.FixtureRequest], LanguageModel], ...] = (
    scripted,
    recorded,
    degraded,
    local,
    http,
)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def model(request: pytest.FixtureRequest) -> LanguageModel:
    kind: Callable[[pytest.FixtureRequest], LanguageModel] = request.param
    return kind(request)


def ask(model: LanguageModel, **options: object) -> Completions:
    return model.complete(QUESTION.messages(), **{"max_tokens": 12, **options})  # type: ignore[arg-type]


def test_it_is_a_language_model_with_a_name(model: LanguageModel) -> None:
    assert isinstance(model, LanguageModel)
    assert model.name
    assert isinstance(model.capabilities, Capabilities)


def test_samples_usage_and_latency(model: LanguageModel) -> None:
    completions = ask(model, n=3, temperature=0.8, seed=1)
    assert len(completions.items) == 3
    assert all(item.text for item in completions.items)
    assert completions.usage.prompt_tokens > 20
    assert completions.usage.completion_tokens >= 3
    assert completions.usage.calls >= 1
    assert completions.latency_s >= 0


def test_the_reply_can_stand_in_a_trace(model: LanguageModel) -> None:
    completions = ask(model, logprobs=True)
    assert from_json(Completions, to_json(completions)) == completions


def test_greedy_is_the_same_again(model: LanguageModel) -> None:
    if "degraded" in model.name:
        pytest.skip("a degraded model errs anew at each draw")
    assert ask(model).text == ask(model).text


def test_a_seed_is_the_same_again(model: LanguageModel) -> None:
    if "degraded" in model.name or not model.capabilities.seed:
        pytest.skip("takes no seed, or errs anew at each draw")
    if isinstance(model, OpenAICompatible):
        pytest.skip("a server's sums depend on what shares a batch, and its draws on them")
    first, second = (ask(model, n=2, temperature=1.0, seed=7) for _ in range(2))
    assert [item.text for item in first.items] == [item.text for item in second.items]


def test_max_tokens_cuts_and_says_so(model: LanguageModel) -> None:
    completions = ask(model, max_tokens=2)
    assert completions.items[0].finish_reason is FinishReason.LENGTH
    assert len(completions.text.split()) <= 2


def test_stop_is_not_part_of_the_text(model: LanguageModel) -> None:
    text = ask(model, max_tokens=24).text
    stop = text.split()[-2]
    stopped = ask(model, max_tokens=24, stop=(stop,))
    assert stop not in stopped.text
    assert stopped.items[0].finish_reason is FinishReason.STOP


def test_log_probabilities_or_their_loss(model: LanguageModel) -> None:
    completions = ask(model, logprobs=True)
    tokens = completions.items[0].tokens
    if not model.capabilities.logprobs:
        assert tokens is None
        assert any(loss.startswith("logprobs: ") for loss in completions.losses)
        return
    assert tokens is not None
    assert "".join(token.text for token in tokens) == completions.text
    assert all(token.logprob <= 0 for token in tokens)
    assert all(token.top[0][1] >= token.logprob for token in tokens)
    assert ask(model).items[0].tokens is None


def test_a_schema_or_its_loss(model: LanguageModel) -> None:
    completions = ask(model, max_tokens=40, schema=SCHEMA)
    if model.capabilities.schema:
        assert text_mismatch(completions.text, SCHEMA) is None
        assert completions.losses == ()
    else:
        assert any(loss.startswith("schema: ") for loss in completions.losses)


def test_a_grammar_or_its_loss(model: LanguageModel) -> None:
    completions = ask(model, max_tokens=40, grammar=QUESTION.grammar())
    if not model.capabilities.grammar:
        assert any(loss.startswith("grammar: ") for loss in completions.losses)
    elif completions.items[0].finish_reason is FinishReason.STOP:
        assert completions.text.startswith(("Thought: ", "Step: "))
        assert completions.losses == ()


def test_a_text_is_scored_or_refused(model: LanguageModel) -> None:
    text = "1. Open the microwave\n"
    if not model.capabilities.force:
        with pytest.raises(UnsupportedError, match="cannot score"):
            ask(model, force=text, logprobs=True)
        return
    item = ask(model, force=text, logprobs=True).items[0]
    assert item.text == text
    assert "".join(token.text for token in item.tokens or ()) == text
    assert item.logprob is not None
    assert item.logprob < 0


def test_images_are_taken_or_refused(model: LanguageModel) -> None:
    image = ImageData.from_array(np.zeros((4, 4, 3), np.uint8))
    with pytest.raises(UnsupportedError, match="takes no images"):
        model.complete([Message(Role.USER, "what is this?", (image,))])


@pytest.mark.parametrize(
    "wrong",
    [
        {"n": 0},
        {"max_tokens": 0},
        {"temperature": -1.0},
        {"temperature": float("nan")},
        {"stop": ("",)},
        {"schema": SCHEMA, "grammar": 'root ::= "x"'},
        {"force": "x"},
    ],
    ids=str,
)
def test_a_request_that_makes_no_sense(model: LanguageModel, wrong: dict[str, object]) -> None:
    with pytest.raises(BadRequestError, match="bad model request"):
        ask(model, **wrong)


def test_no_messages(model: LanguageModel) -> None:
    with pytest.raises(BadRequestError, match="no messages"):
        model.complete(())


def test_a_cancelled_call(model: LanguageModel) -> None:
    token = CancelToken()
    token.cancel("enough")
    with pytest.raises(CancelledError, match="enough"):
        ask(model, cancel=token)
