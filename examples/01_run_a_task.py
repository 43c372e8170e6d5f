"""A task from an instruction to a verdict, in Python.

The crate holds one cube and is taken: the robot tries to put the red cube there, fails, looks, asks
why, makes room and tries again. Everything that happens is written to a folder as it happens; the
page made of it at the end can be opened in any browser.

    python examples/01_run_a_task.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

from regrasp.core.event import FeedbackGiven, Planned
from regrasp.core.trace import Entry
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.runner import oracle, run_method
from regrasp.methods.registry import open_method


def follow(entry: Entry) -> None:
    """Print what the agent means to do, and why it thinks that something failed."""
    if isinstance(entry.event, Planned | FeedbackGiven):
        print(entry)


def main(out: Path) -> bool:
    ended = run_method(
        world="cubes",
        task="occupied",
        seed=0,
        instruction=None,  # the task's own; any sentence can stand here
        method=open_method("replan"),
        out=out,
        name="replan",
        # `openai:NAME` or `http://localhost:8080/v1#NAME` would do as well.
        language=resolve_language("scripted"),
        # Eyes that ask the simulator: what perfect eyes would say. A vision-language model is
        # `lambda world: resolve_vision("openai:NAME")`.
        seeing=oracle(),
        video=False,
        watch=follow,
    )
    print(f"the robot says: {'done' if ended.claim.done else 'not done'}, {ended.claim.reason}")
    print(f"the judge says: {'done' if ended.done else 'not done'}")
    print(f"it took {ended.sim_s:.1f} s of the robot's time and {ended.spent.calls} model calls")
    print(f"regrasp view {out}   # makes a page of it")
    return ended.done


if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp() + "/run"
    sys.exit(0 if main(Path(folder)) else 1)
