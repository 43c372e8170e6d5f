"""No link in a run's folder is followed: nothing outside is read, shown, written or removed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from strangers import quick_run
from typer.testing import CliRunner

from regrasp.bench.layout import EPISODE_FILE, clear_drafts, drafts_of
from regrasp.bench.runner import lock_run_folder
from regrasp.bench.store import CHECKS_FILE, RECORDS_FILE, load_results
from regrasp.cli.main import app
from regrasp.core.errors import RegraspError
from regrasp.core.event import ImageTaken, Remark
from regrasp.core.run_folder import LinkedFileError, inside
from regrasp.core.trace import TRACE_FILE, Clock, TraceError, TraceWriter, read_trace
from regrasp.view.page import PAGE_FILE, write_page
from regrasp.view.video import VIDEO_FILE

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
SECRET = b"root:x:0:0:a secret line"


def command(*words: str | Path) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A file of the user's, outside of every run."""
    path = tmp_path / "private"
    path.write_bytes(SECRET)
    return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quick_run(tmp_path_factory.mktemp("played") / "run", seeds=1).root


@pytest.fixture
def root(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "run"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of one remark and one picture."""
    with TraceWriter(tmp_path / "run", Clock(lambda: 0.0)) as trace:
        trace.write(Remark("hello"))
        trace.write(ImageTaken("front", "0" * 64, 4, 3))
    return tmp_path / "run"


def test_a_path_stays_inside(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path.parent)
    (tmp_path / "gone").symlink_to(tmp_path / "nothing")
    for name in ("out", "out/x", "gone", "../x", "a/../../x", "/etc/passwd"):
        with pytest.raises(LinkedFileError):
            inside(tmp_path, name)
    assert inside(tmp_path, "images/x.png") == tmp_path / "images" / "x.png"


def test_the_folder_itself_may_be_a_link_that_the_user_names(run: Path, tmp_path: Path) -> None:
    (tmp_path / "latest").symlink_to(run)
    assert len(read_trace(tmp_path / "latest").entries) == 2


# ---- reading -----------------------------------------------------------------------------------


def test_a_linked_film_is_not_in_the_page(run: Path, private: Path) -> None:
    (run / VIDEO_FILE).symlink_to(private)
    page = write_page(run).read_text()
    assert "run.mp4 is a symbolic link" in page
    assert "cm9vdDp4OjA6M" not in page  # the secret in base64


@pytest.mark.parametrize("linked", ["folder", "file"])
def test_a_linked_picture_is_not_in_the_page(run: Path, tmp_path: Path, linked: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    picture = outside / f"{'0' * 64}.png"
    picture.write_bytes(PNG)
    if linked == "folder":
        (run / "images").symlink_to(outside)
    else:
        (run / "images").mkdir()
        (run / "images" / picture.name).symlink_to(picture)
    assert "data:image/png" not in write_page(run).read_text()


def test_a_linked_trace_is_not_read(run: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / TRACE_FILE).symlink_to(run / TRACE_FILE)
    with pytest.raises(TraceError, match="is a symbolic link"):
        read_trace(tmp_path / "other")


def test_a_linked_film_is_no_clip(run: Path, private: Path, tmp_path: Path) -> None:
    (run / VIDEO_FILE).symlink_to(private)
    result = command("view", run, "--clip", tmp_path / "clip.webp")
    assert result.exit_code == 2 and "is a symbolic link" in result.stderr


@pytest.mark.parametrize("name", [TRACE_FILE, EPISODE_FILE, ""])
def test_a_linked_episode_is_left_out(root: Path, tmp_path: Path, name: str) -> None:
    here, outside = root / "episodes/one/a/0", tmp_path / "outside"
    moved = here / name if name else here
    shutil.move(moved, outside)
    moved.symlink_to(outside)
    results = load_results(root)
    assert [one.path for one in results.left_out] == ["episodes/one/a/0"]
    assert len(results.records) == 4 * 2 - 1


def test_a_linked_manifest_is_not_read(root: Path, tmp_path: Path) -> None:
    shutil.move(root / "manifest.json", tmp_path / "outside")
    (root / "manifest.json").symlink_to(tmp_path / "outside")
    with pytest.raises(RegraspError, match="is a symbolic link"):
        load_results(root)


# ---- writing and removing ----------------------------------------------------------------------


@pytest.mark.parametrize("name", [RECORDS_FILE, CHECKS_FILE])
def test_the_cache_is_not_written_through_a_link(root: Path, private: Path, name: str) -> None:
    (root / name).unlink()
    (root / name).symlink_to(private)
    for words in (("bench", "show", root), ("report", root), ("bench", "rebuild", root)):
        command(*words)
        assert private.read_bytes() == SECRET


def test_a_lock_does_not_empty_what_a_link_leads_to(root: Path, private: Path) -> None:
    (root / ".lock").unlink(missing_ok=True)
    (root / ".lock").symlink_to(private)
    with pytest.raises(LinkedFileError), lock_run_folder(root):
        pass
    assert private.read_bytes() == SECRET


def test_a_page_is_not_written_through_a_link(run: Path, private: Path) -> None:
    (run / f"{PAGE_FILE}.part").symlink_to(private)
    write_page(run)
    (run / PAGE_FILE).unlink()
    (run / PAGE_FILE).symlink_to(private)
    with pytest.raises(LinkedFileError):
        write_page(run)
    assert private.read_bytes() == SECRET


@pytest.mark.parametrize("name", ["report", "report/report.md", "report/figures"])
def test_a_report_is_not_written_through_a_link(root: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).symlink_to(outside / "report.md" if name.endswith("md") else outside)
    result = command("report", root)
    assert result.exit_code == 2 and "is a symbolic link" in result.stderr
    assert not list(outside.iterdir())


def test_blame_does_not_run_into_a_linked_folder(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (root / "blame").symlink_to(tmp_path / "outside")
    result = command("blame", root)
    assert result.exit_code == 2 and "is a symbolic link" in result.stderr
    assert not list((tmp_path / "outside").iterdir())


def test_a_linked_draft_is_removed_and_not_what_it_leads_to(root: Path, tmp_path: Path) -> None:
    kept = tmp_path / "outside" / "file"
    kept.parent.mkdir()
    kept.write_bytes(SECRET)
    draft = root / "episodes/one/a/.0.1.draft"
    draft.symlink_to(kept.parent)
    assert drafts_of(root, load_results(root).records[0].key) == []
    assert clear_drafts(root) == 1
    assert kept.read_bytes() == SECRET and not draft.is_symlink()


def test_drafts_are_not_removed_through_a_link(root: Path, tmp_path: Path) -> None:
    kept = tmp_path / "home" / "user" / "project" / ".git"
    kept.mkdir(parents=True)
    shutil.rmtree(root / "episodes")
    (root / "episodes").symlink_to(tmp_path / "home")
    assert clear_drafts(root) == 0
    assert kept.exists()
