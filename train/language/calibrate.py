"""Fit the confidence of a goal: the probability that it is right, by a logistic regression.

    python train/language/calibrate.py ask --human rows.gz --scenes scenes.json --out known.jsonl
    python train/language/calibrate.py ask --out strangers.jsonl
    python train/language/calibrate.py fit known.jsonl strangers.jsonl

`ask` puts instructions that no lesson has to the embedded weights, without the rules behind them:
fresh compositions and people's sentences for held-out rooms, or the frames of `held_out.py`, whose
wording is a stranger's. It writes a line for each goal. `fit` prints the weights for
`planners/understanding.py`; its files count the same, however many goals they have. For each it
prints the error of the calibration, how much is acted on from SURE on and how much of that is
right, and the log-probability at SURE.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Sequence
from pathlib import Path

import held_out
import numpy as np

from regrasp.bench.goal_sets import coverage_at
from regrasp.core.goal_description import GoalDescription
from regrasp.embedded import language
from regrasp.embedded.language import EmbeddedModel
from regrasp.lab.language.human_instructions import HumanInstructions
from regrasp.lab.language.instruction_examples import InstructionExample, instruction
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.planners.understanding import SURE
from regrasp.prompts.exchange import ask
from regrasp.prompts.grammar_logprob import logprob_in_grammar

COUNT = 600


def questions(human: HumanInstructions) -> list[InstructionExample]:
    """The same instructions each time, by turns composed and a person's."""
    rng = random.Random("calibration")
    found: list[InstructionExample] = []
    while len(found) < COUNT:
        is_persons = len(found) % 2
        made = human.draw(rng, TRAINING_WORDS) if is_persons else instruction(rng, TRAINING_WORDS)
        if made:
            found.append(made)
    return found


def ask_all(asked: Sequence[InstructionExample], out: Path) -> None:
    """A line `[log-probability, whether it is right]` for each goal."""
    language._with_rules = lambda request, reply: reply
    model = EmbeddedModel(threads=1)
    with out.open("w", encoding="utf-8") as file:
        for one in asked:
            reply = ask(model, one.prompt, max_tokens=200, logprobs=True)
            if not isinstance(goal := reply.result, GoalDescription):
                continue
            logprob = logprob_in_grammar(reply.replies[-1].items[0], one.prompt.grammar())
            right = one.prompt.parse(one.answer)
            same = isinstance(right, GoalDescription) and set(right.clauses) == set(goal.clauses)
            file.write(json.dumps([logprob, same]) + "\n")
            file.flush()


def table(file: Path) -> tuple[np.ndarray, np.ndarray]:
    """One and the log-probability of all goals of a file (n, 2), and whether each is right."""
    rows = [json.loads(line) for line in file.open(encoding="utf-8")]
    x = [[1.0, max(logprob, -6.0)] for logprob, _ in rows]
    return np.array(x), np.array([right for _, right in rows], float)


def fit(x: np.ndarray, y: np.ndarray, counts: np.ndarray, ridge: float = 1e-2) -> np.ndarray:
    """The weights that make the data likeliest, by Newton's method; a row counts `counts` times."""
    w = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        hessian = (x.T * (counts * p * (1 - p))) @ x + ridge * np.eye(len(w))
        w += np.linalg.solve(hessian, x.T @ (counts * (y - p)) - ridge * w)
    return w


def calibration_error(p: np.ndarray, y: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error."""
    which = np.minimum((p * bins).astype(int), bins - 1)
    return float(sum(abs((p[which == b] - y[which == b]).sum()) for b in range(bins)) / len(p))


def main() -> None:
    """Ask, or fit."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    step = steps.add_parser("ask")
    for name in ("human", "scenes", "out"):
        step.add_argument(f"--{name}", type=Path, required=name == "out")
    steps.add_parser("fit").add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if given.step == "ask":
        human = given.human and HumanInstructions.read(given.human, given.scenes, held_out=True)
        ask_all(questions(human) if human else held_out.questions(), given.out)
        return
    parts = [table(file) for file in given.files]
    counts = [np.full(len(y), 1000 / len(y)) for _, y in parts]
    x, y = (np.concatenate(rows) for rows in zip(*parts, strict=True))
    w = fit(x, y, np.concatenate(counts))
    names = ("bias", "logprob")
    print({name: round(float(value), 3) for name, value in zip(names, w, strict=True)})
    print(f"log-probability at SURE: {(math.log(SURE / (1 - SURE)) - w[0]) / w[1]:.3f}")
    for file, (x, y) in zip(given.files, parts, strict=True):
        p = 1 / (1 + np.exp(-x @ w))
        sure = p >= SURE
        print(
            f"{file}: {len(y)} goals, {y.mean():.1%} right, error {calibration_error(p, y):.3f}; "
            f"acted on {sure.mean():.1%}, of which {y[sure].mean():.1%} right"
        )
        covered = coverage_at(0.95, list(zip(p.tolist(), (y > 0).tolist(), strict=True)))
        print(f"answered at 95% right: {covered:.1%}")


if __name__ == "__main__":
    main()
