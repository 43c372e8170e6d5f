"""Vision-language models of `transformers` from a local folder: BLIP-VQA, Qwen-VL and similar.

Nothing is downloaded: the folder holds the weights, the configuration and the processor, as
`save_pretrained` writes them. A model with a chat template gets a conversation with all pictures; a
model without one, such as BLIP-VQA, takes one picture and a question, and is asked about each
picture in turn.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.core.errors import RegraspError
from regrasp.models.cancel import CancelToken
from regrasp.models.fusion import combine
from regrasp.models.vision import Answer, VisionRequest, VisionRequestModel, read_yes_no

__all__ = ["TransformersVision"]

_RULES = {
    QuestionKind.YES_NO: "Answer with one word: yes, no, or unknown if it cannot be seen.",
    QuestionKind.OPEN: "Answer in one short sentence.",
}


class TransformersVision(VisionRequestModel):
    """A `VisionModel` over the model in `folder`, on `device` (the GPU if there is one)."""

    def __init__(self, folder: Path, *, device: str = "", max_tokens: int = 48) -> None:
        if not (folder / "config.json").is_file():
            raise RegraspError(
                f"{folder} holds no config.json: give the folder of a transformers model, as "
                "save_pretrained writes it."
            )
        try:
            import torch  # noqa: PLC0415 -- gigabytes, and seconds to load
            import transformers  # noqa: PLC0415
        except ImportError:
            raise RegraspError(
                "transformers models need PyTorch and transformers: "
                "pip install 'regrasp[transformers]'."
            ) from None
        self._folder, self._max_tokens, self._torch = folder, max_tokens, torch
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._processor: Any = transformers.AutoProcessor.from_pretrained(
            folder, local_files_only=True
        )
        self._chats = bool(getattr(self._processor, "chat_template", None))
        self._model: Any = _open(transformers, folder).to(self._device).eval()

    @property
    def name(self) -> str:
        """`transformers:` and the folder's own name."""
        return f"transformers:{self._folder.name}"

    def respond(self, request: VisionRequest, cancel: CancelToken | None = None) -> Answer:
        """Decode greedily, so the seed changes nothing."""
        began = time.perf_counter()
        if cancel is not None:
            cancel.check()
        pictures = [Image.fromarray(image.to_array()) for image in request.images]
        if not pictures:
            return Answer(Verdict.UNKNOWN, str(Verdict.UNKNOWN))
        if self._chats:
            inputs = [self._conversation(pictures, request.question, request.kind)]
        else:
            inputs = [
                self._processor(images=picture, text=request.question, return_tensors="pt")
                for picture in pictures
            ]
        answers = [self._generate(one, request.kind) for one in inputs]
        answer = answers[0] if self._chats else combine(answers, request.kind)
        return replace(answer, latency_s=time.perf_counter() - began)

    def _conversation(self, pictures: list[Image.Image], question: str, kind: QuestionKind) -> Any:
        content: list[dict[str, str]] = [{"type": "image"} for _ in pictures]
        content.append({"type": "text", "text": f"{question} {_RULES[kind]}"})
        text = self._processor.apply_chat_template(
            [{"role": "user", "content": content}], add_generation_prompt=True
        )
        return self._processor(images=pictures, text=text, return_tensors="pt")

    def _generate(self, inputs: Any, kind: QuestionKind) -> Answer:
        """The reply; its confidence is the probability of its first word, if scores are given."""
        inputs = inputs.to(self._device)
        with self._torch.inference_mode():
            made = self._model.generate(
                **inputs, max_new_tokens=self._max_tokens, do_sample=False,
                return_dict_in_generate=True, output_scores=True,
            )  # fmt: skip
        tokens = made.sequences[0]
        if self._chats:  # a conversation is continued, so the output begins with the prompt
            tokens = tokens[inputs["input_ids"].shape[1] :]
        text = str(self._processor.decode(tokens, skip_special_tokens=True)).strip()
        verdict = read_yes_no(text) if kind is QuestionKind.YES_NO else Verdict.TEXT
        scores = getattr(made, "scores", None)
        if not scores:
            return Answer(verdict, text)
        first = float(scores[0][0].float().log_softmax(-1).max())
        return Answer(verdict, text, math.exp(first))


def _open(transformers: Any, folder: Path) -> Any:
    """The model in `folder`, of the class that it was saved as.

    BLIP has one configuration for captions and for answers; loaded as the wrong class it would run
    with half of its weights random.
    """
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    saved_as = " ".join(config.get("architectures") or ())
    kind = (
        transformers.AutoModelForVisualQuestionAnswering
        if "QuestionAnswering" in saved_as
        else transformers.AutoModelForImageTextToText
    )
    try:
        return kind.from_pretrained(folder, local_files_only=True)
    except (ValueError, KeyError) as error:
        raise RegraspError(
            f"transformers takes {folder} ({saved_as or 'of no known architecture'}) for no model "
            f"of pictures and text: {str(error).splitlines()[0][:200]}"
        ) from error
