"""`regrasp compare`: find the better of two methods with as few episodes as possible."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regrasp.cli import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from regrasp.bench.pairing import Pair
    from regrasp.bench.sequential import Comparison, PairedTest, PairOutcome

__all__ = ["compare"]


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A method of the suite.")],
    b: Annotated[
        str, typer.Argument(metavar="B", help="Another method; or the same with other models.")
    ],
    *,
    suite: Annotated[str, typer.Option("--suite", help="A suite, or a file with one.")],
    tasks: options.OnlyTasks = "",
    budget: Annotated[int, typer.Option(min=1, help="The most pairs of episodes to run.")] = 100,
    alpha: Annotated[float, typer.Option(help="Probability of a false difference.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of a missed difference.")] = 0.1,
    edge: Annotated[
        float,
        typer.Option(
            help="The smallest difference to find: the better's share of pairs that differ."
        ),
    ] = 0.75,
    llm: Annotated[str, typer.Option("--llm", help="Language model; the suite's if empty.")] = "",
    vlm: options.SuiteVision = "",
    llm_b: Annotated[str, typer.Option("--llm-b", help="Language model of B, if different.")] = "",
    vlm_b: Annotated[str, typer.Option("--vlm-b", help="Vision model of B, if different.")] = "",
    first_seed: options.FirstSeed = 0,
    draw: Annotated[int, typer.Option(min=0, help="The seed of the draw of tasks.")] = 0,
    workers: options.Workers = 0,
    executor: options.ExecutorName = "local",
    out: Annotated[
        Path | None, typer.Option("--out", help="The run's folder; an existing run is resumed.")
    ] = None,
    size: options.Size = "320x240",
    renderer: options.RendererName = "raycast",
    as_json: options.AsJson = False,
) -> None:
    """Run A and B on the same episodes, and stop as soon as the better one is known.

    Each pair is a task of the suite, drawn at random, on its next seed. The test is sequential: it
    looks after every pair. If A and B are equally good over the tasks, the probability of naming a
    better one is at most --alpha. If one of them wins a share --edge of the pairs that differ, the
    probability of finding no difference is at most --beta, unless the budget is spent first.
    Episodes are kept: the same command with --out resumes, and `regrasp report` reads the folder.
    """
    from contextlib import closing
    from itertools import islice

    import numpy as np

    from regrasp.bench.executor import open_executor
    from regrasp.bench.pairing import outcome_of, run_pairs, sides
    from regrasp.bench.record import EpisodeJob, EpisodeKey
    from regrasp.bench.sequential import PairedTest, pairs
    from regrasp.bench.sequential import compare as run_test
    from regrasp.bench.suite_registry import open_suite
    from regrasp.cli.output import print_note, print_rows, print_text
    from regrasp.core.errors import RegraspError

    try:
        test = PairedTest(alpha, beta, edge)
    except ValueError as error:
        raise RegraspError(f"--{error}") from error
    plan = open_suite(suite)
    chosen = [task.name for task in plan.chosen_tasks(options.split_names(tasks) or None)]
    for name in (a, b):
        plan.chosen_methods([name])
    root = out or options.free_folder(Path("runs") / f"{plan.name}-{a}-against-{b}")
    models = (llm or plan.llm or options.default_language(), vlm or plan.vlm)
    jobs = [
        EpisodeJob(
            suite, EpisodeKey(plan.name, "", method, *of, 0), plan.limits, False,
            options.parse_size(size), renderer,
        )
        for method, of in ((a, models), (b, (llm_b or models[0], vlm_b or models[1])))
    ]  # fmt: skip
    side_a, side_b = sides(root, *jobs)
    drawn = list(islice(pairs(chosen, np.random.default_rng(draw), first_seed), budget))
    count = workers or options.cores()
    pool, at_once = open_executor(executor, count), max(1, count // 2)
    finished: list[Pair] = []
    with closing(run_pairs(drawn, side_a, side_b, pool, at_once)) as finished_pairs:

        def outcomes() -> Iterator[PairOutcome]:
            for pair in finished_pairs:
                finished.append(pair)
                yield outcome_of(pair)

        for state in run_test(outcomes(), test, budget):
            print_note(_line(finished[-1], state))
    rows = _rows(finished, state)
    about = {"suite": plan.name, **_about(state, test, budget), "out": str(root)}
    print_rows(rows, list(rows[0]), as_json, f"regrasp compare {a} {b} --suite {plan.name}", about)
    if not as_json:
        print_text("\n".join(_sentences(a, b, state, test, budget)))
    print_note(f"the run: {root}")


def _line(pair: Pair, state: Comparison) -> str:
    key, outcomes = pair.a.key, f"{pair.a.outcome}, {pair.b.outcome}"
    number, score = state.pairs + state.broken, f"{state.only_a} to {state.only_b}"
    return f"{number}: {key.task}, seed {key.seed}: {outcomes}; of those that differ {score}"


def _rows(played: list[Pair], state: Comparison) -> list[dict[str, Any]]:
    from regrasp.bench.statistics import wilson

    rows = []
    for side, only in (("a", state.only_a), ("b", state.only_b)):
        key, won = getattr(played[0], side).key, state.both + only
        low, high = wilson(won, state.pairs)
        rows.append(
            {
                "side": side.upper(), "method": key.method, "llm": key.llm, "vlm": key.vlm,
                "pairs": state.pairs, "succeeded": won,
                "interval": [round(low, 4), round(high, 4)], "only_here": only,
            }
        )  # fmt: skip
    return rows


def _about(state: Comparison, test: PairedTest, budget: int) -> dict[str, Any]:
    return {
        "verdict": str(state.verdict), "budget_spent": state.spent, "pairs": state.pairs,
        "both": state.both, "only_a": state.only_a, "only_b": state.only_b,
        "neither": state.neither, "broken": state.broken, "budget": budget,
        "alpha": test.alpha, "beta": test.beta, "edge": test.edge,
    }  # fmt: skip


def _sentences(a: str, b: str, state: Comparison, test: PairedTest, budget: int) -> list[str]:
    from regrasp.bench.sequential import ComparisonResult

    differ = state.only_a + state.only_b
    seen = (
        f"{state.pairs} pairs: both succeeded at {state.both}, neither at {state.neither}; they "
        f"differ on {differ}, {state.only_a} for A ({a}) and {state.only_b} for B ({b})."
    )
    lines = [seen]
    if state.broken:
        lines.append(
            f"{state.broken} pairs have a broken episode (a fault of Regrasp) and are not counted."
        )
    if state.verdict is ComparisonResult.UNDECIDED and state.spent:
        lines.append(
            f"No decision: the budget of {budget} pairs is spent. The same command with this "
            "--out and a larger --budget continues from here."
        )
    elif state.verdict is ComparisonResult.UNDECIDED:
        lines.append(
            f"No difference found: neither wins {test.edge:.0%} of the pairs that differ. If one "
            f"did, the probability of this result would be at most {test.beta:.0%}."
        )
    else:
        better = f"A ({a})" if state.verdict is ComparisonResult.A_BETTER else f"B ({b})"
        lines.append(
            f"{better} is better. If they were equally good, the probability of such a result "
            f"would be at most {test.alpha:.0%}. Rates after an early stop are biased towards the "
            "verdict: to measure the difference, run both on a fixed number of seeds."
        )
    return lines
