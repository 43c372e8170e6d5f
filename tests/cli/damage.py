"""A healthy run folder, and the kinds of damage that a disk, a person or a stranger does to one."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from regrasp.bench.layout import EpisodeNote, finish, new_draft
from regrasp.bench.manifest import EpisodeSelection, configuration, new_manifest, write_manifest
from regrasp.bench.record import EpisodeJob, EpisodeKey
from regrasp.bench.suite_registry import open_suite
from regrasp.core.action import Action
from regrasp.core.event import (
    Event,
    Judged,
    ModelCalled,
    RunEnded,
    RunStarted,
    ShownMessage,
    SkillEnded,
    SkillStarted,
    StepStarted,
)
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.robot import CameraImage, SkillReport
from regrasp.core.trace import Clock, TraceWriter
from regrasp.episodes.state_log import StateLog
from regrasp.worlds.registry import open_world

EPISODE = "episodes/cubes-match/full/0"
TRACE, STATES, NOTE = (f"{EPISODE}/{n}" for n in ("trace.jsonl", "states.jsonl", "episode.json"))
MANIFEST, RECORDS, CHECKS = "manifest.json", "records.jsonl", "checks.jsonl"
MODELS = {"language model": "scripted", "vision model": "oracle", "renderer": "raycast"}
OPEN = Action("follow_reward", ("open",))
PULLED = Feedback(FeedbackLevel.PHYSICAL, FailureCode.RESISTED, "It did not follow.")
STORY: tuple[tuple[float, Event], ...] = (
    (0.0, RunStarted("cubes", "match", 0, "put the cube on the crate", "replan", MODELS)),
    (0.0, ModelCalled("scripted", "plan", "0" * 64, (ShownMessage("user", "?"),), ("1. open",))),
    (0.1, StepStarted("open the door", "arm")),
    (0.1, SkillStarted(OPEN)),
    (0.3, SkillEnded(SkillReport(OPEN, Outcome.FAILED, 0.2, PULLED))),
    (0.4, Judged(False)),
    (0.4, RunEnded(Outcome.FAILED, "enough")),
)


def healthy_run(root: Path, seeds: int = 2) -> None:
    """A run of the suite `replan` with filmed episodes, made by hand and read once."""
    suite = open_suite("replan")
    like = EpisodeJob("replan", EpisodeKey("replan", "", "", "scripted", "oracle", 0), video=True)
    asked = EpisodeSelection(("cubes-match",), ("full",), tuple(range(seeds)))
    manifest = new_manifest(configuration(suite, like), like, asked, 1.7e9)
    write_manifest(root, manifest)
    for seed in range(seeds):
        key = replace(like.key, task="cubes-match", method="full", seed=seed)
        draft = new_draft(root, key)
        _film(draft, seed)
        finish(draft, root, EpisodeNote(key, 3.0, 2.0, job=manifest.job_digest(key)))


def _film(folder: Path, seed: int) -> None:
    world = open_world("cubes", "match", seed)
    folder.mkdir(parents=True)
    command, shot, rest = world.data.ctrl.copy(), 0, list(STORY)
    with (
        StateLog(folder, world) as states,
        TraceWriter(folder, Clock(lambda: world.seconds)) as trace,
    ):
        rgb = np.full((24, 32, 3), 90, np.uint8)
        while rest:
            while rest and world.seconds >= rest[0][0] - 1e-9:
                trace.write(rest.pop(0)[1])
                if len(rest) == len(STORY) - 1:
                    depth = np.ones((24, 32), np.float32)
                    trace.write_image(
                        CameraImage("front", rgb, depth, 45.0, np.zeros(3), np.eye(3))
                    )
            if world.seconds * 12 >= shot - 1e-6:
                states.add()
                shot += 1
            world.advance(command)


@dataclass(frozen=True)
class Damage:
    """One kind of damage: its name, the file that a message about it must name, and the deed."""

    name: str
    file: str
    do: Callable[[Path], None]


def _line(number: int, *path: str | int, value: object) -> Callable[[Path], None]:
    """Set a field of one line of a JSON Lines file."""

    def do(file: Path) -> None:
        lines = file.read_text().splitlines()
        lines[number] = _dumped(_set(json.loads(lines[number]), path, value))
        file.write_text("\n".join(lines) + "\n")

    return do


def _field(*path: str | int, value: object) -> Callable[[Path], None]:
    """Set a field of a JSON file."""

    def do(file: Path) -> None:
        file.write_text(_dumped(_set(json.loads(file.read_text()), path, value)))

    return do


RAW = "\x00raw:"
"""Marks a value that stands in the file as it is, because no JSON value gives that text."""


def _dumped(data: object) -> str:
    text = json.dumps(data)
    while (at := text.find('"\\u0000raw:')) >= 0:
        end = text.index('"', at + 1)
        text = text[:at] + text[at + len('"\\u0000raw:') : end] + text[end + 1 :]
    return text


def _set(data: object, path: tuple[str | int, ...], value: object) -> object:
    if not path:
        return value
    inner = data
    for step in path[:-1]:
        inner = inner[step]  # type: ignore[index]
    inner[path[-1]] = value  # type: ignore[index]
    return data


def _bytes(data: bytes) -> Callable[[Path], None]:
    return lambda file: _overwrite(file, data)


def _overwrite(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _append(data: bytes) -> Callable[[Path], None]:
    return lambda file: _overwrite(file, file.read_bytes() + data)


def _cut(share: float) -> Callable[[Path], None]:
    return lambda file: _overwrite(file, file.read_bytes()[: int(file.stat().st_size * share)])


def _flip(share: float, mask: int = 0x40) -> Callable[[Path], None]:
    def do(file: Path) -> None:
        data = bytearray(file.read_bytes())
        data[int((len(data) - 1) * share)] ^= mask
        file.write_bytes(data)

    return do


def _fifo(file: Path) -> None:
    file.unlink(missing_ok=True)
    os.mkfifo(file)


def _folder(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.mkdir()


def _zero_device(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.symlink_to("/dev/zero")


def _gone(file: Path) -> None:
    if file.is_dir():
        shutil.rmtree(file)
    else:
        file.unlink()


def _huge_line(file: Path) -> None:
    """A line of 1 GB that takes no place on the disk."""
    with file.open("r+b") as data:
        data.seek(0, os.SEEK_END)
        data.truncate(data.tell() + 1_000_000_000)
        data.seek(0, os.SEEK_END)
        data.write(b"\n")


def _forged(do: Callable[[Path], None]) -> Callable[[Path], None]:
    """The damage to a trace by someone who also writes its new digest into the note."""

    def both(file: Path) -> None:
        do(file)
        note = file.with_name("episode.json")
        if file.is_file() and not file.is_symlink() and file.stat().st_size < 10**8:
            digest = hashlib.file_digest(file.open("rb"), "sha256").hexdigest()
            _field("trace", value=digest)(note)

    return both


def _all(folder: str, kinds: dict[str, Callable[[Path], None]]) -> tuple[Damage, ...]:
    return tuple(Damage(f"{name}, {folder}", folder, do) for name, do in kinds.items())


DEEP = b"[" * 200_000
BIG = RAW + "1" + "0" * 400
LONG = RAW + "1" + "0" * 5000
FILE_KINDS: dict[str, Callable[[Path], None]] = {
    "empty": _bytes(b""),
    "one newline": _bytes(b"\n"),
    "zeroes": _bytes(b"\0" * 4096),
    "not UTF-8": _bytes(b"\xff\xfe\x00{}\n" * 3),
    "byte order mark": lambda f: _overwrite(f, b"\xef\xbb\xbf" + f.read_bytes()),
    "deep JSON": _bytes(DEEP + b"\n"),
    "deep JSON that is whole": _bytes(b"[" * 700 + b"]" * 700 + b"\n"),
    "deep object that is whole": _bytes(b'{"a":' * 300 + b"1" + b"}" * 300 + b"\n"),
    "a number": _bytes(b"7\n"),
    "a list": _bytes(b"[1, 2]\n"),
    "an empty object": _bytes(b"{}\n"),
    "null": _bytes(b"null\n"),
    "text": _bytes(b"hello\n"),
    "NaN": _bytes(b"NaN\n"),
    "half": _cut(0.5),
    "a bit flipped": _flip(0.5),
    "a bit flipped at the start": _flip(0.0),
    "a high bit flipped": _flip(0.3, 0x80),
    "a FIFO": _fifo,
    "a folder": _folder,
    "a device": _zero_device,
    "1 GB": _huge_line,
}
TRACE_KINDS: dict[str, Callable[[Path], None]] = {
    "schema 10^400": _line(0, "schema", value=BIG),
    "schema text": _line(0, "schema", value="3"),
    "schema 9": _line(0, "schema", value=9),
    "sim_s NaN": _line(2, "sim_s", value=RAW + "NaN"),
    "sim_s Infinity": _line(2, "sim_s", value=RAW + "1e999"),
    "sim_s 10^400": _line(2, "sim_s", value=BIG),
    "sim_s of 5000 digits": _line(2, "sim_s", value=LONG),
    "wall_s in the year 10^290": _line(1, "wall_s", value=1e298),
    "wall_s before Christ": _line(1, "wall_s", value=-1e12),
    "index text": _line(1, "index", value="0"),
    "index 10^400": _line(1, "index", value=BIG),
    "index true": _line(1, "index", value=True),
    "event null": _line(1, "event", value=None),
    "kind unknown": _line(1, "event", "kind", value="exploded"),
    "kind a list": _line(1, "event", "kind", value=[]),
    "seed 10^400": _line(1, "event", "seed", value=BIG),
    "seed negative": _line(1, "event", "seed", value=-1),
    "world unknown": _line(1, "event", "world", value="atlantis"),
    "world empty": _line(1, "event", "world", value=""),
    "instruction half a pair": _line(1, "event", "instruction", value="\ud800"),
    "versions empty": _line(1, "event", "versions", value={}),
    "no renderer": _line(
        1, "event", "versions", value={"language model": "scripted", "vision model": "oracle"}
    ),
    "no vision model": _line(1, "event", "versions", value={"language model": "scripted"}),
    "method unknown": _line(1, "event", "method", value="magic"),
    "image name of a path": _line(2, "event", "image", value="../../../../../etc/passwd"),
    "image name with a NUL": _line(2, "event", "image", value="\x01\x00"),
    "image name too long": _line(2, "event", "image", value="a" * 5000),
    "image width 10^18": _line(2, "event", "width", value=10**18),
    "image width 0": _line(2, "event", "width", value=0),
    "tokens 10^400": _line(3, "event", "prompt_tokens", value=BIG),
    "tokens negative": _line(3, "event", "prompt_tokens", value=-5),
    "replies empty": _line(3, "event", "replies", value=[]),
    "replies a text": _line(3, "event", "replies", value="yes"),
    "confidence 1e308": _line(3, "event", "confidence", value=1e308),
    "outcome unknown": _line(-1, "event", "outcome", value="won"),
    "failure code unknown": _line(-3, "event", "report", "feedback", "code", value="magic"),
    "a field too many": _line(1, "event", "more", value=1),
    "a line doubled": lambda f: _overwrite(f, f.read_bytes() * 2),
    "a garbage line": _append(b"garbage\n"),
    "a cut last line": _append(b'{"index": 99'),
    "no start": lambda f: _overwrite(
        f, b"\n".join(line for line in f.read_bytes().split(b"\n")[:1]) + b"\n"
    ),
    "time runs backwards": _line(-1, "sim_s", value=-5.0),
    "time 1e300": _line(-1, "sim_s", value=1e300),
}
STATES_KINDS: dict[str, Callable[[Path], None]] = {
    "header joints a number": _line(0, "joints", value=7),
    "header world a list": _line(0, "world", value=["cubes"]),
    "header world unknown": _line(0, "world", value="atlantis"),
    "header task unknown": _line(0, "task", value="nothing"),
    "header seed a text": _line(0, "seed", value="0"),
    "header seed 10^400": _line(0, "seed", value=BIG),
    "header seed negative": _line(0, "seed", value=-3),
    "header seed 1.5": _line(0, "seed", value=1.5),
    "qpos NaN": _line(1, "qpos", 0, value=RAW + "NaN"),
    "qpos Infinity": _line(1, "qpos", 0, value=RAW + "Infinity"),
    "qpos 1e300": _line(1, "qpos", 0, value=1e300),
    "qpos 10^400": _line(1, "qpos", 0, value=BIG),
    "qpos a text": _line(1, "qpos", 0, value="0.1"),
    "qpos true": _line(1, "qpos", 0, value=True),
    "qpos null": _line(1, "qpos", 0, value=None),
    "qpos short": _line(1, "qpos", value=[0.0]),
    "qpos doubled": lambda f: _line(1, "qpos", value=_qpos(f) * 2)(f),
    "qpos nested": _line(1, "qpos", value=[[0.0]]),
    "qpos an object": _line(1, "qpos", value={}),
    "sim_s NaN": _line(1, "sim_s", value=RAW + "NaN"),
    "sim_s 1e300": _line(-1, "sim_s", value=1e300),
    "sim_s 10^400": _line(1, "sim_s", value=BIG),
    "sim_s a text": _line(1, "sim_s", value="now"),
    "sim_s backwards": _line(1, "sim_s", value=99.0),
    "user too long": _line(1, "user", value=[0.0] * 50),
    "user NaN": _line(1, "user", value=[RAW + "NaN"]),
    "a state is a list": _line(1, value=[1, 2]),
    "only a header": lambda f: _overwrite(f, f.read_bytes().split(b"\n")[0] + b"\n"),
}
MANIFEST_KINDS: dict[str, Callable[[Path], None]] = {
    "schema a text": _field("schema", value="1"),
    "schema null": _field("schema", value=None),
    "schema 10^400": _field("schema", value=BIG),
    "schema 99": _field("schema", value=99),
    "schema -1": _field("schema", value=-1),
    "suite unknown": _field("suite", value="nonesuch"),
    "suite empty": _field("suite", value=""),
    "suite a folder": _field("suite", value="../../x"),
    "started NaN": _field("wall_started_s", value=RAW + "NaN"),
    "started in the year 10^290": _field("wall_started_s", value=1e298),
    "started before Christ": _field("wall_started_s", value=-1e12),
    "configuration empty": _field("configuration", value={}),
    "configuration a list": _field("configuration", value=[]),
    "configuration of numbers": _field("configuration", "llm", value=7),
    "like null": _field("like", value=None),
    "size of 3": _field("like", "size", value=[1, 2, 3]),
    "size negative": _field("like", "size", value=[-1, 2]),
    "calls 10^400": _field("like", "limits", "calls", value=BIG),
    "seeds 10^400": _field("asked", "seeds", value=[BIG]),
    "seeds a text": _field("asked", "seeds", value="0"),
    "tasks unknown": _field("asked", "tasks", value=["nothing"]),
    "digest a number": _field("digest", value=1),
    "a field too many": _field("more", value=1),
}
NOTE_KINDS: dict[str, Callable[[Path], None]] = {
    "wall_s NaN": _field("wall_s", value=RAW + "NaN"),
    "wall_s negative": _field("wall_s", value=-1.0),
    "wall_s 10^400": _field("wall_s", value=BIG),
    "seed 10^400": _field("key", "seed", value=BIG),
    "seed another": _field("key", "seed", value=77),
    "task unknown": _field("key", "task", value="nothing"),
    "task a path": _field("key", "task", value="../../.."),
    "method unknown": _field("key", "method", value="magic"),
    "key null": _field("key", value=None),
    "broken a number": _field("broken", value=3),
}
RECORDS_KINDS: dict[str, Callable[[Path], None]] = {
    "stamp null": _line(0, "stamp", value=None),
    "key short": _line(0, "key", value=["replan"]),
    "key a number": _line(0, "key", value=1),
    "key of lists": _line(0, "key", value=[[], [], [], [], [], []]),
    "outcome unknown": _line(0, "outcome", value="won"),
    "outcome a list": _line(0, "outcome", value=[]),
    "calls a text": _line(0, "calls", value="many"),
    "calls null": _line(0, "calls", value=None),
    "calls 10^400": _line(0, "calls", value=BIG),
    "sim_s NaN": _line(0, "sim_s", value=RAW + "NaN"),
    "sim_s a list": _line(0, "sim_s", value=[1]),
    "alarms a number": _line(0, "alarms", value=7),
    "alarms wide": _line(0, "alarms", value=[[1, 2, 3, 4]]),
    "failures null": _line(0, "failures", value=None),
    "reason a number": _line(0, "reason", value=5),
    "trace a list": _line(0, "trace", value=[]),
    "trace another": _line(0, "trace", value="episodes/x/y/0"),
    "no fields": _line(0, value={"trace": EPISODE}),
    "a list": _line(0, value=[1]),
    "a garbage line": _append(b"garbage\n"),
    "a cut last line": _append(b'{"trace": "ep'),
}
CHECKS_KINDS: dict[str, Callable[[Path], None]] = {
    "stamp null": _line(0, "stamp", value=None),
    "checks a number": _line(0, "checks", value=7),
    "checks wide": _line(0, "checks", value=[[1] * 20]),
    "checks of wrong types": _line(0, "checks", value=[[1, 2, 3, 4, "x", []]]),
    "a list": _line(0, value=[1]),
}


def _qpos(file: Path) -> list[float]:
    found: list[float] = json.loads(file.read_text().splitlines()[1])["qpos"]
    return found


def _stray(name: str, *, folder: bool) -> Damage:
    def do(file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        if folder:
            file.mkdir()
        else:
            file.write_text("a stray file\n")

    return Damage(f"a stray {'folder' if folder else 'file'} {name}", name, do)


STRAYS = (
    _stray("episodes/notes.txt", folder=False),
    _stray("episodes/cubes-match/notes.txt", folder=False),
    _stray("episodes/cubes-match/full/notes.txt", folder=False),
    _stray("episodes/cubes-match/full/0.bak", folder=True),
    _stray("episodes/cubes-match/full/007", folder=True),
    _stray("episodes/cubes-match/full/-1", folder=True),
    _stray("episodes/cubes-match/full/²", folder=True),
    _stray("episodes/cubes-match/full/1e3", folder=True),
    _stray("episodes/cubes-match/full/" + "9" * 200, folder=True),
    _stray("episodes/cubes-match/full/9", folder=False),
    _stray("episodes/cubes-match/full/9", folder=True),
    _stray("episodes/empty", folder=True),
    _stray("episodes/cubes-match/empty", folder=True),
)
COPIED = Damage(
    "an episode copied to 0.bak",
    "episodes/cubes-match/full/0.bak",
    lambda file: shutil.copytree(file.with_name("0"), file),
)
RUN_FOLDER = (
    *_all(MANIFEST, FILE_KINDS | MANIFEST_KINDS | {"gone": _gone}),
    *_all(NOTE, FILE_KINDS | NOTE_KINDS | {"gone": _gone}),
    *_all(TRACE, {n: _forged(do) for n, do in (FILE_KINDS | TRACE_KINDS).items()}),
    *_all(TRACE, {"gone": _gone, "changed": TRACE_KINDS["sim_s 10^400"]}),
    *_all(RECORDS, FILE_KINDS | RECORDS_KINDS | {"gone": _gone}),
    *_all(CHECKS, FILE_KINDS | CHECKS_KINDS | {"gone": _gone}),
    *STRAYS,
    COPIED,
    Damage("episodes is a file", "episodes", lambda f: (_gone(f), f.write_text("x"))[0]),
    Damage("episodes is gone", "episodes", _gone),
)
EPISODE_FOLDER = (
    *_all("trace.jsonl", FILE_KINDS | TRACE_KINDS | {"gone": _gone}),
    Damage("images is gone", "images", _gone),
    Damage("images is a file", "images", lambda f: (_gone(f), f.write_text("x"))[0]),
)
FILMED = _all("states.jsonl", FILE_KINDS | STATES_KINDS | {"gone": _gone})
