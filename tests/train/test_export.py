"""The graphs that ship are those that the trained weights give, and answer as the network does."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest

from regrasp.embedded.vision.network import FILES, WEIGHTS, Network
from regrasp.lab.vision.labelled_scene import generate_scenes
from regrasp.models.images import ImageData

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

sys.path.append(str(Path(__file__).parents[2]))  # `train` is no part of the package
TRAINED = Path(__file__).parents[2] / "train" / "vision" / "vision.pt"


def test_the_trained_weights_give_the_graphs_that_ship(tmp_path: Path) -> None:
    from train.vision.export import export
    from train.vision.train import VisionNet

    kept = torch.load(TRAINED, map_location="cpu", weights_only=True)
    net = VisionNet(len(kept["words"]) + 2).eval()
    net.load_state_dict(kept["weights"])
    export(net, kept["words"], kept["temperature"], kept["ranges"], tmp_path)
    made, shipped = (
        {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}
        for folder in (tmp_path, WEIGHTS)
    )
    assert made == shipped


def test_in_8_bits_it_answers_as_in_floats() -> None:
    from train.vision.train import VisionNet

    kept = torch.load(TRAINED, map_location="cpu", weights_only=True)
    net = VisionNet(len(kept["words"]) + 2).eval()
    net.load_state_dict(kept["weights"])
    shipped = Network()
    alike, asked = 0, 0
    for exhibit in generate_scenes("cubes", [1, 2, 3], states=2):
        views = [exhibit.pictures[camera] for camera in exhibit.cameras]
        spelt = [shipped.known.canonical(one.text) for one in exhibit.questions]
        numbers = [n for text in spelt if text and (n := shipped.vocabulary.numbers(text))]
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
