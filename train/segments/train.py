"""Train the kinds of surfaces: `python train/segments/train.py OUT.npz PICTURES.npz…`.

Every picture gets the errors of the depth camera and is divided into surfaces; a surface is of the
kind that most of its pixels show. Every tenth picture is kept for the examination. Three minutes on
one core.
"""

from __future__ import annotations

import itertools
import sys

import numpy as np

from regrasp.core.robot import CameraImage
from regrasp.perception.kind_segments import KINDS, surface_features
from regrasp.perception.regions import regions_of
from regrasp.worlds.apartment.sensors import noisy_depth

_HIDDEN, _EPOCHS, _BATCH = 96, 60, 256


def surfaces(files: list[str], every: int) -> tuple[np.ndarray, ...]:
    """Measures, kinds, pixels and picture numbers of all surfaces."""
    rng = np.random.default_rng(0)
    measures, kinds, sizes, numbers = [], [], [], []
    for which, file in enumerate(files):
        data = np.load(file)
        fovy = float(data["fovy"])
        rgbs, depths, poses, labels = (data[k] for k in ("rgb", "depth", "pose", "label"))
        for k in range(0, len(rgbs), every):
            depth = noisy_depth(depths[k].astype(np.float32) / 1000.0, rng)
            turn, eye = poses[k][:9].reshape(3, 3).astype(float), poses[k][9:].astype(float)
            image = CameraImage("head", rgbs[k], depth, fovy, eye, turn)
            regions = regions_of(image)
            if not regions:
                continue
            measures.append(surface_features(image, regions))
            numbers += [which * 100_000 + k] * len(regions)
            for one in regions:
                shown = np.bincount(labels[k][one.labels == one.label], minlength=len(KINDS))
                kinds.append(int(shown.argmax()))
                sizes.append(one.pixels)
            if k % 200 == 0:
                print(file, k, flush=True)
    return np.concatenate(measures), np.array(kinds), np.array(sizes), np.array(numbers)


def main() -> None:
    """Train with Adam, examine, and write the weights."""
    x, y, pixels, number = surfaces(sys.argv[2:], every=3)
    held = (number // 3) % 10 == 0
    rng = np.random.default_rng(1)
    sizes = (x.shape[1], _HIDDEN, _HIDDEN, len(KINDS))
    params = []
    for a, b in itertools.pairwise(sizes):
        params += [rng.normal(0, np.sqrt(2 / a), (a, b)).astype(np.float32)]
        params += [np.zeros(b, np.float32)]
    slow = [np.zeros_like(p) for p in params]
    fast = [np.zeros_like(p) for p in params]
    train = np.flatnonzero(~held)
    weight = np.minimum(np.sqrt(pixels), 20.0).astype(np.float32) / 8.0
    share = np.bincount(y[train], minlength=len(KINDS)) / len(train)
    weight *= (np.maximum(share, 1e-4) ** -0.3)[y] / 2.0
    step, total = 0, _EPOCHS * (len(train) // _BATCH)
    for _ in range(_EPOCHS):
        for rows in np.array_split(rng.permutation(train), len(train) // _BATCH):
            inputs = x[rows] + rng.normal(0, 0.03, (len(rows), x.shape[1])).astype(np.float32)
            h1 = np.maximum(inputs @ params[0] + params[1], 0)
            h2 = np.maximum(h1 @ params[2] + params[3], 0)
            z = h2 @ params[4] + params[5]
            p = np.exp(z - z.max(1, keepdims=True))
            p /= p.sum(1, keepdims=True)
            p[np.arange(len(rows)), y[rows]] -= 1
            p *= weight[rows, None] / len(rows)
            d2 = (p @ params[4].T) * (h2 > 0)
            d1 = (d2 @ params[2].T) * (h1 > 0)
            grads = [inputs.T @ d1, d1.sum(0), h1.T @ d2, d2.sum(0), h2.T @ p, p.sum(0)]
            step += 1
            rate = 2e-3 * (0.5 + 0.5 * np.cos(np.pi * step / total))
            for k, g in enumerate(grads):
                slow[k] = 0.9 * slow[k] + 0.1 * g
                fast[k] = 0.999 * fast[k] + 0.001 * g * g
                unbiased = slow[k] / (1 - 0.9**step), fast[k] / (1 - 0.999**step)
                params[k] -= (rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)).astype(np.float32)
    h = np.maximum(np.maximum(x @ params[0] + params[1], 0) @ params[2] + params[3], 0)
    found = (h @ params[4] + params[5]).argmax(1)
    print(len(train), "surfaces;", "right:", (found == y)[~held].mean(), (found == y)[held].mean())
    for k, kind in enumerate(KINDS):
        rows = held & (y == k)
        said = held & (found == k)
        right = (rows & said) * pixels
        recall = right.sum() / max(1, (rows * pixels).sum())
        precision = right.sum() / max(1, (said * pixels).sum())
        print(f"{kind or 'else':10} n={rows.sum():5} recall {recall:.2f} precision {precision:.2f}")
    kept = {f"{'wb'[k % 2]}{k // 2}": one.astype(np.float32) for k, one in enumerate(params)}
    np.savez_compressed(sys.argv[1], **kept)


if __name__ == "__main__":
    main()
