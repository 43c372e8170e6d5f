"""Lessons for CoPAL's interpreter: orders, changes, questions about state and history, remarks.

An answer is made from the lines of the prompt: a sentence of "Known", a line of "Done", a list.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from regrasp.core.action import Action
from regrasp.lab.language.copal_recipes import draw_titles, recipe_name
from regrasp.lab.language.copal_requests import (
    CHATTER,
    HELD_OUT_ORDERS,
    HELD_OUT_STOPS,
    ORDERS,
    POLITE,
    STOPS,
    a_or_an,
    spoken,
    with_changes,
)
from regrasp.lab.language.copal_situations import CopalSituation, draw_situation
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.question import LanguageExample
from regrasp.prompts.interpret import Interpretation, InterpretPrompt, ReplyKind

__all__ = ["interpret"]

_LONGEST = 190


@dataclass(slots=True)
class _Talk:
    """A conversation at a robot: what the prompt shows, and the dice."""

    situation: CopalSituation
    drill: ExampleSource
    prompt: InterpretPrompt
    titles: tuple[str, ...]

    @property
    def rng(self) -> random.Random:
        """The dice."""
        return self.drill.rng

    def asked(self, says: str, kind: ReplyKind, text: str = "") -> LanguageExample:
        """The lesson."""
        prompt = replace(self.prompt, says=says)
        answer = str(Interpretation(kind, text))
        return LanguageExample(prompt.messages(), answer, room=self.situation.world.theme)

    def answered(self, says: str, text: str) -> LanguageExample:
        """A lesson with an answer."""
        return self.asked(says, ReplyKind.ANSWER, text)


def interpret(drill: ExampleSource) -> LanguageExample:
    """What follows from what a person says?"""
    while True:
        talk = _talk(drill)
        found = drill.rng.choices([one for one, _ in _KINDS], [share for _, share in _KINDS])[0](
            talk
        )
        if found is not None and len(found.answer) <= _LONGEST + 10:
            return found


def _talk(drill: ExampleSource) -> _Talk:
    rng, situation = drill.rng, draw_situation(drill.words, drill.rng, drill.held_out)
    world = situation.world
    titles = draw_titles(drill.words, rng) if rng.random() < 0.85 else ()
    names = tuple(name for name, _ in world.listed_objects)
    abilities = tuple(one.words for one in world.command_lines)
    done, dialogue, present = _history(situation, titles, rng)
    prompt = InterpretPrompt(
        "", abilities, names, titles, world.sentences(situation.state), done, dialogue, present
    )
    return _Talk(situation, drill, prompt, titles)


def _history(
    situation: CopalSituation, titles: tuple[str, ...], rng: random.Random
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Actions in words, lines of dialogue, and the present request."""
    world, seconds, done = situation.world, 0, list[str]()
    language = world.checker.language
    for command in situation.done:
        action = language.parse(command.removesuffix(" (in part)"))
        seconds += rng.randint(2, 20)
        if isinstance(action, Action):
            done.append(f"{world.skills.describe(action)} (at {seconds} s)")
    for failure in situation.failures if done or rng.random() < 0.5 else ():
        action = language.parse(failure.command)
        seconds += rng.randint(2, 20)
        if isinstance(action, Action):
            words = world.skills.describe(action)
            done.append(f"{words} (at {seconds} s, failed: {failure.error})")
    lines, requests = list[str](), list[str]()
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        title = rng.choice(titles) if titles else ""
        request = f"make {a_or_an(title)}" if title else situation.request
        said = rng.choice(ORDERS).format(x=a_or_an(title), n=title) if title else request
        lines += [f"person: {said}", f"request: {request}"]
        lines += (
            [f"robot: {rng.choice(('Done', f'Done: {request}'))}"] if rng.random() < 0.7 else []
        )
        requests.append(request)
    present = requests[-1] if requests and rng.random() < 0.5 else ""
    if present and lines and lines[-1].startswith("robot: "):
        lines.pop()
    return tuple(done), tuple(lines), present


def _last_request(talk: _Talk) -> str:
    said = [one for one in talk.prompt.dialogue if one.startswith("request: ")]
    return said[-1].removeprefix("request: ") if said else ""


# ---- orders ------------------------------------------------------------------------------------


def _order(talk: _Talk) -> LanguageExample | None:
    """Something of the menu, or of no menu: the specifier finds out."""
    rng, drill = talk.rng, talk.drill
    known = bool(talk.titles) and rng.random() < 0.85
    name = rng.choice(talk.titles) if known else recipe_name(drill.words, rng)
    form = rng.choice(HELD_OUT_ORDERS if drill.held_out else ORDERS)
    left_out, added = _wishes(talk)
    wish = "".join(
        rng.choice((f", no {one}", f" without {one}", f", hold the {one}")) for one in left_out
    )
    wish += "".join(f" with {one}" for one in added)
    says = form.format(x=a_or_an(name), n=name)
    says = re.sub(r"(, please|\?|)$", lambda m: wish + m[1], says, count=1) if wish else says
    return talk.asked(says, ReplyKind.REQUEST, with_changes(name, left_out, added))


def _wishes(talk: _Talk) -> tuple[list[str], list[str]]:
    rng, world = talk.rng, talk.situation.world
    substances = [one.name for one in world.skills.objects]
    if not substances or rng.random() < 0.65:
        return [], []
    one = spoken(rng.choice(substances), rng)
    return ([one], []) if rng.random() < 0.6 else ([], [one])


def _plain(talk: _Talk) -> LanguageExample | None:
    """A request without a recipe."""
    if talk.situation.recipe is not None:
        return None
    request = talk.situation.request
    return talk.asked(talk.rng.choice(POLITE).format(r=request), ReplyKind.REQUEST, request)


def _changed(talk: _Talk) -> LanguageExample | None:
    """What was ordered before reads otherwise now: a change, or after its end a new request."""
    before, rng = _last_request(talk), talk.rng
    if not before.startswith("make "):
        return None
    substances = [one.name for one in talk.situation.world.skills.objects]
    one = spoken(rng.choice(substances), rng)
    kind = ReplyKind.CHANGE if talk.prompt.present else ReplyKind.REQUEST
    out = rng.random() < 0.55
    if out:
        forms: tuple[str, ...] = (
            "no {x}",
            "no {x}, please",
            "without {x}",
            "but without the {x}",
            "leave out the {x}",
            "skip the {x}",
            "hold the {x}",
            "oh, and no {x}",
            "actually, no {x} for me",
            "the same without {x}",
            "same again, no {x}",
            "I do not like {x}",
        )
        return talk.asked(rng.choice(forms).format(x=one), kind, f"{before} without {one}")
    forms = (
        "with {x}",
        "with {x}, please",
        "add some {x}",
        "and {x}",
        "put {x} in it too",
        "the same with {x}",
        "oh, and with {x}",
        "can you add {x}?",
        "I want {x} in it",
    )
    return talk.asked(rng.choice(forms).format(x=one), kind, f"{before} with {one}")


def _instead(talk: _Talk) -> LanguageExample | None:
    """Another recipe takes the place of the present one, or comes after it."""
    rng = talk.rng
    if not talk.prompt.present or len(talk.titles) < 2:
        return None
    others = [one for one in talk.titles if one not in talk.prompt.present]
    if not others:
        return None
    name = rng.choice(others)
    if rng.random() < 0.5:
        forms: tuple[str, ...] = (
            "make it {x} instead",
            "no, {x} instead",
            "I changed my mind: {x}",
            "sorry, I meant {x}",
            "forget that, I'd rather have {x}",
        )
        says = rng.choice(forms).format(x=a_or_an(name))
        return talk.asked(says, ReplyKind.CHANGE, f"make {a_or_an(name)}")
    forms = (
        "and after that {x}",
        "then {x}",
        "and {x} for my friend",
        "also {x}, please",
        "when you are done, make {x}",
        "next one is {x}",
    )
    return talk.asked(
        rng.choice(forms).format(x=a_or_an(name)), ReplyKind.REQUEST, f"make {a_or_an(name)}"
    )


def _again(talk: _Talk) -> LanguageExample | None:
    before = _last_request(talk)
    if not before:
        return None
    forms: tuple[str, ...] = (
        "the same again",
        "another one",
        "one more, please",
        "again",
        "same for my friend",
        "once more",
        "and another",
    )
    if not talk.prompt.present:
        forms += ("go on", "continue", "carry on, please")
    return talk.asked(talk.rng.choice(forms), ReplyKind.REQUEST, before)


def _stop(talk: _Talk) -> LanguageExample:
    says = talk.rng.choice(HELD_OUT_STOPS if talk.drill.held_out else STOPS)
    return talk.asked(says, ReplyKind.STOP)


# ---- answers -----------------------------------------------------------------------------------


def _chatter(talk: _Talk) -> LanguageExample:
    said, answer = talk.rng.choice(CHATTER)
    return talk.answered(talk.rng.choice(said), answer)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _where(talk: _Talk) -> LanguageExample | None:
    """A place, a content or a state that is known; what is not is passed on, to be looked at."""
    rng, situation = talk.rng, talk.situation
    world, state = situation.world, situation.state
    name = rng.choice([one.name for one in world.known])
    said = spoken(name, rng)
    found = [
        f
        for f in sorted(state)
        if f.predicate in ("on", "inside", "holding", "held")
        and name == (f.args[-1] if f.predicate == "holding" else f.args[0])
    ]
    if not found:
        return None
    asks = (
        "where is the {x}?",
        "where did you leave the {x}?",
        "do you know where the {x} is?",
        "I am looking for the {x}",
        "where can I find the {x}",
        "{x}, where is it?",
    )
    answer = world.say(found[0].predicate, *found[0].args)
    return talk.answered(rng.choice(asks).format(x=said), _sentence(answer))


def _inside(talk: _Talk) -> LanguageExample | None:
    """What is in a vessel."""
    rng, world, state = talk.rng, talk.situation.world, talk.situation.state
    vessel = rng.choice((*world.roles["targets"], *world.roles["sealed"], *world.roles["loose"]))
    content = sorted(f.args[1] for f in state if f.predicate == "contains" and f.args[0] == vessel)
    asks = ("what is in the {x}?", "what does the {x} contain?", "what have we got in the {x}?")
    answer = (
        f"There is {' and '.join(content)} in {vessel}."
        if content
        else f"I know of nothing in {vessel}."
    )
    return talk.answered(rng.choice(asks).format(x=spoken(vessel, rng)), answer)


def _is_it(talk: _Talk) -> LanguageExample | None:
    """Yes or no about a state."""
    rng, world, state = talk.rng, talk.situation.world, talk.situation.state
    choices = [("open", n, "open") for n in world.roles["containers"]]
    choices += [("switched_on", n, "on") for n in world.roles["machines"]]
    choices += [("capped", n, "closed") for n in world.roles["sealed"][:3]]
    if not choices:
        return None
    predicate, name, word = rng.choice(choices)
    true = any(f.predicate == predicate and f.args == (name,) for f in state)
    answer = world.say(predicate, name, positive=true)
    asks = ("is the {x} {w}?", "is the {x} still {w}?", "tell me, is the {x} {w}")
    says = rng.choice(asks).format(x=spoken(name, rng), w=word)
    return talk.answered(says, f"{'Yes' if true else 'No, as far as I know'}, {answer}.")


def _unknown(talk: _Talk) -> LanguageExample:
    """A question about the scene that the lists do not answer is passed on: the robot can look."""
    rng = talk.rng
    asks = (
        "is the {x} dirty?",
        "what colour is the {x}?",
        "is there a crack in the {x}?",
        "is somebody sitting beside the {x}?",
        "does the {x} look damaged?",
        "is the {x} wet?",
        "how big is the {x}?",
        "is a light shining on the {x}?",
    )
    name = rng.choice([one.name for one in talk.situation.world.known])
    says = rng.choice(asks).format(x=spoken(name, rng))
    return talk.asked(says, ReplyKind.REQUEST, says)


def _menu(talk: _Talk) -> LanguageExample:
    rng = talk.rng
    asks: tuple[str, ...] = (
        "what can you make?",
        "what is on the menu?",
        "what have you got?",
        "what do you offer?",
        "any suggestions?",
        "what could I have?",
    )
    if talk.titles:
        return talk.answered(rng.choice(asks), f"I can make {_some(talk.titles)}.")
    asks = ("what can you do?", "what are you able to do?", "how can you help me?")
    return talk.answered(rng.choice(asks), f"I can {_some(talk.prompt.abilities, '; ')}.")


def _some(items: tuple[str, ...], between: str = ", ") -> str:
    """The first items, as many as fit into a line."""
    kept, most = list[str](), 6
    for one in items[:most]:
        if len(between.join((*kept, one))) < _LONGEST - 40:
            kept.append(one)
    return between.join(kept) + (" and more" if len(kept) < len(items) else "")


def _can_make(talk: _Talk) -> LanguageExample | None:
    rng = talk.rng
    asks = (
        "do you know how to make {x}?",
        "is {x} on the menu?",
        "are you able to make {x}?",
        "would {x} be possible?",
    )
    known = bool(talk.titles) and rng.random() < 0.6
    name = rng.choice(talk.titles) if known else recipe_name(talk.drill.words, rng)
    one = a_or_an(name)
    able = name in talk.titles
    answer = f"Yes, I can make {one}." if able else f"No, I cannot make {one} here."
    return talk.answered(rng.choice(asks).format(x=one), answer)


def _supply(talk: _Talk) -> LanguageExample | None:
    rng, world = talk.rng, talk.situation.world
    asks = (
        "do you have any {x}?",
        "have you got {x}?",
        "is there any {x} left?",
        "is there {x} here?",
    )
    substances = [one.name for one in world.skills.objects]
    if rng.random() < 0.65:
        one = rng.choice(substances)
        found = world.sources(one, talk.situation.state)
        if found:
            return talk.answered(
                rng.choice(asks).format(x=spoken(one, rng)), f"Yes, in {' and '.join(found[:3])}."
            )
    one = talk.drill.words.coined(rng)
    if any(one in name for name in talk.prompt.objects):
        return None
    return talk.answered(rng.choice(asks).format(x=one), f"No, I know of no {one} here.")


def _doing(talk: _Talk) -> LanguageExample:
    asks = ("what are you doing?", "what are you working on?", "are you busy?", "what is going on?")
    present = talk.prompt.present
    answer = (
        f"I am on this request: {present}."
        if present
        else "Nothing at the moment. What shall I do?"
    )
    return talk.answered(talk.rng.choice(asks), answer)


def _last(talk: _Talk) -> LanguageExample:
    asks = ("what did you do last?", "what was your last action?", "what have you just done?")
    done = talk.prompt.done
    answer = _sentence(done[-1]) if done else "I have not done anything yet."
    return talk.answered(talk.rng.choice(asks), answer)


def _past(talk: _Talk) -> LanguageExample | None:
    """What was done with one object."""
    rng, done = talk.rng, talk.prompt.done
    name = rng.choice([one.name for one in talk.situation.world.known])
    if done and rng.random() < 0.75:
        named = [
            n for n in talk.prompt.objects if any(n in re.findall(r"\w+", one) for one in done)
        ]
        name = rng.choice(named) if named else name
    told = [one for one in done if name in re.findall(r"\w+", one)]
    asks = (
        "what did you do with the {x}?",
        "did you touch the {x}?",
        "have you used the {x} already?",
        "what happened to the {x}?",
    )
    answer = _sentence("; ".join(told[-2:])) if told else f"I have done nothing with {name}."
    return talk.answered(rng.choice(asks).format(x=spoken(name, rng)), answer)


def _failed(talk: _Talk) -> LanguageExample | None:
    failed = [one for one in talk.prompt.done if ", failed: " in one]
    asks = (
        "what went wrong?",
        "why did it not work?",
        "did anything fail?",
        "was there a problem?",
    )
    if not failed:
        if not talk.prompt.done:
            return None
        return talk.answered(talk.rng.choice(asks[2:]), "No, everything worked so far.")
    error = failed[-1].partition(", failed: ")[2].removesuffix(")")
    return talk.answered(talk.rng.choice(asks), error)


_KINDS: tuple[tuple[Callable[[_Talk], LanguageExample | None], float], ...] = (
    (_order, 16),
    (_plain, 16),
    (_changed, 22),
    (_instead, 14),
    (_again, 7),
    (_stop, 3),
    (_chatter, 8),
    (_where, 6),
    (_inside, 4),
    (_is_it, 5),
    (_unknown, 6),
    (_menu, 4),
    (_can_make, 4),
    (_supply, 4),
    (_doing, 3),
    (_last, 3),
    (_past, 6),
    (_failed, 4),
)
"""The kinds of lessons, and how often each is drawn; some draws do not fit and are drawn again."""
