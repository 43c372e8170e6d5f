"""LeRobot's dataset format, version 3.0, written with pyarrow and PyAV.

    meta/info.json, meta/stats.json     features, counts, paths; statistics of each feature
    meta/tasks.parquet                  the instructions; meta/subtasks.parquet the steps
    meta/episodes/chunk-000/file-…      a row for each episode: where its frames are, and labels
    data/chunk-000/file-….parquet       a row for each frame, episode after episode
    videos/CAMERA/chunk-000/file-….mp4  its pictures, episode after episode

The package `lerobot` writes this too, but needs PyTorch. A test reads our files with its loader.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from regrasp.bridges.lerobot_statistics import colour_counts, colour_statistics, statistics_of
from regrasp.core.arrays import Picture
from regrasp.core.errors import RegraspError
from regrasp.core.files import write_json
from regrasp.view.video import VideoWriter

if TYPE_CHECKING:
    import pyarrow

# ruff: noqa: PLC0415  -- pyarrow is an extra

__all__ = ["VERSION", "Column", "DatasetWriter"]

VERSION = "v3.0"
_PLACE = "chunk-{chunk_index:03d}/file-{file_index:03d}"
_CHUNK = 1000  # files in a folder
_DATA_MB, _VIDEO_MB = 100, 200
_KEYFRAME_EVERY = 2  # frames: images are read in any order
_SAMPLE_EVERY = 12  # frames whose colours are counted


@dataclass(frozen=True, slots=True)
class Column:
    """One feature of a frame: its NumPy type, its length, and the names of its entries."""

    dtype: str
    length: int = 1
    names: tuple[str, ...] | None = None

    def described(self) -> dict[str, Any]:
        """Its entry in info.json."""
        names = None if self.names is None else list(self.names)
        return {"dtype": self.dtype, "shape": [self.length], "names": names}


_INDICES = ("frame_index", "episode_index", "index", "task_index", "subtask_index")
_COUNTED = {"timestamp": Column("float32"), **dict.fromkeys(_INDICES, Column("int64"))}
"""The columns that every dataset has; the writer fills them in."""


def _place(file: int) -> dict[str, int]:
    """The folder of the file with this number, and its number there."""
    return {"chunk_index": file // _CHUNK, "file_index": file % _CHUNK}


@dataclass(slots=True)
class _Film:
    """The videos of one camera; `file` is the number of the one that is being written."""

    key: str
    file: int = 0
    writer: VideoWriter | None = None
    colours: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((3, 256), np.int64))


class DatasetWriter:
    """Writes a dataset into `root`, episode by episode; `close` completes it.

    `columns` are the features of a frame except those that every dataset has; `size` is (width,
    height) of the images.
    """

    def __init__(
        self,
        root: Path,
        *,
        fps: int,
        robot: str,
        columns: Mapping[str, Column],
        cameras: Sequence[str],
        size: tuple[int, int],
    ) -> None:
        try:
            import pyarrow  # noqa: F401
        except ImportError as error:
            raise RegraspError(
                "a LeRobot dataset is written with pyarrow: pip install 'regrasp[lerobot]'."
            ) from error
        self._root, self._fps, self._robot, self._size = root, fps, robot, size
        self._columns = {**columns, **_COUNTED}
        self._films = {camera: _Film(f"observation.images.{camera}") for camera in cameras}
        self._tasks: dict[str, int] = {}
        self._subtasks: dict[str, int] = {}
        self._episodes: list[dict[str, Any]] = []
        self._frames = 0
        self._kept: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in self._columns}
        self._data_file, self._rows, self._bytes = 0, list["pyarrow.Table"](), 0

    def add_episode(
        self,
        task: str,
        subtasks: Sequence[str],
        values: Mapping[str, npt.NDArray[Any]],
        pictures: Iterable[Mapping[str, Picture]],
        labels: Mapping[str, object],
    ) -> None:
        """Append an episode: its task, subtasks and values for each frame, and its labels."""
        n, number = len(subtasks), len(self._episodes)
        frames = np.arange(n)
        whole = {
            **values,
            "timestamp": (frames / self._fps).astype(np.float32),
            "frame_index": frames,
            "episode_index": np.full(n, number),
            "index": self._frames + frames,
            "task_index": np.full(n, self._tasks.setdefault(task, len(self._tasks))),
            "subtask_index": np.array(
                [self._subtasks.setdefault(s, len(self._subtasks)) for s in subtasks], np.int64
            ),
        }
        films = self._film(pictures, n)
        row: dict[str, Any] = {
            "episode_index": number,
            "tasks": [task],
            "length": n,
            "dataset_from_index": self._frames,
            "dataset_to_index": self._frames + n,
            **_under("data", _place(self._data_file)),
            **films,
            **_under("meta/episodes", _place(0)),
            **labels,
        }
        for name in self._columns:
            row |= _under(f"stats/{name}", statistics_of(whole[name]))
            self._kept[name].append(whole[name])
        self._rows.append(_table(self._columns, whole))
        self._bytes += self._rows[-1].nbytes
        if self._bytes > _DATA_MB * 2**20:
            self._flush()
        self._episodes.append(row)
        self._frames += n

    def _film(self, pictures: Iterable[Mapping[str, Picture]], n: int) -> dict[str, Any]:
        """Add an episode's images to the videos. Returns its place in them, and its statistics."""
        row: dict[str, Any] = {}
        colours = {camera: np.zeros((3, 256), np.int64) for camera in self._films}
        for film in self._films.values():
            if film.writer is None:
                name = f"{_PLACE.format(**_place(film.file))}.mp4"
                path = self._root / "videos" / film.key / name
                film.writer = VideoWriter(
                    path, self._fps, *self._size, keyframe_every=_KEYFRAME_EVERY
                )
            start_s = film.writer.frames / self._fps
            times = {"from_timestamp": start_s, "to_timestamp": start_s + n / self._fps}
            row |= _under(f"videos/{film.key}", {**_place(film.file), **times})
        seen = 0
        for frame in pictures:
            for camera, film in self._films.items():
                assert film.writer is not None
                film.writer.add(frame[camera])
                if seen % _SAMPLE_EVERY == 0:
                    colours[camera] += colour_counts(frame[camera])
            seen += 1
        if seen != n:
            raise ValueError(f"an episode of {n} frames came with {seen} pictures.")
        for camera, film in self._films.items():
            film.colours += colours[camera]
            row |= _under(f"stats/{film.key}", colour_statistics(colours[camera]))
            if film.writer is not None and film.writer.size_bytes > _VIDEO_MB * 2**20:
                film.writer.close()
                film.writer = None
                film.file += 1
        return row

    def _flush(self) -> None:
        import pyarrow
        from pyarrow import parquet

        if not self._rows:
            return
        path = self._root / "data" / f"{_PLACE.format(**_place(self._data_file))}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.concat_tables(self._rows), path)
        self._rows, self._bytes = [], 0
        self._data_file += 1

    def close(self) -> None:
        """Write the remaining data, and the files about the whole dataset."""
        import pyarrow
        from pyarrow import parquet

        for film in self._films.values():
            if film.writer is not None:
                film.writer.close()
        self._flush()
        meta = self._root / "meta"
        path = meta / "episodes" / f"{_PLACE.format(**_place(0))}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(self._episodes), path)
        parquet.write_table(_named("task_index", self._tasks), meta / "tasks.parquet")
        parquet.write_table(_named("subtask_index", self._subtasks), meta / "subtasks.parquet")
        stats = {n: statistics_of(np.concatenate(kept)) for n, kept in self._kept.items()}
        stats |= {film.key: colour_statistics(film.colours) for film in self._films.values()}
        write_json(meta / "stats.json", stats, indent=4)
        write_json(meta / "info.json", self._info(), indent=4)

    def _info(self) -> dict[str, Any]:
        width, height = self._size
        video = {
            "video.height": height, "video.width": width, "video.codec": "h264",
            "video.pix_fmt": "yuv420p", "video.is_depth_map": False, "video.fps": self._fps,
            "video.channels": 3, "has_audio": False,
        }  # fmt: skip
        seen = {
            "dtype": "video", "shape": [height, width, 3],
            "names": ["height", "width", "channels"], "info": video,
        }  # fmt: skip
        return {
            "codebase_version": VERSION,
            "robot_type": self._robot,
            "total_episodes": len(self._episodes),
            "total_frames": self._frames,
            "total_tasks": len(self._tasks),
            "chunks_size": _CHUNK,
            "data_files_size_in_mb": _DATA_MB,
            "video_files_size_in_mb": _VIDEO_MB,
            "fps": self._fps,
            "splits": {"train": f"0:{len(self._episodes)}"},
            "data_path": f"data/{_PLACE}.parquet",
            "video_path": f"videos/{{video_key}}/{_PLACE}.mp4" if self._films else None,
            "features": {
                **{name: column.described() for name, column in self._columns.items()},
                **{film.key: seen for film in self._films.values()},
            },
        }


def _under(prefix: str, values: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{prefix}/{name}": value for name, value in values.items()}


def _table(columns: Mapping[str, Column], values: Mapping[str, npt.NDArray[Any]]) -> pyarrow.Table:
    import pyarrow

    arrays = {}
    for name, column in columns.items():
        flat = pyarrow.array(values[name].astype(column.dtype).ravel())
        if column.length == 1:
            arrays[name] = flat
        else:
            arrays[name] = pyarrow.FixedSizeListArray.from_arrays(flat, column.length)
    return pyarrow.table(arrays)


def _named(number: str, names: Mapping[str, int]) -> pyarrow.Table:
    """A table whose pandas index is the names, as the loader expects."""
    import pyarrow

    index = "__index_level_0__"
    table = pyarrow.table(
        {number: pyarrow.array(names.values(), pyarrow.int64()), index: pyarrow.array(names)}
    )
    about = {
        "index_columns": [index],
        "column_indexes": [],
        "columns": [
            {"name": number, "field_name": number, "pandas_type": "int64", "numpy_type": "int64",
             "metadata": None},
            {"name": None, "field_name": index, "pandas_type": "unicode", "numpy_type": "object",
             "metadata": None},
        ],
        "pandas_version": "2.2.0",
    }  # fmt: skip
    return table.replace_schema_metadata({"pandas": json.dumps(about)})
