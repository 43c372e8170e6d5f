"""Kill a bench with embedded models a hundred times: `python tests/bench/kill_embedded.py`.

By hand, because it takes half an hour. The bench runs once undisturbed. Then it is started, killed
with SIGKILL after a random time, and resumed, again and again; each time that it gets to its end it
must equal the undisturbed run, but for wall and CPU time, and a new folder is begun. Exits with 1
at the first difference.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tiny_runs import comparable

BENCH = (
    sys.executable, "-m", "regrasp.cli.main", "bench", "matrix",
    "--methods", "replan,classical-planner", "--episodes", "2",
    "--tasks", "household-pie,household-water,tabletop-stack",
    "--first-seed", "70", "--llm", "embedded", "--vlm", "embedded",
    "--renderer", "raycast", "--workers", "1",
)  # fmt: skip


def start(out: Path) -> subprocess.Popen[bytes]:
    """Start the bench, or resume it, in a process group of its own."""
    resume = ["--resume"] if (out / "manifest.json").exists() else []
    log = out.with_suffix(".log").open("ab")
    with log:
        return subprocess.Popen(
            [*BENCH, "--out", str(out), *resume], stdout=log, stderr=log, start_new_session=True
        )


def kill(process: subprocess.Popen[bytes], dice: random.Random) -> str:
    """Kill the runner with its workers, or the runner alone; return which."""
    whole = dice.random() < 0.5
    os.killpg(process.pid, signal.SIGKILL) if whole else process.kill()
    process.wait()
    return "all" if whole else "runner"


def main() -> int:
    """Run, kill, resume and compare; return the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--within", type=float, help="s; a quarter of the undisturbed run's time")
    options.add_argument("--folder", type=Path, help="of the runs; a temporary one if not given")
    given = options.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    dice, began = random.Random(given.seed), time.monotonic()
    if start(folder / "whole").wait() != 0:
        print(f"the undisturbed run broke: see {folder / 'whole.log'}")
        return 1
    longest, expected = time.monotonic() - began, comparable(folder / "whole")
    print(f"undisturbed: {len(expected)} episodes in {longest:.0f} s", flush=True)
    kills = turn = 0
    while True:
        out = folder / f"turn{turn}"
        process, last = start(out), kills >= given.kills
        try:
            code = process.wait(None if last else dice.uniform(0.0, given.within or longest / 4))
        except subprocess.TimeoutExpired:
            kills += 1
            print(f"kill {kills}, turn {turn}: {kill(process, dice)}", flush=True)
            continue
        if code != 0 or comparable(out) != expected:
            print(f"after {kills} kills, turn {turn} (exit {code}) differs: {out}")
            return 1
        print(f"turn {turn} is equal after {kills} kills in all", flush=True)
        if last:
            return 0
        shutil.rmtree(out)
        turn += 1


if __name__ == "__main__":
    raise SystemExit(main())
