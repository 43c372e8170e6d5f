"""Asking: a reply that cannot be read is repaired once, and only once."""

from __future__ import annotations

from dataclasses import dataclass, field

from regrasp.core.answer import Verdict
from regrasp.models.cancel import CancelToken
from regrasp.models.language import (
    Capabilities,
    Completion,
    Completions,
    Request,
    RequestModel,
    Role,
    Usage,
)
from regrasp.prompts.exchange import ask
from regrasp.prompts.is_vision import IsVisionPrompt
from regrasp.prompts.parsing import Declined, ParseError
from regrasp.prompts.plan import PlanPrompt
from regrasp.prompts.scene import SceneDescription


@dataclass
class Parrot(RequestModel):
    """Says what it was told to say, and remembers what it was asked."""

    lines: list[str]
    grammar: bool = False
    asked: list[Request] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "parrot"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(grammar=self.grammar)

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        self.asked.append(request)
        return Completions((Completion(self.lines.pop(0)),), Usage(10, 2))


PROMPT = IsVisionPrompt("Look at the moon")


def test_a_good_reply_costs_one_call() -> None:
    model = Parrot(["yes"])
    exchange = ask(model, PROMPT)
    assert exchange.result is Verdict.YES
    assert [reply.usage for reply in exchange.replies] == [Usage(10, 2, 1)]
    assert model.asked[0].messages == PROMPT.messages()
    assert model.asked[0].grammar is None


def test_a_bad_reply_is_sent_back_once_with_its_hint() -> None:
    model = Parrot(["the moon is round", "Yes."])
    exchange = ask(model, PROMPT)
    assert exchange.result is Verdict.YES
    assert [reply.usage for reply in exchange.replies] == 2 * [Usage(10, 2, 1)]
    _, _, assistant, user = model.asked[1].messages
    assert (assistant.role, assistant.content) == (Role.ASSISTANT, "the moon is round")
    assert user.role is Role.USER
    assert "yes, no or unknown" in user.content


def test_a_second_bad_reply_is_the_callers_to_decide_on() -> None:
    exchange = ask(Parrot(["round", "still round", "never asked"]), PROMPT)
    assert isinstance(exchange.result, ParseError)
    assert exchange.result.found == "still round"
    assert len(exchange.replies) == 2


def test_a_refusal_is_an_answer() -> None:
    exchange = ask(Parrot(["Cannot: there is nothing"]), PlanPrompt("x", SceneDescription()))
    assert exchange.result == Declined("there is nothing")
    assert len(exchange.replies) == 1


def test_the_grammar_goes_to_models_that_keep_one() -> None:
    model = Parrot(["no"], grammar=True)
    ask(model, PROMPT)
    assert model.asked[0].grammar == PROMPT.grammar()
