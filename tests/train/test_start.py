"""Training goes on from earlier weights although the vocabulary has grown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

sys.path.append(str(Path(__file__).parents[2]))  # `train` is no part of the package
TRAINED = Path(__file__).parents[2] / "train" / "vision" / "vision.pt"


def test_known_words_keep_their_rows_and_new_ones_get_their_own() -> None:
    from train.vision.data import vocabulary
    from train.vision.train import VisionNet, load_into

    from regrasp.embedded.vision.words import Vocabulary

    earlier = torch.load(TRAINED, map_location="cpu", weights_only=True)
    grown = Vocabulary(tuple(sorted({*vocabulary().words, *earlier["words"], "aardvark"})))
    net = VisionNet(grown.size)
    fresh = net.state_dict()["ask.word.weight"].clone()
    load_into(net, grown, TRAINED)
    table, before = net.state_dict()["ask.word.weight"], earlier["weights"]["ask.word.weight"]
    for row, word in enumerate(earlier["words"], 2):
        assert torch.equal(table[grown.words.index(word) + 2], before[row]), word
    new = grown.words.index("aardvark") + 2
    assert torch.equal(table[new], fresh[new])
    assert torch.equal(
        net.state_dict()["see.memory.weight"], earlier["weights"]["see.memory.weight"]
    )
