"""The embedded language model: SmolLM2-135M-Instruct on the CPU, with adapters for our prompts.

The base weights come from `regrasp models pull`; three adapters ship with the package
(docs/models/language.md describes their training and their evaluation): one turns instructions into
goals, one answers the prompts of CoPAL's agents and IALP's question for the next action, and one
every other prompt. At the first question, base and adapter are merged into one file in the cache,
which is faster. Prompts are shortened first, see `embedded.abridge`.

Where the weights are in doubt about a goal, rules read the instruction too; their goal counts if
they explain every word of it. Where they are in doubt about one of CoPAL's prompts, rules answer,
and the reply says so in its `losses`. The next action is always that of the weights.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

from regrasp.core.files import write_text
from regrasp.core.goal_description import GoalDescription
from regrasp.core.weights import REINSTALL, check_sha256, sha256_of
from regrasp.embedded.abridge import shorten_messages
from regrasp.embedded.rules.parsed_prompt import ParsedPrompt
from regrasp.embedded.scene_words import with_scene_words
from regrasp.embedded.scripted import ScriptedModel
from regrasp.models.cancel import CancelToken
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
)
from regrasp.models.local import LocalModel, binding_installed
from regrasp.models.merge import merge
from regrasp.models.pull import BASE_SHA256, PULL, base_weights, cache_dir
from regrasp.planners.unexplained import unexplained_nouns
from regrasp.planners.unreflected import unreflected_words
from regrasp.prompts.commands import CommandsPrompt
from regrasp.prompts.goal import GoalPrompt
from regrasp.prompts.grammar_logprob import logprob_in_grammar
from regrasp.prompts.interpret import RECIPE, InterpretPrompt
from regrasp.prompts.next_action import NextActionPrompt
from regrasp.prompts.prompt import purpose_of
from regrasp.prompts.sections import read_sections
from regrasp.prompts.specify import SpecifyPrompt

__all__ = [
    "ADAPTER",
    "COPAL_ADAPTER",
    "COPAL_PURPOSES",
    "GOAL_ADAPTER",
    "Adapter",
    "EmbeddedModel",
    "default_language_model",
    "missing_requirement",
]


@dataclass(frozen=True, slots=True)
class Adapter:
    """LoRA weights in `embedded/weights`, and the SHA-256 of the file."""

    file: str
    sha256: str

    @property
    def path(self) -> Path:
        """The path of the file."""
        return Path(__file__).parent / "weights" / self.file

    @property
    def merged(self) -> Path:
        """The path of base and adapter merged into one file; each adapter version has its own."""
        return cache_dir() / "models" / f"embedded-{self.sha256[:12]}.gguf"


ADAPTER = Adapter(
    "language.gguf", "dc2034f5fa0cede29d3f923cefd39d3d76399d5c89e4c16153b98fe4355bc482"
)
GOAL_ADAPTER = Adapter(
    "goals.gguf", "adf05d736240454954a1a7d06abb1b9cc0afc355ac171ff5de1fed0c7024f889"
)
COPAL_ADAPTER = Adapter(
    "copal.gguf", "62c61f03d69b2aef3432d40ab6cb338f4cdaeef713dc197a2af8cb00dfb374f7"
)
_COPAL_DOUBT = {
    purpose_of(InterpretPrompt): -0.2,
    purpose_of(SpecifyPrompt): -0.05,
    purpose_of(CommandsPrompt): -0.2,
}
"""Below this log-probability the weights are in doubt about a reply of CoPAL's agents, and rules
answer. Fitted on the adapter before this one, where of the replies above it 99% were right
(docs/models/language.md)."""

COPAL_PURPOSES = frozenset(_COPAL_DOUBT)
"""The questions of CoPAL's agents, which `COPAL_ADAPTER` answers."""

_GOAL = purpose_of(GoalPrompt)
_HAS_GOAL = "Goal:"
_DOUBT = -0.31
"""Below this log-probability the weights are in doubt about a goal, and rules read it too: there
the confidence falls below what is acted on (`planners.understanding.SURE`)."""
_BY_RULES = -0.1
"""The log-probability given to a goal that rules read: set, not fitted (docs/understanding.md)."""

_DISAGREED = -1.0
"""The log-probability of a goal that rules read otherwise: the robot asks. Set, not fitted."""

_NEXT_ACTION = purpose_of(NextActionPrompt)
_BY_PURPOSE = {
    _GOAL: GOAL_ADAPTER,
    _NEXT_ACTION: COPAL_ADAPTER,
    **dict.fromkeys(COPAL_PURPOSES, COPAL_ADAPTER),
}

_UNTRAINED = "weights: not trained on this question, so rules answered it"
_IN_DOUBT = "weights: in doubt about this question, so rules answered it"

_CONTEXT = 4096
"""Tokens that all samples share: some ten of our longest questions."""


class EmbeddedModel(RequestModel):
    """The fine-tuned model; loaded at the first question, once per process, then shared."""

    def __init__(self, *, threads: int | None = None) -> None:
        self._threads = threads
        self._inner: dict[Adapter, LocalModel] = {}

    @property
    def name(self) -> str:
        """`embedded`, in every trace and table."""
        return "embedded"

    @property
    def capabilities(self) -> Capabilities:
        """All features except images."""
        return Capabilities(
            logprobs=True, schema=True, grammar=True, seed=True, force=True, calibrated=True
        )

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """See `RequestModel.respond`."""
        if _has_untaught_section(request):
            by_rules = ScriptedModel().respond(request, cancel)
            return replace(by_rules, losses=(*by_rules.losses, _UNTRAINED))
        adapter = _BY_PURPOSE.get(request.purpose, ADAPTER)
        whole, request = request, replace(request, messages=_messages(request))
        certain = request.temperature == 0 and request.schema is None
        if adapter not in self._inner:
            self._inner[adapter] = self._opened(adapter)
        scored = request.purpose in COPAL_PURPOSES and certain
        asked = replace(request, logprobs=True) if scored else request
        reply = self._inner[adapter].respond(asked, cancel)
        if certain and adapter is GOAL_ADAPTER:
            reply = _with_rules(whole, reply)
        if scored:
            reply = _unless_in_doubt(whole, reply)
        return reply

    def _opened(self, adapter: Adapter) -> LocalModel:
        """The merged file; base and adapter separately where the cache cannot be written.

        All three are verified. A merged file that is damaged is made again.
        """
        base, merged = base_weights(), adapter.merged
        whole = _is_whole(merged)
        if not whole and base.exists():
            check_sha256(sha256_of(base), BASE_SHA256, base, PULL)
            check_sha256(sha256_of(adapter.path), adapter.sha256, adapter.path, REINSTALL)
            with contextlib.suppress(OSError):
                merge(base, adapter.path, merged)
                write_text(_digest_file(merged), sha256_of(merged))
                whole = True
        return LocalModel(
            merged if whole else base,
            name=self.name,
            context=_CONTEXT,
            threads=self._threads,
            adapter=None if whole else adapter.path,
        )


def _digest_file(merged: Path) -> Path:
    """The file that holds the SHA-256 of the merged one, which differs between machines."""
    return merged.with_name(f"{merged.name}.sha256")


def _is_whole(merged: Path) -> bool:
    try:
        return _digest_file(merged).read_text() == sha256_of(merged)
    except (OSError, UnicodeDecodeError):
        return False


def _has_untaught_section(request: Request) -> bool:
    """Whether the prompt has a section that no lesson had: a recipe that was looked up."""
    if request.purpose != purpose_of(InterpretPrompt):
        return False
    asked = [one.content for one in request.messages if one.role is Role.USER]
    return any(RECIPE in read_sections(text) for text in asked)


def _messages(request: Request) -> tuple[Message, ...]:
    """The conversation in the form of the lessons."""
    short = shorten_messages(request.messages)
    if request.purpose != _GOAL:
        return short
    return tuple(
        replace(one, content=with_scene_words(one.content)) if one.role is Role.USER else one
        for one in short
    )


def _with_rules(request: Request, reply: Completions) -> Completions:
    """The reply beside the goal of rules that explain every word of the instruction, if they do.

    Where the weights give no goal that can be reached, or are not sure of it, the rules' goal takes
    its place. Where both are sure and disagree, the goal that leaves no word of the instruction
    over is taken; if both do, or neither, the reply gets a low log-probability.
    """
    by_rules = ScriptedModel().respond(request).items[0]
    if not by_rules.text.startswith(_HAS_GOAL):
        return reply
    text = next(one.content for one in request.messages if one.role is Role.USER)
    prompt, first = ParsedPrompt.read(text).goal_prompt, reply.items[0]
    goal, other = prompt.parse(first.text), prompt.parse(by_rules.text)
    logprob = logprob_in_grammar(first, prompt.grammar())
    sure = logprob is None or logprob >= _DOUBT
    if not sure or not isinstance(goal, GoalDescription):
        return _scored(reply, by_rules, _BY_RULES, request.logprobs)
    if not isinstance(other, GoalDescription) or goal.same_as(other):
        return reply
    explained, explained_by_rules = _explains(goal, prompt), _explains(other, prompt)
    if explained == explained_by_rules:
        return _scored(reply, first, _DISAGREED, request.logprobs)
    return reply if explained else _scored(reply, by_rules, _BY_RULES, request.logprobs)


def _explains(goal: GoalDescription, prompt: GoalPrompt) -> bool:
    """Whether a goal leaves no noun and no operator of the instruction over."""
    return not unexplained_nouns(prompt, goal) and not unreflected_words(prompt, goal)


def _unless_in_doubt(request: Request, reply: Completions) -> Completions:
    """The reply to one of CoPAL's agents; that of the rules where the weights are in doubt.

    A reply that was cut off is no reply.
    """
    first = reply.items[0]
    whole = first.finish_reason is FinishReason.STOP
    if not whole or (first.logprob is not None and first.logprob < _COPAL_DOUBT[request.purpose]):
        by_rules = ScriptedModel().respond(request)
        return replace(by_rules, losses=(*by_rules.losses, _IN_DOUBT))
    kept = first.tokens if request.logprobs else None
    return replace(reply, items=(replace(first, tokens=kept), *reply.items[1:]))


def _scored(reply: Completions, item: Completion, logprob: float, wanted: bool) -> Completions:
    """The reply with another text, or with another log-probability."""
    tokens = (ScoredToken(item.text, logprob),) if wanted else None
    return replace(reply, items=(replace(item, tokens=tokens),))


def missing_requirement() -> str:
    """What must be done before `embedded` can be used; "" if nothing."""
    if not binding_installed():
        return "pip install 'regrasp[local]'"
    return "" if base_weights().exists() else "regrasp models pull"


def default_language_model() -> tuple[str, str]:
    """The best model that needs no key: its name, and a message to the user about the choice."""
    if not (needed := missing_requirement()):
        return "embedded", ""
    return "scripted", f"the embedded model is not here, so scripted rules reason; {needed} gets it"
