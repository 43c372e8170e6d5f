"""The graph that ships, from trained weights: `python train/segments/export.py WEIGHTS.npz OUT`.

Weights are kept in 16 bits and cast to floats when the graph is loaded.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def main() -> None:
    """Write the graph."""
    kept = dict(np.load(sys.argv[1]))
    nodes, constants = [], []

    def conv(x: str, name: str, stride: int = 1, *, relu: bool = True) -> str:
        for part in ("weight", "bias"):
            half = kept[f"{name}.{part}"].astype(np.float16)
            constants.append(numpy_helper.from_array(half, f"{name}.{part}.16"))
            nodes.append(
                helper.make_node(
                    "Cast", [f"{name}.{part}.16"], [f"{name}.{part}"], to=TensorProto.FLOAT
                )
            )
        size = kept[f"{name}.weight"].shape[2]
        nodes.append(
            helper.make_node(
                "Conv", [x, f"{name}.weight", f"{name}.bias"], [f"{name}.out"],
                kernel_shape=[size, size], strides=[stride, stride], pads=[size // 2] * 4,
            )
        )  # fmt: skip
        if not relu:
            return f"{name}.out"
        nodes.append(helper.make_node("Relu", [f"{name}.out"], [f"{name}.relu"]))
        return f"{name}.relu"

    constants.append(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice"))
    kinds = len(kept["head.bias"])
    x, skips = conv("pictures", "first"), []
    for k in range(3):
        skips.append(x)
        x = conv(conv(x, f"down.{k}", 2), f"more.{k}")
    x = conv(x, "deep")
    for k in range(3):
        nodes.append(
            helper.make_node("Resize", [x, "", "twice"], [f"up.{k}.large"], mode="nearest",
                             coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        )  # fmt: skip
        nodes.append(
            helper.make_node("Concat", [f"up.{k}.large", skips.pop()], [f"up.{k}.both"], axis=1)
        )
        x = conv(f"up.{k}.both", f"up.{k}")
    logits = conv(x, "head", relu=False)
    nodes.append(helper.make_node("Softmax", [logits], ["shares"], axis=1))
    graph = helper.make_graph(
        nodes, "segments",
        [helper.make_tensor_value_info("pictures", TensorProto.FLOAT, ["n", 6, 120, 160])],
        [helper.make_tensor_value_info("shares", TensorProto.FLOAT, ["n", kinds, 120, 160])],
        constants,
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    Path(sys.argv[2]).write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
