"""A world of your own: a file with a `PLAN`, built from the kit's furniture and props.

A microwave on a counter hides an orange; a mug stands beside it. Nothing else is needed:
`arm_world` adds the Franka, which knows what the kit's pieces afford, and a judge, which knows the
goal. Every command takes the name of the file for a world's.

    python examples/02_your_own_world.py
    regrasp render examples/02_your_own_world.py --out picture.png
    regrasp run "find the orange" --world examples/02_your_own_world.py
"""

import sys
import tempfile
from pathlib import Path

from regrasp.core.fact import Literal
from regrasp.embedded.scripted import ScriptedModel
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import oracle_factory
from regrasp.methods.registry import open_method
from regrasp.worlds.arm import arm_world
from regrasp.worlds.kit.counter import add_counter
from regrasp.worlds.kit.fruit import add_orange
from regrasp.worlds.kit.microwave import add_microwave
from regrasp.worlds.kit.mug import add_mug
from regrasp.worlds.kit.scene import Scene
from regrasp.worlds.world import Setup, Task


def build(scene: Scene, task: str) -> Setup:
    """Put things where the seed says; say what holds at the start, and what the goal is."""
    jitter = scene.layout.uniform
    x, y, top = 0.68 + jitter(-0.02, 0.02), jitter(-0.03, 0.03), 0.10
    add_counter(scene, "counter", (x - 0.22, 0.0, 0.0), height=top, edge=0.0)
    add_microwave(scene, "microwave", (x, y, top))
    add_orange(scene, "orange", (x + 0.12, y + jitter(-0.03, 0.06), top + 0.02))
    add_mug(scene, "mug", (x - 0.05, y - 0.30, top))
    return Setup(
        goal=[Literal.of("visible", "orange")],
        start=[
            Literal.of("closed", "microwave_door"),
            Literal.of("inside", "orange", "microwave"),
            Literal.of("visible", "orange", positive=False),
            Literal.of("upright", "mug"),
        ],
    )


PLAN = arm_world(
    "snack",
    "a microwave that hides an orange, and a mug beside it",
    (Task("orange", "find the orange"),),
    build,
)


def main() -> bool:
    out = Path(tempfile.mkdtemp()) / "run"
    spec = EpisodeSpec(
        place=WorldTask(__file__, "orange", seed=0),
        method=open_method("replan"),
        method_name="replan",
        language=ScriptedModel(),
        vision=oracle_factory(),
        recording=Recording(video=False),
    )
    ended = run_episode(spec, out)
    print(f"{'found' if ended.done else 'not found'}: {ended.claim.reason}; the trace is in {out}")
    return ended.done


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
