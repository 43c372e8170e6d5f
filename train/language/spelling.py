"""The tokenizer of the GGUF file, and a question as the tokens that llama.cpp makes of it."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import gguf
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers

_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
    r"\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""How Qwen's tokenizer cuts a text into words."""


class Spelling:
    """Text to tokens and back, as the file's own vocabulary and merges have it."""

    def __init__(self, path: Path) -> None:
        reader = gguf.GGUFReader(str(path))
        tokens = reader.fields["tokenizer.ggml.tokens"].contents()
        self.START, self.END = map(tokens.index, ("<|im_start|>", "<|im_end|>"))
        merges = reader.fields["tokenizer.ggml.merges"].contents()
        pairs = [tuple(merge.split(" ", 1)) for merge in merges]
        self._bpe = Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, pairs))
        qwen = reader.fields["tokenizer.ggml.pre"].contents() == "qwen2"
        cut = pre_tokenizers.Split(Regex(_QWEN if qwen else r"\p{N}"), "isolated")
        self._bpe.pre_tokenizer = pre_tokenizers.Sequence(
            [cut, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not qwen)]
        )
        self._bpe.decoder = decoders.ByteLevel()
        self._line = self.plain("\n")
        self._opening_of_answer = [*self._line, self.START, *self.plain("assistant\n")]

    def text(self, ids: list[int]) -> str:
        """What the tokens spell."""
        return str(self._bpe.decode([i for i in ids if i != self.END], skip_special_tokens=False))

    def plain(self, text: str) -> list[int]:
        """The tokens of a text in which nothing is a mark."""
        return list(self._bpe.encode(text).ids)

    def many(self, texts: list[str]) -> list[list[int]]:
        """`plain` of each, on all cores."""
        return [found.ids for found in self._bpe.encode_batch(texts)]

    @staticmethod
    def turns(contents: list[str]) -> list[str]:
        """What follows the system's text, by turns of user and assistant, each with its role."""
        roles = itertools.cycle(("user", "assistant"))
        return [f"{role}\n{content}" for role, content in zip(roles, contents[1:], strict=False)]

    def asked(self, contents: list[str]) -> list[int]:
        """The chat template of a conversation up to where the answer begins."""
        return self.asked_ids(contents[0], [self.plain(turn) for turn in self.turns(contents)])

    @cache  # noqa: B019  -- one tokenizer lives as long as the process
    def _opening(self, system: str) -> tuple[int, ...]:
        return (self.START, *self.plain(f"system\n{system}"), self.END, *self.plain("\n"))

    def asked_ids(self, system: str, turns: list[list[int]]) -> list[int]:
        """The same, with the turns after the system's already in tokens."""
        ids = list(self._opening(system))
        for number, turn in enumerate(turns):
            ids += [*(self._line if number else ()), self.START, *turn, self.END]
        return ids + self._opening_of_answer
