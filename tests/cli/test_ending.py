"""Closed and full outputs, disks that cannot be written: one line, and no success."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from regrasp.cli.ending import EXIT_BUG, EXIT_REFUSED, ending

REGRASP = [sys.executable, "-m", "regrasp"]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a command line in which REGRASP is the program."""
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("REGRASP", shlex.join(REGRASP))],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ["--version", "bench --json", "bench"])
def test_a_full_disk_under_stdout_is_an_error(words: str) -> None:
    ended = shell(f"REGRASP {words} > /dev/full")
    assert ended.returncode != 0
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr and "Exception ignored" not in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("words", ["bench", "bench --json"])
def test_a_closed_stdout_or_pipe_is_no_traceback(words: str) -> None:
    closed = shell(f"REGRASP {words} >&-")
    piped = shell(f"REGRASP {words} | true")
    for ended in (closed, piped):
        assert ended.stderr == ""


def test_a_closed_stdout_is_not_given_to_the_next_file(tmp_path: Path) -> None:
    """Else the trace would be descriptor 1, and get what a library prints."""
    code = (
        "import os, sys; from regrasp.cli.ending import open_descriptors; open_descriptors();"
        f"print(os.open({str(tmp_path / 'file')!r}, os.O_CREAT | os.O_WRONLY), file=sys.stderr)"
    )
    ended = shell(f'{shlex.quote(sys.executable)} -c "{code}" >&- <&-')
    assert int(ended.stderr) > 2


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/self").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "words",
    [
        "run dance --world cubes --llm scripted --vlm oracle --no-video --out PLACE/run",
        "bench replan --episodes 1 --llm scripted --vlm oracle --out PLACE/run",
        "render cubes --out PLACE/picture.png",
    ],
)
def test_a_folder_that_cannot_be_written_is_one_line(words: str) -> None:
    """/proc takes no new files, whoever asks."""
    ended = shell(f"REGRASP {words.replace('PLACE', '/proc')}")
    assert ended.returncode == 2
    assert "/proc" in ended.stderr
    assert "internal error" not in ended.stderr and ended.stderr.count("\n") == 1


def test_errors_of_the_machine_are_no_bugs() -> None:
    full = OSError(28, "No space left on device", "runs/x")
    assert ending(full).code == EXIT_REFUSED
    assert ending(full).line.startswith("error: runs/x: No space left on device. Check ")
    assert "not enough memory" in ending(MemoryError()).line
    assert ending(KeyError("x")) == ending(KeyError("x"))
    assert ending(KeyError("x")).code == EXIT_BUG
    assert ending(KeyError("x")).line == "internal error: KeyError: 'x' (--debug shows where)"
