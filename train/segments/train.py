"""Train the segments on a GPU: `python train/segments/train.py MINUTES OUT.npz PICTURES.npz…`.

Noise and holes of the depth camera are drawn anew for every picture, as are brightness, colour and
a mirror. Every tenth picture is kept for the examination.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from network import Conv, SegmentNet

MINUTES = float(sys.argv[1])
OUT = Path(sys.argv[2])
DEVICE = "cuda"


def load(files: list[str]) -> tuple[torch.Tensor, ...]:
    """Colours, true depth, the slope of each ray, the height of the eye, and the kinds."""
    parts = [np.load(file) for file in files]
    joined = {k: np.concatenate([p[k] for p in parts]) for k in ("rgb", "depth", "pose", "label")}
    rgb = torch.from_numpy(joined["rgb"]).permute(0, 3, 1, 2).to(DEVICE)
    depth = torch.from_numpy(joined["depth"].astype(np.float32) / 1000).to(DEVICE)
    label = torch.from_numpy(joined["label"].astype(np.int64)).to(DEVICE)
    pose = torch.from_numpy(joined["pose"]).to(DEVICE)
    h, w = depth.shape[1:]
    scale = float(np.tan(np.radians(float(parts[0]["fovy"])) / 2) / (h / 2))
    up = (h / 2 - torch.arange(h, device=DEVICE) - 0.5) * scale
    right = (torch.arange(w, device=DEVICE) + 0.5 - w / 2) * scale
    r = pose[:, :9].reshape(-1, 3, 3)
    slope = (
        r[:, 2, 0, None, None] * right[None, None]
        + r[:, 2, 1, None, None] * up[None, :, None]
        - r[:, 2, 2, None, None]
    )
    return rgb, depth, slope, pose[:, 11], label


def pictures(data: tuple[torch.Tensor, ...], rows: torch.Tensor, train: bool) -> torch.Tensor:
    """Some pictures as the network takes them, with the errors of the camera."""
    rgb, depth, slope, eye, _ = (one[rows] for one in data)
    colour = rgb.float() / 255
    far = depth > 8.0
    sigma = 0.0012 + 0.0019 * (depth - 0.4) ** 2
    z = depth + sigma * torch.randn_like(depth)
    step = torch.zeros_like(far)
    step[:, :, 1:] |= (depth[:, :, 1:] - depth[:, :, :-1]).abs() > 0.05 * depth[:, :, 1:]
    step[:, 1:] |= (depth[:, 1:] - depth[:, :-1]).abs() > 0.05 * depth[:, 1:]
    draw = torch.rand_like(depth)
    lost = (draw < 0.004) | (step & (draw < 0.5)) | (depth < 0.4) | far
    z = torch.where(lost, torch.zeros_like(z), z)
    height = torch.where(lost, torch.zeros_like(z), slope * z + eye[:, None, None])
    if train:
        n = len(rows)
        gain = 1 + 0.25 * torch.randn(n, 3, 1, 1, device=DEVICE) * 0.5
        shared = 1 + 0.25 * torch.randn(n, 1, 1, 1, device=DEVICE)
        colour = (colour * gain * shared + 0.02 * torch.randn_like(colour)).clamp(0, 1)
    more = torch.stack([z / 4, (~lost).float(), height], 1)
    return torch.cat([colour * 2 - 1, more], 1)


def main() -> None:
    """Train for some minutes, examine, and write the folded weights."""
    data = load(sys.argv[3:])
    count, kinds = len(data[-1]), 13
    held = torch.arange(count, device=DEVICE) % 10 == 0
    train, test = torch.where(~held)[0], torch.where(held)[0]
    net = SegmentNet(kinds).to(DEVICE)
    print(count, "pictures", sum(p.numel() for p in net.parameters()), "parameters", flush=True)
    share = torch.bincount(data[-1].flatten(), minlength=kinds).float()
    weight = (share.sum() / share.clamp(min=1)).pow(0.4)
    weight = weight / (weight * share).sum() * share.sum()
    best = torch.optim.AdamW(net.parameters(), 3e-3, weight_decay=1e-3)
    began, step, total = time.time(), 0, MINUTES * 60
    while (spent := (time.time() - began) / total) < 1:
        for group in best.param_groups:
            group["lr"] = 3e-3 * min(1, step / 200) * (0.5 + 0.5 * np.cos(np.pi * spent)) + 1e-5
        rows = train[torch.randint(len(train), (64,), device=DEVICE)]
        x, y = pictures(data, rows, True), data[-1][rows]
        flip = torch.rand(len(rows), device=DEVICE) < 0.5
        x[flip], y[flip] = x[flip].flip(3), y[flip].flip(2)
        with torch.autocast("cuda", torch.bfloat16):
            loss = F.cross_entropy(net(x).float(), y, weight)
        best.zero_grad()
        loss.backward()
        best.step()
        step += 1
        if step % 500 == 0:
            print(step, f"{loss.item():.4f}", flush=True)
    net.eval()
    table = torch.zeros(kinds, kinds, device=DEVICE)
    with torch.no_grad():
        for rows in test.split(64):
            found = net(pictures(data, rows, False)).argmax(1)
            table += torch.bincount(
                (data[-1][rows] * kinds + found).flatten(), minlength=kinds**2
            ).reshape(kinds, kinds)
    inside = table.diag()
    union = table.sum(0) + table.sum(1) - inside
    print("intersection over union", (inside / union.clamp(min=1)).cpu().numpy().round(3))
    print("recall", (inside / table.sum(1).clamp(min=1)).cpu().numpy().round(3))
    kept = {}
    for name, part in net.named_modules():
        if isinstance(part, Conv):
            kept[f"{name}.weight"], kept[f"{name}.bias"] = part.folded()
    kept["head.weight"], kept["head.bias"] = net.head.weight, net.head.bias
    np.savez(OUT, **{k: v.detach().float().cpu().numpy() for k, v in kept.items()})


if __name__ == "__main__":
    main()
