"""An ONNX graph, written node by node, and numbers in 8 bits in it.

A tensor in 8 bits (`Eighth`) has a scale and a zero: what it stands for is scale * (number - zero).
What is seen is in 0..255, weights in -64..64: on processors without dot products of their own,
two products of such are added up in 16 bits, and would not fit there if weights had all 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper, numpy_helper

Array = npt.NDArray[Any]
Range = tuple[float, float]

_OPSET, _IR = 17, 9
_RUNTIMES = "com.microsoft"  # operators of onnxruntime's own
_OWN = ("MatMulIntegerToFloat", "MultiHeadAttention", "QLinearAdd", "QLinearConv")
_WEIGHTS_TO = 64


@dataclass(frozen=True, slots=True)
class Eighth:
    """A tensor in 8 bits: its name, its scale and its zero, as values and by name."""

    name: str
    scale: float
    scale_name: str
    zero_name: str

    @property
    def how(self) -> tuple[str, str]:
        """Names of scale and zero, as operators take them."""
        return self.scale_name, self.zero_name


@dataclass(slots=True)
class Graph:
    """What was written so far. Methods return the name of what comes out."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, values: npt.ArrayLike, dtype: npt.DTypeLike = None) -> str:
        """A constant, float unless its type is given or integer."""
        array = np.array(values, dtype, order="C")
        if dtype is None and array.dtype == np.float64:
            array = array.astype(np.float32)
        self.constants.append(numpy_helper.from_array(array, f"c{len(self.constants)}"))
        return self.constants[-1].name

    def add(self, op: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """A node with one output."""
        return self.split(op, *inputs, names=(name,), **attributes)[0]

    def split(
        self, op: str, *inputs: str, names: Sequence[str] = ("", "", ""), **attributes: Any
    ) -> list[str]:
        """A node with as many outputs as `names`; where one is empty, it gets another."""
        mine = f"{op}{len(self.nodes)}"
        outputs = [name or f"{mine}.{i}" for i, name in enumerate(names)]
        domain = _RUNTIMES if op in _OWN else ""
        self.nodes.append(
            helper.make_node(op, list(inputs), outputs, mine, domain=domain, **attributes)
        )
        return outputs

    def reshape(self, x: str, *shape: int) -> str:
        """`x` in another shape."""
        return self.add("Reshape", x, self.constant(shape, np.int64))

    def eighth(self, name: str, within: Range) -> Eighth:
        """`name` as 8 bits that reach over `within`, and over nought."""
        low, high = min(within[0], 0.0), max(within[1], 0.0)
        scale = (high - low) / 255
        zero = round(-low / scale)
        return self.as_eighth(name, scale, zero)

    def as_eighth(self, name: str, scale: float, zero: int) -> Eighth:
        """`name` as 8 bits of this scale and zero."""
        names = self.constant(scale, np.float32), self.constant(zero, np.uint8)
        return Eighth(name, scale, *names)

    def rounded(self, x: str, within: Range) -> Eighth:
        """The float `x` in 8 bits."""
        to = self.eighth("", within)
        return Eighth(self.add("QuantizeLinear", x, *to.how), to.scale, *to.how)

    def convolved(
        self,
        x: Eighth,
        weight: Array,
        bias: Array,
        within: Range,
        *,
        stride: int = 1,
        pad: int | None = None,
    ) -> Eighth:
        """`x` (N, H, W, C) through a convolution; what lies outside of `within` is cut off.

        `weight` is (outputs, inputs, K, K); with one input, each channel is for itself.
        """
        (outputs, inputs, kernel, _), to = weight.shape, self.eighth("", within)
        pad = kernel // 2 if pad is None else pad
        numbers, scales = eight_bits(weight, (1, 2, 3))
        scales = scales.reshape(-1)
        shift = np.rint(bias / (x.scale * scales)).astype(np.int32)
        y = self.add(
            "QLinearConv",
            x.name,
            *x.how,
            self.constant(numbers),
            self.constant(scales),
            self.constant(np.zeros(outputs, np.int8)),
            *to.how,
            self.constant(shift),
            channels_last=1,
            kernel_shape=[kernel] * 2,
            strides=[stride] * 2,
            pads=[pad] * 4,
            group=outputs if inputs == 1 else 1,
        )
        return Eighth(y, to.scale, *to.how)

    def summed(self, a: Eighth, b: Eighth, within: Range) -> Eighth:
        """a + b; what lies outside of `within` is cut off."""
        to = self.eighth("", within)
        y = self.add("QLinearAdd", a.name, *a.how, b.name, *b.how, *to.how)
        return Eighth(y, to.scale, *to.how)

    def multiplied(
        self, x: Eighth, weight: Array, bias: Array | None = None, name: str = ""
    ) -> str:
        """The float x @ weight + bias, for `weight` (..., inputs, outputs)."""
        numbers, scales = eight_bits(weight, (-2,))
        if weight.ndim == 2:
            scales = scales[0]
        more = () if bias is None else (self.constant(bias),)
        return self.add(
            "MatMulIntegerToFloat",
            x.name,
            self.constant(numbers),
            x.scale_name,
            self.constant(scales),
            x.zero_name,
            self.constant(np.zeros(scales.shape, np.int8)),
            *more,
            name=name,
        )

    def save(self, path: Path, inputs: dict[str, Array], outputs: dict[str, Array]) -> None:
        """Write the graph; `inputs` and `outputs` have examples, with 0 for a size that varies."""

        def told(examples: dict[str, Array]) -> list[onnx.ValueInfoProto]:
            return [
                helper.make_tensor_value_info(
                    name, helper.np_dtype_to_tensor_dtype(one.dtype), [n or None for n in one.shape]
                )
                for name, one in examples.items()
            ]

        graph = helper.make_graph(
            self.nodes, path.stem, told(inputs), told(outputs), self.constants
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_RUNTIMES, 1)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=_IR), path)


def eight_bits(weight: Array, over: tuple[int, ...]) -> tuple[Array, Array]:
    """Signed numbers for `weight`, and scales that are shared `over` these axes."""
    scales = np.maximum(np.abs(weight).max(over, keepdims=True), 1e-8) / _WEIGHTS_TO
    return np.rint(weight / scales).astype(np.int8), scales.astype(np.float32)
