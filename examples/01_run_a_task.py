"""A task from an instruction to a verdict, in Python.

The crate holds one cube and is taken: the robot tries to put the red cube there, fails, looks, asks
why, makes room and tries again. Everything that happens is written to a folder as it happens; the
page made of it at the end can be opened in any browser.

    python examples/01_run_a_task.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

from regrasp.core.event import FeedbackGiven, PlanMade
from regrasp.core.trace import TraceEntry
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.vision import vision_factory
from regrasp.methods.registry import open_method


def follow(entry: TraceEntry) -> None:
    """Print each plan of the agent, and the reasons that it found for a failure."""
    if isinstance(entry.event, PlanMade | FeedbackGiven):
        print(entry)


def main(out: Path) -> bool:
    spec = EpisodeSpec(
        place=WorldTask("cubes", "occupied", seed=0),
        method=open_method("replan"),
        method_name="replan",
        # `openai:NAME` or `http://localhost:8080/v1#NAME` would do as well.
        language=resolve_language("scripted"),
        # `oracle` asks the simulator; `embedded` or `openai:NAME` looks at the pictures.
        vision=vision_factory("oracle"),
        instruction=None,  # the task's own; any sentence can stand here
        recording=Recording(video=False),
    )
    ended = run_episode(spec, out, watch=follow)
    print(f"the robot says: {'done' if ended.claim.done else 'not done'}, {ended.claim.reason}")
    print(f"the judge says: {'done' if ended.done else 'not done'}")
    print(f"it took {ended.sim_s:.1f} s of the robot's time and {ended.spent.calls} model calls")
    print(f"regrasp view {out}   # makes a page of it")
    return ended.done


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp() + "/run"
    sys.exit(0 if main(Path(folder)) else 1)
