"""GBNF for the commands of a domain: what a language model may write (`prompts.grammar`)."""

from __future__ import annotations

from collections.abc import Mapping

from regrasp.core.action import Quantity
from regrasp.domains.command_form import CommandForm, command_forms
from regrasp.domains.command_language import CommandLanguage
from regrasp.prompts.grammar import choice, literal

__all__ = ["command_grammar"]


def command_grammar(language: CommandLanguage) -> Mapping[str, str]:
    """The rules by name: `command` is any command over the objects that exist.

    A prompt's grammar is made from them, e.g. `grammar(numbered_lines("command", 20), rules)`. A
    command without a possible object is left out; all of them are well typed, and quantities are
    within their bounds. A lower bound above 1 is left to the parser.
    """
    names: dict[tuple[str, ...], str] = {}
    commands: list[str] = []
    for form in command_forms(language.skills):
        choices = [language.rules.objects_of(types) for types in form.types]
        if all(choices[: form.required]):
            rules = [names.setdefault(one, f"object-{len(names) + 1}") for one in choices]
            commands.append(_command(form, rules))
    return {
        "command": " | ".join(commands),
        **{rule: choice(objects) for objects, rule in names.items() if objects},
    }


def _command(form: CommandForm, rules: list[str]) -> str:
    parts = [literal(form.name)]
    for word, rule in zip(form.words, rules[: form.required], strict=False):
        parts += [literal(f" {word} " if word else " "), rule]
    optional = "".join(f'(" (" {rule} ")"' for rule in rules[form.required :])
    parts += [optional + ")?" * form.optional] if optional else []
    parts += [f'(" " {_number(form.quantity)})?'] if form.quantity else []
    return " ".join(parts)


def _number(quantity: Quantity) -> str:
    """A number from 1, or from 0.1 where the quantity is finer, to the most that is allowed."""
    most = str(int(quantity.most))
    fraction = ' ("." [0-9])?' if quantity.least < 1 else ""
    shorter = len(most) - 1
    ways = [f"[1-9] [0-9]{{0,{shorter - 1}}}{fraction}"] if shorter else []
    if most[0] > "1":
        ways.append(f"[1-{int(most[0]) - 1}] [0-9]{{{shorter}}}{fraction}")
    ways += ['"0." [1-9]'] if quantity.least <= 0.1 else []
    return f"({' | '.join((*ways, literal(most)))})"
