"""A run is recorded whole: the same twice, and whatever ends it."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from regrasp.control.rewards import RewardNameError
from regrasp.control.skill import RewardSkill
from regrasp.core.event import (
    Event,
    ImageTaken,
    Judged,
    Remark,
    RunEnded,
    RunStarted,
    SkillEnded,
    SkillProgress,
    SkillStarted,
)
from regrasp.core.feedback import FailureCode
from regrasp.core.image_store import load_image
from regrasp.core.outcome import Outcome
from regrasp.core.robot import SkillReport
from regrasp.core.trace import IMAGE_FOLDER, TRACE_FILE, TraceEntry, TraceError, digest, read_trace
from regrasp.episodes.follow_reward import do
from regrasp.view.video import VIDEO_FILE

# Half a second is too short for the door: the shortest run that moves, fails and goes to rest.
REWARD = (
    'set_joint_fraction_reward("wooden_cabinet_right_door", 1.0, primary_reward=True)\n'
    "execute_plan(0.5)"
)
SIZE = (32, 24)


def record(out: Path, *, video: bool = False, reward: str = REWARD) -> SkillReport:
    return do("cabinet", "closed", 3, reward, out, video=video, size=SIZE)


def stopped(out: Path, **options: object) -> SkillReport:
    """A run that is cancelled before its first step, to be quick."""
    return do("cabinet", "closed", 3, REWARD, out, size=SIZE, cancel=lambda: "enough", **options)  # type: ignore[arg-type]


def kinds(folder: Path) -> list[type[Event]]:
    return list(dict.fromkeys(type(event) for event in read_trace(folder).events))


def last(folder: Path) -> RunEnded:
    event = read_trace(folder).events[-1]
    assert isinstance(event, RunEnded)
    return event


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SkillReport]:
    folder = tmp_path_factory.mktemp("run") / "first"
    return folder, record(folder, video=True)


class TestARun:
    def test_it_is_told_from_start_to_end(self, recorded: tuple[Path, SkillReport]) -> None:
        folder, report = recorded
        assert kinds(folder) == [
            RunStarted, ImageTaken, SkillStarted, SkillProgress, SkillEnded, Judged, RunEnded
        ]  # fmt: skip
        events = read_trace(folder).events
        assert SkillEnded(report) in events
        assert sum(isinstance(event, ImageTaken) for event in events) == 2
        assert last(folder).outcome is report.outcome is not Outcome.SUCCEEDED
        assert report.feedback is not None and last(folder).reason == report.feedback.error

    def test_it_says_what_it_was_made_with(self, recorded: tuple[Path, SkillReport]) -> None:
        started = read_trace(recorded[0]).events[0]
        assert isinstance(started, RunStarted)
        assert (started.world, started.task, started.seed) == ("cabinet", "closed", 3)
        assert started.versions.keys() == {"regrasp", "python", "mujoco", "numpy"}

    def test_the_clock_is_the_robots(self, recorded: tuple[Path, SkillReport]) -> None:
        folder, report = recorded
        stamps = [entry.stamp.sim_s for entry in read_trace(folder).entries]
        assert stamps == sorted(stamps)
        assert stamps[0] == 0.0
        assert stamps[-1] == pytest.approx(report.seconds)

    def test_its_pictures_are_stored(self, recorded: tuple[Path, SkillReport]) -> None:
        folder, _ = recorded
        for event in read_trace(folder).events:
            if isinstance(event, ImageTaken):
                assert load_image(folder / IMAGE_FOLDER, event.image).shape == (24, 32, 3)

    def test_its_film_has_a_picture_for_each_twelfth_of_a_second(
        self, recorded: tuple[Path, SkillReport]
    ) -> None:
        av = pytest.importorskip("av")
        folder, report = recorded
        with av.open(str(folder / VIDEO_FILE)) as film:
            frames = sum(1 for _ in film.decode(video=0))
        assert frames == pytest.approx(12 * report.seconds + 12, abs=2)  # and a second at the end


def test_the_same_seed_gives_the_same_trace_here_and_in_another_process(
    recorded: tuple[Path, SkillReport], tmp_path: Path
) -> None:
    folder, report = recorded
    code = (
        "import sys; from regrasp.episodes.follow_reward import do\n"
        f"do('cabinet', 'closed', 3, {REWARD!r}, sys.argv[1], video=False, size={SIZE})"
    )
    other = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "other")])
    assert record(tmp_path / "again") == report
    assert other.wait(120) == 0
    assert digest(tmp_path / "again") == digest(folder)
    assert digest(tmp_path / "other") == digest(folder)


class TestEndings:
    def test_a_cancelled_run_says_by_whom(self, tmp_path: Path) -> None:
        seen: list[TraceEntry] = []
        report = stopped(tmp_path / "run", watch=seen.append)
        assert report.outcome is Outcome.ABORTED
        assert report.feedback is not None and report.feedback.code is FailureCode.CANCELLED
        assert "enough" in last(tmp_path / "run").reason
        assert tuple(seen) == read_trace(tmp_path / "run").entries

    def test_a_program_that_cannot_begin_writes_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(RewardNameError, match="Did you mean"):
            record(tmp_path / "run", reward=REWARD.replace("right_door", "rigth_door"))
        assert list(tmp_path.iterdir()) == []

    def test_a_trace_is_never_overwritten(self, tmp_path: Path) -> None:
        (tmp_path / TRACE_FILE).write_text("precious\n")
        with pytest.raises(TraceError, match="never overwritten"):
            stopped(tmp_path)
        assert (tmp_path / TRACE_FILE).read_text() == "precious\n"

    def test_a_fault_of_ours_is_broken_and_not_hidden(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def stumble(self: RewardSkill) -> bool:
            raise ZeroDivisionError("our own fault")

        monkeypatch.setattr(RewardSkill, "step", stumble)
        with pytest.raises(ZeroDivisionError):
            record(tmp_path, video=True)
        assert last(tmp_path) == RunEnded(Outcome.BROKEN, "ZeroDivisionError: our own fault")
        assert not list(tmp_path.glob("*.part"))

    def test_an_interrupt_that_nobody_deferred_is_an_abort(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As in a thread of somebody else's program."""

        def interrupt(self: RewardSkill) -> bool:
            monkeypatch.undo()
            raise KeyboardInterrupt

        monkeypatch.setattr(RewardSkill, "step", interrupt)
        with pytest.raises(KeyboardInterrupt):
            record(tmp_path)
        assert last(tmp_path).outcome is Outcome.ABORTED

    def test_without_pyav_the_run_is_the_same_and_says_so(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name: None if name == "av" else real(name)
        )
        stopped(tmp_path)
        notes = [e.text for e in read_trace(tmp_path).events if isinstance(e, Remark)]
        assert len(notes) == 1 and "regrasp[video]" in notes[0]
        assert not (tmp_path / VIDEO_FILE).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to a process there")
def test_ctrl_c_cancels_the_skill_and_leaves_a_whole_folder(tmp_path: Path) -> None:
    folder, reward = tmp_path / "run", tmp_path / "reward.txt"
    reward.write_text(REWARD.replace("0.5", "60"))
    command = [sys.executable, "-m", "regrasp.cli.main", "do", "cabinet", "--task", "closed"]
    command += ["--reward", str(reward), "--out", str(folder), "--size", "32x24"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and running.poll() is None:
        trace = folder / TRACE_FILE
        if trace.exists() and b"skill_progress" in trace.read_bytes():
            break
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said.endswith("interrupted\n") and "Traceback" not in said
    assert kinds(folder)[-3:] == [SkillEnded, Judged, RunEnded]
    assert last(folder) == RunEnded(Outcome.ABORTED, "cancelled: interrupted")
    if importlib.util.find_spec("av"):
        assert (folder / VIDEO_FILE).stat().st_size > 0
    assert not list(folder.glob("*.part"))
