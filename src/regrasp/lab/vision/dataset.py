"""The evaluation set as files for any vision model: images, questions, answers.

    DIR/questions.jsonl    one question per line: world, pictures, question, answer, topic, split
    DIR/pictures/*.png     224 x 224, by camera
    DIR/README.md          description and scoring

Split `seen` has wordings and colours that the embedded vision model was trained on, in rooms that
it was not trained on; split `unseen` has others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from PIL import Image

from regrasp.core.files import atomic_folder, write_text
from regrasp.lab.vision.labelled_scene import LabelledScene, true_answer

__all__ = ["write_dataset"]

_README = """# Questions about robots at work

Images rendered from simulated worlds, with questions whose answers were computed from the full
state. `questions.jsonl` has one question per line: `pictures` (two or three views of one moment, to
be given together), `question`, `answer` (yes, no, unknown or a word), `topic`, `world`, `split`.
Unknown is right if no image shows the answer, or no image could. Yes and no are balanced by topic
and kind of object. Written by `regrasp vision export`; Apache-2.0.
"""


def write_dataset(shown: Iterable[LabelledScene], folder: Path) -> int:
    """Write scenes into an empty or new `folder`. Returns the number of questions."""
    with atomic_folder(folder) as draft:
        return _write_scenes(shown, draft)


def _write_scenes(shown: Iterable[LabelledScene], folder: Path) -> int:
    pictures = folder / "pictures"
    pictures.mkdir()
    write_text(folder / "README.md", _README)
    count = 0
    with (folder / "questions.jsonl").open("w", encoding="utf-8") as lines:
        for number, exhibit in enumerate(shown):
            names = []
            for camera in exhibit.cameras:
                name = f"{exhibit.world}-{number:05d}-{camera}.png"
                Image.fromarray(exhibit.pictures[camera]).save(pictures / name)
                names.append(f"pictures/{name}")
            for asking in exhibit.questions:
                answer = true_answer(exhibit, asking)
                if answer is None:
                    continue
                row = {
                    "world": exhibit.world, "pictures": names, "question": asking.text,
                    "answer": answer, "topic": str(asking.topic),
                    "split": "unseen" if asking.unseen else "seen",
                }  # fmt: skip
                lines.write(json.dumps(row) + "\n")
                count += 1
    return count
