"""Functions of tf.keras.utils over models: `get_source_inputs` and `convert_all_kernels_in_model`. No state."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...lib.framework import nest
from ..keras_images.keras_convolution import Conv1D, Conv2D, Conv3D
from ..keras_images.keras_transposed import Conv2DTranspose
from ..keras_layers.layer_nodes import history_of

_TURNED = (Conv1D, Conv2D, Conv3D, Conv2DTranspose)


def get_source_inputs(tensor: Any, layer: Any = None, node_index: int | None = None) -> Any:
    """The input tensors that a Keras tensor is made of, each once; a tensor without a history itself.

    layer, node_index: the call that made the tensor, by default as its history says.
    """
    history = history_of(tensor)
    if history is None:
        return tensor
    if layer is None or node_index:
        layer, node_index = history.layer, history.node_index
    if not layer.inbound_nodes:
        return [tensor]
    found: dict[int, Any] = {}
    waiting = [layer.inbound_nodes[node_index or 0]]
    while waiting:
        node = waiting.pop()
        if not node.sources:
            for each in nest.flatten(node.input_tensors):
                found.setdefault(id(each), each)
        waiting += [source.layer.inbound_nodes[source.node_index] for source in reversed(node.sources)]
    return list(found.values())


def convert_all_kernels_in_model(model: Any) -> None:
    """Turns the kernels of a model's convolutions by 180° along the spatial axes: from true convolutions to correlations."""
    for layer in model.layers:
        if isinstance(layer, _TURNED):
            kernel = layer.get_weights()[0]
            axes = tuple(range(layer.rank))
            layer.set_weights([np.flip(kernel, axes), *layer.get_weights()[1:]])


__all__ = ["convert_all_kernels_in_model", "get_source_inputs"]
