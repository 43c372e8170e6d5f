"""Whether an episode's folder holds an episode of its run: what was played, and nothing else.

A folder may have been copied, renamed, mixed up with another run's, or changed. Its note has the
episode's key, the digest of its job and the digest of its trace. All three must agree with the
place of the folder, the manifest of the run, and the trace. What does not is listed and left out.
"""

from __future__ import annotations

from regrasp.bench.layout import EpisodeNote, episode_path
from regrasp.bench.manifest import Manifest

__all__ = ["why_left_out"]


def why_left_out(manifest: Manifest, note: EpisodeNote, where: str, trace: str) -> str:
    """Why the episode at `where` with this note and trace digest does not count; empty if it does.

    Schema 1 of the manifest had no digests: then key and place alone must agree.
    """
    key, like = note.key, manifest.like.key
    if episode_path(key) != where:
        return f"its note is of another episode ({key})"
    for name in ("suite", "llm", "vlm"):
        if getattr(key, name) != getattr(like, name):
            return f"it was played with another {name} ({getattr(key, name)})"
    if manifest.schema < 2 and not note.job:
        return ""
    if note.job != manifest.job_digest(key):
        return "it was played with another configuration"
    if note.trace != trace:
        return "its trace was changed after it was played"
    return ""
