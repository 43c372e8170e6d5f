"""Real loading code on tiny random models of the architectures that people have weights of."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.embedded.resolve import resolve_vision
from regrasp.models.images import ImageData
from regrasp.models.transformers_vision import TransformersVision
from regrasp.models.vision import VisionModel

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "yes", "no", "is", "the", "cube", "there"]
CHAT = (
    "{% for m in messages %}{% for c in m.content %}{% if c.type == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ c.text }}{% endif %}"
    "{% endfor %}{% endfor %}"
)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegraspError, match=r"config\.json"):
        resolve_vision(f"transformers:{tmp_path}")


def _views(count: int = 2) -> list[ImageData]:
    rng = np.random.default_rng(0)
    return [
        ImageData.from_array(rng.integers(0, 255, (32, 32, 3), dtype=np.uint8))
        for _ in range(count)
    ]


def _check(folder: Path, architecture: str) -> None:
    eyes = resolve_vision(f"transformers:{folder}")
    assert isinstance(eyes, TransformersVision)
    assert isinstance(eyes, VisionModel)
    assert type(eyes._model).__name__ == architecture
    assert eyes.name == f"transformers:{folder.name}"
    closed = eyes.answer(_views(), "is the cube there?")
    assert closed.verdict in (Verdict.YES, Verdict.NO, Verdict.UNKNOWN)
    assert closed.latency_s > 0
    opened = eyes.answer(_views(), "is the cube there?", kind=QuestionKind.OPEN)
    assert opened.verdict is Verdict.TEXT
    assert "is the cube there" not in opened.text  # the question is not read back as the answer
    assert opened.confidence is not None
    assert 0 < opened.confidence <= 1
    again = eyes.answer(_views(), "is the cube there?")
    assert (again.verdict, again.text) == (closed.verdict, closed.text)
    assert eyes.answer([], "is the cube there?").verdict is Verdict.UNKNOWN


def test_blip(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("torch")
    folder = tmp_path / "blip"
    (tmp_path / "vocab.txt").write_text("\n".join(WORDS))
    small = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1,
             "num_attention_heads": 2}  # fmt: skip
    config = transformers.BlipConfig(
        text_config={**small, "vocab_size": len(WORDS), "encoder_hidden_size": 16,
                     "bos_token_id": 2, "eos_token_id": 3, "sep_token_id": 3, "pad_token_id": 0},
        vision_config={**small, "image_size": 32, "patch_size": 16},
        projection_dim=16,
    )  # fmt: skip
    transformers.BlipForQuestionAnswering(config).save_pretrained(folder)
    transformers.BlipProcessor(
        transformers.BlipImageProcessor(size={"height": 32, "width": 32}),
        transformers.BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt")),
    ).save_pretrained(folder)
    _check(folder, "BlipForQuestionAnswering")


def test_qwen_vl(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("torch")
    pytest.importorskip("torchvision", reason="transformers wants it to read videos")
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path / "qwen"
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>",
               "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"]  # fmt: skip
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate([*alphabet, *special])}
    bare = tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, []))
    bare.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    bare.decoder = tokenizers.decoders.ByteLevel()
    bare.add_special_tokens(special)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    config = transformers.Qwen2VLConfig(
        text_config={
            "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1,
            "num_attention_heads": 2, "num_key_value_heads": 1, "vocab_size": len(vocabulary),
            "rope_scaling": {"type": "mrope", "rope_type": "default", "mrope_section": [2, 3, 3]},
            "bos_token_id": vocabulary["<|endoftext|>"], "eos_token_id": vocabulary["<|im_end|>"],
            "pad_token_id": vocabulary["<|endoftext|>"],
        },
        vision_config={"depth": 1, "embed_dim": 32, "hidden_size": 32, "num_heads": 2},
        vision_start_token_id=vocabulary["<|vision_start|>"],
        vision_end_token_id=vocabulary["<|vision_end|>"],
        image_token_id=vocabulary["<|image_pad|>"], video_token_id=vocabulary["<|video_pad|>"],
    )  # fmt: skip
    transformers.Qwen2VLForConditionalGeneration(config).save_pretrained(folder)
    transformers.Qwen2VLProcessor(
        transformers.Qwen2VLImageProcessor(min_pixels=28 * 28, max_pixels=56 * 56),
        tokenizer,
        transformers.models.qwen2_vl.Qwen2VLVideoProcessor(),
        chat_template=CHAT,
    ).save_pretrained(folder)
    assert json.loads((folder / "config.json").read_text())["model_type"] == "qwen2_vl"
    _check(folder, "Qwen2VLForConditionalGeneration")
