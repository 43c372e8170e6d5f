"""A result file is whole or absent under its name, and a user's own file is never replaced."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import regrasp
from regrasp.core.errors import RegraspError
from regrasp.core.files import (
    atomic_file,
    atomic_folder,
    atomic_path,
    refuse_to_overwrite,
    write_json,
    write_text,
)


def left(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_older_file_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "sub" / "a.bin"
    with atomic_file(target) as out:
        out.write(b"old")
    with atomic_file(target) as out:
        out.write(b"new")
        out.flush()
        assert target.read_bytes() == b"old"
    assert target.read_bytes() == b"new"
    assert left(target.parent) == ["a.bin"]


def test_an_error_leaves_the_older_file_and_no_draft(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    write_text(target, "old")
    with pytest.raises(OSError, match="full"), atomic_path(target) as draft:
        draft.write_text("half")
        raise OSError("the disk is full")
    assert (target.read_text(), left(tmp_path)) == ("old", ["a.txt"])


def test_a_kill_leaves_the_older_file(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("old")
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from regrasp.core.files import atomic_file\n"
        "with atomic_file(Path(sys.argv[1])) as out:\n"
        "    out.write(b'half'); out.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(target)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert target.read_text() == "old"


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    write_text(tmp_path / "ours", "a")
    (tmp_path / "usual").write_text("a")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_text_and_json_are_written_without_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "xyzzy-12345")
    write_text(tmp_path / "a.txt", "the key xyzzy-12345 \ud800")
    write_json(tmp_path / "a.json", {"why": ("xyzzy-12345", 1)})
    assert (tmp_path / "a.txt").read_text() == "the key [redacted MY_TOKEN] \\ud800"
    assert json.loads((tmp_path / "a.json").read_text()) == {"why": ["[redacted MY_TOKEN]", 1]}


def test_numbers_that_are_no_json_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "a.json", [float("nan")])
    assert left(tmp_path) == []


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_only_an_ordinary_file_is_replaced(tmp_path: Path, make: object) -> None:
    make(tmp_path / "a")  # type: ignore[operator]
    with pytest.raises(RegraspError, match="no ordinary file"):
        write_text(tmp_path / "a", "text")


def test_the_machines_null_device_is_left_alone() -> None:
    with pytest.raises(RegraspError, match="no ordinary file"):
        write_text(Path(os.devnull), "text")
    assert Path(os.devnull).is_char_device()


def test_a_folder_is_whole_or_absent(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), atomic_folder(tmp_path / "set") as draft:
        (draft / "a").touch()
        raise KeyboardInterrupt
    assert left(tmp_path) == []
    with atomic_folder(tmp_path / "set") as draft:
        (draft / "a").touch()
    assert left(tmp_path / "set") == ["a"]
    with pytest.raises(RegraspError, match="not empty"), atomic_folder(tmp_path / "set"):
        pass


def test_only_our_own_files_are_overwritten(tmp_path: Path) -> None:
    target = tmp_path / "a.html"
    refuse_to_overwrite(target, (b"ours",), "a page")
    for content in (b"", b"<p>ours</p>"):
        target.write_bytes(content)
        refuse_to_overwrite(target, (b"ours",), "a page")
    target.write_bytes(b"a letter")
    with pytest.raises(RegraspError, match="is not a page that Regrasp wrote"):
        refuse_to_overwrite(target, (b"ours",), "a page")


# ---- no file of the package writes in another way ------------------------------------------------

PACKAGE = Path(regrasp.__file__).parent
ALLOWED = {
    "core/files.py": "the one place",
    "core/trace.py": "a log: every line is whole, and a cut last line is left out",
    "episodes/state_log.py": "a log, like the trace",
    "models/cassette.py": "a log, like the trace",
    "bench/sealed_lines.py": "the cache's log; a cut line is skipped",
    "core/ownership.py": "a key, which never replaces another",
    "bench/runner.py": "a lock",
    "bench/planning.py": "in a temporary folder",
    "bench/judo_peer.py": "to its parent process",
    "bench/ray_cluster.py": "in a temporary folder",
    "planners/downward.py": "in a temporary folder",
    "bridges/lerobot_format.py": "in a draft of `atomic_folder`",
    "lab/vision/dataset.py": "in a draft of `atomic_folder`",
    "models/images.py": "into memory",
    "cli/ending.py": "to nowhere, after stdout has failed",
    "cli/json_stdout.py": "to stdout",
    "view/video.py": "under another name until the film is whole",
}
WRITES = {"write_text", "write_bytes", "save", "savefig", "savez", "save_all", "write_table"}
DRAFTS = {"draft", "png", "svg"}


def writes(tree: ast.AST) -> Iterator[int]:
    """The lines that write a file other than by the functions of core/files.py."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        names = {
            n.id for argument in node.args for n in ast.walk(argument) if isinstance(n, ast.Name)
        }
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else method
        modes = [a.value for a in node.args if isinstance(a, ast.Constant)]
        opens = called in ("open", "fdopen") and any(
            isinstance(mode, str) and set(mode) <= set("rwxabt+") and set(mode) & set("wxa+")
            for mode in modes
        )
        if opens or (method in WRITES and not names & DRAFTS):
            yield node.lineno


def test_every_result_file_is_written_in_one_place() -> None:
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        likely = any(f"{name}(" in text for name in (*WRITES, "open"))
        if likely and (lines := list(writes(ast.parse(text)))):
            found[file.relative_to(PACKAGE).as_posix()] = lines
    assert {name: lines for name, lines in found.items() if name not in ALLOWED} == {}
