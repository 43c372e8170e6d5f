"""`regrasp bench predicates`: grounded predicates beside the truth."""

from __future__ import annotations

from typing import Annotated

import typer

from regrasp.cli import options

__all__ = ["descriptions", "predicates"]

_COLUMNS = (
    "predicate", "n", "true_positive", "false_positive", "false_negative", "true_negative", "right",
)  # fmt: skip


def predicates(
    episodes: Annotated[int, typer.Option(min=1, help="Apartments: one for each seed.")] = 5,
    each: Annotated[int, typer.Option(min=1, help="Situations in each apartment.")] = 20,
    first_seed: options.FirstSeed = 0,
    wrong: Annotated[bool, typer.Option("--wrong", help="Also list what was wrong.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare the six grounded predicates with the simulator in random situations."""
    from regrasp.bench.predicate_scores import score_predicates
    from regrasp.cli.output import print_rows, print_text, progress

    seeds = range(first_seed, first_seed + episodes)
    with progress() as bar:
        task = bar.add_task("apartments", total=episodes)
        table = score_predicates(seeds, each, lambda seed: bar.update(task, advance=1))
    print_rows(table.rows(), _COLUMNS, as_json, "regrasp bench predicates")
    if wrong and not as_json:
        print_text("\n".join(table.wrong))


def descriptions(
    episodes: Annotated[int, typer.Option(min=1, help="Apartments: one for each seed.")] = 5,
    first_seed: options.FirstSeed = 0,
    wrong: Annotated[bool, typer.Option("--wrong", help="Also list what was not found.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Look for held-out descriptions ("the thing for coats") in maps that the robot made."""
    from regrasp.bench.description_scores import score_descriptions
    from regrasp.cli.output import print_rows, print_text, progress

    seeds = range(first_seed, first_seed + episodes)
    with progress() as bar:
        task = bar.add_task("apartments", total=episodes)
        table = score_descriptions(seeds, lambda seed: bar.update(task, advance=1))
    print_rows(
        table.rows(), ("description", "n", "found", "share"), as_json, "regrasp bench descriptions"
    )
    if wrong and not as_json:
        print_text("\n".join(table.wrong))
