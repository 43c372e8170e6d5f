"""A run as a Rerun recording: the scene in 3D, the camera images, events as text.

Two timelines: `robot` (seconds of the robot's clock) and `wall`. Open the file with
`rerun FILE.rrd`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from regrasp.core.arrays import Array
from regrasp.core.errors import RegraspError
from regrasp.core.event import ImageTaken, ModelCalled, SkillProgress
from regrasp.core.files import atomic_path, refuse_to_overwrite
from regrasp.core.image_store import ImageError, read_image_bytes
from regrasp.core.run_folder import LinkedFileError, inside
from regrasp.core.trace import IMAGE_FOLDER, Trace, digest

if TYPE_CHECKING:
    from rerun import RecordingStream

__all__ = ["Body3D", "Camera3D", "Path3D", "Scene3D", "Solid", "SolidKind", "write_rerun"]

_SCENE, _CAMERAS, _EVENTS = "scene", "scene/cameras", "events"


class SolidKind(StrEnum):
    """The shape of a solid; capsule and cylinder lie along their own z."""

    BOX = "box"
    ELLIPSOID = "ellipsoid"
    CAPSULE = "capsule"
    CYLINDER = "cylinder"


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A solid fixed to a body, in metres.

    `half` are the half sides of a box and the radii of an ellipsoid; for capsule and cylinder they
    are (radius, radius, half the length without caps). `position` (3,) and `quaternion` (4,),
    real part last, are in the body's frame; `rgba` is 0 to 1.
    """

    kind: SolidKind
    half: Array
    position: Array
    quaternion: Array
    rgba: tuple[float, float, float, float]

    @property
    def axis(self) -> Array:
        """The direction of its own z in the body's frame, (3,)."""
        x, y, z, w = self.quaternion
        return np.array((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))


@dataclass(frozen=True, slots=True, eq=False)
class Path3D:
    """Poses in the world over time: `positions` (n, 3) and `quaternions` (n, 4), real part last."""

    positions: Array
    quaternions: Array

    @property
    def still(self) -> bool:
        """Whether nothing moves."""
        return bool(
            np.ptp(self.positions, axis=0).max(initial=0.0) < 1e-6
            and np.ptp(self.quaternions, axis=0).max(initial=0.0) < 1e-6
        )


@dataclass(frozen=True, slots=True, eq=False)
class Body3D:
    """A named body, its solids and its path."""

    name: str
    solids: tuple[Solid, ...]
    path: Path3D


@dataclass(frozen=True, slots=True, eq=False)
class Camera3D:
    """A camera that looks along −z with y up; `fovy` is its vertical angle in radians."""

    name: str
    fovy: float
    path: Path3D


@dataclass(frozen=True, slots=True, eq=False)
class Scene3D:
    """All bodies and cameras at `seconds` (n,) of the robot's clock."""

    seconds: Array
    bodies: tuple[Body3D, ...]
    cameras: tuple[Camera3D, ...]


def write_rerun(trace: Trace, scene: Scene3D, out: Path) -> Path:
    """Write the recording to `out`. Returns the path."""
    try:
        import rerun  # noqa: PLC0415 - an extra, and slow to import
    except ImportError as error:
        raise RegraspError("--rerun needs rerun-sdk: `pip install 'regrasp[rerun]'`.") from error
    refuse_to_overwrite(out, (b"RRF", b"RRIO"), "a Rerun recording")
    stream = rerun.RecordingStream("regrasp", recording_id=digest(trace.folder))
    try:
        with atomic_path(out) as draft:
            stream.save(draft)
            _log_run(rerun, stream, trace, scene)
            stream.flush()
            stream.disconnect()
    except (OSError, RuntimeError) as error:
        raise RegraspError(f"cannot write {out}: {error}.") from error
    return out


def _log_run(rerun: Any, stream: RecordingStream, trace: Trace, scene: Scene3D) -> None:
    stream.log(_SCENE, rerun.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    for body in scene.bodies:
        _log_body(rerun, stream, scene, body)
    looks = [look for look in trace.events if isinstance(look, ImageTaken)]
    for camera in scene.cameras:
        sizes = [(look.width, look.height) for look in looks if look.camera == camera.name]
        if sizes:
            _log_camera(rerun, stream, scene, camera, sizes[0])
    for entry in trace.entries:
        stream.set_time("robot", duration=entry.stamp.sim_s)
        stream.set_time("wall", timestamp=entry.stamp.wall_s)
        event = entry.event
        if isinstance(event, ImageTaken):
            _log_look(rerun, stream, trace.folder, event)
        level = "DEBUG" if isinstance(event, SkillProgress | ModelCalled | ImageTaken) else "INFO"
        stream.log(f"{_EVENTS}/{event.kind}", rerun.TextLog(str(event), level=level))


def _log_body(rerun: Any, stream: RecordingStream, scene: Scene3D, body: Body3D) -> None:
    where = f"{_SCENE}/{_name(rerun, body.name)}"
    _log_path(rerun, stream, scene, where, body.path)
    kinds = {solid.kind for solid in body.solids}
    for kind in sorted(kinds):
        solids = [solid for solid in body.solids if solid.kind is kind]
        stream.log(f"{where}/{kind}", _shapes(rerun, kind, solids), static=True)


def _log_path(
    rerun: Any, stream: RecordingStream, scene: Scene3D, where: str, path: Path3D
) -> None:
    if path.still:
        pose = {"translation": path.positions[0], "quaternion": path.quaternions[0]}
        stream.log(where, rerun.Transform3D(**pose), static=True)
        return
    stream.send_columns(
        where,
        indexes=[rerun.TimeColumn("robot", duration=scene.seconds)],
        columns=rerun.Transform3D.columns(translation=path.positions, quaternion=path.quaternions),
    )


def _shapes(rerun: Any, kind: SolidKind, solids: list[Solid]) -> Any:
    half = np.array([solid.half for solid in solids])
    at = np.array([solid.position for solid in solids])
    turns = np.array([solid.quaternion for solid in solids])
    colours = np.array([solid.rgba for solid in solids])
    look = {"quaternions": turns, "colors": colours, "fill_mode": "solid"}
    match kind:
        case SolidKind.BOX:
            return rerun.Boxes3D(half_sizes=half, centers=at, **look)
        case SolidKind.ELLIPSOID:
            return rerun.Ellipsoids3D(half_sizes=half, centers=at, **look)
        case SolidKind.CYLINDER:
            return rerun.Cylinders3D(lengths=2 * half[:, 2], radii=half[:, 0], centers=at, **look)
        case SolidKind.CAPSULE:
            axes = np.array([solid.axis for solid in solids])
            look["translations"] = at - half[:, 2:] * axes  # Rerun's capsule starts at one end
            return rerun.Capsules3D(lengths=2 * half[:, 2], radii=half[:, 0], **look)


def _log_camera(
    rerun: Any, stream: RecordingStream, scene: Scene3D, camera: Camera3D, size: tuple[int, int]
) -> None:
    where = f"{_CAMERAS}/{_name(rerun, camera.name)}"
    _log_path(rerun, stream, scene, where, camera.path)
    width, height = size
    lens = rerun.Pinhole(
        fov_y=camera.fovy,
        aspect_ratio=width / height,
        width=width,
        height=height,
        camera_xyz=rerun.ViewCoordinates.RUB,
        image_plane_distance=0.25,
    )
    stream.log(where, lens, static=True)


def _log_look(rerun: Any, stream: RecordingStream, folder: Path, look: ImageTaken) -> None:
    try:
        data = read_image_bytes(inside(folder, IMAGE_FOLDER), look.image)
    except (ImageError, LinkedFileError):
        return  # the text of the event mentions the image
    where = f"{_CAMERAS}/{_name(rerun, look.camera)}/image"
    stream.log(where, rerun.EncodedImage(contents=data, media_type="image/png"))


def _name(rerun: Any, name: str) -> str:
    return str(rerun.escape_entity_path_part(name))
