"""`regrasp language eval`: evaluate any language model on the questions of the embedded one."""

from __future__ import annotations

from typing import Annotated

import typer

from regrasp.cli.options import AsJson

__all__ = ["app"]

app = typer.Typer(help="Evaluate language models on the questions that methods ask.")


@app.callback()
def language() -> None:
    """Evaluate language models on the questions that methods ask."""


@app.command("eval")
def evaluate(
    llm: Annotated[str, typer.Option("--llm", help="The language model.")] = "embedded",
    part: Annotated[
        list[str] | None,
        typer.Option(
            "--part", help="seen, words, rooms, signs, no_signs or repairs; may be repeated."
        ),
    ] = None,
    family: Annotated[
        list[str] | None,
        typer.Option("--family", help="Only questions of this family, e.g. plan; may be repeated."),
    ] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="Questions of each family.")] = 5,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of the questions.")] = 0,
    mistakes: Annotated[
        bool, typer.Option("--mistakes", help="Show every wrong answer on stderr.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Ask held-out questions: count readable and right replies, latency and tokens.

    A plan is right if it works in a symbolic world, in any wording; other answers are compared by
    meaning. Without --part: held-out words, then held-out kinds of rooms.
    """
    from regrasp.cli.output import print_note, print_rows, progress
    from regrasp.core.errors import UnknownNameError
    from regrasp.embedded.resolve import resolve_language
    from regrasp.lab.language.evaluation import GradedAnswer, evaluate_model, scores
    from regrasp.lab.language.evaluation_set import EVALUATED

    parts, families = tuple(part or ("words", "rooms")), set(family or ())
    asked_of = {name for one in parts for name in EVALUATED.get(one, ())}
    for name in families - asked_of:
        raise UnknownNameError("family of questions in these parts", name, sorted(asked_of))
    total = sum(count for one in parts for name in EVALUATED.get(one, ())
                if not families or name in families)  # fmt: skip
    with progress() as bar:
        task = bar.add_task(f"asking {llm}", total=total)

        def watch(one: GradedAnswer) -> None:
            bar.advance(task)
            if mistakes and not one.grade.right:
                asked = one.question.messages[-1].content
                print_note(
                    f"{one.part}, {one.question.family}:\n{asked}\nright: {one.question.answer}"
                )
                print_note(f"said: {one.reply}\n")

        answered = evaluate_model(resolve_language(llm), parts, count, seed, watch, families)
    rows = [
        {
            "part": score.part,
            "family": score.family,
            "asked": score.asked,
            "read_percent": 100 * score.parsed / score.asked,
            "right_percent": 100 * score.right / score.asked,
            "word_for_word_percent": 100 * score.exact / score.asked,
            "median_s": score.latency_s,
            "tokens_a_call": score.tokens,
        }
        for score in scores(answered)
    ]
    print_rows(rows, list(rows[0]), as_json, f"evaluation of {llm}", {"llm": llm, "seed": seed})
