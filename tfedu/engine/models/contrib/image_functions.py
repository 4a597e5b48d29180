"""Layers of `tf.contrib.layers` that turn images into points or sequences: spatial_softmax, images_to_sequence. No state."""

from __future__ import annotations

from typing import Any

from ...base import dtypes
from ...base.errors import error_text
from ...graph.atomic import atomic
from ...graph.conversion import convert_to_tensor
from ...graph.nodes import Tensor
from ...lib.arrays import array, constructors, sequences
from ...lib.framework.scope_blocks import name_scope
from ...lib.math import reductions
from ...lib.variables.initializers import Constant, Ones
from ...lib.variables.variable_scope import variable_scope
from ...ops import activations as activation_ops
from .arg_scopes import add_arg_scope
from .collected_outputs import collect_named_outputs
from .layer_blocks import check_data_format
from .model_variables import model_variable


@add_arg_scope
@atomic
def spatial_softmax(
    features: Any,
    temperature: Any = None,
    name: Any = None,
    variables_collections: Any = None,
    trainable: bool = True,
    data_format: str = "NHWC",
) -> Tensor:
    """The expected place of each channel of features [n, h, w, c]: [n, 2 · c], pairs (x, y) in -1 to 1 of each channel.

    The softmax over all pixels of a channel is the probability of a place. temperature: the first value (1) of the variable that
    divides the features; in variables_collections only if it is trainable. data_format: "NCHW" for features [n, c, h, w].

    Raises: ValueError for another data_format and for an unknown c.
    """
    with variable_scope(name, "spatial_softmax"):
        features = convert_to_tensor(features)
        sizes, static = array.shape(features), features.shape
        if data_format == "NHWC":
            height, width, channels = sizes[1], sizes[2], static[3].value
        elif data_format == "NCHW":
            channels, height, width = static[1].value, sizes[2], sizes[3]
        else:
            raise ValueError(error_text("data_format has to be either NCHW or NHWC."))
        if channels is None:
            text = "The num_channels dimension of the inputs to `spatial_softmax` should be defined. Found `None`."
            raise ValueError(error_text(text, [features]))
        with name_scope("spatial_softmax_op", "spatial_softmax_op", [features]):
            columns, rows = constructors.meshgrid(
                sequences.lin_space(-1.0, 1.0, num=height), sequences.lin_space(-1.0, 1.0, num=width), indexing="ij"
            )
            columns, rows = array.reshape(columns, [height * width]), array.reshape(rows, [height * width])
            initializer = Ones() if temperature is None else Constant(temperature)
            temperature = model_variable(
                "temperature",
                shape=(),
                dtype=dtypes.float32,
                initializer=initializer,
                collections=variables_collections if trainable else None,
                trainable=trainable,
            )
            if data_format == "NHWC":
                features = array.transpose(features, [0, 3, 1, 2])
            pixels = array.reshape(features, [-1, height * width])
            attention = activation_ops.softmax(pixels / temperature)
            first = reductions.reduce_sum(columns * attention, [1], keepdims=True)
            second = reductions.reduce_sum(rows * attention, [1], keepdims=True)
            points = array.reshape(array.concat([first, second], 1), [-1, channels * 2])
            points.set_shape([None, channels * 2])
        return points


@add_arg_scope
@atomic
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: Any = None
) -> Tensor:
    """Images [n, h, w, c] (or [n, c, h, w] for "NCHW") as sequences of their columns: [w, n · h, c].

    Raises: ValueError for another data_format and for a rank other than 4.
    """
    check_data_format(data_format, "NCHW", "NHWC")
    with name_scope(scope, "ImagesToSequence", [inputs]) as block:
        inputs = convert_to_tensor(inputs)
        if data_format == "NCHW":
            inputs = array.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.shape.as_list()
        sizes = array.shape(inputs)
        batch, height = sizes[0], sizes[1]
        columns = array.transpose(inputs, [2, 0, 1, 3])
        outputs = array.reshape(columns, [width, batch * height, depth])
        return collect_named_outputs(outputs_collections, block, outputs)


@add_arg_scope
@atomic
def sequence_to_images(
    inputs: Any,
    height: Any,
    output_data_format: str = "channels_last",
    outputs_collections: Any = None,
    scope: Any = None,
) -> Tensor:
    """Sequences of columns [w, n · height, c] as images [n, height, w, c], or [n, c, height, w] for "channels_first".

    Raises: ValueError for a rank other than 3.
    """
    with name_scope(scope, "SequenceToImages", [inputs]) as block:
        inputs = convert_to_tensor(inputs)
        width, batches, depth = inputs.shape.as_list()
        count = -1 if batches is None else batches // height
        images = array.reshape(inputs, [width, count, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collect_named_outputs(outputs_collections, block, array.transpose(images, order))


__all__ = ["images_to_sequence", "sequence_to_images", "spatial_softmax"]
