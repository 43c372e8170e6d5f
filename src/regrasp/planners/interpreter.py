"""CoPAL's interpreter and the conversation that it remembers: the only agent with a history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.domains.skill_domain import SkillDomain
from regrasp.models.language import LanguageModel
from regrasp.planners.recipe_book import RecipeBook
from regrasp.prompts.exchange import ask
from regrasp.prompts.interpret import (
    Interpretation,
    InterpretPrompt,
    ReplyKind,
    is_question,
    says_stop,
)
from regrasp.prompts.parsing import Declined, ParseError

__all__ = ["Conversation", "Interpreter"]


def _silence() -> str:
    return ""


def _unheard(text: str) -> None:
    """Nobody is there to hear it."""


@dataclass(slots=True)
class Conversation:
    """What was said and done so far.

    `listen` gives what the person has said since the last call, "" if nothing; `say` tells the
    person something. `reports` are the skills of the trace, each with the robot's time at its end.
    `present` is the request that is carried out, `finished` the one before it, `later` are requests
    for afterwards. After a stop, `stopped` is the request that was not finished, and `progress` its
    commands that were done.
    """

    listen: Callable[[], str] = _silence
    say: Callable[[str], None] = _unheard
    dialogue: list[str] = field(default_factory=list)
    reports: list[tuple[float, SkillReport]] = field(default_factory=list)
    later: list[str] = field(default_factory=list)
    present: str = ""
    finished: str = ""
    stopped: str = ""
    progress: tuple[str, ...] = ()
    _heard: list[str] = field(default_factory=list, init=False)

    def reply(self, text: str) -> None:
        """Say something, and remember it."""
        self.dialogue.append(f"robot: {text}")
        self.say(text)

    def stop_asked(self) -> str:
        """Why the running skill must be cancelled, "" if it may go on; other words are kept."""
        if text := self.listen():
            self._heard.append(text)
        stop = next((one for one in self._heard if says_stop(one)), "")
        if stop:
            self._heard.remove(stop)
        return f"the person said: {stop}" if stop else ""

    def heard(self) -> str:
        """What the person said while the robot was at work, one thing at a time; "" if nothing."""
        if text := self.listen():
            self._heard.append(text)
        return self._heard.pop(0) if self._heard else ""

    def done(self, domain: SkillDomain) -> tuple[str, ...]:
        """The skills of the trace in words, oldest first."""
        return tuple(_past(domain, seconds, report) for seconds, report in self.reports)


def _past(domain: SkillDomain, seconds: float, report: SkillReport) -> str:
    words, when = domain.describe(report.action), f"at {seconds:.0f} s"
    if report.outcome is Outcome.SUCCEEDED:
        return f"{words} ({when})"
    why = f": {report.feedback.error}" if report.feedback else ""
    return f"{words} ({when}, {report.outcome}{why})"


@dataclass(frozen=True, slots=True)
class Interpreter:
    """Asks `model` what follows from what a person says.

    `abilities` are the robot's commands in words, `recipes` the names of what can be made here. A
    question about a recipe is looked up in `book`.
    """

    model: LanguageModel
    abilities: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    book: RecipeBook = field(default_factory=RecipeBook)

    def interpret(
        self,
        says: str,
        talk: Conversation,
        facts: tuple[str, ...] = (),
        done: tuple[str, ...] = (),
    ) -> Interpretation:
        """An answer, a request, a change of the present one, or stop.

        A reply that cannot be read passes on what was said, as it was said.
        """
        prompt = InterpretPrompt(
            says,
            self.abilities,
            self.objects,
            self.recipes,
            facts,
            done,
            tuple(talk.dialogue),
            talk.present,
            self.book.named_in(says) if is_question(says) else None,
        )
        result = ask(self.model, prompt).result
        talk.dialogue.append(f"person: {says}")
        if isinstance(result, ParseError):
            result = Interpretation(ReplyKind.REQUEST, says)
        if isinstance(result, Declined):
            return Interpretation(ReplyKind.ANSWER, result.why)
        if result.kind in (ReplyKind.REQUEST, ReplyKind.CHANGE):
            talk.dialogue.append(f"request: {result.text}")
        return result
