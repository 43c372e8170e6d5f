"""`import regrasp` is cheap and imports nothing heavy."""

from __future__ import annotations

import subprocess
import sys
import time

HEAVY = ("mujoco", "numpy", "PIL", "rich", "typer")


def test_importing_regrasp_imports_nothing_heavy() -> None:
    code = f"import regrasp, sys; print(*[m for m in {HEAVY} if m in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == []


def test_importing_regrasp_takes_less_than_a_third_of_a_second() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import regrasp"], check=True)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(5)) < 0.3
