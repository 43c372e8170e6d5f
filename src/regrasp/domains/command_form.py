"""How an action is written as a command: `get <portable> from <place> (<hand>)`.

The commands are the actions of the domain, so the parser, the checker, the planner and the prompts
have one source. Table I of CoPAL (Joublin et al., ICRA 2024) is this form over a domain of two
hands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from regrasp.core.action import Quantity
from regrasp.domains.domain import ActionSchema
from regrasp.domains.skill_domain import SkillDomain

__all__ = ["CommandForm", "command_forms"]


@dataclass(frozen=True, slots=True)
class CommandForm:
    """The name of a command, the types of its objects, and the word before each object.

    The last `optional` objects may be left out and stand in parentheses. `phrase` is the command in
    words; `{0}` is the first object.
    """

    name: str
    types: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    optional: int = 0
    quantity: Quantity | None = None
    phrase: str = ""

    @property
    def required(self) -> int:
        """The number of objects that must be given."""
        return len(self.types) - self.optional

    @property
    def placeholders(self) -> tuple[str, ...]:
        """A word for each object, e.g. `<bottle>`, `<block1>`, `<block2>`."""
        names = [" or ".join(types) for types in self.types]
        again = [names.count(name) > 1 for name in names]
        number = [names[: i + 1].count(name) for i, name in enumerate(names)]
        return tuple(f"<{name}{number[i] if again[i] else ''}>" for i, name in enumerate(names))

    @property
    def head(self) -> str:
        """The form, e.g. `pour <bottle> into <glass> <ml>`."""
        unit = (f"<{self.quantity.unit}>",) if self.quantity else ()
        return self.write(self.placeholders, unit)

    def write(self, objects: Iterable[str], amount: tuple[str, ...] = ()) -> str:
        """The command for some objects; those that may be left out stand in parentheses."""
        parts = [self.name]
        for i, name in enumerate(objects):
            word = self.words[i] if i < len(self.words) else ""
            parts += [f"({name})"] if self.required <= i < len(self.types) else [word, name]
        return " ".join(filter(None, (*parts, *amount)))

    def __str__(self) -> str:
        """One line of help: the form, what it does, and its quantity."""
        unit = f"<{self.quantity.unit}>" if self.quantity else ""
        about = self.phrase.format(*self.placeholders, unit)
        if self.quantity:
            usual = f"{self.quantity.write()} if left out"
            about = "; ".join(filter(None, (about, f"{unit} is {self.quantity}, {usual}")))
        return f"{self.head}: {about}" if about else self.head


def command_forms(skills: SkillDomain) -> tuple[CommandForm, ...]:
    """The commands of a domain, in the order of its actions."""
    return tuple(_form(skills, schema) for schema in skills.domain.actions)


def _form(skills: SkillDomain, schema: ActionSchema) -> CommandForm:
    phrase = skills.phrases.get(schema.name, "")
    return CommandForm(
        schema.name,
        tuple(one.types for one in schema.parameters),
        tuple(_word_before(phrase, i) for i in range(len(schema.parameters))),
        skills.optional.get(schema.name, 0),
        skills.quantities.get(schema.name),
        phrase,
    )


def _word_before(phrase: str, index: int) -> str:
    """The one word that joins an object to the one before it: `from` in `{0} from the {1}`."""
    joined = re.search(rf"\{{{index - 1}\}} ([a-z]+) (?:the )?\{{{index}\}}", phrase)
    return joined[1] if joined and joined[1] not in ("the", "and") else ""
