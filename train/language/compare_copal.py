"""Compare CoPAL's lessons with the rules, and with the prompts of our own worlds.

    python train/language/compare_copal.py rules --count 200
    python train/language/compare_copal.py worlds --weights base.gguf --lessons lessons.jsonl

`rules` asks the scripted rules the questions of the lessons: how many replies are right, and how
many are the lesson's answer word for word. `worlds` builds the three prompts of some worlds as the
method does, and prints their tokens in the short form beside those of the lessons, and which words
of them no lesson has.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from copal import SHARES

from regrasp.embedded.abridge import shorten_messages
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.setting import domain_of
from regrasp.lab.language.example_source import ExampleSource, scripted
from regrasp.lab.language.generators import GENERATORS
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.methods.copal_layers import copal_layers
from regrasp.methods.method import Assignment
from regrasp.models.cancel import CancelToken
from regrasp.models.language import Capabilities, Completions, Request, RequestModel
from regrasp.planners.interpreter import Conversation
from regrasp.prompts.specify import Specification
from regrasp.worlds.registry import open_world
from regrasp.worlds.world import ignore_event

REQUESTS = {
    "bar": ("a mojito, please", "make a long island iced tea", "put the gin_bottle on the tray"),
    "pizza": ("a pizza hawaii, please", "make a margherita without salt"),
    "blocks": ("put the red_block on the blue_block",),
    "household": ("put the mug into the cabinet",),
    "cabinet": ("move the yellow_cube to target_position inside the wooden_cabinet",),
}
"""What is asked in each world."""


@dataclass(slots=True)
class Recorder(RequestModel):
    """The scripted rules, and every conversation that they were asked with the reply."""

    asked: list[tuple[list[str], str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """See `RequestModel.name`."""
        return "recorder"

    @property
    def capabilities(self) -> Capabilities:
        """See `RequestModel.capabilities`."""
        return ScriptedModel().capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        """See `RequestModel.respond`."""
        reply = ScriptedModel().respond(request, cancel)
        texts = [one.content for one in shorten_messages(request.messages)]
        self.asked.append((texts, reply.items[0].text))
        return reply


def live_prompts(name: str) -> list[tuple[list[str], str]]:
    """The prompts of a world's requests in the short form, with the replies of the rules."""
    world, model = open_world(name), Recorder()
    robot = world.plan.robot(world, renderer="raycast", size=(64, 48), emit=ignore_event)
    domain = world.plan.domain(world) if world.plan.domain is not None else domain_of(robot)
    for says in REQUESTS[name]:
        assignment = Assignment(says, robot, domain, model, _blind(), ignore_event)
        layers = copal_layers(assignment, Conversation(), None, repair=True, look=True, logic=True)
        request = layers.interpret(says).text
        found = layers.specify(request)
        if isinstance(found, Specification) and found.steps:
            layers.command(found, request)
    return model.asked


def _blind() -> object:
    """Nobody looks at pictures here."""
    return object()


def compare_rules(count: int) -> None:
    """Print the agreement of the rules with the lessons."""
    for family in SHARES:
        source = ExampleSource(random.Random(f"compare {family}"), TRAINING_TYPES)
        found: Counter[str] = Counter()
        for question in (GENERATORS[family](source) for _ in range(count)):
            reply = scripted(question.prompt)
            grade = question.grade(reply)
            kind = _kind(question.answer)
            found.update({f"{kind} {w}": getattr(grade, w) for w in ("parsed", "right", "exact")})
            found[f"{kind} all"] += 1
            if not grade.right and found[f"{kind} shown"] < 2:
                found[f"{kind} shown"] += 1
                print(f"--- {family}\n{shorten_messages(question.messages)[1].content}")
                print(f"LESSON {question.answer}\nRULES {reply}")
        for kind in sorted({one.rpartition(" ")[0] for one in found}):
            parts = ", ".join(f"{w} {found[f'{kind} {w}']}" for w in ("parsed", "right", "exact"))
            print(f"{family:9} {kind:8} {found[f'{kind} all']:5} questions: {parts}")


def _kind(answer: str) -> str:
    return re.split(r"[:\n]", answer)[0]


def compare_worlds(weights: Path, lessons: Path, names: list[str]) -> None:
    """Print lengths, and words that no lesson has."""
    from spelling import Spelling  # noqa: PLC0415  -- the other comparison needs no tokenizer

    spelling = Spelling(weights)
    rows = [json.loads(line) for line in lessons.open(encoding="utf-8")]
    words = {word for _, texts, answer in rows for word in _words("\n".join((*texts, answer)))}
    for family in SHARES:
        asked = sorted(len(spelling.asked(t)) for f, t, _ in rows if f == family)
        answers = sorted(len(spelling.plain(a)) for f, _, a in rows if f == family)
        middle = len(asked) // 2
        print(f"lessons {family:9} question {asked[middle]}, at most {asked[-1]}; "
              f"answer {answers[middle]}, at most {answers[-1]}")  # fmt: skip
    for name in names:
        for texts, reply in live_prompts(name):
            task = texts[0].removeprefix("Task: ")
            new = sorted(set(_words("\n".join((*texts, reply)))) - words)
            asked_tokens, reply_tokens = len(spelling.asked(texts)), len(spelling.plain(reply))
            print(f"{name:9} {task:9} question {asked_tokens}, answer {reply_tokens}; new: {new}")


def _words(text: str) -> Iterator[str]:
    """Words outside names: pieces of names are the scene's own."""
    return (word for word in re.findall(r"(?<![\w])[A-Za-z]+(?![\w])", text) if "_" not in word)


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="what", required=True)
    rules = parts.add_parser("rules")
    rules.add_argument("--count", type=int, default=200)
    worlds = parts.add_parser("worlds")
    worlds.add_argument("--weights", type=Path, required=True)
    worlds.add_argument("--lessons", type=Path, required=True)
    worlds.add_argument("names", nargs="*", default=[*REQUESTS])
    given = parser.parse_args()
    if given.what == "rules":
        compare_rules(given.count)
    else:
        compare_worlds(given.weights, given.lessons, given.names)


if __name__ == "__main__":
    main()
