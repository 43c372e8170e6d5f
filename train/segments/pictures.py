"""Pictures of the apartment with the kind of thing that each pixel shows: what the segments learn.

    python train/segments/pictures.py --seeds 1000:1080 --each 30 --out pictures.npz

A picture is taken from a free place of the floor, or from where the robot works on a thing. Depth
is true; the trainer adds the errors of the camera. A reserved seed is replaced by another.
The shipped weights were made before that, from the seeds 1000 to 1099 as they are.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import mujoco
import numpy as np

from regrasp.bench.protocol import training_seeds
from regrasp.perception.kind_segments import KINDS, SIZE
from regrasp.worlds.apartment.world import ApartmentWorld
from regrasp.worlds.kit.mobile_two_arms import HEAD
from regrasp.worlds.registry import open_world
from regrasp.worlds.render.raycast import RaycastRenderer

_THINGS = {
    "table": "table", "drawer": "drawer", "shelf": "bookshelf", "stand": "hanger",
    "jacket": "jacket", "door": "door", "person": "person", "book": "book", "bucket": "bucket",
}  # fmt: skip


def labels_of(world: ApartmentWorld) -> np.ndarray:
    """The number of the kind of every geom (ngeom + 1,); 0 for what is no thing, and at the end."""
    model, found = world.model, np.zeros(world.model.ngeom + 1, np.uint8)
    for geom in range(model.ngeom):
        body = int(model.geom_bodyid[geom])
        name = model.body(model.body_rootid[body]).name
        if name not in world.scene.things:
            continue
        kind = world.scene.things[name].kind
        word = name.replace("_", " ") if kind == "box" else _THINGS.get(kind, "")
        if model.body(body).name == "drawer_drawer" and model.geom_pos[geom][0] < -0.02:
            word = "handle"
        found[geom] = KINDS.index(word) if word in KINDS else 0
    return found


def place_robot(world: ApartmentWorld, rng: np.random.Generator) -> None:
    """Put the robot somewhere: half of the time where it works on a thing."""
    data, names = world.data, [n for n, t in world.scene.things.items() if t.kind != "hand"]
    room = list(world.rooms.values())[rng.integers(3)]
    x, y = rng.uniform(room.left + 0.4, room.right - 0.4), rng.uniform(room.near + 0.4, room.far)
    yaw, pan, tilt = rng.uniform(-3.14, 3.14), rng.uniform(-1.1, 1.1), rng.uniform(-0.1, 0.75)
    if rng.random() < 0.6:
        at = world.at(str(rng.choice(names)))
        far, turn = rng.uniform(0.45, 1.6), rng.uniform(-math.pi, math.pi)
        x, y = at[0] + far * math.cos(turn), at[1] + far * math.sin(turn)
        yaw = math.atan2(at[1] - y, at[0] - x) + rng.normal(0, 0.15)
        pan = rng.normal(0, 0.15)
        tilt = math.atan2(1.2 - at[2], far) + rng.normal(0, 0.12)
    for joint, value in zip(
        ("base_x", "base_y", "base_yaw", "lift", *HEAD),
        (x, y, yaw, rng.uniform(0, 0.35), pan, min(max(tilt, -0.3), 0.95)),
        strict=True,
    ):
        data.joint(joint).qpos = value
    data.joint("drawer_drawer").qpos = rng.choice([0.0, 0.0, rng.uniform(0, 0.33)])
    mujoco.mj_forward(world.model, data)


def main() -> None:
    """Write the pictures of some seeds."""
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", default="1000:1080")
    options.add_argument("--each", type=int, default=30)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    first, last = map(int, given.seeds.split(":"))
    rgbs, depths, poses, labels = [], [], [], []
    for seed in training_seeds(range(first, last)):
        world = open_world("apartment", "place-box", seed)
        assert isinstance(world, ApartmentWorld)
        renderer, kinds = RaycastRenderer(world.model), labels_of(world)
        rng, made = np.random.default_rng([seed, 17]), 0
        camera = world.model.camera("head").id
        while made < given.each:
            world.reset()
            place_robot(world, rng)
            frame, ids = renderer.labelled(world.data, "head", *SIZE)
            shown = kinds[ids]
            if np.mean(frame.depth < 0.35) > 0.1 or len(np.unique(shown)) < 2:
                continue
            made += 1
            rgbs.append(frame.rgb)
            depths.append(np.minimum(frame.depth * 1000, 65000).astype(np.uint16))
            eye = np.append(world.data.cam_xmat[camera], world.data.cam_xpos[camera])
            poses.append(eye.astype(np.float32))
            labels.append(shown.astype(np.uint8))
        print(seed, len(rgbs), flush=True)
    fovy = np.float32(world.model.cam_fovy[world.model.camera("head").id])
    np.savez_compressed(
        given.out, rgb=np.array(rgbs), depth=np.array(depths), pose=np.array(poses),
        label=np.array(labels), fovy=fovy,
    )  # fmt: skip


if __name__ == "__main__":
    main()
