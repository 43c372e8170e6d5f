"""A video plays back what was put in, and is never half a file under a whole name."""

from __future__ import annotations

import builtins
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from regrasp.core.errors import RegraspError
from regrasp.view.video import VideoWriter, contact_sheet

av = pytest.importorskip("av")


def shade(level: int, width: int = 64, height: int = 48) -> npt.NDArray[np.uint8]:
    return np.full((height, width, 3), level, np.uint8)


def played(path: Path) -> list[npt.NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_pictures_come_back_in_order(tmp_path: Path) -> None:
    levels = (20, 90, 160, 230)
    with VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48) as video:
        for level in levels:
            video.add(shade(level))
    pictures = played(tmp_path / "a.mp4")
    assert [round(float(p.mean())) for p in pictures] == pytest.approx(levels, abs=4)


def test_it_is_h264_that_every_player_takes(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with VideoWriter(path, fps=12.5, width=64, height=48) as video:
        video.add(shade(100))
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert float(stream.average_rate) == 12.5
    raw = path.read_bytes()
    assert raw.index(b"moov") < raw.index(b"mdat"), "the index must come before the pictures"


def test_odd_sizes_are_padded(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.mp4", fps=10, width=63, height=47) as video:
        video.add(shade(120, 63, 47))
    (picture,) = played(tmp_path / "a.mp4")
    assert picture.shape == (48, 64, 3)
    assert np.abs(picture.astype(int) - 120).max() < 5


def test_a_caption_changes_the_foot_and_nothing_else(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.mp4", fps=10, width=320, height=240) as video:
        video.add(shade(128, 320, 240), caption="open(left_door): succeeded after 2.7 s")
    (picture,) = played(tmp_path / "a.mp4")
    assert np.abs(picture[:180].astype(int) - 128).max() < 6
    assert picture[200:].max() > 200 and picture[200:].min() < 90


@pytest.mark.parametrize("caption", ["word " * 200, "x" * 500, "two\nlines", "  "])
def test_any_caption_fits(tmp_path: Path, caption: str) -> None:
    with VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48) as video:
        video.add(shade(128), caption=caption)
    assert len(played(tmp_path / "a.mp4")) == 1


def test_the_name_appears_only_when_the_video_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.mp4"
    video = VideoWriter(path, fps=10, width=64, height=48)
    video.add(shade(100))
    assert not path.exists()
    video.close()
    video.close()
    assert [p.name for p in path.parent.iterdir()] == ["a.mp4"]


def test_a_killed_process_leaves_no_file_of_that_name(tmp_path: Path) -> None:
    code = f"""
        import os, numpy as np
        from regrasp.view.video import VideoWriter
        video = VideoWriter({str(tmp_path / "a.mp4")!r}, 10, 64, 48)
        for _ in range(50):
            video.add(np.zeros((48, 64, 3), np.uint8))
        os._exit(9)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert done.returncode == 9
    assert not (tmp_path / "a.mp4").exists()


def test_what_led_to_a_failure_is_kept(tmp_path: Path) -> None:
    def fail() -> None:
        with VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48) as video:
            video.add(shade(50))
            raise ValueError("the run went wrong")

    with pytest.raises(ValueError, match="went wrong"):
        fail()
    assert len(played(tmp_path / "a.mp4")) == 1


def test_a_video_without_pictures_is_no_file(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48):
        pass
    assert list(tmp_path.iterdir()) == []


def test_errors_say_what_would_be_right(tmp_path: Path) -> None:
    with VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48) as video:
        video.add(shade(0))
        with pytest.raises(RegraspError, match=r"\(48, 64, 3\).*\(64, 48, 3\)"):
            video.add(shade(0, 48, 64))
    with pytest.raises(RegraspError, match="closed"):
        video.add(shade(0))
    with pytest.raises(RegraspError, match="positive"):
        VideoWriter(tmp_path / "b.mp4", fps=0, width=64, height=48)


def test_without_pyav_the_error_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without_av(
        name: str,
        scope: Mapping[str, object] | None = None,
        local: Mapping[str, object] | None = None,
        wanted: tuple[str, ...] = (),
        level: int = 0,
    ) -> object:
        if name == "av":
            raise ImportError(name)
        return real(name, scope, local, wanted, level)

    monkeypatch.setattr(builtins, "__import__", without_av)
    with pytest.raises(RegraspError, match=r"pip install 'regrasp\[video\]'"):
        VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48)


def test_a_contact_sheet_reads_left_to_right() -> None:
    sheet = contact_sheet([shade(i, 8, 6) for i in (10, 20, 30)], columns=2, gap=2)
    assert sheet.shape == (14, 18, 3)
    assert sheet[0, 0, 0] == 10 and sheet[0, 10, 0] == 20 and sheet[8, 0, 0] == 30
    assert sheet[8, 10, 0] == 255 and sheet[6, 0, 0] == 255


def test_a_contact_sheet_wants_one_size() -> None:
    with pytest.raises(RegraspError, match="one size"):
        contact_sheet([shade(1, 8, 6), shade(1, 6, 8)], columns=2)
    with pytest.raises(RegraspError, match="at least one"):
        contact_sheet([], columns=2)


FILM_AND_COUNT_THREADS = """
import sys
from pathlib import Path
import numpy as np
from regrasp.view.video import VideoWriter

picture = np.full((240, 320, 3), 100, np.uint8)
films, threads = [], []
for number in range(4):
    film = VideoWriter(Path(sys.argv[1]) / f"{number}.mp4", fps=10, width=320, height=240)
    film.add(picture)
    film.close()
    films.append(film)  # somebody keeps it
    threads.append(sum(1 for _ in Path("/proc/self/task").iterdir()))
print(threads[0], threads[-1])
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads under Linux")
def test_the_encoders_threads_end_with_the_film(tmp_path: Path) -> None:
    # In a process of its own: other tests of a worker leave threads that come and go.
    counted = subprocess.run(
        [sys.executable, "-c", FILM_AND_COUNT_THREADS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    first, last = map(int, counted.stdout.split())
    assert last <= first


def test_a_film_that_cannot_be_finished_lets_its_encoder_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = VideoWriter(tmp_path / "a.mp4", fps=10, width=64, height=48)
    film.add(shade(100))
    film.frames = 1

    class Broken:
        def encode(self, frame: object) -> None:
            raise OSError("the disk is full")

    assert film._encoder is not None
    monkeypatch.setattr(film, "_encoder", (film._encoder[0], Broken()))
    with pytest.raises(OSError, match="full"):
        film.close()
    film.close()
    assert not (tmp_path / "a.mp4").exists()
