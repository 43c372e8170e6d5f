"""Files from strangers: a pipe, a device, a gigabyte or an endless line is one clear error."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from regrasp.core import file_reading
from regrasp.core.event import Remark
from regrasp.core.file_reading import LineReader, UnreadableFileError, read_limited
from regrasp.core.trace import Clock, TraceError, TraceWriter, read_trace


def lines(path: Path) -> list[bytes]:
    return list(LineReader(path, "trace"))


def test_whole_lines_are_given_and_a_cut_one_is_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\n\ntwo\nthr")
    reader = LineReader(path, "trace")
    assert list(reader) == [b"one", b"", b"two"]
    assert (reader.rest, reader.whole_bytes) == (b"thr", 9)


def test_a_missing_file_is_the_callers(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        lines(tmp_path / "none")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    os.mkfifo(path)
    ended: list[str] = []

    def read() -> None:
        for act in (lines, read_limited, lambda p: read_trace(p.parent)):
            with pytest.raises((UnreadableFileError, TraceError)) as caught:
                act(path)
            ended.append(str(caught.value))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    thread.join(20)
    assert len(ended) == 3
    assert all(str(path) in said and "is a pipe" in said for said in ended)


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null"])
def test_a_device_is_refused(device: str, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(device)
    with pytest.raises(UnreadableFileError, match="is a device"):
        lines(tmp_path / "link")


def test_a_folder_and_a_nonsense_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="is a folder"):
        read_limited(tmp_path)
    with pytest.raises(UnreadableFileError, match="cannot read"):
        read_limited(tmp_path / ("x" * 5000))
    with pytest.raises(UnreadableFileError, match="cannot read"):
        read_limited(tmp_path / "a\0b")


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(UnreadableFileError, match="1000000 MB large, and at most 256 MB"):
        lines(path)
    with pytest.raises(UnreadableFileError, match="at most 16 MB"):
        read_limited(path)


def test_a_long_line_and_too_many_lines_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_reading, "MAX_LINE_BYTES", 100)
    monkeypatch.setattr(file_reading, "MAX_LINES", 5)
    path = tmp_path / "file"
    path.write_bytes(b"short\n" + b"x" * 200)
    with pytest.raises(UnreadableFileError, match=r"file, line 2 is longer than 0 MB"):
        lines(path)
    path.write_bytes(b"\n" * 6)
    with pytest.raises(UnreadableFileError, match="line 6 is one too many"):
        lines(path)


def test_nothing_is_written_that_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with TraceWriter(tmp_path, Clock(lambda: 0.0, lambda: 0.0)) as trace:
        with pytest.raises(TraceError, match="an event of 20 MB is not written"):
            trace.write(Remark("x" * 20_000_000))
        with monkeypatch.context() as small:
            small.setattr("regrasp.core.trace.MAX_LINES", 2)
            trace.write(Remark("one"))
            with pytest.raises(TraceError, match="is full"):
                trace.write(Remark("two"))
        entry = trace.write(Remark("half a pair: \ud800"))
    assert entry.event == Remark("half a pair: ?")
    assert read_trace(tmp_path).events == (Remark("one"), Remark("half a pair: ?"))
