"""`python -m train.vision.examine --data DIR --out DIR`: what training's own report does not say.

What several looks at a scene are worth, put together in several ways, and a picture of those wrong
answers that the network is surest of. DIRs are those of `python -m train.vision`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor
from train.vision.data import ROOMS, STATES, TOPICS
from train.vision.store import Store
from train.vision.train import VisionNet, answers_of, load_into, seen_otherwise

from regrasp.embedded.vision.answers import ANSWERS, NO, UNKNOWN, YES
from regrasp.embedded.vision.words import Vocabulary
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.models.fusion import LIMIT

_FRAMES = 4  # as DoReMi takes them
_LISTED, _DRAWN, _ACROSS = 40, 12, 3
_EDGE, _TEXT = 224, 42  # pixels
_Y, _N, _U = range(3)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer, and how sure it was."""

    world: str
    topic: str
    question: str
    said: str
    truth: str
    sure: float
    unseen: bool


class Frames:
    """A store whose pictures are taken anew: other light, noise and lens."""

    def __init__(self, store: Store, seed: int) -> None:
        self._store = store
        self._generator = torch.Generator(store.answer.device).manual_seed(seed)

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    def views(self, states: Tensor, cameras: Tensor) -> Tensor:
        """Pictures (B, V, 3, EDGE, EDGE) as floats 0..255."""
        return seen_otherwise(self._store.views(states, cameras), self._generator)


def verdicts(chances: Tensor) -> tuple[Tensor, Tensor]:
    """Yes, no or unknown (0, 1, 2) and the confidence, as `EmbeddedVision` says it."""
    three = chances[..., [YES, NO, UNKNOWN]]
    sure, said = (three / three.sum(-1, keepdim=True).clamp(min=1e-9)).max(-1)
    return torch.where(sure < 0.5, _U, said), sure


def by_bayes(looks: Sequence[Tensor]) -> Tensor:
    """As `seeing.fusion.Belief` puts answers together."""
    odds, heard = torch.zeros_like(looks[0][..., 0]), torch.zeros_like(looks[0][..., 0], dtype=bool)
    for chances in looks:
        said, sure = verdicts(chances)
        sure = sure.clamp(1e-6, 1 - 1e-6)
        weight = (sure / (1 - sure)).log().abs().clamp(max=LIMIT)
        odds = odds + weight * ((said == _Y).float() - (said == _N).float())
        heard = heard | (said != _U)
    return torch.where(heard, torch.where(odds >= 0, _Y, _N), _U)


def by_majority(looks: Sequence[Tensor]) -> Tensor:
    """As `seeing.fusion.majority`: a tie is unknown."""
    said = torch.stack([verdicts(chances)[0] for chances in looks])
    counts = torch.stack([(said == verdict).sum(0) for verdict in (_Y, _N, _U)])
    most = counts.sort(0, descending=True).values
    return torch.where(most[0] == most[1], _U, counts.argmax(0))


def looks(net: VisionNet, data: Store, heat: float) -> dict[str, dict[str, float]]:
    """How right each way to look is about yes and no: all views, one, or several put together."""

    def chances(store: Store | Frames, cameras: tuple[int, ...] | None = None) -> Tensor:
        return (answers_of(net, store, cameras)[0] / heat).softmax(2)  # type: ignore[arg-type]

    label = answers_of(net, data)[1]
    front, side = chances(data, (0,)), chances(data, (1,))
    frames = [chances(Frames(data, seed)) for seed in range(_FRAMES)]
    ways = {
        "all views at once": verdicts(chances(data))[0],
        "first view": verdicts(front)[0],
        "second view": verdicts(side)[0],
        "two views, bayes": by_bayes([front, side]),
        "two views, majority": by_majority([front, side]),
        "one frame": verdicts(frames[0])[0],
        "four frames, bayes": by_bayes(frames),
        "four frames, majority": by_majority(frames),
    }

    def share(right: Tensor, where: Tensor) -> float:
        return round(float(right[where].float().mean()), 4)

    yes, no = label == YES, label == NO
    truth = torch.where(yes, _Y, _N)
    return {
        name: {
            "right": share(said == truth, yes | no), "yes": share(said == truth, yes),
            "no": share(said == truth, no), "n": int((yes | no).sum()),
        }
        for name, said in ways.items()
    }  # fmt: skip


def surest_wrong(
    net: VisionNet, data: Store, words: Vocabulary, heat: float
) -> tuple[list[Wrong], npt.NDArray[np.uint8]]:
    """The wrong answers that it is surest of, and the pictures (N, cameras, EDGE, EDGE, 3)."""
    scores, label = answers_of(net, data)
    sure, said = (scores / heat).softmax(2).max(2)
    wrong = ((said != label) & (label >= 0)).nonzero()
    wrong = wrong[torch.argsort(-sure[wrong[:, 0], wrong[:, 1]])[:_LISTED]]
    listed = [
        Wrong(
            PICTURED_WORLDS[int(data.world[s])], str(TOPICS[int(data.topic[s, q])]),
            " ".join(words.words[i - 2] for i in data.words[s, q].tolist() if i > 1),
            ANSWERS[int(said[s, q])], ANSWERS[int(label[s, q])], round(float(sure[s, q]), 4),
            bool(data.unseen[s, q]),
        )
        for s, q in wrong.tolist()
    ]  # fmt: skip
    return listed, data.pictures[wrong[:, 0]].cpu().numpy()


def draw(listed: Sequence[Wrong], pictures: npt.NDArray[np.uint8], path: Path) -> None:
    """The first of them, two views each, with what was asked, said and true."""
    font = ImageFont.load_default(14)
    wide, high = 2 * _EDGE + 6, _EDGE + _TEXT
    sheet = Image.new("RGB", (_ACROSS * wide, -(-_DRAWN // _ACROSS) * high), "white")
    pen = ImageDraw.Draw(sheet)
    for n, (wrong, views) in enumerate(zip(listed[:_DRAWN], pictures, strict=False)):
        x, y = n % _ACROSS * wide, n // _ACROSS * high
        for v in range(2):
            sheet.paste(Image.fromarray(views[v]), (x + v * _EDGE, y))
        pen.text((x + 4, y + _EDGE + 2), f"{wrong.question.capitalize()}?", "black", font)
        said = f"said {wrong.said} ({wrong.sure:.1%}), is {wrong.truth}"
        pen.text((x + 4, y + _EDGE + 20), said, (150, 20, 20), font)
    sheet.quantize(224, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


def main() -> None:
    """Look at the rooms held out for tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="where shards are kept")
    parser.add_argument("--out", type=Path, required=True, help="where the weights are")
    given = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    about = json.loads((given.out / "vision.json").read_text())
    words, heat = Vocabulary(tuple(about["words"])), float(about["temperature"])
    net = VisionNet(words.size)
    load_into(net, words, given.out / "vision.pt")
    net = net.to(device).eval()
    shards = len(list(given.data.glob("test-*.npz")))
    data = Store(given.data, "test", shards * ROOMS * STATES, device)
    while data.take_in(1):
        pass
    found = looks(net, data, heat)
    for name, row in found.items():
        print(name, json.dumps(row), flush=True)
    listed, pictures = surest_wrong(net, data, words, heat)
    rows = [{name: getattr(one, name) for name in Wrong.__slots__} for one in listed]
    (given.out / "looks.json").write_text(json.dumps({"looks": found, "wrong": rows}, indent=1))
    draw(listed, pictures, given.out / "wrong.png")


if __name__ == "__main__":
    main()
