"""A recorded conversation with the robot of a world: one trace, many requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from regrasp.core.event import SkillEnded
from regrasp.core.trace import TraceEntry
from regrasp.episodes.runner import EpisodeResult, EpisodeSpec, run_episode
from regrasp.methods.chat import Chat, ChatPartner

__all__ = ["PreparedPartner", "run_chat"]

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]*)?")


class PreparedPartner:
    """Says prepared lines; `@12 stop` is said at second 12 of the robot's clock, or later.

    `heard` are the robot's replies.
    """

    def __init__(
        self, lines: Iterable[str], hear: Callable[[str], None] = lambda text: None
    ) -> None:
        self._next: list[str] = []
        self._timed: list[tuple[float, str]] = []
        for line in lines:
            at, _, text = line.removeprefix("@").partition(" ")
            if line.startswith("@") and _SECONDS.fullmatch(at):
                self._timed.append((float(at), text))
            else:
                self._next.append(line)
        self._hear = hear
        self.heard: list[str] = []

    def next(self) -> str | None:
        """See `ChatPartner`."""
        return self._next.pop(0) if self._next else None

    def interjection(self, seconds: float) -> str:
        """See `ChatPartner`."""
        if self._timed and seconds >= self._timed[0][0]:
            return self._timed.pop(0)[1]
        return ""

    def hear(self, text: str) -> None:
        """See `ChatPartner`."""
        self.heard.append(text)
        self._hear(text)


def run_chat(
    spec: EpisodeSpec,
    partner: ChatPartner,
    out: Path | str,
    *,
    recipe_files: Iterable[str] = (),
    watch: Callable[[TraceEntry], None] = lambda entry: None,
) -> EpisodeResult:
    """Talk with the robot of `spec.place`; the method is CoPAL, in any configuration."""
    talk = Chat(partner, spec.method, tuple(recipe_files))

    def observe(entry: TraceEntry) -> None:
        if isinstance(entry.event, SkillEnded):
            talk.record(entry.stamp.sim_s, entry.event.report)
        watch(entry)

    whole = replace(spec, method=talk.run, instruction="", judged=False, read_first=False)
    return run_episode(whole, out, watch=observe)
