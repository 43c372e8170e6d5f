"""What the layers of a method say, check and change is on the page of a run."""

from __future__ import annotations

from pathlib import Path

from runs import Recorder

from regrasp.core.event import (
    CommandChecked,
    Layer,
    LayerMessage,
    ReplanLevel,
    Replanned,
    RunEnded,
    RunStarted,
)
from regrasp.core.feedback import FailureCode, Feedback, FeedbackLevel
from regrasp.core.outcome import Outcome
from regrasp.core.trace import read_trace
from regrasp.view.page import write_page
from regrasp.view.run_timeline import build_timeline

CAPPED = Feedback(
    FeedbackLevel.LOGICAL,
    FailureCode.UNMET_PRECONDITION,
    "pour gin_bottle into first_glass cannot be done.",
    "gin_bottle is closed with its cap.",
    "unscrew gin_bottle would help.",
)


def test_messages_failed_checks_and_replans_are_entries(tmp_path: Path) -> None:
    record = Recorder(tmp_path)
    record.write(RunStarted("bar", "make-drink", 0, "a martini", "copal", {}))
    record.write(
        LayerMessage(Layer.SPECIFIER, Layer.COMMANDER, "pour the gin"),
        CommandChecked("get(gin_bottle, shelf)"),
        CommandChecked("pour(gin_bottle, first_glass)", CAPPED),
        Replanned(ReplanLevel.MID, "pour(gin_bottle, first_glass)", CAPPED, ("make true",), ("a",)),
        RunEnded(Outcome.SUCCEEDED),
    )
    entries = build_timeline(read_trace(tmp_path)).entries
    assert [type(one.what).__name__ for one in entries[:3]] == [
        "LayerMessage", "CommandChecked", "Replanned",
    ]  # fmt: skip
    page = write_page(tmp_path).read_text(encoding="utf-8")
    for text in ("specifier → commander", CAPPED.reason, "Replan (mid)", "make true"):
        assert text in page
