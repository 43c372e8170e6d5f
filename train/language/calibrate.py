"""Fit the confidence of a goal: the probability that it is right, by a logistic regression.

    python train/language/calibrate.py ask --human rows.jsonl.gz --scenes scenes.json --out q.jsonl
    python train/language/answer.py --questions q.jsonl --out r.jsonl ...
    python train/language/calibrate.py fit --human ... --scenes ... --replies r.jsonl \\
        --strangers replies_of_held_out.jsonl

The questions are instructions that no lesson has: fresh compositions, people's sentences for
held-out rooms, and in `fit` the frames of `held_out.py`, which count as much as all others: their
wording is a stranger's, and a model is surer of it than it should be. `fit` prints the weights for
`planners/understanding.py`, and for both parts the error of the calibration, how much is acted on
from SURE on and how much of that is right.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path

import held_out
import numpy as np

from regrasp.bench.goal_sets import coverage_at
from regrasp.core.goal_description import GoalDescription
from regrasp.lab.language.human_instructions import HumanInstructions
from regrasp.lab.language.instruction_examples import InstructionExample, instruction
from regrasp.lab.language.vocabulary import TRAINING_WORDS
from regrasp.planners.understanding import SURE
from regrasp.planners.unexplained import unexplained_nouns

FRESH, HUMAN = 1000, 800


def questions(human: HumanInstructions) -> list[InstructionExample]:
    """The same instructions each time."""
    rng = random.Random("calibration")
    found = [instruction(rng, TRAINING_WORDS) for _ in range(FRESH)]
    while len(found) < FRESH + HUMAN:
        if made := human.draw(rng, TRAINING_WORDS):
            found.append(made)
    return found


def features(
    asked: InstructionExample, reply: str, logprob: float
) -> tuple[list[float], bool] | None:
    """(1, log-probability, objects not in the goal), and whether the goal is right."""
    goal = asked.prompt.parse(reply)
    if not isinstance(goal, GoalDescription):
        return None
    nouns = unexplained_nouns(asked.prompt, goal)
    right = asked.prompt.parse(asked.answer)
    same = isinstance(right, GoalDescription) and set(right.clauses) == set(goal.clauses)
    return [1.0, max(logprob, -6.0), len(nouns.not_in_goal)], same


def table(asked: Sequence[InstructionExample], replies: Path) -> tuple[np.ndarray, np.ndarray]:
    """The features (n, 3) of all goals among the replies of a file, and whether each is right."""
    read = [json.loads(line) for line in replies.open(encoding="utf-8")]
    made = [features(one, *reply) for one, reply in zip(asked, read, strict=True)]
    found = [one for one in made if one is not None]
    return np.array([one for one, _ in found]), np.array([right for _, right in found], float)


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
    """Write questions, or fit to replies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("ask", "fit"))
    for name in ("human", "scenes", "out", "replies", "strangers"):
        parser.add_argument(f"--{name}", type=Path)
    given = parser.parse_args()
    asked = questions(HumanInstructions.read(given.human, given.scenes, held_out=True))
    if given.step == "ask":
        held_out.write_questions(asked, given.out)
        return
    parts = [table(asked, given.replies)]
    if given.strangers:
        parts.append(table(held_out.questions(), given.strangers))
    counts = [np.full(len(y), len(parts[0][1]) / len(y)) for _, y in parts]
    x, y = (np.concatenate(rows) for rows in zip(*parts, strict=True))
    w = fit(x, y, np.concatenate(counts))
    names = ("bias", "logprob", "not in goal")
    print({name: round(float(value), 3) for name, value in zip(names, w, strict=True)})
    for x, y in parts:
        p = 1 / (1 + np.exp(-x @ w))
        sure = p >= SURE
        print(
            f"{len(y)} goals, {y.mean():.1%} right, error {calibration_error(p, y):.3f}; "
            f"acted on {sure.mean():.1%}, of which {y[sure].mean():.1%} right"
        )
        covered = coverage_at(0.95, list(zip(p.tolist(), (y > 0).tolist(), strict=True)))
        print(f"answered at 95% right: {covered:.1%}")


if __name__ == "__main__":
    main()
