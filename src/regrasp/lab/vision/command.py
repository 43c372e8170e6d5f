"""`regrasp vision`: evaluate any vision model on questions with known answers; export them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from regrasp.cli.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from regrasp.lab.vision.evaluation import Reply
    from regrasp.lab.vision.labelled_scene import LabelledScene
    from regrasp.models.vision import VisionModel

__all__ = ["app"]

app = typer.Typer(help="Evaluate vision models, and export the questions.")

Worlds = Annotated[
    list[str] | None, typer.Option("--world", help="A world; all of them if not given.")
]
Questions = Annotated[int, typer.Option("--questions", min=1, help="Minimum number per world.")]
_COLUMNS = ["about", "questions", "accuracy", "tpr", "tnr", "ppv", "npv", "ece", "latency_ms"]


@app.command("eval")
def evaluate(
    *,
    vlm: Annotated[str, typer.Option("--vlm", help="Vision model.")] = "embedded",
    world: Worlds = None,
    questions: Questions = 5000,
    wrong: Annotated[
        Path | None,
        typer.Option("--wrong", help="A folder for images of confident wrong answers."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a vision model about held-out images of worlds, and count right answers."""
    from dataclasses import asdict

    from regrasp.cli.output import print_rows, progress
    from regrasp.embedded.resolve import resolve_vision
    from regrasp.lab.vision.evaluation import score

    model, worlds = resolve_vision(vlm), _worlds(world)
    said: list[Reply] = []
    with progress() as bar:
        task = bar.add_task("asking", total=len(worlds) * questions)
        for reply in _asked(model, worlds, questions):
            said.append(reply)
            bar.update(task, completed=len(said))
    if wrong is not None:
        _picture_wrong(said, wrong)
    rows = [asdict(score(about, some)) for about, some in _parts(said).items()]
    print_rows(
        rows, _COLUMNS, as_json, f"vision: {model.name}", {"vlm": model.name, "worlds": worlds}
    )


@app.command("export")
def export(
    out: Annotated[Path, typer.Argument(help="A new folder.")],
    *,
    world: Worlds = None,
    questions: Questions = 1000,
) -> None:
    """Write held-out images, questions and answers as a dataset for other tools."""
    from regrasp.cli.output import print_text
    from regrasp.lab.vision.dataset import write_dataset
    from regrasp.lab.vision.evaluation import held_out

    def shown() -> Iterator[LabelledScene]:
        for name in _worlds(world):
            yield from held_out(name, questions)

    count = write_dataset(shown(), out)
    print_text(f"{count} questions: {out}")


def _worlds(named: list[str] | None) -> list[str]:
    from regrasp.lab.vision.pictured import PICTURED_WORLDS
    from regrasp.worlds.registry import world_plan

    return [world_plan(name).name for name in named or PICTURED_WORLDS]


def _asked(model: VisionModel, worlds: list[str], questions: int) -> Iterator[Reply]:
    from regrasp.lab.vision.evaluation import held_out, replies

    for name in worlds:
        yield from replies(model, held_out(name, questions))


def _parts(said: Sequence[Reply]) -> dict[str, list[Reply]]:
    """Replies to answerable questions, by world and by topic, then questions about actions."""
    from regrasp.lab.vision.evaluation import of_action

    visible = [reply for reply in said if reply.truth != "unknown" and not of_action(reply)]
    parts = {"what can be seen": visible}
    for name in dict.fromkeys(reply.exhibit.world for reply in said):
        parts[f"world {name}"] = [reply for reply in visible if reply.exhibit.world == name]
    for topic in sorted({reply.asking.topic for reply in visible}):
        parts[f"topic {topic}"] = [reply for reply in visible if reply.asking.topic == topic]
    parts["unseen words or colours"] = [reply for reply in visible if reply.asking.unseen]
    parts["cannot be seen"] = [reply for reply in said if reply.truth == "unknown"]
    parts["actions"] = [reply for reply in said if of_action(reply) and reply.truth != "unknown"]
    parts["everything"] = list(said)
    return {about: some for about, some in parts.items() if some}


def _picture_wrong(said: Sequence[Reply], folder: Path) -> None:
    """Write the images of the most confident wrong answers, with a list of the answers."""
    import numpy as np
    from PIL import Image

    from regrasp.core.files import atomic_path, write_json

    wrong = [reply for reply in said if not reply.right and reply.answer.confidence is not None]
    wrong.sort(key=lambda reply: -(reply.answer.confidence or 0.0))
    rows = []
    for number, reply in enumerate(wrong[:24]):
        views = [reply.exhibit.pictures[camera] for camera in reply.exhibit.cameras]
        name = f"wrong-{number:02d}.png"
        with atomic_path(folder / name) as draft:
            Image.fromarray(np.concatenate(views, axis=1)).save(draft, format="PNG")
        rows.append(
            {
                "picture": name, "world": reply.exhibit.world, "question": reply.asking.text,
                "said": reply.answered, "confidence": reply.answer.confidence, "truth": reply.truth,
            }
        )  # fmt: skip
    write_json(folder / "wrong.json", rows)
