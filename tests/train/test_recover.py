"""The graphs that ship can be trained on: what is recovered from them answers as they do."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from regrasp.models.seeing.network import WEIGHTS
from regrasp.models.seeing.words import Vocabulary

sys.path.append(str(Path(__file__).parents[2]))  # `train` is no part of the package


def test_recovered_weights_answer_as_the_graphs_do() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("onnx")
    import onnxruntime
    from train.eyes.recover import recovered, settle

    rng = np.random.default_rng(0)
    pictures = rng.uniform(0, 255, (2, 3, 224, 224)).astype(np.float32)
    questions = rng.integers(1, 100, (1, 5, 12))
    see, ask = (onnxruntime.InferenceSession(WEIGHTS / f"eyes-{n}.onnx") for n in ("see", "ask"))
    keys, values = see.run(None, {"pictures": pictures[:1]})
    (told,) = ask.run(None, {"keys": keys, "values": values, "questions": questions})
    words = Vocabulary(tuple(json.loads((WEIGHTS / "eyes.json").read_text())["words"]))
    net = recovered(WEIGHTS, words)
    settle(net, torch.from_numpy(pictures)[None])
    norm = net.see.fine[1]
    assert norm.running_mean.abs().max() > 0.01  # it has settled
    with torch.no_grad():
        found = net(torch.from_numpy(pictures)[None, :1], torch.from_numpy(questions))
    assert np.abs(told).max() > 1.0
    assert np.allclose(found, told, atol=1e-3)
