"""The command language of a domain: text to actions and back, with errors that a planner can use.

    get gin_bottle from shelf (left_hand)
    pour gin_bottle into first_glass 40
    get(gin_bottle, shelf)

Every text gives an `Action` or a `Feedback`. Case, articles, joining words, units, list marks and
`gin bottle` for `gin_bottle` are accepted. A name that does not exist is not; the feedback names
the closest one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from regrasp.core.action import Action
from regrasp.core.errors import closest
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.object_description import ObjectDescription
from regrasp.domains.command_form import CommandForm, command_forms
from regrasp.domains.rules import Rules
from regrasp.domains.skill_domain import SkillDomain, read_amount
from regrasp.prompts.text import one_line

__all__ = ["CommandLanguage"]

_LONGEST = 400
"""Characters of a command; more is no command."""

_LISTED = 12
"""The most names in an error."""

_MARK = re.compile(r"^\s*(?:\(?\d{1,3}[.):](?=\s|[A-Za-z])|[-*•>])\s*")
_TOKEN = re.compile(r"[+-]?(?:\d{0,12}\.\d{1,12}|\d{1,12}(?=\W|$))|\w+")
_WITH_UNIT = re.compile(r"([+-]?(?:\d{1,12}(?:\.\d{1,12})?|\.\d{1,12}))([a-z]+)")
_FILLERS = frozenset(
    ("a", "an", "the", "from", "to", "into", "onto", "in", "inside", "on", "of", "at", "with",
     "using", "by", "and", "for", "then", "please", "its")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CommandLanguage:
    """The commands of a domain over the objects that a robot knows."""

    skills: SkillDomain
    known: tuple[ObjectDescription, ...]
    rules: Rules = field(init=False, repr=False, compare=False)
    _forms: Mapping[str, CommandForm] = field(init=False, repr=False, compare=False)
    _names: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        rules = self.skills.rules(self.known)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "_forms", {one.name: one for one in command_forms(self.skills)})
        object.__setattr__(self, "_names", {_normal(one.name): one.name for one in rules.objects})

    def help_lines(self) -> tuple[str, ...]:
        """The commands for a prompt: the form of each, what it does, and its quantity."""
        return tuple(map(str, self._forms.values()))

    # ---- text to actions ------------------------------------------------------------------------

    def parse(self, text: str) -> Action | Feedback:
        """The action of one line of text, or what is wrong with it."""
        if len(text) > _LONGEST or len(text.strip().splitlines()) > 1:
            return self._unreadable(text, "A command is one short line")
        tokens = _TOKEN.findall(re.sub(r"(?<=\w)-(?=\w)", "_", _MARK.sub("", text.lower())))
        for size in range(min(4, len(tokens)), 0, -1):
            form = self._forms.get("_".join(tokens[:size]))
            if form is not None:
                return self._read(text, form, tokens[size:])
        if not tokens:
            return self._unreadable(text, "It has no words")
        return self._unknown_command(tokens[0], "_".join(tokens[:2]))

    def parse_plan(self, text: str) -> tuple[Action, ...] | Feedback:
        """The actions of several lines, or the first error; blank lines are skipped."""
        found: list[Action] = []
        for line in filter(str.strip, text.splitlines()):
            read = self.parse(line)
            if isinstance(read, Feedback):
                return read
            found.append(read)
        return tuple(found)

    def write(self, action: Action) -> str:
        """The command of an action; what `parse` reads as the same action."""
        symbolic, amount = self.skills.split_quantity(action)
        form = self._forms.get(action.name)
        if form is None:
            return str(action)
        return form.write(symbolic.args, () if amount is None else (action.args[-1],))

    def _read(self, text: str, form: CommandForm, tokens: list[str]) -> Action | Feedback:
        objects, amounts = self._arguments(tokens, form.quantity.unit if form.quantity else "")
        if len(amounts) > (form.quantity is not None):
            takes = "one quantity" if form.quantity else "no quantity"
            return self._unreadable(text, f"{form.name} takes {takes}", form)
        args = (*objects, *(form.quantity.write(one) for one in amounts if form.quantity))
        action = Action(form.name, args)
        return self.check(action) or action

    def _arguments(self, tokens: list[str], unit: str) -> tuple[list[str], list[float]]:
        """The objects and numbers of a command; words that are neither are read as one name."""
        objects: list[str] = []
        amounts: list[float] = []
        foreign: list[str] = []
        at = 0
        while at < len(tokens):
            name, size = self._longest_name(tokens[at:])
            amount = None if name else _amount(tokens[at], unit)
            filler = tokens[at] in _FILLERS or (amounts and unit and tokens[at][0] == unit[0])
            if name or amount is not None or filler:
                objects += ["_".join(foreign)] if foreign else []
                foreign = []
            else:
                foreign.append(tokens[at])
            objects += [name] if name else []
            amounts += [amount] if amount is not None else []
            at += size
        return [*objects, "_".join(foreign)] if foreign else objects, amounts

    def _longest_name(self, tokens: list[str]) -> tuple[str, int]:
        """The known name at the start of the tokens and its number of tokens; "" and 1 if none."""
        for size in range(min(len(tokens), 8), 0, -1):
            name = self._names.get("_".join(tokens[:size]))
            if name is not None:
                return name, size
        return "", 1

    # ---- errors ---------------------------------------------------------------------------------

    def check(self, action: Action) -> Feedback | None:
        """What is wrong with the names, types or quantity of an action; None if nothing is."""
        form = self._forms.get(action.name)
        if form is None:
            return self._unknown_command(action.name)
        symbolic, amount = self.skills.split_quantity(action)
        return (
            self._unknown_object(form, symbolic)
            or self._wrong_number(form, symbolic)
            or self._wrong_type(form, symbolic)
            or self._wrong_amount(form, symbolic, amount)
        )

    def _unreadable(self, text: str, why: str, form: CommandForm | None = None) -> Feedback:
        return Feedback(
            FeedbackLevel.SYNTAX,
            FailureCode.UNREADABLE,
            f"{one_line(text, 80) or 'an empty line'!r} is not a command.",
            f"{why}.",
            f"Write {form.head}." if form else f"Write one of: {self._listed(self._forms)}.",
        )

    def _unknown_command(self, *spoken: str) -> Feedback:
        near = next(filter(None, (closest(one, self._forms) for one in reversed(spoken))), None)
        return Feedback(
            FeedbackLevel.SEMANTIC,
            FailureCode.UNKNOWN_NAME,
            f"There is no command {one_line(spoken[0], 80)}.",
            f"The commands are {', '.join(self._forms)}.",
            f"Write {self._forms[near].head}." if near else "Use one of them.",
        )

    def _unknown_object(self, form: CommandForm, action: Action) -> Feedback | None:
        known = set(self._names.values())
        for i, name in enumerate(action.args):
            if name in known:
                continue
            types = form.types[i] if i < len(form.types) else ("object",)
            fitting = self.rules.objects_of(types)
            near = _nearest(name, fitting) or _nearest(name, self._names.values())
            better = Action(action.name, (*action.args[:i], near, *action.args[i + 1 :]))
            return Feedback(
                FeedbackLevel.SEMANTIC,
                FailureCode.UNKNOWN_NAME,
                f"{self.write(action)}: there is no object {one_line(name, 80)}.",
                f"Objects of type {' or '.join(types)}: {self._listed(fitting)}.",
                f"Write {self.write(better)}." if near else "Use one of them.",
            )
        return None

    def _wrong_number(self, form: CommandForm, action: Action) -> Feedback | None:
        given = len(action.args)
        if form.required <= given <= len(form.types):
            return None
        most, given_text = len(form.types), f"not {given}"
        wanted = f"{form.required} to {most}" if form.optional else f"{most}"
        why = f"{form.name} takes {wanted} object{'s' if most != 1 else ''}, {given_text}"
        return self._unreadable(self.write(action), why, form)

    def _wrong_type(self, form: CommandForm, action: Action) -> Feedback | None:
        for i, (name, types) in enumerate(zip(action.args, form.types, strict=False)):
            fitting = self.rules.objects_of(types)
            if name in fitting:
                continue
            near = _nearest(name, fitting)
            better = Action(action.name, (*action.args[:i], near, *action.args[i + 1 :]))
            is_a = next(one.type for one in self.rules.objects if one.name == name)
            return Feedback(
                FeedbackLevel.SEMANTIC,
                FailureCode.WRONG_TYPE,
                f"{self.write(action)}: {form.name} does not take {name} there.",
                f"{name} is of type {is_a}, and {' or '.join(types)} is needed: "
                f"{self._listed(fitting)}.",
                f"Write {self.write(better)}." if near else f"Write {form.head}.",
            )
        return None

    def _wrong_amount(
        self, form: CommandForm, action: Action, amount: float | None
    ) -> Feedback | None:
        quantity = form.quantity
        if quantity is None or amount is None or quantity.accepts(amount):
            return None
        within = quantity.write(min(max(amount, quantity.least), quantity.most))
        return Feedback(
            FeedbackLevel.SEMANTIC,
            FailureCode.WRONG_TYPE,
            f"{self.write(action)} {amount:g}: {form.name} does not take that quantity.",
            f"It must be {quantity}.",
            f"Write {self.write(Action(action.name, (*action.args, within)))}.",
        )

    def _listed(self, names: Iterable[str]) -> str:
        every = tuple(names)
        more = f" and {len(every) - _LISTED} more" if len(every) > _LISTED else ""
        return (", ".join(every[:_LISTED]) or "none") + more


def _normal(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.lower())


def _amount(token: str, unit: str) -> float | None:
    """The number of a token such as `40`, or `40ml` where the command takes a quantity."""
    measured = _WITH_UNIT.fullmatch(token) if unit else None
    return read_amount(measured[1] if measured and measured[2][0] == unit[0] else token)


def _nearest(name: str, among: Iterable[str]) -> str:
    """The closest name; one that has `name` as a part comes first. "" if none is close."""
    every = tuple(among)
    part = next((one for one in every if name and name in one.split("_")), "")
    return part or closest(name, every) or ""
