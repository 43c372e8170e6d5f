"""How often a word that must show asks back about a right goal, and how often it finds a wrong one.

    python train/language/false_alarms.py [--count 2500]

Instructions are drawn from the frames of a larger model, with goals that are right by construction.
Each goal is also damaged in six ways: a clause is dropped, made false, or no longer kept, a later
stage comes at once, an object is another one, or a filter is dropped. No language model is asked.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from regrasp.core.goal_description import Clause, ClauseMode, GoalDescription, Selection
from regrasp.lab.language.instruction_examples import paraphrased
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.planners.understanding import Understanding
from regrasp.planners.unexplained import unexplained_nouns
from regrasp.planners.unreflected import unreflected_words
from regrasp.prompts.goal import GoalPrompt


def asks_back(prompt: GoalPrompt, goal: GoalDescription) -> bool:
    """Whether a goal of which the model is sure is asked about."""
    nouns, words = unexplained_nouns(prompt, goal), unreflected_words(prompt, goal)
    read = Understanding(prompt.instruction, goal, None, 1.0, (), nouns, words)
    return not read.sure


def damaged(
    rng: random.Random, names: Sequence[str], clauses: tuple[Clause, ...]
) -> Iterator[tuple[str, tuple[Clause, ...]]]:
    """Goals that are wrong, and in which way."""
    place = rng.randrange(len(clauses))
    one, before, after = clauses[place], clauses[:place], clauses[place + 1 :]
    if len(clauses) > 1:
        yield "a clause is missing", (*before, *after)
    if one.mode is not ClauseMode.ASK:
        yield "a clause is reversed", (*before, replace(one, positive=not one.positive), *after)
    kept = [clause for clause in clauses if clause.mode is ClauseMode.KEEP]
    if kept and len(kept) < len(clauses):
        yield "nothing is kept", tuple(clause for clause in clauses if clause not in kept)
    if any(clause.later for clause in clauses):
        yield "all at once", tuple(replace(clause, later=False) for clause in clauses)
    for number, term in enumerate(one.args):
        others = [name for name in names if name != term]
        if isinstance(term, str) and term in names and others:
            args = (*one.args[:number], rng.choice(others), *one.args[number + 1 :])
            yield "another object", (*before, replace(one, args=args), *after)
            break
        if isinstance(term, Selection) and term.filters:
            args = (*one.args[:number], replace(term, filters=()), *one.args[number + 1 :])
            yield "a filter is missing", (*before, replace(one, args=args), *after)
            break


def main() -> None:
    """Print the share that is asked about, of right goals and of each kind of wrong ones."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=2500)
    rng = random.Random("false alarms")
    asked: Counter[str] = Counter()
    all_goals: Counter[str] = Counter()
    for _ in range(options.parse_args().count):
        made = paraphrased(rng, TRAINING_WORDS, apart=True)
        goal = made.prompt.parse(made.answer)
        if not isinstance(goal, GoalDescription):
            continue
        names = [one.name for one in made.prompt.scene.objects]
        for kind, clauses in (("right", goal.clauses), *damaged(rng, names, goal.clauses)):
            all_goals[kind] += 1
            asked[kind] += asks_back(made.prompt, GoalDescription(clauses))
    for kind, count in all_goals.items():
        print(f"{kind}: asked back {asked[kind]} of {count} ({asked[kind] / count:.1%})")


if __name__ == "__main__":
    main()
