"""The first agent of CoPAL: what a person says is answered, or passed on as a request.

It is the only agent that sees the dialogue. It also sees what the robot did, so that it can report
in words, and the request that is being carried out, so that the person can change it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from regrasp.prompts.grammar import WORDS, grammar
from regrasp.prompts.parsing import Declined, ParseError, declined, labelled
from regrasp.prompts.prompt import Prompt
from regrasp.prompts.recipe import Recipe
from regrasp.prompts.sections import bullets, layout, section, titled
from regrasp.prompts.text import listing, one_line

__all__ = ["RECIPE", "InterpretPrompt", "Interpretation", "ReplyKind", "is_question", "says_stop"]

_STOP_WORDS = re.compile(
    r"(?:please |now |ok |okay |no |hey )*(?:stop|halt|freeze|cancel|abort|hold (?:on|it|still)|"
    r"enough|that is enough|don't move)(?: (?:it|that|this|now|there|please|right|at once|"
    r"immediately|everything|moving|pouring))*"
)
_ASKS = re.compile(
    r"(?i)(?:and |so )?(?:what|where|when|why|who|which|how|did|have|has|were|was)\b"
)
_STOP = re.compile(r"(?im)^[ \t>*#-]*stop[ \t\r.!*]*$")
RECIPE = "Recipe"
"""The section with a recipe that was looked up; its first line has the name."""

_HINT = "Write one line: 'Answer: ', 'Request: ' or 'Change: ' and a sentence, or only 'Stop'."
_SHOWN = 12
"""Lines of the dialogue, and actions, that the prompt shows: the latest."""


def says_stop(text: str) -> bool:
    """Whether a person says nothing but that the robot shall stop: no model is asked for that."""
    return _STOP_WORDS.fullmatch(" ".join(re.findall(r"[a-z']+", text.lower()))) is not None


def is_question(text: str) -> bool:
    """Whether a person asks something, by the form of the sentence."""
    return text.rstrip().endswith("?") or _ASKS.match(text.strip()) is not None


class ReplyKind(StrEnum):
    """What follows from something that a person said."""

    ANSWER = "Answer"  # nothing is moved; the robot says something
    REQUEST = "Request"  # the robot shall do something, after what it does now
    CHANGE = "Change"  # the request that is carried out now reads otherwise
    STOP = "Stop"  # the robot shall hold still


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What follows, and the answer or the request in words."""

    kind: ReplyKind
    text: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.text else str(self.kind)


@dataclass(frozen=True, slots=True)
class InterpretPrompt(Prompt[Interpretation]):
    """Ask what follows from what a person `says`.

    `abilities` are the commands of the robot in words, `recipes` what it can make, `known` facts in
    words, `done` its actions so far, `dialogue` the lines before, and `present` the request that it
    is carrying out. `recipe` is the one that the person asks about, looked up in the book.
    """

    HEAD: ClassVar[str] = """Task: interpret
You speak for a robot. A person says something to it. Decide what follows; do not plan.
Rules:
- A greeting, a remark or a question is answered, from what is listed here alone. What is listed
  as "Known" is true, what is not is not true as far as the robot knows.
- "Recipe" is what the book says of what the person asks about.
- A question about the scene that the lists cannot answer, such as a colour, is passed on as a
  request: the robot can look.
- "Done" is what the robot did, oldest first. A question about the past is answered from it.
- Anything that the robot shall do is passed on as one request that can be understood without the
  dialogue: "the same without ice" becomes "make a mojito without ice".
- "Present" is the request that is carried out now. What the person says then may change it; if it
  has nothing to do with it, it is a request for later.
- If the robot shall hold still, answer only "Stop".
Answer in one line, in one of these forms:
Answer: what the robot says
Request: what the robot shall do
Change: the present request as it now reads
Stop"""

    says: str
    abilities: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    dialogue: tuple[str, ...] = ()
    present: str = ""
    recipe: Recipe | None = None

    def render(self) -> str:
        """See `Prompt.render`."""
        return layout(
            section("Abilities", bullets(map(one_line, self.abilities))),
            titled("Objects", listing(self.objects)),
            titled("Recipes", one_line(", ".join(self.recipes), 4000) or "none"),
            *self._looked_up(),
            section("Known", bullets(map(one_line, self.known))),
            section("Done", bullets(map(one_line, self.done[-_SHOWN * 4 :]))),
            section("Dialogue", bullets(map(one_line, self.dialogue[-_SHOWN:]))),
            titled("Present", one_line(self.present) or "none"),
            titled("Says", one_line(self.says)),
        )

    def _looked_up(self) -> tuple[str, ...]:
        """The section of the recipe; prompts without one have none."""
        if self.recipe is None:
            return ()
        lines = (f"of {self.recipe.name}", *self.recipe.lines())
        return (section(RECIPE, bullets(map(one_line, lines))),)

    def grammar(self) -> str:
        """See `Prompt.grammar`."""
        worded = " | ".join(f'"{kind}: "' for kind in ReplyKind if kind is not ReplyKind.STOP)
        return grammar(f'({worded}) {WORDS} | "{ReplyKind.STOP}"')

    def read(self, text: str) -> Interpretation | Declined | ParseError:
        """See `Prompt.read`."""
        for kind in ReplyKind:
            lines = [one.text for one in labelled(text, kind) if one.text]
            if lines and kind is not ReplyKind.STOP:
                return Interpretation(kind, one_line(lines[0], 1000))
        if _STOP.search(text) or labelled(text, ReplyKind.STOP):
            return Interpretation(ReplyKind.STOP)
        return declined(text) or ParseError.whole(text, _HINT)
