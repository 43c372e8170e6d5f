"""One string names a model.

| string | model |
|---|---|
| `scripted` | rules over the prompt's own text; no weights, no network |
| `embedded` | the same weights with our adapters, trained on the prompts of all methods |
| `embedded-base` | SmolLM2-135M-Instruct as `regrasp models pull` fetched it |
| `gguf:PATH` | a GGUF file through llama.cpp; a bare name may be of a file in the cache |
| `openai:NAME` | OpenAI's API, or the server that OPENAI_BASE_URL names; key in OPENAI_API_KEY |
| `http://HOST:PORT/v1#NAME` | any chat-completions server; key, if any, in REGRASP_API_KEY |
| `embedded` | vision: the embedded vision model, trained on our worlds (docs/models/vision.md) |
| `transformers:FOLDER` | vision: a vision-language model of transformers in a local folder |
| `recorded:FILE` | replies on a cassette |
| `recorded:FILE#MODEL` | MODEL, its replies recorded on a cassette |
| `degraded:FAULT=RATE,…:MODEL` | MODEL, degraded |
| `bayes:MODEL`, `majority:MODEL` | vision: MODEL, asked about each picture separately |
| `FILE.py:NAME`, `MODULE:NAME` | a user's model, or a function or class that makes one |

The tables at the end of this file map each prefix to a function that imports what it needs.
"""

# ruff: noqa: PLC0415  -- a name imports what it needs when it is used: no HTTP client before that

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from regrasp.core.errors import RegraspError, UnknownNameError
from regrasp.core.loading import is_address, load_object
from regrasp.core.redact import redact
from regrasp.models.language import LanguageModel
from regrasp.models.vision import LanguageVision, VisionModel

if TYPE_CHECKING:
    from regrasp.models.cassette import Cassette

__all__ = [
    "LANGUAGE_MODELS", "VISION_MODELS", "chooses_by_things", "resolve_language", "resolve_vision",
]  # fmt: skip

M = TypeVar("M")
MakeVision: TypeAlias = Callable[[str, tuple[str, ...]], VisionModel]

_LANGUAGE = "language model"
_INNER = re.compile("[:#]")  # between a wrapper and the model in it


def resolve_language(name: str) -> LanguageModel:
    """The language model of that name; UnknownNameError lists the valid forms."""
    return _look_up(LANGUAGE_MODELS, _LANGUAGE, name)


def resolve_vision(name: str, things: tuple[str, ...] = ()) -> VisionModel:
    """The vision model of that name; any language model that takes images can be used.

    `things` are the names of the robot's objects: the embedded model chooses its network by them.
    """
    return _look_up(VISION_MODELS, "vision model", name, things)


def chooses_by_things(name: str) -> bool:
    """Whether the vision model of that name depends on the things it is asked about."""
    return _INNER.split(name)[-1] == "embedded"


def _look_up(table: Mapping[str, Callable[..., M]], what: str, name: str, *more: Any) -> M:
    prefix, colon, rest = name.partition(":")
    entry = prefix + colon
    if prefix in ("http", "https"):
        entry, rest = f"{prefix}://", name
    if entry in table:
        return table[entry](rest, *more)
    if is_address(name) and prefix not in table:
        return cast("M", _own(what, name))
    raise UnknownNameError(what, redact(name), (*table, "FILE.py:NAME"))


def _own(what: str, address: str) -> Any:
    """A user's model: an object with the protocol's method, or a function that makes one."""
    method = "complete" if what == _LANGUAGE else "answer"
    found: Any = load_object(address, "make")
    if isinstance(found, type) or not hasattr(found, method):
        found = found() if callable(found) else found
    if not hasattr(found, method) or not hasattr(found, "name"):
        raise RegraspError(f"{address} is no {what}: it needs `name` and `{method}`.")
    return found


def _scripted(_: str) -> LanguageModel:
    from regrasp.embedded.scripted import ScriptedModel

    return ScriptedModel()


def _embedded(_: str) -> LanguageModel:
    from regrasp.embedded.language import EmbeddedModel

    return EmbeddedModel()


def _embedded_base(_: str) -> LanguageModel:
    from regrasp.models.local import LocalModel
    from regrasp.models.pull import BASE_SHA256, base_weights

    return LocalModel(base_weights(), name="embedded-base", sha256=BASE_SHA256)


def _gguf(path: str) -> LanguageModel:
    from regrasp.models.local import LocalModel
    from regrasp.models.pull import gguf_file

    return LocalModel(gguf_file(path), name=f"gguf:{path}")


def _openai(name: str) -> LanguageModel:
    from regrasp.models.openai_compatible import OPENAI_URL, OpenAICompatible

    url = os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
    return OpenAICompatible(url, name, name=f"openai:{name}", key_env="OPENAI_API_KEY")


def _http(address: str) -> LanguageModel:
    from regrasp.models.openai_compatible import OpenAICompatible

    url, _, name = address.partition("#")
    return OpenAICompatible(url, name)


def _recorded_language(rest: str) -> LanguageModel:
    from regrasp.models.recorded import RecordedLanguage

    cassette, inner = _on_cassette(rest)
    return RecordedLanguage(cassette, resolve_language(inner) if inner else None)


def _recorded_vision(rest: str, things: tuple[str, ...]) -> VisionModel:
    from regrasp.models.recorded import RecordedVision

    cassette, inner = _on_cassette(rest)
    return RecordedVision(cassette, resolve_vision(inner, things) if inner else None)


def _on_cassette(rest: str) -> tuple[Cassette, str]:
    """The cassette, and the name of the model to ask; without a model it only replays."""
    from regrasp.models.cassette import Cassette

    file, _, inner = rest.partition("#")
    if not inner and not Path(file).is_file():
        raise RegraspError(
            f"there is no cassette {file!r} to replay; record one with recorded:{file}#MODEL."
        )
    return Cassette(Path(file)), inner


def _degraded_language(rest: str) -> LanguageModel:
    from regrasp.models.degraded import DegradedLanguage, Faults

    faults, _, inner = rest.partition(":")
    return DegradedLanguage(resolve_language(inner), Faults.parse(faults))


def _degraded_vision(rest: str, things: tuple[str, ...]) -> VisionModel:
    from regrasp.models.degraded import DegradedVision, Faults

    faults, _, inner = rest.partition(":")
    return DegradedVision(resolve_vision(inner, things), Faults.parse(faults))


def _each_picture(how: str) -> MakeVision:
    def make(inner: str, things: tuple[str, ...]) -> VisionModel:
        from regrasp.models.fusion import Ensemble

        return Ensemble(resolve_vision(inner, things), how)

    return make


def _seeing(make: Callable[[str], LanguageModel]) -> MakeVision:
    return lambda rest, _: LanguageVision(make(rest))


def _embedded_vision(_: str, things: tuple[str, ...]) -> VisionModel:
    from regrasp.embedded.vision.model import EmbeddedVision

    return EmbeddedVision(things=things)


def _transformers(folder: str, _: tuple[str, ...]) -> VisionModel:
    from regrasp.models.transformers_vision import TransformersVision

    return TransformersVision(Path(folder))


LANGUAGE_MODELS: Mapping[str, Callable[[str], LanguageModel]] = {
    "scripted": _scripted,
    "embedded": _embedded,
    "embedded-base": _embedded_base,
    "gguf:": _gguf,
    "openai:": _openai,
    "http://": _http,
    "https://": _http,
    "recorded:": _recorded_language,
    "degraded:": _degraded_language,
}
"""The function that makes a language model, for each prefix."""

VISION_MODELS: Mapping[str, MakeVision] = {
    "embedded": _embedded_vision,
    "transformers:": _transformers,
    "gguf:": _seeing(_gguf),
    "openai:": _seeing(_openai),
    "http://": _seeing(_http),
    "https://": _seeing(_http),
    "recorded:": _recorded_vision,
    "degraded:": _degraded_vision,
    "bayes:": _each_picture("bayes"),
    "majority:": _each_picture("majority"),
}
"""The function that makes a vision model of the rest of a name and things, for each prefix."""
