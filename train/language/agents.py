"""Write the lessons of the agents' adapter: CoPAL's three prompts, and IALP's next action.

    python train/language/agents.py lessons --weights base.gguf --copal 50000 --next-action 50000 \
        --first 400000 --out lessons.jsonl
    python train/language/agents.py questions --out questions.jsonl
    python train/language/agents.py score --questions questions.jsonl --replies replies.jsonl

The lessons are those of `copal.py` from `--first` on, with lessons of the next action between them.
The questions are for `answer.py`: generated worlds with held-out words, and the apartment, of which
no lesson has anything but the prompt. The same seed and count give the same lines.
"""

# ruff: noqa: PLC0415  -- the lessons need no simulator

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from copal import SHARD, UNREAD, Evaluated
from copal import shard as copal_shard
from data import vocabulary

from regrasp.domains.domain import Problem
from regrasp.domains.grounding import ground_task
from regrasp.domains.pddl_write import write_domain, write_problem
from regrasp.embedded.abridge import shorten_messages
from regrasp.embedded.rules.next_action import HOPELESS
from regrasp.lab.language.example_source import ExampleSource
from regrasp.lab.language.next_action_examples import next_actions
from regrasp.lab.language.next_action_search import first_actions, read_pddl, shortest_plans
from regrasp.lab.language.question import LanguageExample
from regrasp.lab.language.repairs import sent_back
from regrasp.lab.language.rooms import TRAINING_TYPES
from regrasp.planners.candidates import possible_calls
from regrasp.prompts.next_action import NextActionPrompt

if TYPE_CHECKING:
    from regrasp.bench.observation_sets import ObservationTask

FAMILY = "next_action"

_MOST_STATES = 20_000


def next_action_shard(pool: tuple[str, ...], number: int) -> list[str]:
    """The lines of one shard of lessons of the next action."""
    rng = random.Random(f"next action {number}")
    lessons = next_actions(ExampleSource(rng, TRAINING_TYPES, pool=pool))
    lines = []
    for made in itertools.islice(lessons, SHARD):
        asked = (sent_back(made, rng) or made) if rng.random() < UNREAD else made
        lines.append(json.dumps([FAMILY, _texts(asked), asked.answer], ensure_ascii=False))
    return lines


def _texts(question: LanguageExample) -> list[str]:
    return [message.content for message in shorten_messages(question.messages)]


def mixed_shard(
    pool: tuple[str, ...], without: Evaluated, copal: int, next_action: int, number: int
) -> list[str]:
    """The lines of both kinds of one number, shuffled; `copal` and `next_action` are the ends."""
    lines = copal_shard(pool, without, number) if number < copal else []
    lines += next_action_shard(pool, number) if number < next_action else []
    random.Random(number).shuffle(lines)
    return lines


def write_lessons(given: argparse.Namespace) -> None:
    """Write the lessons."""
    first = given.first // SHARD
    copal, other = first + given.copal // SHARD, first + given.next_action // SHARD
    evaluated = Evaluated.read(given.without)
    make = partial(mixed_shard, vocabulary(given.weights), evaluated, copal, other)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with (
        given.out.open("w", encoding="utf-8") as out,
        multiprocessing.Pool(given.processes) as processes,
    ):
        for lines in processes.imap(make, range(first, max(copal, other))):
            out.write("\n".join(lines) + "\n")


# ---- the questions -------------------------------------------------------------------------------


def generated_questions(count: int) -> Iterator[tuple[str, LanguageExample]]:
    """Worlds with words, names and instructions that no lesson has."""
    source = ExampleSource(random.Random("next action exam"), TRAINING_TYPES, held_out=True)
    for question in itertools.islice(next_actions(source), count):
        yield "words", question


def apartment_questions(count: int) -> Iterator[tuple[str, LanguageExample]]:
    """The five tasks: states on the way of a plan, and the paper's random observations."""
    from regrasp.bench.observation_sets import observation_task
    from regrasp.worlds.apartment.tasks import TASKS

    for task in TASKS:
        given, rng = observation_task("apartment", task.name), random.Random(task.name)
        draw = np.random.default_rng(len(task.name))
        asked = 0
        while asked < count:
            problem = given.draw(draw)
            yield "apartment, observed at random", _asked(given, problem)
            asked += 1
            for state in _on_the_way(given, problem, rng):
                yield "apartment, on the way", _asked(given, state)
                asked += 1


def _on_the_way(given: ObservationTask, problem: Problem, rng: random.Random) -> Iterator[Problem]:
    """States later in a shortest plan from `problem`."""
    task = ground_task(given.rules.domain, problem)
    plans = shortest_plans(task, _MOST_STATES)
    states = list(plans.walk(task.init, rng))[1:] if plans is not None else []
    fixed = problem.init - frozenset(task.facts)
    for bits, _ in states:
        true = {fact for bit, fact in enumerate(task.facts) if bits >> bit & 1}
        yield Problem(problem.name, problem.domain, problem.objects, fixed | true, problem.goal)


def _asked(given: ObservationTask, problem: Problem) -> LanguageExample:
    domain = given.rules.domain
    prompt = NextActionPrompt(
        given.instruction, write_domain(domain), write_problem(problem),
        possible_calls(domain, problem),
    )  # fmt: skip
    right = first_actions(domain, problem)
    return LanguageExample(prompt.messages(), str(right[0]) if right else HOPELESS)


def write_questions(given: argparse.Namespace) -> None:
    """Write `[kind, texts, reference answer, every right answer]`, a line for each question."""
    made = itertools.chain(generated_questions(given.count), apartment_questions(given.apartment))
    with given.out.open("w", encoding="utf-8") as out:
        for kind, question in made:
            right = right_answers(question)
            line = [kind, _texts(question), question.answer, right]
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def right_answers(question: LanguageExample) -> list[str]:
    """Every right answer."""
    prompt = question.prompt
    assert isinstance(prompt, NextActionPrompt)
    return [str(one) for one in first_actions(*read_pddl(prompt))] or [HOPELESS]


def score(given: argparse.Namespace) -> None:
    """Print of each kind how many replies are right, and how many can be done at all."""
    rows = [json.loads(line) for line in given.questions.open(encoding="utf-8")]
    replies = [json.loads(line)[0] for line in given.replies.open(encoding="utf-8")]
    totals, right, possible = Counter[str](), Counter[str](), Counter[str]()
    for (kind, texts, _, answers), reply in zip(rows, replies, strict=True):
        said = reply.strip()
        can = texts[1].partition("\nPossible:")[2].partition("\nBlocked:")[0]
        totals[kind] += 1
        right[kind] += said in answers
        possible[kind] += said in answers or f"- {said}:" in can
    for kind, count in totals.items():
        shares = f"{right[kind] / count:.1%} right, {possible[kind] / count:.1%} can be done"
        print(f"{kind} ({count}): {shares}")


def main() -> None:
    """Write lessons or questions, or score replies."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    lessons = commands.add_parser("lessons")
    lessons.set_defaults(do=write_lessons)
    lessons.add_argument("--weights", type=Path, required=True)
    lessons.add_argument("--copal", type=int, default=50_000)
    lessons.add_argument("--next-action", type=int, default=50_000)
    lessons.add_argument("--first", type=int, default=0, help="lessons of the whole to leave out")
    lessons.add_argument("--without", type=Path, nargs="*", default=[], help="evaluation files")
    lessons.add_argument("--processes", type=int, default=os.cpu_count())
    lessons.add_argument("--out", type=Path, required=True)
    questions = commands.add_parser("questions")
    questions.set_defaults(do=write_questions)
    questions.add_argument("--count", type=int, default=600)
    questions.add_argument("--apartment", type=int, default=80, help="questions of each task")
    questions.add_argument("--out", type=Path, required=True)
    scored = commands.add_parser("score")
    scored.set_defaults(do=score)
    scored.add_argument("--questions", type=Path, required=True)
    scored.add_argument("--replies", type=Path, required=True)
    given = parser.parse_args()
    given.do(given)


if __name__ == "__main__":
    main()
