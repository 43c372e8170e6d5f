"""Scores count what they say they count; the dataset holds what was asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.lab.vision.dataset import write_dataset
from regrasp.lab.vision.evaluation import HELD_OUT_SEED, Reply, held_out, replies, score
from regrasp.lab.vision.labelled_scene import LabelledScene
from regrasp.lab.vision.questions import LabelledQuestion
from regrasp.lab.vision.wording import Topic
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.vision import Answer

EXHIBIT = LabelledScene("cubes", 0, {}, {}, ())
ASKING = LabelledQuestion(Topic.ON, "Is the red cube on the crate?", "yes", (), False)


def reply(truth: str, said: Verdict, sure: float | None = None) -> Reply:
    return Reply(EXHIBIT, ASKING, truth, Answer(said, str(said), sure, 0.002))


def test_rates() -> None:
    said = [
        reply("yes", Verdict.YES),
        reply("yes", Verdict.YES),
        reply("yes", Verdict.NO),
        reply("yes", Verdict.UNKNOWN),
        reply("no", Verdict.NO),
        reply("no", Verdict.YES),
    ]
    found = score("all", said)
    assert (found.questions, found.accuracy) == (6, 0.5)
    assert (found.tpr, found.tnr) == (0.5, 0.5)
    assert (found.ppv, found.npv) == (2 / 3, 0.5)
    assert (found.ece, found.latency_ms) == (None, 2.0)


def test_calibration() -> None:
    honest = [reply("yes", Verdict.YES, 0.75)] * 3 + [reply("no", Verdict.YES, 0.75)]
    boastful = [reply("yes", Verdict.YES, 0.95)] * 2 + [reply("no", Verdict.YES, 0.95)] * 2
    assert score("honest", honest).ece == pytest.approx(0.0)
    assert score("boastful", boastful).ece == pytest.approx(0.45)
    assert score("both", honest + boastful).curve == ((0.75, 0.75, 4), (0.95, 0.5, 4))


class Yes:
    """Says yes to everything."""

    name = "yes"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        assert len(images) == 2
        return Answer(Verdict.YES, "yes", 0.9)


def test_held_out_exhibits_are_scored_and_exported(tmp_path: Path) -> None:
    shown = list(held_out("cubes", 30))
    assert shown[0].seed == HELD_OUT_SEED
    said = list(replies(Yes(), shown))
    assert len(said) >= 30
    found = score("all", said)
    assert found.tpr == 1.0
    assert found.tnr == 0.0
    assert any(one.asking.unseen for one in said)

    count = write_dataset(shown, tmp_path / "set")
    rows = [json.loads(s) for s in (tmp_path / "set" / "questions.jsonl").read_text().splitlines()]
    assert len(rows) == count == len(said)
    assert [(r["question"], r["answer"]) for r in rows] == [(r.asking.text, r.truth) for r in said]
    assert all((tmp_path / "set" / name).is_file() for name in rows[0]["pictures"])
    with pytest.raises(RegraspError, match="not empty"):
        write_dataset(shown, tmp_path / "set")
