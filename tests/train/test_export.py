"""The graphs that ship are those that the trained weights give, and answer as the network does."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from regrasp.embedded.vision.network import (
    FIRST,
    TWO_HANDS,
    WEIGHTS,
    Network,
    read_about,
    weights_files,
)
from regrasp.lab.vision.kinds import questions_in
from regrasp.lab.vision.labelled_scene import generate_scenes
from regrasp.lab.vision.pictured import FIRST_WORLDS
from regrasp.models.images import ImageData

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")
pytest.importorskip("onnx.numpy_helper")

sys.path.append(str(Path(__file__).parents[2]))  # `train` is no part of the package
TRAINED = {
    FIRST: Path(__file__).parents[2] / "train" / "vision" / "vision.pt",
    TWO_HANDS: Path(__file__).parents[2] / "train" / "vision" / "two_hands.pt",
}
BOTH = pytest.mark.parametrize("name", TRAINED)


@BOTH
def test_the_trained_weights_give_the_graphs_that_ship(name: str, tmp_path: Path) -> None:
    """The same nodes, and the same numbers but for the last digit, which libraries round."""
    from train.vision.export import export
    from train.vision.train import VisionNet

    kept = torch.load(TRAINED[name], map_location="cpu", weights_only=True)
    net = VisionNet(len(kept["words"]) + 2).eval()
    net.load_state_dict(kept["weights"])
    known = questions_in(kept.get("worlds", FIRST_WORLDS)).without(kept.get("left_out", ()))
    export(
        net, kept["words"], known, kept["temperature"], kept["ranges"], tmp_path,
        name=name, least=kept.get("least"),
    )  # fmt: skip
    assert read_about(name, tmp_path) == read_about(name)
    for file in weights_files(name)[:3]:
        made, shipped = (onnx.load(folder / file).graph for folder in (tmp_path, WEIGHTS))
        assert list(made.node) == list(shipped.node)
        for ours, theirs in zip(made.initializer, shipped.initializer, strict=True):
            assert ours.name == theirs.name
            a, b = (onnx.numpy_helper.to_array(one) for one in (ours, theirs))
            assert a.dtype == b.dtype
            off = 1 if a.dtype.kind in "iu" else 1e-6
            np.testing.assert_allclose(a.astype(float), b.astype(float), rtol=1e-4, atol=off)


@pytest.mark.parametrize(("name", "world"), [(FIRST, "cubes"), (TWO_HANDS, "blocks")])
def test_in_8_bits_it_answers_as_in_floats(name: str, world: str) -> None:
    from train.vision.train import VisionNet

    pytest.importorskip("onnxruntime")
    kept = torch.load(TRAINED[name], map_location="cpu", weights_only=True)
    net = VisionNet(len(kept["words"]) + 2).eval()
    net.load_state_dict(kept["weights"])
    shipped = Network(name)
    alike, asked = 0, 0
    for exhibit in generate_scenes(world, [1, 2, 3], states=2):
        views = [exhibit.pictures[camera] for camera in exhibit.cameras]
        spelt = [shipped.about.known.canonical(one.text) for one in exhibit.questions]
        numbers = [n for text in spelt if text and (n := shipped.about.vocabulary.numbers(text))]
        pictures = torch.from_numpy(np.stack(views)).permute(0, 3, 1, 2)[None].float()
        with torch.no_grad():
            scores = net(pictures, torch.tensor(numbers)[None])[0] / kept["temperature"]
        wanted = torch.softmax(scores, -1).numpy()
        images = [ImageData.from_array(view) for view in views]
        found = shipped.chances(images, [shipped.read(one) for one in numbers])
        alike += int((found.argmax(1) == wanted.argmax(1)).sum())
        asked += len(numbers)
        assert np.median(np.abs(found - wanted).max(1)) < 0.02
    assert asked > 50
    assert alike >= 0.98 * asked
