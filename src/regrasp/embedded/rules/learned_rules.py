"""What the scripted commander learns from a failed command, by how much it is told.

| told | rule |
|---|---|
| the error | a guess: another command on these objects comes first, one more at each failure |
| also the reason | its opposite must be true first; what is in the way is set aside; the hand |
| | that it names is not used for these objects, the place not where there is a choice |
| also a suggestion | the commands in it come first, if they are about the same object |

Of sentences that differ in one word (the left hand is not free, the right hand is not free) one is
enough. A rule is about a command, not about its objects: X is the first of them, Y the second. What
is in the way is a rule too if a sentence says how: b3 was on b2 when b2 could not be taken, so
nothing may be on X before it is taken. Where no sentence says that, the rule is about these objects
alone, and it ends when what was in the way has been moved, until the robot reports it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from regrasp.core.action import Action
from regrasp.embedded.rules.sentences import match, opposite
from regrasp.prompts.command_line import CommandLine, FailedCommand
from regrasp.prompts.skills import VARIABLES
from regrasp.prompts.visual_question import ANYTHING

__all__ = ["LearnedRule", "learn", "lets_go", "read_call", "takes_up"]

_WORDS = re.compile(r"\d+\.\d+|[A-Za-z0-9_]+")
_HELD = " held by "
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ARGUMENTS = [(), *((one,) for one in VARIABLES)]


@dataclass(frozen=True, slots=True)
class LearnedRule:
    """Before `command`: sentences that must be true, calls to write, objects to set aside.

    Of each of `needs` one sentence must be true. The sentences of `clear` are about anything: what
    they are true of is set aside. `other_than` is a hand that cannot do it, and `avoid` a place
    where it cannot be done. A rule with `objects` is only for commands that name all of them.
    """

    command: str
    needs: tuple[tuple[str, ...], ...] = ()
    calls: tuple[Action, ...] = ()
    clear: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    other_than: str = ""
    avoid: str = ""
    objects: tuple[str, ...] = ()

    def is_for(self, action: Action) -> bool:
        """Whether the rule counts for an action."""
        return self.command == action.name and set(self.objects) <= set(action.args)

    @property
    def handles_first(self) -> bool:
        """Whether it is about the first object of the command, which is taken before."""
        named = [word for group in self.needs for one in group for word in one.split()]
        return "X" in [*named, *(one for call in self.calls for one in call.args)]

    def __str__(self) -> str:
        first = [*map(" or ".join, self.needs), *map(str, self.calls)]
        first += [f"it is not true that {one}" for one in self.clear]
        first += [f"{one} aside" for one in self.set_aside]
        first += [f"not the {one}" for one in (self.other_than, self.avoid) if one]
        return f"{self.command} after {' and '.join(first) or 'nothing'}"


def learn(
    failures: Iterable[FailedCommand],
    commands: Mapping[str, CommandLine],
    objects: Mapping[str, str],
    known: frozenset[str],
    origins: Iterable[tuple[str, str]] = (),
    steps: Iterable[str] = (),
) -> Iterator[LearnedRule]:
    """The rule of each failure, the oldest first; none from a command that cannot be read.

    `steps` are what the commands are for. `known` are the sentences that are true now. `origins`
    are the objects that commands have taken so far, each with where it was: what was in the way at
    an older failure has been moved since.
    """
    said, earlier, asked = tuple(failures), tuple(origins), tuple(steps)
    before, now = tuple(where for _, where in earlier), tuple(sorted(known))
    failed = [(one, read_call(one.command, commands, objects)) for one in said]
    blind = {call for one, call in failed if call and not one.reason and not one.suggestion}
    guesses: dict[str, int] = {}
    for one, call in failed:
        if call is None:
            continue
        names = dict(zip(call.args, VARIABLES, strict=False))
        calls = tuple(_calls(one.suggestion, commands, objects, names))
        if calls and not (one.reason and any(c.args[:1] not in _ARGUMENTS for c in calls)):
            yield LearnedRule(call.name, calls=calls)
        elif one.reason:
            last = one is said[-1]
            seen = (*now, *_not_since(now, before)) if last else (*before, *now)
            gone = frozenset(() if last else (name for name, _ in earlier))
            decided = any(set(call.args) <= set(_WORDS.findall(step)) for step in asked)
            yield _from_reason(call, one, commands, objects, seen, gone, decided)
        else:
            number = guesses[call.name] = guesses.get(call.name, -1) + 1
            tried = [g for g in _guesses(call, commands, objects, known) if g not in blind]
            if number < len(tried):
                args = tuple(names.get(arg, arg) for arg in tried[number].args)
                yield LearnedRule(call.name, calls=(Action(tried[number].name, args),))


def _not_since(now: Iterable[str], before: Iterable[str]) -> Iterator[str]:
    """Where objects were, of which nothing is known now."""
    known = {sentence.split()[0] for sentence in now}
    return (one for one in before if one.split()[0] not in known)


def read_call(
    text: str, commands: Mapping[str, CommandLine], objects: Mapping[str, str]
) -> Action | None:
    """The command that a text begins with, in words or as a call; None if it is none."""
    words = _WORDS.findall(text)
    line = commands.get(words[0].lower()) if words else None
    if line is None:
        return None
    names = [word for word in words[1:] if word in objects][: len(line.takes)]
    if len(names) < len(line.takes) - line.optional:
        return None
    amount = [w for w in words[1:] if _NUMBER.fullmatch(w)][:1] if line.unit else []
    return Action(line.name, (*names, *amount))


def _calls(
    suggestion: str,
    commands: Mapping[str, CommandLine],
    objects: Mapping[str, str],
    names: Mapping[str, str],
) -> Iterator[Action]:
    """The commands that a suggestion names, in its order, over variables."""
    suggestion = suggestion.partition(": then ")[0]  # after that stands what it would make true
    starts = [m.start() for m in _WORDS.finditer(suggestion) if m[0].lower() in commands]
    for start, end in zip(starts, [*starts[1:], len(suggestion)], strict=False):
        call = read_call(suggestion[start:end], commands, objects)
        fits = zip(call.args, commands[call.name].takes, strict=False) if call is not None else ()
        if call is not None and all(objects.get(name) in kinds for name, kinds in fits):
            yield Action(call.name, tuple(names.get(arg, arg) for arg in call.args))


def _from_reason(
    call: Action,
    failed: FailedCommand,
    commands: Mapping[str, CommandLine],
    objects: Mapping[str, str],
    seen: tuple[str, ...],
    gone: frozenset[str],
    decided: bool,
) -> LearnedRule:
    """The opposite of every sentence that a command can change; other objects are set aside.

    `seen` are sentences that may have been true then, the likeliest first; `gone` is not there now.
    If the place is not `decided` by a step, another one is as good: nothing is moved for its sake.
    """
    needs: list[str] = []
    own, given = commands[call.name], dict(zip(VARIABLES, call.args, strict=False))
    names = {name: variable for variable, name in given.items()}
    kinds = {one for line in commands.values() if takes_up(line) for one in line.takes[0]}
    hands = {one for line in commands.values() for one in line.takes[2:] if takes_up(line)}
    under = {name: v for name, v in names.items() if objects.get(name) in kinds}
    sentences = failed.reason.rstrip(".").split("; ")
    others = tuple(name for name, kind in objects.items() if kind in kinds and name not in names)
    if clear := tuple(dict.fromkeys(_relations(others, under, sentences))):
        return LearnedRule(call.name, clear=clear)
    if lets_go(own) and any(one.startswith(f"{call.args[0]} is not held") for one in sentences):
        return LearnedRule(call.name)  # it was lost, and it is taken up again anyway
    for sentence in sentences:
        wanted = opposite(sentence)
        positive = sentence.replace(" not ", " ", 1)
        patterns, vain = (
            [
                pattern
                for line in lines
                for pattern in (line.makes if " not " in sentence else line.ends)
            ]
            for lines in (commands.values(), (own,))
        )
        in_vain = any(match(one, positive, given) is not None for one in vain)
        if not in_vain and any(match(pattern, positive) is not None for pattern in patterns):
            needs.append(" ".join(names.get(word, word) for word in wanted.split()))
    if needs:
        return LearnedRule(call.name, tuple(_alternatives(needs)))
    words = _WORDS.findall(f"{failed.reason} {failed.error}")
    named = [one for one in dict.fromkeys(words) if one not in call.args]
    aside = tuple(one for one in named if objects.get(one) in kinds)
    hand = next((one for one in named if (objects.get(one),) in hands), "")
    place = call.args[1] if len(own.takes) > 1 and not own.unit and not takes_up(own) else ""
    about = tuple(one for one in call.args if one in objects)
    clear = tuple(_relations(aside, under, seen))[:1]
    if place and not decided and not clear:
        return LearnedRule(call.name, avoid=place, objects=about)
    if aside:
        left = () if clear else tuple(one for one in aside if one not in gone)
        return LearnedRule(call.name, clear=clear, set_aside=left, objects=() if clear else about)
    return LearnedRule(call.name, other_than=hand, avoid=place, objects=about)


def _relations(
    obstacles: tuple[str, ...], under: Mapping[str, str], seen: Iterable[str]
) -> Iterator[str]:
    """How obstacles were related to objects that can be taken, of anything: `anything is on X`."""
    for sentence in seen:
        first, *words = sentence.split()
        if first in obstacles and words[-1] in under:
            yield " ".join((ANYTHING, *words[:-1], under[words[-1]]))


def _alternatives(sentences: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Groups of sentences that differ in one word."""
    left = list(dict.fromkeys(sentences))
    while left:
        first = left[0].split()
        group = [one for one in left if _differences(first, one.split()) <= 1]
        yield tuple(group)
        left = [one for one in left if one not in group]


def _differences(words: list[str], others: list[str]) -> int:
    if len(words) != len(others):
        return len(words) + len(others)
    return sum(word != other for word, other in zip(words, others, strict=True))


def lets_go(line: CommandLine) -> bool:
    """Whether a command lets go of its first object, or pours from it: that is taken before."""
    return bool(line.takes) and (line.unit == "ml" or any(_HELD in one for one in line.ends))


def takes_up(line: CommandLine) -> bool:
    """Whether a command takes its first object into the hand."""
    return bool(line.takes) and any(one.startswith("X is held by ") for one in line.makes)


def _guesses(
    call: Action,
    commands: Mapping[str, CommandLine],
    objects: Mapping[str, str],
    known: frozenset[str],
) -> Iterator[Action]:
    """Other commands with one object, on the objects of a call and on where these are."""
    places = [w for s in sorted(known) for w in s.split() if set(s.split()) & set(call.args)]
    near = dict.fromkeys([*call.args, *(place for place in places if place in objects)])
    for line in commands.values():
        if line.name != call.name and len(line.takes) - line.optional == 1:
            for name in near:
                if objects.get(name) in line.takes[0]:
                    yield Action(line.name, (name,))
