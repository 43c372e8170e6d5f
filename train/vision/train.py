"""Training: random states, views and questions; then a temperature and scores."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from train.vision.data import CAMERAS, TOPICS
from train.vision.network import Ask, See
from train.vision.store import Store

from regrasp.embedded.vision.answers import ANSWERS, NO, UNKNOWN, YES
from regrasp.embedded.vision.picture import EDGE
from regrasp.embedded.vision.words import Vocabulary
from regrasp.lab.vision.pictured import PICTURED_WORLDS
from regrasp.lab.vision.wording import Topic

SEED = 20
COUNTS = {
    Topic.STATE: 0.3, Topic.COLOUR: 0.7, Topic.ON: 1.5, Topic.INSIDE: 1.5, Topic.NEXT_TO: 1.5,
    Topic.IN_FRONT: 1.5,
}  # fmt: skip
"""What is soon learnt counts for less, what is learnt last for more."""
_SURE = 20.0  # the score of what is certain
_ZOOM, _TURN, _SHIFT = 0.03, 0.015, 0.03  # deviations: shares, radians, halves of a picture


@dataclass(frozen=True, slots=True)
class Recipe:
    """How long and how fast."""

    steps: int = 12_000
    seconds: float = math.inf  # to end in, with fewer steps if need be
    scenes: int = 192  # in a batch
    questions: int = 20  # of each
    rate: float = 1.5e-3
    decay: float = 0.05
    crisp: float = 0.7  # from when on all pictures stay crisp; before, every other
    average: float = 0.998  # of the weights over the steps of the second half, for what is kept


class VisionNet(nn.Module):
    """See and Ask together, for training."""

    def __init__(self, words: int) -> None:
        super().__init__()
        self.see, self.ask = See(), Ask(words, len(ANSWERS))

    def forward(self, views: Tensor, questions: Tensor) -> Tensor:
        scenes, many = views.shape[:2]
        flat = views.flatten(0, 1).contiguous(memory_format=torch.channels_last)
        keys, values = (
            each.unflatten(0, (scenes, many)).transpose(1, 2).flatten(2, 3)
            for each in self.see(flat)
        )
        return self.ask(keys, values, questions)


def seen_otherwise(views: Tensor, generator: torch.Generator, *, crisp: bool = False) -> Tensor:
    """Pictures in other light and through another lens: shifted, turned, zoomed, noisy.

    Those that are to stay `crisp` are only shifted, by whole pixels: the rest blurs what is small.
    """
    shape, device = (*views.shape[:2], 1, 1, 1), views.device

    def normal(*size: int) -> Tensor:
        return torch.randn(*size, device=device, generator=generator)

    gain, lift = 1 + 0.12 * normal(*shape), 10.0 * normal(*shape)
    tint = 1 + 0.04 * normal(*views.shape[:3], 1, 1)
    views = (views - 127.5) * gain * tint + 127.5 + lift
    zoom, turn = _ZOOM * normal(2, *views.shape[:2]), _TURN * normal(*views.shape[:2])
    shift = _SHIFT * normal(*views.shape[:2], 2)
    if crisp:
        zoom, turn, shift = 0 * zoom, 0 * turn, (shift * EDGE / 2).round() * 2 / EDGE
    else:
        views = views + 3.0 * torch.randn(views.shape, device=device, generator=generator)
    rows = [[1 + zoom[0], turn, shift[..., 0]], [-turn, 1 + zoom[1], shift[..., 1]]]
    how = torch.stack([torch.stack(row, -1) for row in rows], -2).flatten(0, 1)
    flat = views.flatten(0, 1)
    grid = F.affine_grid(how, list(flat.shape), align_corners=False)
    mode = "nearest" if crisp else "bilinear"
    flat = F.grid_sample(flat, grid, mode, padding_mode="border", align_corners=False)
    return flat.clamp(0, 255).unflatten(0, views.shape[:2])


def save(net: VisionNet, words: Vocabulary, path: Path, **more: object) -> None:
    """Weights that training can go on from, and `more` that goes with them."""
    torch.save({"words": words.words, "weights": net.state_dict(), **more}, path)


def load_into(net: VisionNet, words: Vocabulary, path: Path, *, only_see: bool = False) -> None:
    """Take the weights of an earlier run; a word that was not known then begins anew.

    With `only_see` all words do: what was learnt about answering, right or wrong, is forgotten.
    """
    earlier = torch.load(path, map_location="cpu", weights_only=True)
    if only_see:
        seeing = {k: v for k, v in earlier["weights"].items() if k.startswith("see.")}
        net.load_state_dict(net.state_dict() | seeing)
        return
    weights, name = dict(earlier["weights"]), "ask.word.weight"
    table = net.state_dict()[name].cpu().clone()
    known = {word: row for row, word in enumerate(earlier["words"], 2)}
    table[:2] = weights[name][:2]
    for row, word in enumerate(words.words, 2):
        if word in known:
            table[row] = weights[name][known[word]]
    net.load_state_dict(weights | {name: table})


def train(
    data: Store,
    words: Vocabulary,
    recipe: Recipe,
    device: str,
    keep: Path,
    start: Path | None = None,
    *,
    only_see: bool = False,
) -> VisionNet:
    """Fit the network; gives the running average of its weights over the second half.

    Now and then the weights as they are go to the file `keep`, so that nothing is lost if it stops,
    and at the end those that are given.
    """
    torch.manual_seed(SEED)
    generator = torch.Generator(device).manual_seed(SEED)
    net = VisionNet(words.size)
    if start is not None:
        load_into(net, words, start, only_see=only_see)
    net = net.to(device)
    net.see = net.see.to(memory_format=torch.channels_last)
    kept = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=_running(recipe.average), use_buffers=True
    )
    optimiser = torch.optim.AdamW(
        net.parameters(), lr=recipe.rate, weight_decay=recipe.decay, betas=(0.9, 0.98),
        fused=device == "cuda",
    )  # fmt: skip
    weight = torch.tensor([COUNTS.get(topic, 1.0) for topic in TOPICS], device=device)
    began = time.time()
    for step, (states, cameras) in enumerate(_batches(data, recipe, generator)):
        gone = max(step / recipe.steps, (time.time() - began) / recipe.seconds)
        if gone >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * min(1.0, gone / 0.06) * 0.5 * (1 + math.cos(math.pi * gone))
        asked = _some(data.words.shape[1], recipe, generator, device)
        questions = data.questions(states)[:, asked]
        label = data.labels(states, cameras)[:, asked].masked_fill(~questions.any(2), -1)
        crisp = gone > recipe.crisp or step % 16 >= 8
        views = seen_otherwise(data.views(states, cameras), generator, crisp=crisp)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            answers = net(views, questions)
        each = F.cross_entropy(
            answers.float().flatten(0, 1), label.flatten(), ignore_index=-1, label_smoothing=0.005,
            reduction="none",
        )  # fmt: skip
        counts = weight[data.topic[states][:, asked].long()].flatten() * (label.flatten() >= 0)
        loss = (each * counts).sum() / counts.sum().clamp(min=1.0)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        if gone > 0.5:  # before that, weights are too far from where they end to be averaged
            kept.update_parameters(net)
        if step % 250 == 0 or step == recipe.steps - 1:
            right = (answers.argmax(2) == label)[label >= 0].float().mean()
            print(f"step {step} loss {loss.item():.4f} right {right.item():.4f} of {data.count} "
                  f"states {time.time() - began:.0f} s", flush=True)  # fmt: skip
        if step % 500 == 499:
            save(net, words, keep)
    average: VisionNet = kept.module
    save(average, words, keep)
    print(f"{step} steps", flush=True)
    return average.eval()


def _running(decay: float) -> Callable[[list[Tensor], list[Tensor], Tensor | int], None]:
    """A running average; the first few steps count less, or a short run would keep its start."""

    def average(kept: list[Tensor], now: list[Tensor], n: Tensor | int) -> None:
        least = min(decay, (1 + int(n)) / (10 + int(n)))
        torch.optim.swa_utils.get_ema_multi_avg_fn(least)(kept, now, n)

    return average


def _some(questions: int, recipe: Recipe, generator: torch.Generator, device: str) -> Tensor:
    """Which of a state's questions are asked this time."""
    return torch.randperm(questions, device=device, generator=generator)[: recipe.questions]


def _batches(
    data: Store, recipe: Recipe, generator: torch.Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    """States (B,) and the cameras (B, V) they are seen by: two, three or one, worlds mixed.

    Where agents look through three cameras, two or one of them are any.
    """
    device, size = data.answer.device, (recipe.scenes,)
    for step in range(recipe.steps):
        kind, three = step % 8, data.three
        if kind >= 6 and len(three):
            states = three[torch.randint(len(three), size, device=device, generator=generator)]
            cameras = torch.arange(CAMERAS, device=device).expand(*size, CAMERAS)
            if step % 16 == 7:
                cameras = cameras[:, 2:]  # the third alone: the wrist's, the hand's
        else:
            states = torch.randint(data.count, size, device=device, generator=generator)
            any_order = torch.rand(*size, CAMERAS, device=device, generator=generator).argsort(1)
            first_two = (any_order[:, :1] + torch.arange(2, device=device)) % 2
            cameras = torch.where(data.views_of[states, None] > 2, any_order[:, :2], first_two)
            if kind >= 4:
                cameras = cameras[:, : 1 + kind % 2]
        yield states, cameras


@torch.no_grad()
def answers_of(
    net: VisionNet, data: Store, cameras: tuple[int, ...] | None = None, *, picture: str = "true"
) -> tuple[Tensor, Tensor]:
    """Scores (S, Q, answers) and labels (S, Q); `picture` may be true, black or shuffled.

    Without `cameras` through those that agents look through. What is not understood is unknown, as
    `EmbeddedVision` has it.
    """
    device = data.answer.device
    shuffle = torch.randperm(data.count, generator=torch.Generator().manual_seed(SEED))
    scores, labels = [], []
    alike = torch.unique_consecutive(data.views_of[: data.count], return_counts=True)
    runs = torch.arange(data.count, device=device).split(alike[1].tolist())
    for states in (some for run in runs for some in run.split(64)):
        own = tuple(range(int(data.views_of[states[0]])))
        which = torch.tensor(cameras or own, device=device).expand(len(states), -1)
        shown = shuffle.to(device)[states] if picture == "shuffled" else states
        views = data.views(shown, which)
        views = torch.zeros_like(views) if picture == "black" else views
        questions = data.questions(states)
        found = net(views, questions).float()
        found[~questions.any(2)] = torch.eye(found.shape[2], device=device)[UNKNOWN] * _SURE
        scores.append(found)
        labels.append(data.labels(states, which))
    return torch.cat(scores), torch.cat(labels)


def temperature(scores: Tensor, labels: Tensor) -> float:
    """The number by which scores are divided so that they say how often they are right."""
    chosen, truth = scores[labels >= 0], labels[labels >= 0]
    candidates = torch.exp(torch.linspace(-1.0, 1.5, 101)).tolist()
    return float(min(candidates, key=lambda t: F.cross_entropy(chosen / t, truth).item()))


def report(scores: Tensor, labels: Tensor, data: Store, heat: float) -> dict[str, object]:
    """Accuracy by world and by topic, rates of yes and no, and the calibration error.

    `by world` has each topic's accuracy in each world, and its number of questions.
    """
    chance = (scores / heat).softmax(2)
    sure, said = chance.max(2)
    valid = labels >= 0
    right = (said == labels) & valid
    world, topic = data.world[: data.count, None], data.topic[: data.count]
    unseen = data.unseen[: data.count]

    def share(where: Tensor) -> float | None:
        some = right[where & valid].float()
        return round(float(some.mean()), 4) if len(some) else None

    shown = labels != UNKNOWN
    found: dict[str, object] = {
        "questions": int(valid.sum()), "all": share(valid), "visible": share(shown),
        "unknown": share(~shown), "unseen words or colours": share(shown & unseen),
    }  # fmt: skip
    found |= {name: share(shown & (world == w)) for w, name in enumerate(PICTURED_WORLDS)}
    found |= {str(name): share(shown & (topic == t)) for t, name in enumerate(TOPICS)}
    found["by world"] = {
        name: {
            str(about): (some, int((here & shown & valid & (topic == t)).sum()))
            for t, about in enumerate(TOPICS)
            if (some := share(here & shown & (topic == t))) is not None
        }
        for w, name in enumerate(PICTURED_WORLDS)
        if bool((here := world == w).any())
    }
    found["tpr"] = share(labels == YES)
    found["tnr"] = share(labels == NO)
    bins = (sure[valid] * 15).long().clamp(max=14)
    hits, trust = right[valid].float(), sure[valid]
    found["ece"] = round(
        sum(float((hits[bins == b].sum() - trust[bins == b].sum()).abs()) for b in range(15))
        / int(valid.sum()), 4,
    )  # fmt: skip
    return found
