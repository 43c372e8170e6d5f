"""Models of your own: anything that answers messages, anything that answers questions on pictures.

`complete` and `answer` are all that a method ever calls. Here a language model is asked twice about
each plan and the shorter plan is taken, and a vision model says "unknown" when it is too dark.

    python examples/03_your_own_model.py
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from regrasp.core.answer import QuestionKind, Verdict
from regrasp.embedded.resolve import resolve_language
from regrasp.episodes.runner import EpisodeSpec, Recording, WorldTask, run_episode
from regrasp.episodes.setting import Setting, oracle_of
from regrasp.methods.registry import open_method
from regrasp.models.cancel import CancelToken
from regrasp.models.images import ImageData
from regrasp.models.language import (
    Capabilities,
    Completions,
    LanguageModel,
    Request,
    RequestModel,
)
from regrasp.models.vision import Answer, VisionModel


class ShorterOfTwo(RequestModel):
    """Asks another model for two samples and keeps the shorter one."""

    def __init__(self, inner: LanguageModel) -> None:
        self.inner = inner

    @property
    def name(self) -> str:
        return f"shorter-of-two({self.inner.name})"

    @property
    def capabilities(self) -> Capabilities:
        return self.inner.capabilities

    def respond(self, request: Request, cancel: CancelToken | None = None) -> Completions:
        both = replace(request, n=2, temperature=0.7).send(self.inner, cancel)
        best = min(both.items, key=lambda completion: len(completion.text))
        return replace(both, items=(best,) * request.n)


class NotInTheDark:
    """Another vision model, asked only about pictures that are bright enough."""

    def __init__(self, inner: VisionModel, darkest: float = 20.0) -> None:
        self.inner, self.darkest = inner, darkest

    @property
    def name(self) -> str:
        return f"not-in-the-dark({self.inner.name})"

    def answer(
        self,
        images: Sequence[ImageData],
        question: str,
        *,
        kind: QuestionKind = QuestionKind.YES_NO,
        seed: int | None = None,
        cancel: CancelToken | None = None,
    ) -> Answer:
        if images and max(image.to_array().mean() for image in images) < self.darkest:
            return Answer(Verdict.UNKNOWN, "too dark to see")
        return self.inner.answer(images, question, kind=kind, seed=seed, cancel=cancel)


def my_vision(setting: Setting) -> VisionModel:
    """The vision model for a setting; one that needs no simulator leaves `setting` aside."""
    return NotInTheDark(oracle_of(setting))


def main() -> bool:
    out = Path(tempfile.mkdtemp()) / "run"
    spec = EpisodeSpec(
        place=WorldTask("cabinet", "open", seed=0),
        method=open_method("replan"),
        method_name="replan",
        language=ShorterOfTwo(resolve_language("scripted")),
        vision=my_vision,
        instruction="tuck the yellow_cube away in the wooden_cabinet",
        recording=Recording(video=False),
    )
    ended = run_episode(spec, out)
    print(
        f"{'done' if ended.done else 'not done'}: {ended.claim.reason}; {ended.spent.calls} calls"
    )
    return ended.done


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
