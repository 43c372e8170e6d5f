"""SmolLM2 or Qwen2.5 in PyTorch, built from the GGUF file that llama.cpp will run, with LoRA.

The weights are the dequantised ones of that file, in its own layout: SmolLM2's queries and keys are
stored for the rotation of neighbouring pairs (x_2i, x_2i+1), Qwen's for that of halves (x_i,
x_i+d/2). So what is learnt beside them needs no permutation on its way back into a GGUF adapter.

    y = W x + (alpha / r) B A x        A: (r, in), B: (out, r), B = 0 at the start
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
"""The layers of a block that are taught, by their names in the file."""


@dataclass(frozen=True)
class Shape:
    """The values of the file's header that the arithmetic needs."""

    family: str
    layers: int
    heads: int
    kv_heads: int
    base: float
    eps: float


class Lora(nn.Module):
    """A frozen linear layer and what is learnt beside it."""

    def __init__(self, weight: Tensor, bias: Tensor | None, rank: int, scale: float) -> None:
        super().__init__()
        self.register_buffer("weight", weight)
        self.register_buffer("bias", bias)
        rows, columns = weight.shape
        self.a = nn.Parameter(torch.randn(rank, columns) * columns**-0.5)
        self.b = nn.Parameter(torch.zeros(rows, rank))
        self.scale = scale

    def forward(self, x: Tensor) -> Tensor:
        """The layer's output."""
        low = F.linear(x, self.a.to(x.dtype))
        return F.linear(x, self.weight, self.bias) + F.linear(low, self.b.to(x.dtype)) * self.scale


class Network(nn.Module):
    """The whole model; `forward` gives the hidden states before the output layer."""

    def __init__(self, path: Path, rank: int, scale: float, dtype: torch.dtype) -> None:
        super().__init__()
        reader = gguf.GGUFReader(str(path))
        tensors = {t.name: t for t in reader.tensors}
        family = reader.fields["general.architecture"].contents()
        self.shape = Shape(family, *(reader.fields[f"{family}.{k}"].contents() for k in (
            "block_count", "attention.head_count", "attention.head_count_kv", "rope.freq_base",
            "attention.layer_norm_rms_epsilon")))  # fmt: skip

        def take(name: str) -> Tensor | None:
            if name not in tensors:
                return None
            values = gguf.quants.dequantize(tensors[name].data, tensors[name].tensor_type)
            return torch.from_numpy(np.array(values)).to(dtype)

        self.register_buffer("embedding", take("token_embd.weight"))
        self.register_buffer("output", take("output.weight"))
        self.register_buffer("output_norm", take("output_norm.weight"))
        self.blocks = nn.ModuleList()
        for i in range(self.shape.layers):
            block = nn.Module()
            for name in LINEAR:
                weight, bias = (take(f"blk.{i}.{name}.{part}") for part in ("weight", "bias"))
                block.add_module(name, Lora(weight, bias, rank, scale))
            for name in ("attn_norm", "ffn_norm"):
                block.register_buffer(name, take(f"blk.{i}.{name}.weight"))
            self.blocks.append(block)

    def forward(
        self,
        tokens: Tensor,
        positions: Tensor | None = None,
        mask: Tensor | None = None,
        cache: list[tuple[Tensor, Tensor]] | None = None,
    ) -> Tensor:
        """Hidden states (batch, length, width) of `tokens` (batch, length).

        With a `cache` of keys and values (batch, kv heads, earlier, 64) per block, `tokens` go on
        from there and the cache grows. Without a `mask`, attention is causal.
        """
        if positions is None:
            positions = torch.arange(tokens.shape[1], device=tokens.device)[None]
        turn = self._turn(positions)
        x = F.embedding(tokens, self.embedding)
        for i, block in enumerate(self.blocks):
            x = x + self._attend(block, self._norm(x, block.attn_norm), turn, mask, cache, i)
            h = self._norm(x, block.ffn_norm)
            x = x + block.ffn_down(F.silu(block.ffn_gate(h)) * block.ffn_up(h))
        return self._norm(x, self.output_norm)

    def logits(self, hidden: Tensor) -> Tensor:
        """Log-odds of every token, in 32 bits."""
        return F.linear(hidden, self.embedding if self.output is None else self.output).float()

    def _norm(self, x: Tensor, weight: Tensor) -> Tensor:
        return F.rms_norm(x, (x.shape[-1],), weight, self.shape.eps)

    def _turn(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        width = self.embedding.shape[1] // self.shape.heads
        steps = torch.arange(0, width, 2, device=positions.device, dtype=torch.float32)
        angles = positions[..., None].float() * self.shape.base ** (-steps / width)
        dtype = self.embedding.dtype
        return angles.cos()[:, None].to(dtype), angles.sin()[:, None].to(dtype)

    def _rotated(self, x: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
        cos, sin = turn
        if self.shape.family == "qwen2":
            low, high = x.chunk(2, -1)
            return torch.cat((low * cos - high * sin, low * sin + high * cos), -1)
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)

    def _attend(
        self,
        block: nn.Module,
        x: Tensor,
        turn: tuple[Tensor, Tensor],
        mask: Tensor | None,
        cache: list[tuple[Tensor, Tensor]] | None,
        i: int,
    ) -> Tensor:
        batch, length, _ = x.shape

        def split(y: Tensor, heads: int) -> Tensor:
            return y.view(batch, length, heads, -1).transpose(1, 2)

        q = self._rotated(split(block.attn_q(x), self.shape.heads), turn)
        k = self._rotated(split(block.attn_k(x), self.shape.kv_heads), turn)
        v = split(block.attn_v(x), self.shape.kv_heads)
        if cache is not None:
            if len(cache) > i:
                k = torch.cat((cache[i][0], k), 2)
                v = torch.cat((cache[i][1], v), 2)
                cache[i] = (k, v)
            else:
                cache.append((k, v))
        each = self.shape.heads // self.shape.kv_heads
        k, v = k.repeat_interleave(each, 1), v.repeat_interleave(each, 1)
        causal = mask is None and length > 1
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
        return block.attn_output(y.transpose(1, 2).reshape(batch, length, -1))


def write_adapter(network: Network, path: Path, rank: int, scale: float) -> None:
    """The adapter as a GGUF file that llama.cpp's `--lora` takes."""
    writer = gguf.GGUFWriter(str(path), network.shape.family)
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", rank * scale)
    writer.add_string("general.name", "regrasp tongue")
    writer.add_string("general.license", "apache-2.0")
    for i, block in enumerate(network.blocks):
        for name in LINEAR:
            layer = getattr(block, name)
            for part, value in (("a", layer.a), ("b", layer.b)):
                array = value.detach().float().cpu().numpy().astype(np.float16)
                writer.add_tensor(f"blk.{i}.{name}.weight.lora_{part}", array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def read_adapter(network: Network, path: Path) -> None:
    """Put the numbers of an adapter that `write_adapter` wrote into `network`."""
    found = {t.name: t.data for t in gguf.GGUFReader(str(path)).tensors}
    with torch.no_grad():
        for i, block in enumerate(network.blocks):
            for name in LINEAR:
                layer = getattr(block, name)
                for part, value in (("a", layer.a), ("b", layer.b)):
                    array = found[f"blk.{i}.{name}.weight.lora_{part}"]
                    value.copy_(torch.from_numpy(np.array(array, dtype=np.float32)))
